"""Run commands in this process, in a directory of the test's own, and read the files there."""

from __future__ import annotations

import io
import shlex
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

from fastops.__main__ import main

#: The array in in.npy.
DATA = np.arange(1, 1001)

#: Arrays of six elements of unusual types; types of 0 bytes come first.
ODD: list[Any] = [
    np.zeros(6, "V0"),
    np.zeros(6, "U0"),
    np.arange(6).view("V8"),
    np.arange(6).astype(ml_dtypes.bfloat16),
    np.array([(1, 2.5), (3, -0.0)] * 3, [("a", "u1"), ("b", "f8")]),
    np.arange(6).astype("m8[s]"),
    np.arange(6).astype("M8[D]"),
    np.array(["a", "bcd"] * 3),
    np.array([b"ab", b"c"] * 3),
    np.arange(6) > 2,
    np.arange(6, dtype=">i4"),
    np.array([-0.0, 0.0, np.nan, 1, 2, 3], "f2"),
    np.full(6, complex(-0.0, -0.0)),
]


class Ran(NamedTuple):
    """The exit code of a command, and the texts that it printed."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a directory of the test's own, with in.npy in it."""
    monkeypatch.chdir(tmp_path)
    np.save("in.npy", DATA)


def ran(command: str | list[str]) -> Ran:
    """Run a command."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(shlex.split(command) if isinstance(command, str) else command)
    return Ran(code, out.getvalue(), err.getvalue())


def run_of(operator: str, files: str = "in.npy -o out.npy") -> str:
    """Return the command that runs an operator (one word or two), with files before the flags."""
    name, dash, flags = operator.partition(" --")
    return f"run {name} {files}{dash}{flags}"


def is_refused(result: Ran, start: str = "") -> bool:
    """True if a command printed only one error, in the grammar of errors, that begins with ``start``."""
    is_line = result.err.startswith(start) and result.err.count("\n") == 1
    return (result.code, result.out) == (2, "") and is_line and " must " in result.err and ", got " in result.err


def content() -> dict[str, bytes | None]:
    """The bytes of all files below the current directory, by path; None for directories and pipes."""
    return {str(path): path.read_bytes() if path.is_file() else None for path in Path().rglob("*")}


def bytes_of(array: Any) -> tuple[Any, tuple[int, ...], bytes]:
    """The dtype, the shape and the bytes of an array."""
    array = np.asarray(array)
    return array.dtype, array.shape, array.tobytes()
