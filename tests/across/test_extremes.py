"""Integers around the ends of 32 and 64 bits in every position: the one answer that is right, in no memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.hostile_values import extremes_of
from tests.helpers.seeds import noted

EXTREMES = extremes_of(31, 62, 63, 64)
MASKS = ["begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"]

DATA = np.arange(20.0).reshape(4, 5)
PLAN = fo.plan.slice((4, 5), [0, 0], [2, 2])
WRAPPED = fo.plan.AxisMap.create(5, -1, 1, 7, fo.SampleMode.WRAP)
FIVE = fo.plan.AxisMap.whole(5)

BAD_VALUE, OUT_OF_BOUNDS, BAD_OUTPUT, NO_AXIS = (
    fo.AttributeValueError,
    fo.OutOfBoundsError,
    fo.OutputError,
    fo.AxisError,
)


# Each takes an extreme integer n in another position; beside it is the error that comes of all of them, or what comes
# of n: an error, a shape, an index, or an array. Sizes of 2^31 could be allocated: plans alone get those.
CALLS: list[tuple[Callable[[int], Any], Any]] = [
    (lambda n: fo.strided_slice(DATA, [n], [0], shrink_axis_mask=[1]), OUT_OF_BOUNDS),
    (lambda n: fo.variadic_split(DATA, n, [4]), NO_AXIS),
    (lambda n: fo.variadic_split(DATA, [n], [4]), NO_AXIS),
    (lambda n: fo.variadic_split(DATA, 0, [n, -n, -1]), BAD_VALUE),
    (lambda n: fo.slice(DATA, [n, 0], [4, 5], mode="wrap"), lambda n: DATA[[(n + y) % 4 for y in range(4)]]),
    (
        lambda n: fo.slice(DATA, [0, 0], [n if abs(n) > 2**60 else -1, 5], mode="symmetric"),
        lambda n: BAD_OUTPUT if n > 2**60 else BAD_VALUE,
    ),
    (lambda n: fo.slice(DATA, [0], [2], axes=[n]), NO_AXIS),
    (lambda n: fo.slice(DATA, [0, 0], [2, 2], axes=[0, n]), NO_AXIS),
    (lambda n: fo.slice(DATA, [0, 0], [2, 2], mode=n), BAD_VALUE),
    (lambda n: fo.slice(DATA, [0, 0], [abs(n) * 2**40, 0], copy=False), BAD_OUTPUT),
    (
        lambda n: fo.plan.strided_slice((abs(n), n), [n, n], [-n, n], [n, -n]).shape,
        lambda n: (0, 0) if 0 < n < 2**63 else BAD_VALUE,
    ),
    (
        lambda n: fo.plan.slice((abs(n), 3), [n, n], [abs(n), abs(n)], [-n, n], mode="reflect").shape,
        lambda n: (abs(n), abs(n)) if abs(n) < 2**63 else BAD_VALUE,
    ),
    (
        lambda n: fo.plan.AxisMap.create(abs(n), n, n, abs(n), fo.SampleMode.SYMMETRIC).source(abs(n) - 1),
        lambda n: abs(n) - 1 if n % 2 else 0,
    ),
    (lambda n: fo.plan.AxisMap.create(5, n, 1, 1), OUT_OF_BOUNDS),
    (lambda n: fo.plan.AxisMap.create(5, 0, n, 2), OUT_OF_BOUNDS),
    (lambda n: fo.plan.AxisMap.create(5, 0, 1, n), lambda n: OUT_OF_BOUNDS if n > 0 else BAD_VALUE),
    (lambda n: fo.plan.AxisMap.create(n, 0, 1, 0).extent, lambda n: n if n > 0 else BAD_VALUE),
    (lambda n: fo.plan.AxisMap.whole(n).count, lambda n: n if n > 0 else BAD_VALUE),
    (lambda n: fo.plan.AxisMap.unread(n, 0).extent, lambda n: n if n > 0 else BAD_VALUE),
    (lambda n: fo.plan.AxisMap.unread(0, n).count, lambda n: n if n > 0 else BAD_VALUE),
    (lambda n: FIVE.source(n), OUT_OF_BOUNDS),
    (lambda n: WRAPPED.source(n), OUT_OF_BOUNDS),
    (lambda n: fo.plan.SlicePlan.create([FIVE], [n]), BAD_VALUE),
    (lambda n: fo.plan.SlicePlan.create([FIVE], [5, n]), BAD_VALUE),
    (lambda n: fo.plan.SlicePlan.create([fo.plan.AxisMap.whole(abs(n))])(DATA), BAD_VALUE),
    (lambda n: fo.plan.RangePlan(n, n, abs(n) * 2**32)("i64"), BAD_OUTPUT),
    (lambda n: fo.plan.RangePlan(0, 1, n).shape, lambda n: (n,) if n > 0 else BAD_VALUE),
    (lambda n: PLAN(DATA, fill_value=n), lambda _: DATA[:2, :2]),
    *[(lambda n, mask=mask: fo.strided_slice(DATA, [0], [1], **{mask: [n]}), BAD_VALUE) for mask in MASKS],
    *[(lambda n, mask=mask: fo.strided_slice(DATA, [0], [1], **{mask: [0, n]}), BAD_VALUE) for mask in MASKS],
    *[(lambda n, mask=mask: fo.plan.strided_slice((4,), [0], [1], **{mask: [n]}), BAD_VALUE) for mask in MASKS],
]


def outcome(call: Callable[[Any], Any], n: Any) -> Any:
    """What comes of a call: its result, or the type of its error, of which a message can be made."""
    try:
        result = call(n)
    except fo.FastopsError as error:
        assert str(error)  # noqa: PT017
        return type(error)
    str(result)
    return result


def test_extremes_give_the_one_right_answer_without_memory() -> None:
    for i, (call, expected) in enumerate(CALLS):
        for n in EXTREMES:
            with noted(f"call {i}", n):
                right = expected if isinstance(expected, type) else expected(n)
                result = outcome(call, n)
                if isinstance(right, type):
                    assert isinstance(result, type)
                    assert issubclass(result, right)
                else:
                    assert np.array_equal(result, right)
    tracemalloc.start()
    try:
        for i, (call, _) in enumerate(CALLS):
            tracemalloc.reset_peak()
            for n in EXTREMES:
                outcome(call, n)
            now, peak = tracemalloc.get_traced_memory()
            assert peak - now < 1 << 18, f"call {i}"
    finally:
        tracemalloc.stop()


def test_long_lists_and_names_are_errors() -> None:
    data, n = np.zeros(4), 10**6
    lists = [[1] * n, (1,) * n, np.zeros(n, np.int8), range(2**40), np.broadcast_to(np.int64(1), (2**40,))]
    lists.append(np.broadcast_to(np.True_, (2**40,)))
    calls: list[Callable[[Any], Any]] = [
        lambda each: fo.slice(data, each, [1]),
        lambda each: fo.slice(data, [0], each),
        lambda each: fo.slice(data, [0], [1], each),
        lambda each: fo.slice(data, [0], [1], axes=each),
        lambda each: fo.strided_slice(data, each, [1]),
        lambda each: fo.strided_slice(data, each, each, each),
        lambda each: fo.strided_slice(data, [0], [1], begin_mask=each),
        lambda each: fo.variadic_split(data, 0, each),
        lambda each: fo.variadic_split(data, each, [4]),
        lambda each: fo.plan.slice((4,), each, [1]),
        lambda each: fo.range(0, 1, 1, each),
    ]
    for i, call in enumerate(calls):
        for each in (*lists, "<f4," * n, "f4" * n):
            with noted(f"call {i}", type(each)), pytest.raises(fo.FastopsError) as info:
                call(each)
            assert len(str(info.value)) < 1000


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
        start, size = [0] * len(shape), [2] * len(shape)
        assert set(fo.slice(data, start, size, mode="fill", fill_value=3).ravel().tolist()) == {3.0}
        with pytest.raises(fo.OutOfBoundsError, match="size must be 0 on an empty axis"):
            fo.slice(data, start, size, mode="wrap")


def test_views_and_copies_have_at_most_as_many_axes_as_arrays() -> None:
    call = lambda n, copy: fo.strided_slice(np.zeros(()), [0] * n, [0] * n, new_axis_mask=[1] * n, copy=copy)  # noqa: E731
    for copy in (True, False):
        for _ in range(2):
            assert call(64, copy).shape == (1,) * 64
            for n in (65, 1000):
                with pytest.raises(fo.OutputError, match=r"output must have at most 64 axes, got \(1, 1, 1, "):
                    call(n, copy)


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
