"""The command as a whole: exit codes, one line of complaint, whatever is written, and where the output goes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fastops as fo
from fastops.__main__ import main
from fastops._cli import _cases, _info, _npy
from tests.cli._runs import ODD, content, is_refused, ran, transcript
from tests.helpers.processes import run_python
from tests.helpers.torture import scale

EXPLAIN = "explain slice --shape 5 --start 1 --size 2"
# Texts that stand in for what a table cannot show.
TEXTS = {
    "LONG": "1" * 5000,
    "BRACKETS": "[" * 9000,
    "TILDES": "~" * 9000,
    "ZEROS": ",".join("0" * 70),
    "ONES": ",".join("1" * 70),
    "NUL": "\0",
    "SURROGATE": "\udcff",
}


def test_wrong_calls_are_one_line_and_exit_2_and_leave_nothing() -> None:
    whole = Path("in.npy").read_bytes()
    np.save("empty.npy", np.zeros((0, 3)))
    np.save("scalar.npy", np.zeros(()))
    np.save("objects.npy", np.array([1, None]), allow_pickle=True)
    np.savez("z.npz", a=np.arange(3))
    os.mkdir("dir.npy")
    for name in ("fifo.npy", "fifo.png"):
        os.mkfifo(name)
    texts_of_files = {"x.npy": b"old", "text.npy": b"hello", "none.npy": b"", "cut.npy": whole[:200]}
    for name, text in texts_of_files.items():
        Path(name).write_bytes(text)
    Path("plan.json").write_text(fo.plan.numpy.pad((3, 4), 1).to_json())
    Path("range.json").write_text(fo.plan.range(0, 3, 1, "i32").to_json())
    before = content()
    results = {call: (ran(call.format(**TEXTS)), start) for call, start in transcript("wrong_calls.txt")}
    assert [(call, *each) for call, each in results.items() if not is_refused(each[0], each[1].rstrip())] == []
    assert content() == before


# What is printed has each of these, and exit codes are 0.
RIGHT = {
    "--version": [f"fastops {fo.__version__}\n"],
    "--help": ["usage: fastops ", "demo", "warmup", "explain"],
    "run numpy pad --help": ["fastops run numpy pad", "IN", "OUT", "--pad-width VALUE", "--fill-value"],
    "run onnx range --help": ["Write the values of onnx.range to OUT, which appears when it is whole"],
    "explain onnx pad --help": ["usage: fastops explain onnx pad ", "Explain a call of onnx.pad.", "--pads VALUE"],
}


def test_right_calls_print_what_they_say() -> None:
    results = {command: ran(command) for command in RIGHT}
    for command, result in results.items():
        shown = result.out if "--version" in command else " ".join(result.out.split())
        assert [text for text in RIGHT[command] if text not in shown] == [], (command, result)
        assert (result.code, result.err) == (0, "")
    assert ran("") == results["--help"]
    assert "--shape" not in results["run numpy pad --help"].out


ERRORS: list[tuple[BaseException, int, str]] = [
    (KeyboardInterrupt(), 130, ""),
    (MemoryError(), 2, "fastops: the arrays must fit in memory, got MemoryError\n"),
    (fo.KernelError("fastops: no Numba"), 1, "fastops: no Numba\n"),
    (ImportError("fastops: no zarr"), 2, "fastops: no zarr\n"),
    (RuntimeWarning("an\nerror"), 2, "an error\n"),
    (OSError("no\nlibrary\x1b[2J"), 2, "fastops: files must be accessible, got no library\\x1b[2J\n"),
    (FileNotFoundError(2, "No file", "x"), 2, "fastops: files must be accessible, got [Errno 2] No file: 'x'\n"),
]


def test_errors_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    for error, code, line in ERRORS:
        # What is printed before the error is not.
        monkeypatch.setattr(_info, "_cpu_lines", Mock(side_effect=error))
        monkeypatch.setattr(_info, "version", lambda name: print(name) or name)
        assert ran("info") == (code, "", line)


# Any arguments.

SOURCES = {f"{data.dtype.kind}{i}.npy": data for i, data in enumerate(ODD)}
SOURCES |= {"f.npy": np.arange(24.0).reshape(2, 3, 4), "scalar.npy": np.array(3), "empty.npy": np.zeros((0, 3))}
# All of them below the current directory: they are written to.
PATHS = [*SOURCES, "missing.npy", "", ".", "f.npy/x", "x" * 300, "-", "--", "a\nb", "\udcff", "no\0such"]
NUMBERS = ["0", "1", "2", "-1", "3", "-9", "1e5", "0.5", "nan", "-inf", "1e400", "", "--", "1_0", "x", "\0"]
NUMBERS += ["\udcff", *map(str, (2**31, 2**61, 2**63 - 1, -(2**63), 2**63)), "9" * 60, "9" * 400, "9" * 5000]
WORDS = ["wrap", "fill", "reflect", "f32", "bf16", "i4", "u8", "g", "O", "V8", "f8,f8", "0x00", "zz", "1+2j", "NaT"]

texts = st.sampled_from(NUMBERS + WORDS + PATHS) | st.text(st.characters(exclude_characters="/"), max_size=5)
RUNS = [f"run slice {name} -o out.npy --start 0 --size 2 --mode fill --fill-value 3" for name in SOURCES if name]
RUNS += [
    "run range -o out.npy --start 0 --stop 9 --step 2 --output-type f32",
    *[call for call, _ in transcript("explained.txt")],
]


@st.composite
def nearly_right(draw: st.DrawFn) -> list[str]:
    """Calls that are right but for some words, or all of them."""
    words = draw(st.sampled_from(RUNS)).split() + draw(st.lists(texts, max_size=1))
    for at in draw(st.lists(st.integers(0, len(words) - 1), max_size=3)):
        option, is_joined, _ = words[at].partition("=")
        words[at] = f"{option}={draw(texts)}" if is_joined else draw(texts)
    return words


@settings(max_examples=scale(80, 1000), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(nearly_right() | st.lists(st.sampled_from(["run", "explain", "slice", "range", "-h", "-o"]) | texts, max_size=5))
def test_anything_gives_an_exit_code_and_at_most_one_line(args: list[str]) -> None:
    for name, data in SOURCES.items():
        if not os.path.exists(name):
            np.save(name, data)
    with pytest.MonkeyPatch.context() as patch:
        # Little of the disk, even where much is asked for.
        patch.setattr(_npy, "_MOST_BYTES", 1 << 20)
        result = ran(args)
    assert is_refused(result) or (result.code == 0 and result.out and not result.err), result
    assert not list(Path().glob(".fastops-*"))


# Streams.

CLOSED = "fastops: standard output must be open, got a closed one\n"
FULL = "fastops: standard output must be writable, got No space left on device\n"


@contextmanager
def standard(name: str, stream: Any) -> Iterator[None]:
    """Let a stream be that of the process, which closes it in the end, as Python does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, name, stream)
        yield
        getattr(sys, name).close()


