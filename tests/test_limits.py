"""Limits that the environment moves."""

from __future__ import annotations

import sys

import pytest

from fastops import _limits


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", 7),
        ("  ", 7),
        ("0", 0),
        ("1048576", 1 << 20),
        ("never", sys.maxsize),
        (" NEVER ", sys.maxsize),
        ("9" * 30, sys.maxsize),
        ("9" * 5000, sys.maxsize),
        ("0" * 5000 + "16", 16),
        (str(sys.maxsize - 1), sys.maxsize - 1),
    ],
)
def test_the_environment_moves_the_limit_of_streaming(
    monkeypatch: pytest.MonkeyPatch, written: str, expected: int
) -> None:
    monkeypatch.setenv("FASTOPS_STREAM_BYTES", written)
    assert _limits.read_limit("FASTOPS_STREAM_BYTES", 7) == expected


@pytest.mark.parametrize("written", ["-1", "1e6", "16 MiB", "off"])
def test_a_limit_that_is_no_number_warns(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("FASTOPS_STREAM_BYTES", written)
    with pytest.warns(RuntimeWarning, match="FASTOPS_STREAM_BYTES must be a number of bytes or never"):
        assert _limits.read_limit("FASTOPS_STREAM_BYTES", 7) == 7
