"""Conversions in compiled code: words that are wrong are a status."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from typing import Any

import numpy as np

import fastops as fo
from fastops._arrays._conversions import Conversion, Normalization, find_conversion
from fastops._execution._execute import words_of
from fastops._runtime._kernels import load_entry
from fastops._settings import STREAM_BYTES
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _conversion as c

DATA = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)
PLAN = fo.plan.slice(DATA.shape, [1], [3], axes=[0])
WANTED = Normalization((1.0, 2.0, 3.0), (4.0, 5.0, 6.0), 2, None)


def run(conversion: Any, out: Any, data: Any = DATA) -> int:
    """Run a plan with a conversion, and return the status."""
    words, fill = words_of((PLAN.geometry,)), np.zeros(1, np.uint8)
    status: int = load_entry("execute_launch")((out,), data, words, fill, conversion, 0, STREAM_BYTES, 0, 1, 0, 1)
    return status


def test_words_of_a_conversion_that_are_wrong_are_a_status() -> None:
    right = find_conversion(WANTED, DATA.dtype, None, 3)
    out = np.full(PLAN.shape, 7, np.float32)
    wrong = [right.words[:n].copy() for n in range(c.HEADER_COLUMNS)] + [right.words[:-8].copy()]
    for column, value in (
        *((c.SOURCE, -1), (c.SOURCE, 7), (c.SOURCE, c.UINT16), (c.SOURCE, c.FLOAT32)),
        *((c.RESULT, -1), (c.RESULT, 4), (c.RESULT, c.TO_FLOAT64)),
        *((c.CHANNEL_AXIS, -2), (c.CHANNEL_AXIS, -1), (c.CHANNEL_AXIS, 1), (c.CHANNEL_AXIS, 3)),
        *((c.CHANNELS, 0), (c.CHANNELS, 2), (c.CHANNELS, 4), (c.CHANNELS, -1), (c.CHANNELS, 1 << 62)),
    ):
        wrong.append(right.words.copy())
        wrong[-1][column] = value
    for words in wrong:
        assert run(right._replace(words=words), out) == a.WRONG_WORDS, words[: c.HEADER_COLUMNS]
    others: list[tuple[Conversion, Any, Any]] = [
        (find_conversion(WANTED, np.dtype(np.int8), None, 3), out, DATA),
        (right, out.astype(np.float64), DATA),
        (right, out.astype(">f4"), DATA),
        (right, out, DATA.astype(np.int8)),
    ]
    for conversion, target, data in others:
        assert run(conversion, target, data) == a.NO_ARRAYS
    assert {*out.ravel()} == {7}
    assert run(right, out) == a.DONE
    scales = (1 / np.array(WANTED.std)).astype(np.float32)
    shifts = (-np.array(WANTED.mean) / np.array(WANTED.std)).astype(np.float32)
    np.testing.assert_array_equal(out, DATA[1:].astype(np.float32) * scales + shifts)