def test_what_a_closed_output_loses_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_cases, "_RANGES", {})
    np.save("tiny.npy", np.arange(60, dtype=np.int16))
    for command in ("", "--version", "--help", "run --help", "info", EXPLAIN, "demo --repeats 1 --input tiny.npy"):
        with standard("stdout", None):
            assert main(command.split()) == 2, command
        assert capsys.readouterr() == ("", CLOSED), command


def test_a_closed_error_stream_hides_no_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    for command, code in ((EXPLAIN, 0), (f"{EXPLAIN} --axes 5", 2)):
        with standard("stderr", None):
            assert main(command.split()) == code
        printed = capsys.readouterr()
        assert (bool(printed.out), printed.err) == (code == 0, "")


@pytest.mark.skipif(os.name != "posix", reason="needs a pipe that is closed")
def test_a_reader_that_goes_away_and_a_disk_that_is_full(capsys: pytest.CaptureFixture[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    # Neither is there an error when Python closes the stream, with what it has not written.
    with standard("stdout", open(writer, "w")):
        assert main(EXPLAIN.split()) == 141
    assert capsys.readouterr().err == ""
    if os.path.exists("/dev/full"):
        with standard("stdout", open("/dev/full", "w")):
            assert main(EXPLAIN.split()) == 2
        assert capsys.readouterr() == ("", FULL)
        with standard("stderr", open("/dev/full", "w", buffering=1)):
            assert main([*EXPLAIN.split(), "--axes", "5"]) == 2
        assert capsys.readouterr().out == ""


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_a_file_does_not_get_what_is_printed_where_streams_are_closed() -> None:
    command = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-m", "fastops", "run", "range"]
    done = subprocess.run([*command, "--start=0", "--stop=3", "--step=1", "--output-type=i8", "-o", "out.npy"])
    # What was written is there, but nobody has been told so.
    assert done.returncode == 2
    assert np.load("out.npy").tolist() == [0, 1, 2]


WITHOUT_NUMBA = """
import sys
from fastops.__main__ import main
for command in sys.argv[1:]:
    assert main(command.split()) == 0
    assert not {"numba", "llvmlite"} & set(sys.modules), command
assert "numpy" in sys.modules
sys.exit(main(["explain", "slice"]))
"""


def test_no_numba_where_nothing_is_compiled() -> None:
    commands = ["--help", "--version", "demo --help", "run range --help", "run numpy pad --help", EXPLAIN]
    done = run_python("-c", WITHOUT_NUMBA, *commands)
    assert (done.returncode, done.stderr) == (2, "slice: start must be given as --start, got None\n")
    assert done.stdout.startswith("usage: fastops ")
