"""The bounds begin : end : stride against Python's slices."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from fastops._lowering._bounds import ClampRule, resolve_bounds

BOUNDS = range(-8, 9)
STRIDES = [s for s in range(-4, 5) if s]


def indices(resolved: tuple[int, int, int]) -> list[int]:
    start, stride, count = resolved
    return [start + y * stride for y in range(count)]


def test_numpy_rule_is_python_slicing() -> None:
    masks = itertools.product((False, True), repeat=2)
    for extent, begin, end, stride, (b, e) in itertools.product(range(6), BOUNDS, BOUNDS, STRIDES, masks):
        given_slice = slice(None if b else begin, None if e else end, stride)
        expected = list(range(extent)[given_slice])
        resolved = resolve_bounds(extent, begin, end, stride, ClampRule.NUMPY, begin_masked=b, end_masked=e)
        assert indices(resolved) == expected, (extent, given_slice)
        assert resolved[1:] == (stride, len(expected)), (extent, given_slice)
        assert not extent or resolved[0] == given_slice.indices(extent)[0], (extent, given_slice)


def test_openvino_rule_moves_a_begin_before_the_axis_to_zero() -> None:
    differ = 0
    for extent, begin, end, stride in itertools.product(range(6), BOUNDS, BOUNDS, STRIDES):
        if not extent:
            for rule in ClampRule:
                assert resolve_bounds(0, begin, end, stride, rule) == (0, stride, 0)
            continue
        result = indices(resolve_bounds(extent, begin, end, stride, ClampRule.OPENVINO))
        other = indices(resolve_bounds(extent, begin, end, stride, ClampRule.NUMPY))
        differ += result != other
        moved = 0 if stride < 0 and begin < -extent else begin
        assert result == indices(resolve_bounds(extent, moved, end, stride, ClampRule.NUMPY)), (
            extent,
            begin,
            end,
            stride,
        )
    assert differ


far = st.integers(-(2**70), 2**70)


@given(st.integers(0, 100) | st.integers(0, 2**63 - 1), far, far, far.filter(bool))
def test_bounds_of_any_size_are_exact(extent: int, begin: int, end: int, stride: int) -> None:
    start, own_stride, count = resolve_bounds(extent, begin, end, stride, ClampRule.NUMPY)
    expected = range(extent)[begin:end:stride]
    assert (own_stride, count) == (stride, len(expected))
    assert not count or start == expected[0]
