"""Prepared calls: what is looked up and prepared gives what a first call gives, and nothing grows."""

from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from fastops._execution import _execute, _plan_call, _traced_calls
from fastops._execution._prepared_call import create_call, prepare_plans
from fastops._operators import _gather_runner
from fastops._operators._call_cache import CallCache, frozen, key_of
from fastops._runtime import _kernels
from fastops._schedules._byte_strides import contiguous_byte_strides
from fastops._schedules._schedule import create_schedule
from fastops._settings import CACHE_SIZE
from fastops.ops import _variadic_split
from fastops.plan import SlicePlan
from tests.helpers.strategies import LAYOUTS, array_of, plans
from tests.helpers.torture import scale

Array = np.ndarray[Any, Any]


@pytest.mark.parametrize("twin", [1.0, True, np.float32(1), np.bool_(True), "1", None])
def test_equal_keys_of_other_types_are_not_the_same_call(twin: Any) -> None:
    data = np.arange(5)
    for _ in range(2):
        assert fo.strided_slice(data, [1], [3]).tolist() == [1, 2]
        assert fo.slice(data, [1], [2]).tolist() == [1, 2]
        assert [part.tolist() for part in fo.variadic_split(data, 0, [1, 4])] == [[0], [1, 2, 3, 4]]
        for call in (
            lambda: fo.strided_slice(data, [twin], [3]),
            lambda: fo.strided_slice(data, [1], [3], [twin]),
            lambda: fo.slice(data, [twin], [2]),
            lambda: fo.variadic_split(data, 0, [twin, 4]),
        ):
            with pytest.raises(fo.DTypeError):
                call()


# A shape, byte strides and a type.
LAYOUT = ((2,), (8,), np.dtype("f8"))

