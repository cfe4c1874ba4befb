"""`fastops run` and its files: IN stays as it is, and OUT is whole, as it was, or not there, whatever happens."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from socket import AF_UNIX, socket
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from fastops._cli import _npy_blocks
from fastops._cli._signals import signals_raised
from fastops._cli._staging import staged_files
from tests.cli._runs import DATA, PARTS, SLICE, SPLIT, content, is_refused, limited, ran
from tests.helpers.processes import run_code

EMPTY = "run slice in.npy --start 0 --size 0 -o "
RANGE = "run range --start 0 --stop 9 --step 1 --output-type f32 -o "
STORES = "run numpy split in.npy --indices-or-sections 2 -o p.zarr"
UNNAMED = getattr(os, "O_TMPFILE", -1)

# Something happens at any moment.

# What a run asks of the system, and what it computes: each call is a moment.
CALLS: list[tuple[Any, str]] = [
    *[(os, name) for name in ("open", "mkdir", "link", "replace", "rename", "chmod", "chown", "unlink")],
    (os, "posix_fallocate"),
    (np.memmap, "flush"),
    (_npy_blocks, "write_pieces"),
]
PLACING = ("link", "link old", "replace", "rename")
# Without these a run goes on: files have names from the start, what they replace is renamed, or they change hands.
DISPENSABLE = ("open unnamed", "link old", "chown")
CODES = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129, "interrupt": 130, "error": 2}

# How files are staged, commands, and what there is before that they replace.
RUNS: list[tuple[str, str, list[str]]] = [
    ("unnamed", f"{SPLIT}p.npy", []),
    ("unnamed", f"{SPLIT}p.npy", ["p-0.npy", "p-2.npy"]),
    ("named", f"{SPLIT}p.npy", ["p-1.npy"]),
    ("unnamed", f"{SLICE}in.npy", []),
    ("named", f"{SLICE}in.npy", []),
    ("unnamed", f"{RANGE}p-0.npy", ["p-0.npy"]),
    ("named", f"{RANGE}p-0.npy", []),
    ("unnamed", STORES, []),
    ("unnamed", STORES, ["p-1.zarr"]),
]


def name_of(call: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> str | None:
    """What a moment is called, or None for a call that is none."""
    if call == "open":
        is_unnamed = arguments[1] & UNNAMED == UNNAMED
        return "open unnamed" if is_unnamed else call if arguments[1] & os.O_CREAT else None
    return "link old" if call == "link" and not options else call


@contextmanager
def moments(at: int = -1, happen: Callable[[], object] = lambda: None) -> Iterator[list[str]]:
    """Give the moments of what is run, in order; at one of them, let something happen."""
    seen: list[str] = []

    def watched(call: str, go_on: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            name = name_of(call, arguments, options)
            if name and threading.current_thread() is threading.main_thread():
                seen.append(name)
                if len(seen) == at + 1:
                    happen()
            return go_on(*arguments, **options)

        return run

    with ExitStack() as stack:
        for owner, name in [each for each in CALLS if hasattr(*each)]:
            stack.enter_context(patch.object(owner, name, watched(name, getattr(owner, name))))
        yield seen


def happen(what: str) -> None:
    if what == "error":
        raise OSError(errno.ENOSPC, "No space left on device")
    if what == "interrupt":
        raise KeyboardInterrupt
    number = signal.Signals[what]
    assert callable(signal.getsignal(number)), f"{what} would end this process"
    signal.raise_signal(number)


def prepare(existing: list[str]) -> None:
    """Let the directory hold in.npy, and what a run is to replace."""
    for path in Path().iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    np.save("in.npy", DATA)
    for name in existing:
        if name.endswith(".npy"):
            Path(name).write_bytes(name.encode())
        else:
            assert ran(f"run numpy copy in.npy -o {name}").code == 0


@pytest.mark.usefixtures("own_signals", "way")
@pytest.mark.parametrize(("way", "command", "existing"), RUNS, indirect=["way"])
def test_whatever_happens_at_any_moment_all_files_appear_or_none(
    command: str, existing: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "zarr" in command:
        pytest.importorskip("zarr")
    monkeypatch.setattr(_npy_blocks, "_BLOCK_BYTES", 4000)
    prepare(existing)
    before = content()
    with moments() as names:
        assert ran(command).code == 0
    done, wrong = content(), []
    for i, name in enumerate(names):
        # Signals in turn. What hinders the removing of what was replaced comes too late to undo anything.
        for what in (list(CODES)[i % 3], *(["interrupt", "error"] if name != "unlink" else [])):
            prepare(existing)
            with moments(i, lambda what=what: happen(what)):
                result = ran(command)
            # From the first file that is put in place, signals wait until all are.
            is_placing = what.startswith("SIG") and bool({*names[: i + 1]} & {*PLACING})
            is_dispensable = what == "error" and name in DISPENSABLE
            expected = done if is_placing or is_dispensable else before
            if (result.code, content()) != (0 if is_dispensable else CODES[what], expected):
                wrong.append((what, i, name, result, sorted(content())))
    assert wrong == []
    # Room on the disk is asked for, and what was written has come to it, before a file is put in place.
    assert {"mkdir", "rename"} <= {*names} or {"posix_fallocate", "flush", "replace"} <= {*names}


def test_an_error_is_told_even_if_what_is_left_cannot_be_removed(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with limited("FSIZE", 4000), monkeypatch.context() as context:
        context.setattr(Path, "unlink", lambda *_, **__: happen("error"))
        assert is_refused(ran(f"{SLICE}out.npy"), "slice: the output must fit in a file"), way


@pytest.mark.usefixtures("way")
def test_of_two_that_write_the_same_files_each_puts_its_own_in_place() -> None:
    targets = ["a.npy", "b.npy"]
    with staged_files("run", targets) as first:
        for path in first:
            path.write_bytes(b"first")
        with staged_files("run", targets) as second:
            for path in second:
                path.write_bytes(b"second")
        assert [Path(target).read_bytes() for target in targets] == [b"second"] * 2
    assert [Path(target).read_bytes() for target in targets] == [b"first"] * 2
    assert sorted(content()) == ["a.npy", "b.npy", "in.npy"]


def test_more_parts_than_a_process_may_have_files() -> None:
    # This process has fewer open files than that.
    with limited("NOFILE", 128):
        assert ran(f"run variadic_split in.npy --axis 0 --split-lengths {'1,' * 149}-1 -o p.npy").code == 0
    assert len(content()) == 1 + 150


def test_signals_that_are_ignored_stay_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals_raised():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def kill_at_every_moment() -> None:
    """Let processes be killed: children of this one, which has a single thread."""
    _npy_blocks._BLOCK_BYTES = 4000
    prepare(PARTS)
    before = content()
    with moments() as names:
        assert ran(f"{SPLIT}p.npy").code == 0
    done = content()
    cases = [(i, signal.SIGKILL, lambda: os.kill(os.getpid(), signal.SIGKILL)) for i in range(len(names))]
    # What is mapped and gone cannot be read: the system ends the process.
    cases.append((names.index("write_pieces") + 2, signal.SIGBUS, lambda: os.truncate("in.npy", 0)))
    for i, number, action in cases:
        prepare(PARTS)
        child = os.fork()
        if not child:
            with moments(i, action):
                ran(f"{SPLIT}p.npy")
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -number, i
        left = content()
        if not {*names[: i + 1]} & {*PLACING}:
            assert left | {"in.npy": before["in.npy"]} == before, (i, names[i], sorted(left))
        # The one thing that cannot be helped: while files are put in place some are new, and names are left.
        assert all(left[name] in (before[name], done[name]) for name in PARTS), (i, names[i])
        assert number == signal.SIGBUS or left["in.npy"] == before["in.npy"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs files without a name")
def test_processes_that_are_killed(tmp_path: Path) -> None:
    run_code(f"os.chdir({str(tmp_path)!r})\nfrom tests.cli import test_staging\ntest_staging.kill_at_every_moment()")


# What OUT may be.


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("name", ["in.npy", "./in.npy", "symbolic.npy", "hard.npy", "new.npy"])
def test_out_may_be_in_or_a_link(name: str) -> None:
    os.mkdir("dir")
    os.symlink("in.npy", "symbolic.npy")
    os.link("in.npy", "hard.npy")
    os.symlink("dir/new.npy", "new.npy")
    assert ran(SLICE + name).code == 0
    np.testing.assert_array_equal(np.load(name), DATA[1:999])
    assert (os.readlink("symbolic.npy"), os.readlink("new.npy")) == ("in.npy", "dir/new.npy")
    np.testing.assert_array_equal(np.load("in.npy" if name == "hard.npy" else "hard.npy"), DATA)
    assert {*content()} - {"dir/new.npy"} == {"dir", "hard.npy", "in.npy", "symbolic.npy", "new.npy"}


@pytest.mark.usefixtures("way")
def test_what_is_replaced_hands_its_permissions_on_and_a_new_file_has_the_usual_ones() -> None:
    status, asked = os.stat("in.npy"), []

    def chown(_: Path, owner: int, group: int) -> None:
        asked.append((owner, group))
        # As most users are told.
        happen("error")

    umask = os.umask(0o027)
    try:
        for command in (SLICE, EMPTY):
            Path("old.npy").write_bytes(b"old")
            os.chmod("old.npy", 0o604)
            with patch.object(os, "chown", chown):
                assert [ran(f"{command}{name}").code for name in ("old.npy", "new.npy")] == [0, 0]
            assert [os.stat(name).st_mode & 0o777 for name in ("old.npy", "new.npy")] == [0o604, 0o640]
            os.unlink("new.npy")
    finally:
        os.umask(umask)
    assert asked == [(-1, status.st_gid), (status.st_uid, -1)] * 2


def test_nobody_reads_what_replaces_a_file(way: str) -> None:
    allocate, modes = os.posix_fallocate, set()

    def look_at_modes(*arguments: Any) -> None:
        modes.update([path.stat().st_mode & 0o777 for path in Path().glob(".fastops-*")])
        allocate(*arguments)

    os.chmod("in.npy", 0o600)
    with patch.object(os, "posix_fallocate", look_at_modes):
        assert ran(f"{SLICE}in.npy").code == 0
    assert modes == ({0o600} if way == "named" else set())


@pytest.mark.usefixtures("way")
def test_no_space() -> None:
    for name in ("out.npy", "out-1.npy"):
        Path(name).write_bytes(b"old")
    before = content()
    for output in ("out.npy", "new.npy", "in.npy"):
        # Of the data, of a header, of anything, of a file without data, and of the last part.
        for command, most in ((SLICE, 4000), (SLICE, 64), (SLICE, 0), (EMPTY, 64), (SPLIT, 4000)):
            with limited("FSIZE", most):
                result = ran(f"{command}{output}")
            assert is_refused(result), (command, most, result)
            assert content() == before, (command, most, output)


# Nobody can make a file in the last of them, root neither.
NO_FILES = ["dir", "dir/", "dir/..", "new/", "fifo", "loop", ".", "..", "in.npy/out.npy", "in.npy/../o.npy"]
NO_FILES += ["missing/out.npy", "missing/../o.npy", "loop/out.npy", f"dir/{'x' * 300}", "/dev/null/out.npy"]
NO_FILES += ["/proc/out.npy"] if sys.platform == "linux" else []


@pytest.mark.usefixtures("way")
def test_out_where_no_file_can_be() -> None:
    os.mkdir("dir")
    os.mkfifo("fifo")
    os.symlink("loop", "loop")
    os.symlink("p-0.npy", "p-1.npy")
    with socket(AF_UNIX) as unix:
        # Stands for devices too: root, if the check were broken, would replace a real one.
        unix.bind("socket")
    before = content()
    for output in (*NO_FILES, "socket"):
        for command in (SLICE, EMPTY):
            result = ran(f"{command}{output}")
            assert is_refused(result, "slice: output must be "), (output, result)
            assert result.err.endswith(f", got '{output}'\n" if len(output) < 80 else "'\n")
        if output not in ("dir", "fifo", "loop", "socket"):
            assert is_refused(ran(f"{SPLIT}{output}"), "variadic_split: output must be "), output
    assert is_refused(ran(f"{SPLIT}p.npy"), "variadic_split: output must name a file for each part, got [")
    assert content() == before


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_an_open_file_without_a_name_is_no_out() -> None:
    with open("gone.npy", "w+b") as file:
        os.unlink("gone.npy")
        assert is_refused(ran(f"{SLICE}/proc/self/fd/{file.fileno()}"))
    assert sorted(content()) == ["in.npy"]
