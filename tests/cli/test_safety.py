"""`fastops run` and its files: IN stays as it is, and OUT is whole, as it was, or not there, whatever happens."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import AF_UNIX, socket
from typing import Any

import numpy as np
import pytest

from fastops.__main__ import main
from fastops._cli import _npy, _staging
from tests.cli._runs import DATA, PARTS, SLICE, SPLIT, content, run

resource = pytest.importorskip("resource", reason="needs POSIX")

pytestmark = pytest.mark.usefixtures("in_npy")


def failed_in_one_line(capsys: pytest.CaptureFixture[str]) -> bool:
    printed = capsys.readouterr()
    return printed.out == "" and printed.err.count("\n") == 1 and " must " in printed.err


# What OUT may be.


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("name", ["in.npy", "./in.npy", "symbolic.npy", "hard.npy"])
def test_out_may_be_in(name: str) -> None:
    os.symlink("in.npy", "symbolic.npy")
    os.link("in.npy", "hard.npy")
    assert run(SLICE, name) == 0
    np.testing.assert_array_equal(np.load(name), DATA[1:999])
    assert Path("symbolic.npy").is_symlink()
    other = "in.npy" if name == "hard.npy" else "hard.npy"
    np.testing.assert_array_equal(np.load(other), DATA)
    assert sorted(content()) == ["hard.npy", "in.npy", "symbolic.npy"]


@pytest.mark.usefixtures("way")
def test_a_link_to_nothing_gets_what_it_leads_to() -> None:
    os.mkdir("dir")
    os.symlink("dir/new.npy", "link.npy")
    assert run(SLICE, "link.npy") == 0
    assert os.readlink("link.npy") == "dir/new.npy"
    np.testing.assert_array_equal(np.load("dir/new.npy"), DATA[1:999])


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("operator", [SLICE, ["slice", "--start", "0", "--size", "0"]], ids=["full", "empty"])
def test_a_file_that_is_replaced_keeps_its_mode_and_a_new_one_has_the_usual_one(operator: list[str]) -> None:
    Path("old.npy").write_bytes(b"old")
    os.chmod("old.npy", 0o604)
    before = os.umask(0o027)
    try:
        assert run(operator, "old.npy") == run(operator, "new.npy") == 0
    finally:
        os.umask(before)
    assert [os.stat(name).st_mode & 0o777 for name in ("old.npy", "new.npy")] == [0o604, 0o640]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("is_allowed", [True, False])
def test_a_file_that_is_replaced_hands_its_group_and_owner_on(
    is_allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("out.npy").write_bytes(b"old")
    before = os.stat("out.npy")
    calls = []

    def chown(path: Path, owner: int, group: int) -> None:
        calls.append((owner, group))
        if not is_allowed:
            raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(_staging.os, "chown", chown)
    assert run(SLICE, "out.npy") == 0
    assert calls == [(-1, before.st_gid), (before.st_uid, -1)]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    "output",
    [
        "dir",
        "dir/",
        "dir/..",
        "new/",
        "fifo",
        "loop",
        # Stands for devices too: root, if the check were broken, would replace a real one.
        "socket",
        "in.npy/out.npy",
        "missing/out.npy",
        "loop/out.npy",
        "dir/" + "x" * 300,
        # Nobody can make a file there, root neither.
        "/proc/out.npy" if sys.platform == "linux" else "/dev/null/out.npy",
    ],
)
@pytest.mark.parametrize("operator", [SLICE, ["slice", "--start", "0", "--size", "0"]], ids=["full", "empty"])
def test_out_where_no_file_can_be(operator: list[str], output: str, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkdir("dir")
    os.mkfifo("fifo")
    os.symlink("loop", "loop")
    with socket(AF_UNIX) as unix:
        unix.bind("socket")
    before = content()
    assert run(operator, output) == 2
    error = capsys.readouterr().err
    assert error.startswith("slice: output must be ")
    assert error.endswith(f", got '{output}'\n" if len(output) < 80 else "'\n")
    assert error.count("\n") == 1
    assert content() == before
    assert os.listdir("dir") == []


@pytest.mark.usefixtures("way")
def test_parts_that_are_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    os.symlink("p-0.npy", "p-1.npy")
    before = content()
    assert run(SPLIT, "p.npy") == 2
    assert capsys.readouterr().err.startswith("variadic_split: output must name a file for each part, got [")
    assert content() == before


# Disks that are full.


@contextmanager
def file_size_limit(most: int) -> Iterator[None]:
    """Let no file grow beyond a number of bytes: for root too, and without a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("output", ["out.npy", "new.npy", "in.npy"])
