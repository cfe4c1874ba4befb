"""Integers around the ends of 32 and 64 bits in every position: the exact answer or an error, at once, in no memory."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fastops as fo
from tests import _oracle

EXTREMES = sorted(sign * (2**bits + near) for bits in (31, 62, 63, 64) for near in (-1, 0, 1) for sign in (1, -1))
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


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 6), integers, integers, integers.filter(bool), st.booleans())
def test_strided_slice_of_data(extent: int, begin: int, end: int, stride: int, shrink: bool) -> None:
    data = np.arange(extent)
    arguments = ([begin], [end], [stride])
    masks = {"shrink_axis_mask": [int(shrink)]}
    try:
        expected = _oracle.strided_slice(data, *arguments, **masks)
    except IndexError:
        with pytest.raises(fo.OutOfBoundsError, match="begin must be in"):
            fo.strided_slice(data, *arguments, **masks)
    else:
        np.testing.assert_array_equal(fo.strided_slice(data, *arguments, **masks), expected)


@settings(max_examples=200, deadline=None)
@given(extents, integers, integers, integers, st.sampled_from(MODES))
@example(LARGEST, -(2**64), 2**64, 2**64 + 1, "wrap")
def test_slice(extent: int, start: int, size: int, stride: int, mode: str) -> None:
    call = lambda: fo.plan.slice((extent,), [start], [size], [stride], mode=mode)  # noqa: E731
    if size < 0:
        with pytest.raises(fo.AttributeValueError, match="size must be at least 0"):
            call()
        return
    if extent > 7 and mode in ("reflect", "symmetric"):
        mode = "clamp"  # The oracle writes the folded axis out.
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


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 6), integers, st.integers(0, 5), integers, st.sampled_from(MODES))
def test_slice_of_data(extent: int, start: int, size: int, stride: int, mode: str) -> None:
    data = np.arange(extent)
    try:
        expected = _oracle.slice_(data, [start], [size], [stride], mode)
    except IndexError:
        with pytest.raises(fo.OutOfBoundsError):
            fo.slice(data, [start], [size], [stride], mode=mode)
    else:
        np.testing.assert_array_equal(fo.slice(data, [start], [size], [stride], mode=mode), expected)


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


@settings(max_examples=150, deadline=None)
@given(integers, st.integers(0, 5), integers.filter(bool), st.sampled_from(["f32", "f64"]))
def test_range_of_floats(start: int, count: int, step: int, output_type: str) -> None:
    number = np.float64 if output_type == "f64" else np.float32
    expected = number(start) + np.arange(count).astype(number) * number(step)
    assert fo.range(start, start + count * step, step, output_type).tobytes() == expected.tobytes()


@settings(max_examples=150, deadline=None)
@given(extremes, st.sampled_from(["i1", "u1", "i4", "u4", "i8", "u8", "f4", "f8"]))
def test_fill_values(value: int, dtype: str) -> None:
    data = np.zeros(1, dtype)
    if dtype[0] == "f" or np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
        assert fo.slice(data, [1], [1], mode="fill", fill_value=value)[0] == np.dtype(dtype).type(value)
    else:
        with pytest.raises(fo.AttributeValueError, match="fill_value must be a value that"):
            fo.slice(data, [1], [1], mode="fill", fill_value=value)


# --- At once, and without memory ------------------------------------------------------------------------------------

DATA = np.arange(20.0).reshape(4, 5)
PLAN = fo.plan.slice((4, 5), [0, 0], [2, 2])

# Each takes an extreme integer n in another position. Sizes of 2^31 could be allocated: plans alone get those.
CALLS: list[Callable[[int], Any]] = [
    lambda n: fo.strided_slice(DATA, [n, 0], [9, 9], [1, 1]),
    lambda n: fo.strided_slice(DATA, [0, 9], [9, n], [1, -1]),
    lambda n: fo.strided_slice(DATA, [0, 0], [n, n], [n, n]),
    lambda n: fo.strided_slice(DATA, [n], [0], shrink_axis_mask=[1]),
    lambda n: fo.strided_slice(DATA, [0], [1], begin_mask=[n]),
    lambda n: fo.variadic_split(DATA, n, [4]),
    lambda n: fo.variadic_split(DATA, 0, [n, 4]),
    lambda n: fo.variadic_split(DATA, 0, [n, -n, -1]),
    lambda n: fo.slice(DATA, [n, 0], [4, 5], mode="wrap"),
    lambda n: fo.slice(DATA, [n, n], [4, 5], [n, n], mode="reflect"),
    lambda n: fo.slice(DATA, [0, n], [4, 5], [1, -n], mode="fill"),
    lambda n: fo.slice(DATA, [0, 0], [4, 5], [n, 1], mode="clamp"),
    lambda n: fo.slice(DATA, [0, 0], [n if abs(n) > 2**60 else -1, 5], mode="symmetric"),
    lambda n: fo.slice(DATA, [0], [2], axes=[n]),
    lambda n: fo.slice(DATA, [0, 0], [2, 2], mode=n),
    lambda n: fo.slice(DATA, [0, 0], [abs(n) * 2**40, 0], copy=False),
    lambda n: fo.range(n, n + 3, 1, "i64"),
    lambda n: fo.range(0, n if abs(n) > 2**60 else 9, 1, "f32"),
    lambda n: fo.range(n, -n, n, "f64"),
    lambda n: fo.plan.strided_slice((abs(n), n), [n, n], [-n, n], [n, -n]),
    lambda n: fo.plan.variadic_split((abs(n),), n, [n, -1, 0]),
    lambda n: fo.plan.slice((abs(n), 3), [n, n], [abs(n), abs(n)], [n, -n], mode="wrap"),
    lambda n: fo.plan.slice((abs(n), 3), [n, n], [abs(n), abs(n)], [-n, n], mode="reflect"),
    lambda n: fo.plan.range(-n, n, 1, "u64"),
    lambda n: fo.plan.AxisMap.create(abs(n), n, n, abs(n), fo.SampleMode.SYMMETRIC).source(abs(n) - 1),
    lambda n: fo.plan.SlicePlan.create([fo.plan.AxisMap.whole(abs(n))])(DATA),
    lambda n: fo.plan.RangePlan(n, n, abs(n))("i64") if abs(n) > 2**60 else None,
    lambda n: PLAN(DATA, fill_value=n),
]


def attempt(call: Callable[[int], Any], n: int) -> None:
    try:
        str(call(n))
    except fo.FastopsError as error:
        assert str(error)  # noqa: PT017


@pytest.mark.parametrize("call", CALLS)
def test_extremes_are_answered_at_once_and_without_memory(call: Callable[[int], Any]) -> None:
    for n in EXTREMES:
        attempt(call, n)
    slowest = 0.0
    for n in EXTREMES:
        times = []
        for _ in range(5):
            started = time.perf_counter()
            attempt(call, n)
            times.append(time.perf_counter() - started)
        slowest = max(slowest, min(times))
    # A step for each of 2^31 numbers would take seconds; a call takes microseconds, and tests run beside each other.
    assert slowest < 5e-3
    tracemalloc.start()
    try:
        for n in EXTREMES:
            attempt(call, n)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1 << 18


@pytest.mark.parametrize("n", [10**6, 2**40])
def test_long_lists_are_errors_at_once(n: int) -> None:
    data = np.zeros(4)
    lists: list[Any] = [range(n), np.broadcast_to(np.int64(1), (n,))]
    if n < 2**30:
        lists += [[1] * n, (1,) * n, np.zeros(n, np.int8)]
    started = time.perf_counter()
    for each in lists:
        for call in (
            lambda: fo.slice(data, each, [1]),  # noqa: B023
            lambda: fo.slice(data, [0], each),  # noqa: B023
            lambda: fo.slice(data, [0], [1], each),  # noqa: B023
            lambda: fo.slice(data, [0], [1], axes=each),  # noqa: B023
            lambda: fo.strided_slice(data, each, [1]),  # noqa: B023
            lambda: fo.strided_slice(data, each, each, each),  # noqa: B023
            lambda: fo.variadic_split(data, 0, each),  # noqa: B023
            lambda: fo.variadic_split(data, each, [4]),  # noqa: B023
            lambda: fo.plan.slice((4,), each, [1]),  # noqa: B023
        ):
            with pytest.raises(fo.FastopsError) as info:
                call()
            assert len(str(info.value)) < 1000
    # Up to 45 errors, of which those of split_lengths read their list a few times.
    assert time.perf_counter() - started < 10


def test_lists_have_a_length_that_they_may_have() -> None:
    assert fo.plan.slice([1] * 4096, [0] * 4096, [1] * 4096).shape == (1,) * 4096
    for shape in ([1] * 4097, range(4097), np.ones(4097, int)):
        with pytest.raises(fo.AttributeValueError, match="slice: shape must be a list of at most 4096 integers, got"):
            fo.plan.slice(shape, [0], [1])
    lengths = [0] * 2**20
    with pytest.raises(fo.AttributeValueError, match="split_lengths must sum to 4"):
        fo.variadic_split(DATA, 0, lengths)
    with pytest.raises(fo.AttributeValueError, match="split_lengths must be a list of at most 1048576 integers, got"):
        fo.variadic_split(DATA, 0, [*lengths, 4])


def test_empty_arrays_may_have_any_byte_strides() -> None:
    for shape, strides in (((0, 2**40), (2**40, 2**40)), ((0, 0, 0), (2**62, -(2**63), 2**63 - 1))):
        data = np.lib.stride_tricks.as_strided(np.zeros(1), shape, strides)
        filled = fo.slice(data, [0] * len(shape), [2] * len(shape), mode="fill", fill_value=3)
        assert set(filled.ravel().tolist()) == {3.0}
        with pytest.raises(fo.OutOfBoundsError, match="size must be 0 on an empty axis"):
            fo.slice(data, [0] * len(shape), [2] * len(shape), mode="wrap")


def test_views_and_copies_have_at_most_as_many_axes_as_arrays() -> None:
    for n in (64, 65, 1000):
        arguments = ([0] * n, [0] * n)
        for copy in (True, False):
            for _ in range(2):
                call = lambda: fo.strided_slice(np.zeros(()), *arguments, new_axis_mask=[1] * n, copy=copy)  # noqa: B023, E731
                if n == 64:
                    assert call().shape == (1,) * 64
                    continue
                with pytest.raises(fo.OutputError, match=f"output must have at most 64 axes, got '{n} of them'"):
                    call()


def test_plans_of_numbers_beyond_every_array_say_so() -> None:
    huge = 10**5000
    axis = fo.plan.AxisMap.create(huge, 0, 1, huge)
    for call in (
        lambda: fo.plan.SlicePlan.create([axis])(DATA),
        lambda: axis.source(-1),
        lambda: fo.slice(DATA, [0, 0], [huge, 1], mode="wrap", out=DATA),
        lambda: fo.plan.RangePlan(huge, 1, 3)("f64"),
        lambda: fo.plan.RangePlan(0, 1, huge)("i64"),
    ):
        with pytest.raises(fo.FastopsError, match=r"an integer of 166\d\d bits"):
            call()
