"""Integers around the ends of 32 and 64 bits in every operator: the exact answer, or an error where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fastops as fo
from tests.helpers import oracle as _oracle
from tests.helpers.hostile_values import extremes_of

EXTREMES = extremes_of(31, 62, 63, 64)
LARGEST = 2**63 - 1

extremes = st.sampled_from(EXTREMES)
integers = extremes | st.integers(-9, 9)
extents = st.integers(0, 7) | st.sampled_from([n for n in EXTREMES if 0 < n <= LARGEST])
MODES = ["strict_bounds", "wrap", "clamp", "fill", "reflect", "symmetric"]


def probes(count: int) -> list[int]:
    """Some outputs of an axis: its ends and its middle."""
    return sorted({y for y in (0, 1, 2, count // 2, count - 2, count - 1) if 0 <= y < count})


@settings(max_examples=200, deadline=None)
@given(extents, integers, integers, integers, st.sampled_from([0, 1]), st.sampled_from([0, 1]))
@example(LARGEST, -(2**63), 2**64, 2**63, 0, 0)
@example(LARGEST, 2**64, -(2**64), -(2**63), 0, 1)
def test_strided_slice(extent: int, begin: int, end: int, stride: int, begin_bit: int, end_bit: int) -> None:
    call = lambda: fo.plan.strided_slice(  # noqa: E731
        (extent,), [begin], [end], [stride], begin_mask=[begin_bit], end_mask=[end_bit]
    )
    if stride == 0:
        with pytest.raises(fo.AttributeValueError, match="strides must not be 0"):
            call()
        return
    first = None if begin_bit else max(begin, -extent) if stride < 0 else begin
    expected = range(extent)[slice(first, None if end_bit else end, stride)]
    axis = call().axes[0]
    assert axis.count == len(expected)
    assert [axis.source(y) for y in probes(axis.count)] == [expected[y] for y in probes(axis.count)]


@settings(max_examples=300, deadline=None)
@given(extents, integers, st.integers(0, 9) | integers, integers, st.sampled_from(MODES))
@example(LARGEST, -(2**64), 2**64, 2**64 + 1, "wrap")
def test_slice(extent: int, start: int, size: int, stride: int, mode: str) -> None:
    call = lambda: fo.plan.slice((extent,), [start], [size], [stride], mode=mode)  # noqa: E731
    if size < 0:
        with pytest.raises(fo.AttributeValueError, match="size must be at least 0"):
            call()
        return
    coordinates = [start + y * stride for y in probes(size)]
    try:
        expected = [_oracle.index(x, extent, mode) for x in coordinates]
    except IndexError:
        with pytest.raises(fo.OutOfBoundsError):
            call()
        return
    plan = call()
    assert plan.shape == (size,)
    assert [plan.axes[0].source(y) for y in probes(size)] == expected
    if extent <= 7 and size <= 9:
        data = np.arange(extent) + 1
        wanted = [0 if each is None else each + 1 for each in map(plan.axes[0].source, range(size))]
        assert fo.slice(data, [start], [size], [stride], mode=mode).tolist() == wanted


@settings(max_examples=150, deadline=None)
@given(extents, st.lists(integers, min_size=1, max_size=4), st.booleans())
def test_variadic_split(extent: int, lengths: list[int], is_fitting: bool) -> None:
    if is_fitting:
        lengths = [abs(n) for n in lengths]
        extent = sum(lengths)
    known = [n for n in lengths if n != -1]
    rest = extent - sum(known)
    is_legal = min(lengths) >= -1 and len(lengths) - len(known) <= 1 and extent <= LARGEST
    if not is_legal or rest < 0 or (rest and len(known) == len(lengths)):
        with pytest.raises(fo.AttributeValueError):
            fo.plan.variadic_split((extent,), 0, lengths)
        return
    start = 0
    for plan, length in zip(fo.plan.variadic_split((extent,), 0, lengths), lengths, strict=True):
        (count,) = plan.shape
        assert count == (rest if length == -1 else length)
        assert [plan.axes[0].source(y) for y in probes(count)] == [start + y for y in probes(count)]
        start += count


@settings(max_examples=200, deadline=None)
@given(integers, integers, integers, st.sampled_from(["i8", "u8", "i32", "u64", "i64"]))
@example(2**64, 2**64 + 9, 2, "i8")
def test_range_of_integers(start: int, stop: int, step: int, output_type: str) -> None:
    if step == 0:
        with pytest.raises(fo.AttributeValueError, match="step must not be 0"):
            fo.range(start, stop, step, output_type)
        return
    values = range(start, stop, step)
    count = (values[-1] - start) // step + 1 if values else 0
    assert fo.plan.range(start, stop, step, output_type) == fo.plan.RangePlan(start, step, count)
    if count <= 100:
        result = fo.range(start, stop, step, output_type)
        bits = 8 * result.itemsize
        assert [int(n) % 2**bits for n in result] == [n % 2**bits for n in values]
    elif count >= 2**50:
        with pytest.raises(fo.OutputError, match="the output must fit in memory"):
            fo.range(start, stop, step, output_type)