@pytest.mark.parametrize(
    ("operator", "most"),
    [(SLICE, 4000), (SLICE, 64), (SLICE, 0), (["slice", "--start", "0", "--size", "0"], 64), (SPLIT, 4000)],
    ids=["data", "header", "nothing", "empty", "last part"],
)
def test_no_space(operator: list[str], most: int, output: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("out.npy", "out-1.npy"):
        Path(name).write_bytes(b"old")
    before = content()
    with file_size_limit(most):
        assert run(operator, output) == 2
    assert failed_in_one_line(capsys)
    assert content() == before


@pytest.mark.usefixtures("way")
def test_no_space_is_noticed_before_a_mapped_page_is_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def posix_fallocate(descriptor: int, offset: int, length: int) -> None:
        asked.append((offset, length))
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(_npy.os, "posix_fallocate", posix_fallocate)
    before = content()
    assert run(SLICE, "out.npy") == 2
    assert "(No space left on device)" in capsys.readouterr().err
    assert asked == [(0, 128 + 998 * 8)]
    assert content() == before


@pytest.mark.usefixtures("way")
def test_an_error_is_told_even_if_what_is_left_cannot_be_removed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unlink(_: Path, **options: Any) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as patch, file_size_limit(4000):
        patch.setattr(Path, "unlink", unlink)
        assert run(SLICE, "out.npy") == 2
    assert "the output must fit in a file" in capsys.readouterr().err


@pytest.mark.usefixtures("way")
def test_an_error_of_the_disk_while_pages_are_brought_to_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def flush(_: Any) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(np.memmap, "flush", flush)
    before = content()
    for args in (SLICE, ["range", "--start", "0", "--stop", "9", "--step", "1", "--output-type", "f32"]):
        source = [] if args[0] == "range" else ["in.npy"]
        assert main(["run", args[0], *source, "-o", "out.npy", *args[1:]]) == 2
        assert failed_in_one_line(capsys)
        assert content() == before


# What no file can be, or no type has.


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("name", ["missing/../o.npy", "in.npy/../o.npy", "missing/o.npy", ".", "dir/", ".."])
@pytest.mark.parametrize("operator", [SLICE, SPLIT], ids=["slice", "split"])
def test_out_is_the_path_of_a_file_in_a_directory(
    name: str, operator: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkdir("dir")
    assert run(operator, name) == 2
    assert failed_in_one_line(capsys)
    assert sorted(content()) == ["dir", "in.npy"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_an_open_file_without_a_name_is_no_out(capsys: pytest.CaptureFixture[str]) -> None:
    with open("gone.npy", "w+b") as file:
        os.unlink("gone.npy")
        assert run(SLICE, f"/proc/self/fd/{file.fileno()}") == 2
    assert failed_in_one_line(capsys)
    assert sorted(content()) == ["in.npy"]


ZEROS = ",".join("0" * 70)


@pytest.mark.parametrize(
    ("source", "arguments"),
    [
        (np.zeros((0, 3)), ["slice", "--start", "0,0", "--size", "0,4611686018427387904", "--mode", "fill"]),
        (np.zeros(()), ["strided_slice", "--begin", ZEROS, "--end", ZEROS, "--new-axis-mask", ZEROS.replace("0", "1")]),
        (np.zeros(3), ["slice", "--start", "0", "--size", "9", "--mode", "fill", "--fill-value", "1e999"]),
        (np.zeros(3), ["slice", "--start", "0", "--size", "9", "--mode", "fill", "--fill-value", "9" * 4400]),
        (np.zeros(3, "M8[Y]"), ["slice", "--start", "0", "--size", "9", "--mode", "fill", "--fill-value", "9" * 20]),
    ],
    ids=["elements", "axes", "float", "digits", "year"],
)
def test_results_that_no_file_has(source: Any, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    np.save("odd.npy", source)
    operator, *flags = arguments
    assert main(["run", operator, "odd.npy", "-o", "out.npy", *flags]) == 2
    assert failed_in_one_line(capsys)
    assert sorted(content()) == ["in.npy", "odd.npy"]


@pytest.mark.parametrize(("text", "expected"), [("inf", np.inf), ("-Infinity", -np.inf), ("1e308", 1e308)])
def test_fill_values_that_say_that_they_are_infinite(text: str, expected: float) -> None:
    arguments = ["--start", "0", "--size", "1001", "--mode", "fill", f"--fill-value={text}"]
    np.save("floats.npy", np.zeros(1000))
    assert main(["run", "slice", "floats.npy", "-o", "out.npy", *arguments]) == 0
    assert np.load("out.npy")[1000] == expected


def test_warnings_of_numpy_are_kept_back() -> None:
    np.save("times.npy", np.zeros(3, "M8[s]"))
    arguments = ["--start", "0", "--size", "4", "--mode", "fill", "--fill-value", "2020-01-01T00:00Z"]
    assert main(["run", "slice", "times.npy", "-o", "out.npy", *arguments]) == 0
    assert np.load("out.npy")[3] == np.datetime64("2020-01-01T00:00")


def test_names_are_printed_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(SLICE, "a\nb\x1b[31m.npy") == 0
    assert capsys.readouterr().out == "'a\\nb\\x1b[31m.npy': shape (998,), int64\n"


def test_nobody_else_reads_what_replaces_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_staging, "_open_unnamed", lambda _: None)
    Path("old.npy").write_bytes(b"old")
    os.chmod("old.npy", 0o600)
    modes = []
    real = _npy.np.lib.format.open_memmap

    def open_memmap(path: Any, *arguments: Any, **more: Any) -> Any:
        opened = real(path, *arguments, **more)
        modes.append(os.stat(path).st_mode & 0o777)
        return opened

    monkeypatch.setattr(_npy.np.lib.format, "open_memmap", open_memmap)
    assert run(SLICE, "old.npy") == 0
    assert modes[1:] == [0o600]
    assert os.stat("old.npy").st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("operator", [SLICE, SPLIT])
def test_no_file_is_mapped_while_it_is_replaced(operator: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Some systems refuse to replace a file that is mapped."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("this system does not say what is mapped")
    real, replaced = os.replace, []

    def replace(source: Any, target: Any) -> None:
        mapped = [line for line in maps.read_text().splitlines() if os.getcwd() in line]
        assert not mapped
        replaced.append(target)
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    for name in PARTS:
        np.save(name, DATA)
    assert run(operator, "p-{}.npy" if operator is SPLIT else "in.npy") == 0
    assert replaced
