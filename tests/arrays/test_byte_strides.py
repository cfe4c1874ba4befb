"""Spans of arrays, and outputs whose elements share no byte."""

from __future__ import annotations

import itertools
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._arrays._dtypes import LARGEST_SPAN, check_span, is_nested, span_of


def test_a_span_has_every_byte_of_every_element_and_no_more() -> None:
    for shape, strides in itertools.product(
        itertools.product(range(1, 4), repeat=2), itertools.product((-12, -4, 0, 4, 7), repeat=2)
    ):
        places = [sum(i * s for i, s in zip(at, strides, strict=True)) for at in np.ndindex(shape)]
        assert span_of(shape, strides, 4) == (min(places), max(places) + 4)
    assert span_of((), (), 8) == (0, 8)
    # An empty array spans no byte.
    assert span_of((5, 0, 3), (2**62, -(2**63), 2**63 - 1), 8) == (0, 0)
    for strides in ((), (4, 4)):
        with pytest.raises(ValueError, match="zip"):
            span_of((2,), strides, 4)


def test_axes_may_touch_but_not_overlap() -> None:
    touching = [(12, 4), (4, 12), (-4, -12)]
    for byte_strides in [*touching, (11, 4), (4, 0)]:
        assert is_nested((3, 3), byte_strides, 4) is (byte_strides in touching), byte_strides


def test_arrays_that_memory_could_hold() -> None:
    half = LARGEST_SPAN // 2
    assert LARGEST_SPAN == 2**61
    cases: list[tuple[Any, Any, int, bool]] = [
        *[((2,), (sign * (LARGEST_SPAN - 4 + more),), 4, not more) for sign in (1, -1) for more in (0, 1)],
        *[((2, 2), (half, -(half - 8 + more)), 8, not more) for more in (0, 1)],
        ((5, 0), (LARGEST_SPAN, 8), 8, True),
        ((), (), 8, True),
    ]
    for shape, byte_strides, width, is_right in cases:
        with nullcontext() if is_right else pytest.raises(fo.AttributeValueError, match="data must span at most"):
            check_span(shape, byte_strides, width)


def test_strides_of_axes_of_one_index_may_be_any() -> None:
    for step in (2**59, 2**60, -(2**60)):
        data = np.arange(20, dtype=np.uint8).reshape(5, 4)[::step]
        assert abs(data.strides[0]) >= 2**61
        out = np.zeros((5, 4), np.uint8)[::step]
        assert fo.numpy.flip(data, out=out) is out
        assert np.array_equal(out, np.flip(data))
        assert np.array_equal(fo.numpy.pad(data, 1, "edge"), np.pad(data, 1, "edge"))
        assert np.array_equal(fo.lazy(data).normalize(0, 1).run(), data)
        assert np.array_equal(
            fo.windows([data], [[0, -1]], [1, 3], mode="reflect")[0], np.pad(data, ((0, 0), (1, 0)), "reflect")[:, :3]
        )
