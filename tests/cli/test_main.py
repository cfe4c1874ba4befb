"""The command as a whole: help, errors in one line, exit codes, and what is not imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import fastops
from fastops.__main__ import main
from fastops._cli import _info
from fastops._cli._parser import join_negative_values

WITHOUT_NUMBA = """
import sys
from fastops.__main__ import main
code = main(sys.argv[1:])
assert "numpy" in sys.modules
sys.exit(99 if {"numba", "llvmlite"} & set(sys.modules) else code)
"""

SLICE = ["slice", "--shape", "5", "--start", "1", "--size", "2"]


def run(*args: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "fastops", *args], capture_output=True, text=True, **options)


@pytest.mark.parametrize(
    "args",
    [["--help"], ["--version"], ["demo", "--help"], ["run", "range", "--help"], ["explain", *SLICE]],
    ids=" ".join,
)
def test_no_numba_where_nothing_is_compiled(args: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_NUMBA, *args], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_help_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    asked = capsys.readouterr()
    assert main([]) == 0
    assert capsys.readouterr() == asked
    assert asked.out.startswith("usage: fastops ")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"fastops {fastops.__version__}\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["bogus"], "fastops: COMMAND must be one of demo, run, explain, info, warmup, got 'bogus'"),
        (
            ["run", "pad"],
            "run: OP must be one of numpy pad, onnx pad, openvino pad, tensorflow pad, torch pad, got 'pad'",
        ),
        (["explain", "expand"], "explain: OP must be one of onnx expand, got 'expand'"),
        (["run"], "run: OP must be one of strided_slice, variadic_split, slice, range, plan, numpy, onnx, "),
        (["run", "slice"], "slice: IN must be given, got None"),
        (["run", "slice", "a.npy"], "slice: output must be given as -o OUT, got None"),
        (["run", "slice", "a.npy", "-o"], "slice: -o/--output must have a value, got None"),
        (["run", "range", "-o", "a.npy"], "range: start must be given as --start, got None"),
        (["info", "--colour"], "fastops: arguments must be ones that --help lists, got '--colour'"),
        (["info", "--help=3"], "info: -h/--help must stand without a value, got '3'"),
        (["demo", "--frames", "0"], "demo: frames must be an integer in 1..32, got 0"),
        (["demo", "--repeats", "x"], "demo: repeats must be an integer in 1..1000, got 'x'"),
        (["explain", "slice", "--start", "0", "--size", "1"], "slice: shape must be given as --shape, got None"),
        (["explain", *SLICE, "--mode", "odd"], "slice: mode must be one of"),
        (["explain", *SLICE, "--fill-value", "1"], "slice: fill_value must be given in mode fill only, got '1'"),
        (["explain", *SLICE, "--axes", "0,0"], "slice: "),
        (
            ["explain", "slice", "--shape", "5", "--start", "x", "--size", "1"],
            "slice: start must be a list of integers",
        ),
        (["explain", "variadic_split", "--shape", "5", "--axis", "1.5"], "variadic_split: axis must be an integer"),
        (["explain", "range", "--start", "x"], "range: start must be a number, got 'x'"),
    ],
)
def test_wrong_calls_are_one_line_and_exit_2(args: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(args) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(message)
    assert printed.err.count("\n") == 1
    assert " must " in printed.err
    assert ", got " in printed.err


def test_exit_code_of_the_process() -> None:
    done = run("explain", "slice", "--shape", "5", "--start", "9", "--size", "2")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("args", "joined"),
    [
        (["--begin", "-1,0"], ["--begin=-1,0"]),
        (["--begin", "-1,0", "--end", "-2"], ["--begin=-1,0", "--end=-2"]),
        (["--begin=-1", "-2"], ["--begin=-1", "-2"]),
        (["--stop", "-inf"], ["--stop=-inf"]),
        (["--stop", "-.5"], ["--stop=-.5"]),
        (["--", "-1"], ["--", "-1"]),
        (["--begin", "1", "-o", "x"], ["--begin", "1", "-o", "x"]),
        (["-1"], ["-1"]),
    ],
)
def test_join_negative_values(args: list[str], joined: list[str]) -> None:
    assert join_negative_values(args) == joined


@pytest.mark.parametrize("spelling", [["--start", "-2,-1"], ["--start=-2,-1"], ["--start", "[-2, -1]"]])
def test_negative_lists(spelling: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "slice", "--shape", "5,5", *spelling, "--size", "3,3", "--mode", "wrap"]) == 0
    out = capsys.readouterr().out
    assert "axis 0: extent 5, start -2" in out
    assert "axis 1: extent 5, start -1" in out


def test_keyboard_interrupt(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(_info, "_cpu_lines", interrupt)
    assert main(["info"]) == 130
    assert capsys.readouterr().err == ""


def test_memory_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def exhaust() -> None:
        raise MemoryError

    monkeypatch.setattr(_info, "_cpu_lines", exhaust)
    assert main(["info"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (fastops.KernelError("fastops: no Numba"), 1, "fastops: no Numba\n"),
        (OSError("no\nlibrary"), 2, "fastops: files must be accessible, got no library\n"),
        (
            FileNotFoundError(2, "No such file", "x"),
            2,
            "fastops: files must be accessible, got [Errno 2] No such file: 'x'\n",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_of_the_system(
    error: Exception, code: int, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        print("half of what is to be said")
        raise error

    monkeypatch.setattr(_info, "_cpu_lines", fail)
    assert main(["info"]) == code
    assert capsys.readouterr() == ("", line)


@pytest.mark.skipif(os.name != "posix", reason="needs a pipe that is closed")
def test_broken_pipe_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        args = [sys.executable, "-m", "fastops", "explain", *SLICE]
        done = subprocess.run(args, stdout=writer, stderr=subprocess.PIPE, text=True)
    finally:
        os.close(writer)
    assert done.returncode == 141
    assert done.stderr == ""


def run_in_shell(redirection: str, *args: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "fastops", *args]
    return subprocess.run(command, capture_output=True, text=True)


CLOSED = "fastops: standard output must be open, got a closed one\n"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize(
    "args", [[], ["--version"], ["--help"], ["run", "--help"], ["info"], ["explain", *SLICE]], ids=" ".join
)
def test_what_a_closed_output_loses_is_an_error(args: list[str]) -> None:
    done = run_in_shell(">&-", *args)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", CLOSED)


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_the_table_of_the_demo_is_not_lost_silently(tmp_path: Path) -> None:
    np.save(tmp_path / "in.npy", np.arange(60, dtype=np.int16))
    done = run_in_shell(">&-", "demo", "--repeats", "1", "--input", str(tmp_path / "in.npy"))
    assert done.returncode == 2
    assert done.stderr.splitlines(keepends=True)[-1] == CLOSED


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("redirection", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed(redirection: str) -> None:
    is_lost = ">&-" in redirection.split()
    done = run_in_shell(redirection, "explain", *SLICE)
    assert done.returncode == (2 if is_lost else 0)
    assert done.stderr == (CLOSED if redirection == ">&-" else "")
    assert bool(done.stdout) == (not is_lost)
    done = run_in_shell(redirection, "explain", *SLICE, "--axes", "5")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == (redirection == ">&-")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_a_file_does_not_get_what_is_printed_where_streams_are_closed(tmp_path: Path) -> None:
    range_of_3 = ["range", "--start", "0", "--stop", "3", "--step", "1", "--output-type", "i8"]
    done = run_in_shell("<&- >&- 2>&-", "run", *range_of_3, "-o", str(tmp_path / "out.npy"))
    # What was written is there, but nobody has been told so.
    assert done.returncode == 2
    assert np.load(tmp_path / "out.npy").tolist() == [0, 1, 2]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_streams_that_are_full(stream: str) -> None:
    attributes = SLICE if stream == "stdout" else [*SLICE, "--axes", "5"]
    with open("/dev/full", "w") as full:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: full}
        done = subprocess.run([sys.executable, "-m", "fastops", "explain", *attributes], text=True, **streams)
    assert done.returncode == 2
    if stream == "stdout":
        assert done.stderr == "fastops: standard output must be writable, got No space left on device\n"
    else:
        assert done.stdout == ""
