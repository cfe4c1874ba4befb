"""`fastops run`, stopped at any moment: IN stays as it is, and OUT is whole, as it was, or not there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fastops._cli import _npy_blocks, _staging
from fastops._cli._signals import signals_raised
from tests.cli._runs import PARTS, SPLIT, content, run

if os.name != "posix":
    pytest.skip("needs signals", allow_module_level=True)

pytestmark = pytest.mark.usefixtures("in_npy", "own_signals")

STOPPING_RUN = """
import signal, sys
from importlib import import_module
import fastops._cli._npy_blocks as command
from fastops.__main__ import main

# What a shell starts in the background ignores some, and so does what that starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
command._BLOCK_BYTES = 4000
owner, name, left = import_module(sys.argv[1]), sys.argv[2], int(sys.argv[3])
go_on = getattr(owner, name)

def stop(*args, **options):
    global left
    left -= 1
    if left < 0:
        print("here", flush=True, file=sys.__stdout__)
        sys.stdin.readline()
    return go_on(*args, **options)

setattr(owner, name, stop)
sys.exit(main(sys.argv[4:]))
"""


@contextmanager
def run_that_stops_at(place: str, calls: int, *args: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start a run in a process of its own and let it come to a function that was called so often before."""
    module, _, name = place.rpartition(".")
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [sys.executable, "-c", STOPPING_RUN, module, name, str(calls), "run", *args]
    with subprocess.Popen(command, **pipes) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        yield process


def end_of(process: subprocess.Popen[bytes], number: signal.Signals | None = None) -> int:
    """Send a signal and let the process go on, if it can; return its exit code after it has ended in silence."""
    if number is not None:
        process.send_signal(number)
    _, error = process.communicate(b"\n", timeout=60)
    assert error == b""
    return process.returncode


def has_unnamed_files() -> bool:
    """True if the system has files without a name, by itself and not by what fastops makes of it."""
    try:
        os.close(os.open(".", os.O_TMPFILE | os.O_RDWR))
    except (AttributeError, OSError):
        return False
    return True


CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGKILL: -signal.SIGKILL}
SPLIT_ARGS = ["variadic_split", "in.npy", "-o", "p.npy", *SPLIT[1:]]
RANGE_ARGS = ["range", "-o", "p-0.npy", "--start", "0", "--stop", "9", "--step", "1", "--output-type", "f32"]


@pytest.mark.parametrize(
    ("number", "place", "calls", "args"),
    [
        *[(number, "fastops._cli._npy_blocks.write_pieces", 0, SPLIT_ARGS) for number in CODES],
        (signal.SIGKILL, "fastops._cli._npy_blocks.write_pieces", 3, SPLIT_ARGS),
        (signal.SIGKILL, "fastops._cli._run_files.execute_range", 0, RANGE_ARGS),
    ],
)
def test_a_process_that_is_stopped_before_all_is_written(
    number: signal.Signals, place: str, calls: int, args: list[str]
) -> None:
    Path("p-0.npy").write_bytes(b"old")
    before = content()
    with run_that_stops_at(place, calls, *args) as process:
        assert end_of(process, number) == CODES[number]
    if number is signal.SIGKILL and not has_unnamed_files():
        for path in Path().glob(".fastops-*"):
            path.unlink()
    assert content() == before


def test_a_process_that_is_killed_while_files_are_put_in_place() -> None:
    for name in PARTS:
        Path(name).write_bytes(b"old")
    before = content()
    with run_that_stops_at("os.replace", 1, *SPLIT_ARGS) as process:
        assert end_of(process, signal.SIGKILL) == -signal.SIGKILL
    # The one thing that cannot be helped: some files are new then, and names are left, but each file is whole.
    assert np.load("p-0.npy").tolist() == [1]
    assert all(content()[name] == before[name] for name in ("in.npy", "p-1.npy", "p-2.npy"))


def raise_once(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, number: signal.Signals, calls: int) -> None:
    """Let a signal come when a function was called so often before."""
    go_on, left = getattr(owner, name), iter([False] * calls + [True])

    def interrupted(*args: Any) -> None:
        if next(left, False):
            signal.raise_signal(number)
        go_on(*args)

    monkeypatch.setattr(owner, name, interrupted)


def code_of_a_run_that_is_stopped() -> int:
    """Run in this process; return the exit code that it would end with."""
    try:
        return run(SPLIT, "p.npy")
    except SystemExit as done:
        return int(done.code or 0)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("calls", [0, 2, 3])
def test_signals_while_blocks_are_written(
    number: signal.Signals, calls: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("p-1.npy").write_bytes(b"old")
    before = content()
    monkeypatch.setattr(_npy_blocks, "_BLOCK_BYTES", 4000)
    raise_once(monkeypatch, _npy_blocks, "write_pieces", number, calls)
    assert code_of_a_run_that_is_stopped() == CODES[number]
    assert capsys.readouterr() == ("", "")
    assert content() == before


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("calls", [0, 1, 2])
def test_signals_while_files_are_put_in_place_wait_until_all_are(
    number: signal.Signals, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in PARTS[:2]:
        Path(name).write_bytes(b"old")
    raise_once(monkeypatch, _staging.os, "replace", number, calls)
    assert code_of_a_run_that_is_stopped() == CODES[number]
    assert sorted(content()) == ["in.npy", *PARTS]
    assert [len(np.load(name)) for name in PARTS] == [1, 2, 997]


def test_in_that_is_cut_short_while_it_is_read() -> None:
    np.save("in.npy", np.zeros(100_000))
    Path("out.npy").write_bytes(b"old")
    args = ["slice", "in.npy", "-o", "out.npy", "--start", "50_000", "--size", "50_000"]
    with run_that_stops_at("fastops._cli._npy_blocks.write_pieces", 0, *args) as process:
        os.truncate("in.npy", 4096)
        # What is mapped and gone cannot be read: the system ends the process.
        assert end_of(process) == -signal.SIGBUS
    assert os.stat("in.npy").st_size == 4096
    assert Path("out.npy").read_bytes() == b"old"
    if has_unnamed_files():
        assert sorted(content()) == ["in.npy", "out.npy"]


def test_signals_that_are_ignored_stay_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals_raised():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
