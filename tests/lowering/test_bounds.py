"""begin : end : stride against Python's own slicing."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastops._lowering._bounds import ClampRule, resolve_bounds

BOUNDS = range(-8, 9)
STRIDES = [s for s in range(-4, 5) if s]


def indices(resolved: tuple[int, int, int]) -> list[int]:
    start, stride, count = resolved
    return [start + y * stride for y in range(count)]


@pytest.mark.parametrize("extent", range(6))
def test_numpy_rule_is_python_slicing(extent: int) -> None:
    for begin, end, stride, b, e in itertools.product(BOUNDS, BOUNDS, STRIDES, (False, True), (False, True)):
        expected = range(extent)[None if b else begin : None if e else end : stride]
        resolved = resolve_bounds(extent, begin, end, stride, ClampRule.NUMPY, begin_masked=b, end_masked=e)
        assert indices(resolved) == list(expected)
        assert resolved[1:] == (stride, len(expected))
        if extent:
            assert resolved[0] == slice(None if b else begin, None if e else end, stride).indices(extent)[0]


@pytest.mark.parametrize("rule", ClampRule)
@pytest.mark.parametrize("stride", STRIDES)
def test_an_empty_axis_has_no_outputs_and_starts_at_zero(rule: ClampRule, stride: int) -> None:
    for begin, end in itertools.product((-1, 0, 1), repeat=2):
        assert resolve_bounds(0, begin, end, stride, rule) == (0, stride, 0)


@pytest.mark.parametrize("extent", range(6))
def test_openvino_rule_moves_a_begin_before_the_axis_to_zero(extent: int) -> None:
    differ = 0
    for begin, end, stride in itertools.product(BOUNDS, BOUNDS, STRIDES):
        result = indices(resolve_bounds(extent, begin, end, stride, ClampRule.OPENVINO))
        other = indices(resolve_bounds(extent, begin, end, stride, ClampRule.NUMPY))
        if stride < 0 and begin < -extent and extent:
            assert result == indices(resolve_bounds(extent, 0, end, stride, ClampRule.NUMPY))
            differ += result != other
        else:
            assert result == other
    assert differ or not extent


@given(
    st.integers(0, 100),
    st.integers(-(2**70), 2**70),
    st.integers(-(2**70), 2**70),
    st.integers(-(2**70), 2**70).filter(bool),
)
def test_bounds_of_any_size_are_exact(extent: int, begin: int, end: int, stride: int) -> None:
    assert indices(resolve_bounds(extent, begin, end, stride, ClampRule.NUMPY)) == list(range(extent))[begin:end:stride]
