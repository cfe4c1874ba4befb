"""Byte strides against NumPy's, and spans against every element."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fastops._schedules._byte_strides import LARGEST_SPAN, contiguous_byte_strides, is_spannable, span_of


@pytest.mark.parametrize("shape", [(), (5,), (1,), (2, 3), (4, 1, 3), (2, 3, 4, 5)])
@pytest.mark.parametrize("width", [1, 3, 8])
def test_contiguous_byte_strides_are_those_of_numpy(shape: tuple[int, ...], width: int) -> None:
    assert contiguous_byte_strides(shape, width) == np.empty(shape, f"V{width}").strides


def test_a_span_has_every_byte_of_every_element_and_no_more() -> None:
    for shape in itertools.product(range(1, 4), repeat=2):
        for strides in itertools.product((-12, -4, 0, 4, 7), repeat=2):
            places = [
                sum(i * s for i, s in zip(at, strides, strict=True)) for at in itertools.product(*map(range, shape))
            ]
            assert span_of(shape, strides, 4) == (min(places), max(places) + 4)


def test_the_span_of_a_scalar_is_its_element() -> None:
    assert span_of((), (), 8) == (0, 8)


def test_an_empty_array_spans_nothing_whatever_its_byte_strides() -> None:
    assert span_of((5, 0, 3), (2**62, -(2**63), 2**63 - 1), 8) == (0, 0)


@pytest.mark.parametrize(("shape", "strides"), [((2,), ()), ((2,), (4, 4))])
def test_a_span_needs_a_stride_an_axis(shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="zip"):
        span_of(shape, strides, 4)


@pytest.mark.parametrize(
    ("shape", "byte_strides", "width", "is_right"),
    [
        ((2,), (LARGEST_SPAN - 4,), 4, True),
        ((2,), (LARGEST_SPAN - 3,), 4, False),
        ((2,), (4 - LARGEST_SPAN,), 4, True),
        ((2,), (3 - LARGEST_SPAN,), 4, False),
        ((2, 2), (LARGEST_SPAN // 2, -(LARGEST_SPAN // 2 - 8)), 8, True),
        ((2, 2), (LARGEST_SPAN // 2, -(LARGEST_SPAN // 2 - 7)), 8, False),
        ((5, 0), (LARGEST_SPAN, 8), 8, True),
        ((), (), 8, True),
    ],
)
def test_arrays_that_memory_could_hold(
    shape: tuple[int, ...], byte_strides: tuple[int, ...], width: int, is_right: bool
) -> None:
    assert LARGEST_SPAN == 2**61
    assert is_spannable(span_of(shape, byte_strides, width)) is is_right
