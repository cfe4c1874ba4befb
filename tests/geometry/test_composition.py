"""One plan of several stages reads the same elements as the stages one by one; plans are equal if their fields are."""

from __future__ import annotations

import random
from contextlib import suppress
from functools import reduce

import numpy as np
import pytest

import fastops as fo
from fastops._geometry._axis_map import MOST_RUNS, Run, RunMap
from fastops.plan import AxisMap, SlicePlan
from tests.helpers.chains import assert_right, draw_stages, elements_of, joined, one_by_one
from tests.helpers.processes import peak_of
from tests.helpers.seeds import scale

CHAINS = scale(600, 20_000)

W = AxisMap.whole
MODES = [mode for mode in fo.SampleMode if mode is not fo.SampleMode.STRICT_BOUNDS]
WRAP, REFLECT, SYMMETRIC = fo.SampleMode.WRAP, fo.SampleMode.REFLECT, fo.SampleMode.SYMMETRIC
p = fo.plan


def test_a_chain_reads_what_its_stages_read_one_by_one() -> None:
    chosen = random.Random(1)
    apart = compared = 0
    for _ in range(CHAINS):
        stages = draw_stages(chosen, chosen.randint(1, 4))
        plan = joined(stages)
        if plan is None:
            apart += 1
            continue
        assert_right(plan.geometry)
        assert_right(plan.transpose(chosen.sample(range(len(plan.shape)), len(plan.shape))).geometry)
        assert plan.shape == stages[-1].shape
        assert plan.fills == sum(stage.plan.fills for stage in stages)
        elements = one_by_one(stages)
        assert np.array_equal(elements_of(plan), elements), (stages, plan)
        # Joining a stage that reads everything unchanged changes no element.
        before, behind = [SlicePlan([W(n) for n in shape]) for shape in (plan.source_shape, plan.shape)]
        for same in (before.then(plan), plan.then(behind)):
            assert np.array_equal(elements_of(same), elements), (stages, same)
        # Joining the last stages first reads the same elements.
        with suppress(fo.AttributeValueError):
            last_first = reduce(lambda later, stage: stage.plan.then(later), stages[-2::-1], stages[-1].plan)
            assert last_first.fills == plan.fills
            assert np.array_equal(elements_of(last_first), elements), (stages, last_first)
            compared += 1
    assert 0 < apart < CHAINS / 4
    assert compared > CHAINS / 2


def test_nothing_is_done_for_each_output() -> None:
    # A loop over so many outputs would never end.
    pad = p.numpy.pad((1000,), 10**15, "reflect")
    assert pad.then(p.slice(pad.shape, [5], [1000], [10**12])).axes[0].count == 1000


def test_maps_of_outputs_that_each_fold_stay_short() -> None:
    constant = SlicePlan([AxisMap.create(3, 1, 2, 10**9, REFLECT)])
    assert constant.runs(0) == ((10**9, 1, 0),)
    assert constant.then(p.numpy.pad(constant.shape, 2, "edge")).axes == (AxisMap.create(3, 1, 0, 10**9 + 4),)
    # 3000 periods of 1024 runs each, which all join into one run.
    turns = SlicePlan([RunMap(2, [Run(1, i % 2, 1) for i in range(2048)])])

    def join() -> None:
        laps = turns.then(p.slice((2048,), [0], [3000 * 1024], [2], mode="wrap"))
        assert laps.runs(0) == ((3000 * 1024, 0, 0),)
        # Many more runs, which do not join.
        with pytest.raises(fo.AttributeValueError, match="4096 runs"):
            turns.then(p.slice((2048,), [0], [10**6], [101], mode="reflect"))

    # Three million runs would take hundreds of megabytes.
    assert peak_of(join)[1] < 16 << 20


