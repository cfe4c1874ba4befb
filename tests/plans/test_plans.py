"""Plans as values: shapes, equality, printing, pickling, and what building one costs."""

from __future__ import annotations

import pickle
import subprocess
import sys
import timeit

import numpy as np
import pytest

import fastops as fo
from fastops.plan import AxisMap, RangePlan, SlicePlan


def test_a_plan_shows_its_axes_and_shapes() -> None:
    plan = fo.plan.strided_slice((2, 3, 4), [0, 9, 1], [0, 9, 4], [1, 1, 2], new_axis_mask=[0, 1], shrink_axis_mask=[1])
    assert plan.shape == (1, 1, 4)
    assert plan.source_shape == (2, 3, 4)
    assert plan.axes == (AxisMap.create(2, 0, 1, 1), AxisMap.create(3, 1, 2, 1), AxisMap.whole(4))
    assert len(str(plan).splitlines()) == 1 + len(plan.axes)


def test_plans_compare_and_hash_by_meaning() -> None:
    one = fo.plan.strided_slice((5, 4), [-1], [-99], [-2])
    other = fo.plan.slice((5, 4), [4, 0], [3, 4], [-2, 1], mode="reflect")
    assert one == other
    assert hash(one) == hash(other)
    assert one != fo.plan.slice((5, 4), [4, 0], [3, 4], [-1, 1])
    assert len({one, other}) == 1


def test_plans_without_outputs_compare_by_shape_alone() -> None:
    assert fo.plan.slice((5, 4), [9, 1], [0, 2]) == fo.plan.slice((5, 4), [0, 2], [0, 2])
    assert fo.plan.slice((5, 4), [0, 0], [0, 2]) != fo.plan.slice((5, 4), [0, 0], [0, 3])


def test_a_shape_may_only_add_and_drop_axes_of_length_one() -> None:
    axes = [AxisMap.whole(2), AxisMap.whole(3)]
    assert SlicePlan.create(axes, (1, 2, 3, 1)).shape == (1, 2, 3, 1)
    with pytest.raises(fo.AttributeValueError, match="axes of length 1"):
        SlicePlan.create(axes, (3, 2))


@pytest.mark.parametrize(
    "plan", [fo.plan.slice((5,), [-2], [9], mode="wrap"), fo.plan.range(0, 1, 0.25, "f32"), fo.plan.slice((), [], [])]
)
def test_plans_survive_pickling(plan: SlicePlan | RangePlan) -> None:
    copy = pickle.loads(pickle.dumps(plan))
    assert copy == plan
    assert hash(copy) == hash(plan)


def test_a_plan_runs_on_any_dtype() -> None:
    plan = fo.plan.slice((4,), [-1], [6], mode="fill")
    for dtype in (np.uint8, np.float64, "S3"):
        data = np.array([1, 2, 3, 4]).astype(dtype)
        expected = np.zeros(6, dtype)
        expected[1:5] = data
        assert plan(data).tobytes() == expected.tobytes()
    out = np.empty(6, np.uint8)
    assert plan(np.arange(4, dtype=np.uint8), out=out, fill_value=7) is out
    assert out.tolist() == [7, 0, 1, 2, 3, 7]
    with pytest.raises(fo.AttributeValueError, match=r"data must have shape \(4,\)"):
        plan(np.arange(5))


def test_a_range_plan_runs_in_any_fitting_type() -> None:
    plan = fo.plan.range(1, 8, 2, "i64")
    assert plan.shape == (4,)
    assert plan("u8").tolist() == [1, 3, 5, 7]
    assert plan("f16").dtype == np.float16
    with pytest.raises(fo.DTypeError, match="float type"):
        fo.plan.range(0, 1, 0.25, "f32")("i32")


def test_plans_need_no_numba() -> None:
    code = """
import sys, fastops as fo
fo.plan.strided_slice((2, 3), [0], [1]); fo.plan.slice((2, 3), [0, 0], [1, 1], mode="wrap")
fo.plan.variadic_split((6,), 0, [1, -1]); fo.plan.range(0, 5, 1, "i32")
loaded = {"numba", "llvmlite", "ml_dtypes"} & set(sys.modules)
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_building_a_plan_takes_microseconds_whatever_its_counts() -> None:
    small = min(timeit.repeat(lambda: fo.plan.slice((2,), [0], [10], mode="wrap"), number=200, repeat=5))
    large = min(timeit.repeat(lambda: fo.plan.slice((2,), [0], [10**18], mode="wrap"), number=200, repeat=5))
    assert large < 20 * small
    assert small / 200 < 500e-6, "a plan takes tens of microseconds, on a quiet machine"
