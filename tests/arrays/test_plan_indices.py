"""`SlicePlan.indices`: what an axis reads, as an array."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastops as fo
from fastops.plan import AxisMap, Run, RunMap, SlicePlan

SMALL = st.integers(-12, 12)


@given(st.integers(1, 6), SMALL, SMALL, st.integers(1, 40), st.sampled_from(list(fo.SampleMode)))
def test_they_are_what_each_output_reads(extent: int, start: int, stride: int, count: int, mode: fo.SampleMode) -> None:
    try:
        axis = AxisMap.create(extent, start, stride, count, mode)
    except fo.OutOfBoundsError:
        return
    indices = SlicePlan.create([axis]).indices(0)
    assert indices.dtype == np.int64
    expected = [axis.source(y) for y in range(count)]
    assert indices.tolist() == [-1 if index is None else index for index in expected]


PLANS = [
    fo.plan.numpy.pad((4, 5), ((2, 1), (0, 3)), "reflect").then(fo.plan.numpy.pad((7, 8), 3, "wrap")),
    fo.plan.numpy.pad((6,), 2).then(fo.plan.numpy.pad((10,), 3, "reflect")),
    fo.plan.numpy.transpose((2, 3, 4), (2, 0, 1)),
    fo.plan.numpy.take_slice((9, 4), (slice(None, None, -2), 3)),
    SlicePlan.create([RunMap(5, [Run(2, None, 0), Run(3, 4, -2)])]),
]


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_axes_that_are_the_source_s_own(plan: SlicePlan) -> None:
    for k, axis in enumerate(plan.axes):
        expected = [axis.source(y) for y in range(axis.count)]
        assert plan.indices(k).tolist() == [-1 if index is None else index for index in expected]
        assert plan.indices(k - len(plan.axes)).tolist() == plan.indices(k).tolist()


def test_windows_and_split_axes_are_in_coordinates_of_the_source() -> None:
    blocks = fo.plan.onnx.depth_to_space((1, 8, 2, 3), 2)
    channels = [k for k in range(len(blocks.axes)) if blocks.runs(k)[0].stride != 1]
    for k in channels:
        runs = [run.source(y) for run in blocks.runs(k) for y in range(run.count)]
        assert blocks.indices(k).tolist() == runs
    (cut,) = fo.plan.frame((100,), 8, 5)
    k = next(k for k, axis in enumerate(cut.axes) if axis.count == 19)
    assert cut.indices(k).tolist() == list(range(0, 95, 5))


def test_a_plan_without_outputs_reads_nothing() -> None:
    plan = fo.plan.slice((5, 4), [0, 9], [0, 3])
    assert plan.indices(0).tolist() == plan.indices(1).tolist() == []
    assert plan.indices(1).dtype == np.int64


def test_long_axes_take_one_array() -> None:
    plan = fo.plan.slice((3,), [-(10**6)], [3 * 10**6], mode="wrap")
    tracemalloc.start()
    indices = plan.indices(0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_array_equal(indices, np.arange(-(10**6), 2 * 10**6) % 3)
    assert peak < 2.5 * indices.nbytes


def test_axes_of_a_run_for_each_output_take_little_more() -> None:
    extent, stride, count = 200_001, 99_999, 10**5
    plan = fo.plan.slice((extent,), [7], [count], [stride], mode="wrap")
    plan.indices(0)
    tracemalloc.start()
    indices = plan.indices(0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_array_equal(indices, (7 + stride * np.arange(count)) % extent)
    assert peak < indices.nbytes + (8 << 20)


def test_coordinates_beyond_64_bits_are_exact() -> None:
    extent = 2**62
    axis = AxisMap.create(extent, 10**400, 2**61 + 1, 1000, fo.SampleMode.WRAP)
    expected = [(10**400 + y * (2**61 + 1)) % extent for y in range(1000)]
    assert SlicePlan.create([axis]).indices(0).tolist() == expected


@pytest.mark.parametrize(
    ("plan", "axis", "error", "message"),
    [
        (PLANS[2], 3, fo.AttributeValueError, r"axis must be in -3\.\.2, got 3"),
        (PLANS[2], "0", fo.DTypeError, "axis must be an integer, got '0'"),
        (fo.plan.numpy.tile((3,), 2**58), 0, fo.OutputError, "the output must fit in memory as elements of 8 bytes"),
        (
            SlicePlan.create([AxisMap.create(2**63, 2**63 - 1, 1, 1)]),
            0,
            fo.AttributeValueError,
            r"axis must be of a source whose extents are below 2\^63, got 0",
        ),
    ],
)
def test_errors(plan: SlicePlan, axis: Any, error: type[fo.FastopsError], message: str) -> None:
    with pytest.raises(error, match=f"^SlicePlan.indices: {message}"):
        plan.indices(axis)