integers = st.sampled_from([0, 1, 3])
scalars = st.sampled_from([None, 0, 1, True, "a", fo.SampleMode.WRAP, Ellipsis])
arguments = st.recursive(
    scalars | st.lists(integers, max_size=3) | st.builds(slice, integers, integers | st.none()),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


def typed(argument: Any) -> Any:
    """What an argument means to a key: integers by their values, all else with its type."""
    if isinstance(argument, list | tuple):
        return [typed(each) for each in argument]
    if isinstance(argument, slice):
        return ["slice", typed(argument.start), typed(argument.stop), typed(argument.step)]
    if type(argument) is int:
        return argument
    return (type(argument).__name__, argument)


@settings(max_examples=scale(1000, 10_000), deadline=None)
@given(st.lists(arguments, max_size=3), st.lists(arguments, max_size=3))
def test_equal_keys_mean_the_same(one: list[Any], other: list[Any]) -> None:
    key = key_of(*LAYOUT, one)
    assert key is not None
    own_key, written = frozen(key, one)
    assert key == own_key == key_of(*LAYOUT, written)
    assert typed(written) == typed(one)
    if key == key_of(*LAYOUT, other):
        assert typed(one) == typed(other)


@pytest.mark.parametrize(
    "argument",
    [
        [1] * 600,
        [[1] * 300] * 3,
        {1},
        [1.0],
        [[1], {1}],
        [[1], 1.5],
        -0.0,
        np.array([1]),
        object(),
        [len],
        slice([1]),
        [slice(0, (1,))],
        [[[[[[[[[[[[1]]]]]]]]]]]],
    ],
)
def test_what_a_key_cannot_tell_has_none(argument: Any) -> None:
    assert key_of(*LAYOUT, (0, argument)) is None


def test_the_first_calls_go_when_there_are_too_many() -> None:
    calls: CallCache[int] = CallCache()
    for k in range(CACHE_SIZE + 3):
        calls.keep((k,), k)
    assert len(calls) == CACHE_SIZE
    assert [calls.find((k,)) for k in (0, 2, 3, CACHE_SIZE + 2)] == [None, None, 3, CACHE_SIZE + 2]
    assert calls.find(None) is None


def test_splits_into_many_parts_are_not_remembered() -> None:
    runner = _variadic_split._OPERATOR.load()
    data = np.arange(100)
    for _ in range(2):
        before = len(runner.calls)
        assert len(fo.variadic_split(data, 0, [1] * 100)) == 100
        assert len(runner.calls) == before


@settings(max_examples=scale(200, 500), deadline=None)
@given(plans(), st.sampled_from(["u1", "f4", "V3", "c16"]), st.sampled_from(LAYOUTS))
def test_a_table_is_that_of_the_schedule(plan: SlicePlan, dtype: str, layout: str) -> None:
    source = array_of(plan.source_shape, np.dtype(dtype), layout)
    for _ in range(2):
        call = create_call((plan,), source.strides, source.dtype)
        if plan.size:
            out_byte_strides = contiguous_byte_strides(plan.shape, source.itemsize)
            schedule = create_schedule((plan,), source.strides, source.itemsize, (out_byte_strides,))
            assert call.table.tolist() == list(schedule.table)


def test_crops_at_other_places() -> None:
    data = np.arange(100).reshape(10, 10)
    first = fo.strided_slice(data, [1, 2], [4, 5])
    for y, x in ((0, 0), (7, 7), (3, 4)):
        np.testing.assert_array_equal(fo.strided_slice(data, [y, x], [y + 3, x + 3]), data[y : y + 3, x : x + 3])
    np.testing.assert_array_equal(first, fo.strided_slice(data, [1, 2], [4, 5]))


@settings(max_examples=300, deadline=None)
@given(plans(), st.sampled_from(["u1", "f4", "V3", "c16"]), st.sampled_from(LAYOUTS))
def test_prepared_calls_agree_with_first_ones(plan: SlicePlan, dtype: str, layout: str) -> None:
    source = array_of(plan.source_shape, np.dtype(dtype), layout)
    expected = plan(source)
    for _ in range(3):
        out = np.zeros(plan.shape, source.dtype)
        assert plan(source, out=out) is out
        assert out.tobytes() == expected.tobytes()


def test_changing_attributes_do_not_grow_memory() -> None:
    data = np.zeros((200, 200), np.float32)

    def crops(first: int, n: int) -> None:
        for k in range(first, first + n):
            y, x = divmod(k % 36_000, 190)
            fo.strided_slice(data, [y, x], [y + 8, x + 8])
            fo.slice(data, [y - 50, x - 50], [8, 8], mode="reflect")

    # All that is remembered is allocated while memory is traced, twice over, and then replaced.
    tracemalloc.start()
    try:
        crops(0, 2 * CACHE_SIZE)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        crops(5_000, 2 * CACHE_SIZE)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    # 16 bytes for each of these calls would be more.
    assert grown < 16 * 4 * CACHE_SIZE


def test_a_warm_call_allocates_and_checks_in_python_no_more_than_it_must(monkeypatch: pytest.MonkeyPatch) -> None:
    data, out = np.zeros((8, 8), "f4"), np.zeros((6, 4), "f4")
    plan = fo.plan.strided_slice((8, 8), [1, 0], [7, 8], [1, 2])
    for _ in range(2):
        plan(data, out=out)
        fo.strided_slice(data, [1, 0], [7, 8], [1, 2], out=out)
        fo.strided_slice(data, [1, 0], [7, 8], [1, 2])

    def refuse(*args: Any) -> None:
        raise AssertionError("the checked path")

    for module, name in (
        (_gather_runner, "create_call"),
        (_gather_runner, "key_of"),
        (_traced_calls, "run_kernel"),
        (_gather_runner, "as_source"),
        (_gather_runner, "execute_checked"),
        (_execute, "run_kernel"),
        (_execute, "as_output"),
        (_plan_call, "execute_checked"),
        (_plan_call, "as_source"),
        (_kernels, "run_kernel"),
    ):
        monkeypatch.setattr(module, name, refuse)
    plan(data, out=out)
    fo.strided_slice(data, [1, 0], [7, 8], [1, 2], out=out)
    fo.strided_slice(data, [1, 0], [7, 8], [1, 2])


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(["u1", "f4", "V3", "c16"]), st.sampled_from(LAYOUTS))
def test_crops_of_one_size_are_right_at_every_place(data: st.DataObject, dtype: str, layout: str) -> None:
    shape = data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=4))
    source = array_of(tuple(shape), np.dtype(dtype), layout)
    counts = [data.draw(st.integers(1, extent)) for extent in shape]
    strides = [data.draw(st.sampled_from([1, 1, -1, 2, -3])) for _ in shape]
    counts = [min(n, (extent - 1) // abs(step) + 1) for n, extent, step in zip(counts, shape, strides, strict=True)]
    for _ in range(4):
        starts = []
        for extent, n, step in zip(shape, counts, strides, strict=True):
            first = data.draw(st.integers(0, extent - 1 - (n - 1) * abs(step)))
            starts.append(first if step > 0 else first + (n - 1) * -step)
        index = np.ix_(*[s + np.arange(n) * step for s, n, step in zip(starts, counts, strides, strict=True)])
        assert fo.slice(source, starts, counts, strides).tobytes() == source[index].tobytes()


def test_results_have_the_dtype_of_their_own_source() -> None:
    marked = np.dtype("i4", metadata={"x": 1})
    assert fo.slice(np.zeros(7, marked), [1], [3]).dtype.metadata == {"x": 1}
    assert fo.slice(np.zeros(7, "i4"), [1], [3]).dtype.metadata is None


def test_small_calls_that_read_few_pages_keep_the_lock() -> None:
    frame = np.zeros((4000, 4096), "u1")
    calls = {
        "a crop": fo.plan.strided_slice(frame.shape, [10, 10], [74, 74]),
        "a row": fo.plan.strided_slice(frame.shape, [10], [11]),
        "one element, repeated": fo.plan.slice(frame.shape, [0, 0], [60_000, 1], [0, 1], mode="clamp"),
        "a column": fo.plan.strided_slice(frame.shape, [0, 0], [4000, 1]),
        "far rows": fo.plan.strided_slice(frame.shape, [0, 0], [4000, 8], [8, 1]),
        "much": fo.plan.strided_slice(frame.shape, [0, 0], [16, 4096]),
    }
    held = {what: prepare_plans((plan,), frame.strides, frame.dtype).layout.keeps_gil for what, plan in calls.items()}
    assert held == {
        "a crop": True,
        "a row": True,
        "one element, repeated": True,
        "a column": False,
        "far rows": False,
        "much": False,
    }
    for plan in calls.values():
        for _ in range(2):
            assert not plan(frame).any()
