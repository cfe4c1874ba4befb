"""`SlicePlan.indices`: the indices that an axis reads, as an array."""

from __future__ import annotations

import random
from functools import partial

import numpy as np
import pytest

import fastops as fo
from fastops.plan import AxisMap, Run, RunMap, SlicePlan
from tests.helpers.chains import draw_chain
from tests.helpers.inspection import peak_of

PLANS = [
    fo.plan.numpy.pad((4, 5), ((2, 1), (0, 3)), "reflect").then(fo.plan.numpy.pad((7, 8), 3, "wrap")),
    fo.plan.numpy.pad((6,), 2).then(fo.plan.numpy.pad((10,), 3, "reflect")),
    fo.plan.numpy.transpose((2, 3, 4), (2, 0, 1)),
    fo.plan.numpy.take_slice((9, 4), (slice(None, None, -2), 3)),
    SlicePlan([RunMap(5, [Run(2, None, 0), Run(3, 4, -2)])]),
]


def test_they_are_what_each_output_reads() -> None:
    chosen = random.Random(29)
    drawn = [draw_chain(chosen, 1, 1)[1] for _ in range(600)]
    # Leave out plans that split axes, because their indices are those of the source.
    drawn = [plan for plan in drawn if plan is not None and plan.size and plan.extents == plan.source_shape]
    for plan in [*PLANS, *drawn]:
        for k, axis in enumerate(plan.axes):
            expected = [-1 if (index := axis.source(y)) is None else index for y in range(axis.count)]
            for indices in (plan.indices(k), plan.indices(k - len(plan.axes))):
                assert (indices.dtype, indices.tolist()) == (np.int64, expected), (plan, k)


def test_windows_and_split_axes_are_in_coordinates_of_the_source() -> None:
    blocks = fo.plan.onnx.depth_to_space((1, 8, 2, 3), 2)
    channels = [k for k in range(len(blocks.axes)) if blocks.runs(k)[0].stride != 1]
    assert channels
    for k in channels:
        assert blocks.indices(k).tolist() == [run.source(y) for run in blocks.runs(k) for y in range(run.count)]
    (cut,) = fo.plan.frame((100,), 8, 5)
    k = next(k for k, axis in enumerate(cut.axes) if axis.count == 19)
    assert cut.indices(k).tolist() == list(range(0, 95, 5))


def test_long_axes_take_one_array_and_those_of_a_run_for_each_output_little_more() -> None:
    # An axis, and the most bytes beside the indices.
    for extent, start, stride, count, more in (
        (3, -(10**5), 1, 3 * 10**5, 36 * 10**5),
        (200_001, 7, 99_999, 10**5, 8 << 20),
    ):
        plan = fo.plan.slice((extent,), [start], [count], [stride], mode="wrap")
        plan.indices(0)
        indices, peak = peak_of(partial(plan.indices, 0))
        np.testing.assert_array_equal(indices, (start + stride * np.arange(count)) % extent)
        assert peak < indices.nbytes + more


def test_coordinates_beyond_64_bits_are_exact() -> None:
    axis = AxisMap.create(2**62, 10**400, 2**61 + 1, 1000, fo.SampleMode.WRAP)
    expected = [(10**400 + y * (2**61 + 1)) % 2**62 for y in range(1000)]
    assert SlicePlan([axis]).indices(0).tolist() == expected


def test_a_plan_without_outputs_reads_nothing_and_errors() -> None:
    plan = fo.plan.slice((5, 4), [0, 9], [0, 3])
    assert [(plan.indices(k).tolist(), plan.indices(k).dtype) for k in (0, 1)] == [([], np.int64)] * 2
    far = SlicePlan([AxisMap.create(2**63, 2**63 - 1, 1, 1)])
    for plan, axis, error, message in (
        (PLANS[2], 3, fo.AttributeValueError, r"axis must be in -3\.\.2, got 3"),
        (PLANS[2], "0", fo.DTypeError, "axis must be an integer, got '0'"),
        (fo.plan.numpy.tile((3,), 2**58), 0, fo.OutputError, "the output must fit in memory as elements of 8 bytes"),
        (far, 0, fo.AttributeValueError, r"axis must be of a source whose extents are below 2\^63, got 0"),
    ):
        with pytest.raises(error, match=f"^SlicePlan.indices: {message}"):
            plan.indices(axis)  # type: ignore[arg-type]
