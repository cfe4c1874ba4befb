"""Plans that are made by constructors instead of `create`: they are errors, or canonical and right on any memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.chains import elements_of
from tests.helpers.hostile_calls import odd_memory, raw_plan
from tests.helpers.seeds import chooser, noted, scale

CASES = scale(2000, 50_000)


def test_plans_keep_what_they_were_checked_with() -> None:
    axes = [fo.plan.AxisMap.create(5, 0, 1, 4)]
    plan = fo.plan.SlicePlan(axes, [4])
    axes[0] = fo.plan.AxisMap.create(5, 0, 1, 2)
    assert plan(np.arange(5)).tolist() == [0, 1, 2, 3]
    for shape in ((4.0,), (True,)):
        with pytest.raises(fo.FastopsError, match=r"^SlicePlan: shape must "):
            fo.plan.SlicePlan([fo.plan.AxisMap.create(5, 0, 1, 4)], shape)  # type: ignore[arg-type]
    # A number of a mode is that mode.
    made = fo.plan.SlicePlan([fo.plan.AxisMap.create(5, -2, 1, 9, 3)])
    assert made == fo.plan.slice((5,), [-2], [9], mode="fill")


def test_calls_on_empty_and_odd_memory() -> None:
    rng = chooser("odd memory")
    read = empty = 0
    for _ in range(CASES // 2):
        plan, dtype = raw_plan(rng), rng.choice(["u1", "f8", "V3"])
        if max((*plan.source_shape, *plan.shape), default=0) > 8:
            continue
        data = odd_memory(rng, plan.source_shape, dtype)
        fill = np.full((), 7).astype(dtype)[()]
        # Elements below 0 are fill values.
        elements = elements_of(plan)
        expected = np.full(plan.shape, fill)
        expected[elements >= 0] = data.ravel()[elements[elements >= 0]]
        with noted(plan, data.strides):
            for _ in range(2):
                assert plan(data, fill_value=fill).tobytes() == expected.tobytes()
            out = np.empty((*plan.shape, 2), dtype)[..., 0]
            assert plan(data, out, fill).tobytes() == expected.tobytes()
        read += expected.size > 0 and data.size > 0
        empty += data.size == 0 and expected.size > 0
    assert read > CASES // 20
    assert empty > 0


def test_range_plans_of_any_numbers() -> None:
    for number in (-(2**64), -(2**63), 2**63, 2**64, 10**400):
        assert fo.plan.RangePlan(number, 0, 3)("u64").tolist() == [number % 2**64] * 3
    with pytest.raises(fo.AttributeValueError, match="plan: start must be below 2\\^1023"):
        fo.plan.RangePlan(10**400, 0, 3)("f64")
    for number in (-(2**64), 2**64, 0.5, -0.0, 1e308):
        assert fo.plan.RangePlan(number, 0, 3)("f64").tobytes() == (np.float64(number) + np.zeros(3)).tobytes()


FIVE = fo.plan.AxisMap.whole(5)
REPEATED = fo.plan.AxisMap.create(1, 0, 0, 5)


@pytest.mark.parametrize(
    ("axis", "source_shape", "window"),
    [
        (FIVE, (0,), (0, 0, 1)),
        (FIVE, (0, 5), (1, 0, 1)),
        (REPEATED, (0,), (-1, 0, 0)),
        (fo.plan.RunMap(3, [fo.plan.Run(1, None, 0), fo.plan.Run(1, 2, 1)]), (3, 0), (0, 0, 1)),
        (FIVE, (4,), (0, 0, 1)),
        (FIVE, (5,), (0, 1, 1)),
        (FIVE, (5,), (-1, 0, 0)),
        (REPEATED, (4,), (-1, 10**30, 0)),
        (fo.plan.AxisMap.create(1, -1, 1, 5, fo.SampleMode.FILL), (4,), (0, 1, 10**30)),
        (fo.plan.AxisMap.create(0, 0, 1, 5, fo.SampleMode.FILL), (4,), (0, 10**30, 1)),
    ],
)
def test_windows_lie_in_the_source(axis: Any, source_shape: tuple[int, ...], window: tuple[int, int, int]) -> None:
    with pytest.raises(fo.AttributeValueError, match="SlicePlan: windows must"):
        fo.plan.SlicePlan([axis], None, source_shape, None, [fo.plan.SourceWindow(*window)])


def test_plans_of_fill_values_alone_take_an_empty_source() -> None:
    axis = fo.plan.AxisMap.create(0, 0, 1, 5, fo.SampleMode.FILL)
    beside = fo.plan.AxisMap.whole(3)
    windows = [fo.plan.SourceWindow(0, 0, 1), fo.plan.SourceWindow(1, 1, 1)]
    plan = fo.plan.SlicePlan([axis, beside], None, (0, 4), None, windows)
    assert plan(np.zeros((0, 4)), fill_value=7).tolist() == [[7.0] * 3] * 5


def test_runs_are_read_by_any_integer() -> None:
    runs = fo.plan.RunMap(5, [fo.plan.Run(2, None, 0), fo.plan.Run(3, 4, -2)])
    assert runs.source(np.int64(3)) == 2  # type: ignore[arg-type]
    for wrong in (True, 1.0, "a"):
        with pytest.raises(fo.DTypeError, match=r"RunMap\.source: y must be an integer"):
            runs.source(wrong)  # type: ignore[arg-type]
    with pytest.raises(fo.AttributeValueError, match="be Runs of integers"):
        fo.plan.RunMap(5, [fo.plan.Run(1, "a", 1)])  # type: ignore[arg-type]
