"""Settings from environment variables."""

from __future__ import annotations

import sys

import pytest

from fastops import _process, _settings
from tests.helpers.processes import run_python


def test_the_environment_moves_the_limit_of_streaming(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"": 7, "  ": 7, "0": 0, "1048576": 1 << 20, "never": sys.maxsize, " NEVER ": sys.maxsize}
    limits |= {"9" * 19: sys.maxsize, str(sys.maxsize - 1): sys.maxsize - 1}
    for written, expected in limits.items():
        monkeypatch.setenv("FASTOPS_STREAM_BYTES", written)
        assert _settings.read_limit("FASTOPS_STREAM_BYTES", 7) == expected, written
    for written in ("-1", "1e6", "16 MiB", "off", "9" * 5000):
        monkeypatch.setenv("FASTOPS_STREAM_BYTES", written)
        monkeypatch.setattr(_process, "_told", {})
        with pytest.warns(RuntimeWarning, match="FASTOPS_STREAM_BYTES must be a number of bytes or never"):
            assert _settings.read_limit("FASTOPS_STREAM_BYTES", 7) == 7


CALLS = """
import fastops as fo
from fastops import _process
def call():
    try:
        return fo.slice([1, 2, 3], [0], [1]).tolist()
    except RuntimeWarning as warning:
        return str(warning)
print([call() for _ in range(3)])
"""


def test_a_limit_that_is_no_number_is_told_once() -> None:
    done = run_python("-W", "error", "-c", CALLS, FASTOPS_KEEP_BYTES="abc")
    expected = "fastops: FASTOPS_KEEP_BYTES must be a number of bytes or never, got 'abc'; 268435456 is used"
    assert (done.stdout, done.stderr) == (f"{[expected, [1], [1]]}\n", "")
    done = run_python("-c", CALLS, FASTOPS_KEEP_BYTES="abc")
    assert done.stderr.count("RuntimeWarning: fastops: FASTOPS_KEEP_BYTES must") == 1


def test_where_warnings_are_errors_the_command_line_says_one_line() -> None:
    range_ = ["explain", "range", "--start", "0", "--stop", "3", "--step", "1", "--output-type", "i32"]
    done = run_python("-W", "error", "-m", "fastops", *range_, FASTOPS_KEEP_BYTES="abc")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("fastops: FASTOPS_KEEP_BYTES must be")


def test_the_environment_says_what_numpy_does(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("allow", "warn", "error")
    for written, expected in {"": "allow", " ": "allow", "WARN": "warn", " error ": "error"}.items():
        monkeypatch.setenv("FASTOPS_FALLBACK", written)
        assert _settings.read_word("FASTOPS_FALLBACK", words) == expected
    monkeypatch.setenv("FASTOPS_FALLBACK", "never")
    monkeypatch.setattr(_process, "_told", {})
    with pytest.warns(RuntimeWarning, match="FASTOPS_FALLBACK must be one of allow, warn, error, got 'never'; allow"):
        assert _settings.read_word("FASTOPS_FALLBACK", words) == "allow"