def test_plans_have_so_many_fill_values_at_most() -> None:
    assert SlicePlan([W(3)], fills=4096)([1, 2, 3], fill_value=7).tolist() == [1, 2, 3]
    for wrong in (4097, 10**12, 10**5000, -1):
        with pytest.raises(fo.AttributeValueError, match=r"fills must be in 0\.\.4096"):
            SlicePlan([W(3)], fills=wrong)
    with pytest.raises(fo.AttributeValueError, match=r"have fill slots in 0\.\.4095"):
        RunMap(3, [Run(1, None, 4096)])
    full = SlicePlan([W(3)], fills=4096)
    with pytest.raises(fo.AttributeValueError, match="4096 fill values together with it: run one after the other"):
        full.then(p.numpy.pad((3,), 1))


def test_fills_that_make_too_many_boxes_are_an_error_before_anything_is_written() -> None:
    many = fo.lazy(np.ones((4, 4), np.uint8)).pad(1, constant_values=7).pad(1, constant_values=9).tile((100, 100))
    out = np.full(many.shape, 5, np.uint8)
    with pytest.raises(fo.AttributeValueError, match=r"fills must make at most 4096 boxes .*, got 2"):
        many.run(out=out)
    assert (out == 5).all()


def test_what_is_no_one_plan_is_an_error_that_names_both_stages() -> None:
    tiles, pad = p.numpy.tile((4,), MOST_RUNS + 1), p.numpy.pad((3,), 1)
    merged = SlicePlan([W(6), W(4)], (24,), (6, 4), (1, 0))
    later, split = p.numpy.pad(tiles.shape, 2, "reflect"), SlicePlan([W(3), W(8)], (3, 8), (24,))
    for one, other, message in (
        (tiles, later, r"join \(4,\) -> \(16388,\) in one plan.* 4096 runs.*got '\(16388,\) -> \(16392,\)'"),
        (merged, split, r"join \(6, 4\) -> \(24,\) in one plan.*keep.*got '\(24,\) -> \(3, 8\)'"),
        (pad, pad, r"plan must have the source_shape \(5,\), which \(3,\) -> \(5,\) gives"),
    ):
        with pytest.raises(fo.AttributeValueError, match=message):
            one.then(other)
    few = p.numpy.tile((4,), 1000)
    assert len(few.then(p.numpy.pad(few.shape, 2, "reflect")).runs(0)) == 1002
    assert merged.then(SlicePlan([W(2), W(12)], (2, 12), (24,))).shape == (2, 12)
    with pytest.raises(fo.DTypeError, match="plan must be a SlicePlan"):
        pad.then(3)  # type: ignore[arg-type]


def test_transposes_and_indices() -> None:
    plan = p.numpy.pad((4, 5, 3), ((1, 1), (0, 2), (0, 0)), "reflect")
    data = np.arange(60).reshape(4, 5, 3)
    padded = np.pad(data, ((1, 1), (0, 2), (0, 0)), "reflect")
    for axes in ((2, 0, 1), None, (-1, 0, 1)):
        assert np.array_equal(plan.transpose(axes)(data), padded.transpose(axes))
    assert np.array_equal(plan[1:5, ::-2, None, 1](data), padded[1:5, ::-2, None, 1])
    square = p.numpy.copy((3, 3))
    assert square != square.transpose()
    assert plan.transpose((0, 1, 2)) == plan == plan.transpose((1, 2, 0)).transpose((2, 0, 1))
    with pytest.raises(fo.FastopsError, match=r"^SlicePlan\.transpose: axes must name each axis once"):
        plan.transpose((0, 0, 1))
    with pytest.raises(fo.OutOfBoundsError, match="index must be in"):
        plan[9]
    with pytest.raises(TypeError):
        iter(plan)  # type: ignore[call-overload]


def test_runs_are_those_of_the_source() -> None:
    plan = p.numpy.pad((9,), 2, "reflect")[1:].then(p.numpy.pad((12,), 1))
    assert plan.runs(0) == plan.runs(-1) == ((1, None, 0), (2, 1, -1), (8, 1, 1), (2, 7, -1), (1, None, 0))
    with pytest.raises(fo.AttributeValueError, match=r"axis must be in -1\.\.0"):
        plan.runs(1)
    with pytest.raises(fo.AttributeValueError, match="axis must have at most 4096 runs"):
        p.numpy.tile((3,), 9999).runs(0)
