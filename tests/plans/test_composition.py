"""Plans that follow each other: one plan of them reads what they read one by one; and equality, which is complete."""

from __future__ import annotations

import pickle
import random
import time
import tracemalloc
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._execution._views import as_view
from fastops._plans._map_runs import goes_alike
from fastops._plans._run_map import MOST_RUNS, Run, RunMap
from fastops.plan import AxisMap, SlicePlan
from tests.helpers.chains import Array, Stage, draw_chain, draw_stages, elements_of, joined, one_by_one
from tests.helpers.torture import scale

CHAINS = scale(600, 20_000)


def test_a_chain_reads_what_its_stages_read_one_by_one() -> None:
    chosen = random.Random(1)
    apart = 0
    for _ in range(CHAINS):
        stages = draw_stages(chosen, chosen.randint(1, 4))
        plan = joined(stages)
        if plan is None:
            apart += 1
            continue
        expected = one_by_one(stages)
        assert plan.shape == stages[-1].shape
        assert plan.fills == sum(stage.plan.fills for stage in stages)
        assert np.array_equal(elements_of(plan), expected), (stages, plan)
    assert 0 < apart < CHAINS / 4


def test_it_does_not_matter_which_stages_are_joined_first() -> None:
    chosen = random.Random(2)
    compared = 0
    for _ in range(CHAINS):
        one, two, three = [stage.plan for stage in draw_stages(chosen, 3)]
        try:
            last_first = one.then(two.then(three))
            first_first = one.then(two).then(three)
        except fo.AttributeValueError:
            continue
        compared += 1
        assert last_first == first_first
        assert hash(last_first) == hash(first_first)
    assert compared > CHAINS / 2


@pytest.mark.parametrize("limits", [{}, {"lengths": (1, 2, 2, 3, 4), "most": 8}], ids=["many", "alike"])
def test_plans_are_equal_if_and_only_if_they_read_the_same(limits: dict[str, Any]) -> None:
    chosen = random.Random(3)
    pools: dict[object, list[tuple[SlicePlan, Array]]] = {}
    for _ in range(CHAINS):
        stages = draw_stages(chosen, chosen.randint(1, 3), **limits)
        plan = joined(stages)
        if plan is not None:
            pools.setdefault((plan.source_shape, plan.shape), []).append((plan, one_by_one(stages)))
    same = 0
    for pool in pools.values():
        for (one, reads), (other, other_reads) in combinations(pool[:40], 2):
            is_same = np.array_equal(reads, other_reads)
            same += is_same
            assert (one == other) == (is_same and one.fills == other.fills), (one, other)
            assert one != other or hash(one) == hash(other)
            assert one.reads_as(other) == np.array_equal(np.maximum(reads, -1), np.maximum(other_reads, -1))
    assert same > 100


def test_all_small_maps_compose() -> None:
    maps = []
    for extent, start, stride, count, mode in product(
        (1, 2, 3), (-4, -1, 0, 1, 3), (-2, -1, 0, 1, 2), (1, 3), fo.SampleMode
    ):
        try:
            maps.append(AxisMap.create(extent, start, stride, count, mode))
        except fo.OutOfBoundsError:
            continue
    unique = list(dict.fromkeys(maps))
    for one, other in product(unique, unique):
        if one.count == other.extent:
            stages = [Stage((axis.extent,), (axis,), (0,), (axis.count,), (axis.extent,)) for axis in (one, other)]
            plan = joined(stages)
            assert plan is not None
            assert np.array_equal(elements_of(plan), one_by_one(stages)), (one, other)


def test_a_plan_that_changes_nothing_changes_nothing() -> None:
    chosen = random.Random(4)
    for _ in range(CHAINS):
        _, plan = draw_chain(chosen, 1, 3)
        if plan is not None:
            before, behind = [SlicePlan.create([AxisMap.whole(n) for n in s]) for s in (plan.source_shape, plan.shape)]
            assert before.then(plan) == plan.then(behind) == plan


def test_chains_survive_json_and_pickling() -> None:
    chosen = random.Random(5)
    for _ in range(CHAINS):
        _, plan = draw_chain(chosen, 1, 4)
        if plan is not None:
            for again in (SlicePlan.from_json(plan.to_json()), pickle.loads(pickle.dumps(plan))):
                assert again == plan
                assert repr(again) == repr(plan)
                assert again.to_json() == plan.to_json()


def test_json_of_version_1_is_read() -> None:
    text = (
        '{"format": "fastops.SlicePlan", "version": 1, "source_shape": [3, 1], "shape": [5], '
        '"axes": [{"extent": 3, "start": -1, "stride": 1, "count": 5, "mode": "clamp"}]}'
    )
    assert SlicePlan.from_json(text) == SlicePlan.create(
        [AxisMap.create(3, -1, 1, 5, fo.SampleMode.CLAMP)], (5,), (3, 1)
    )


def test_a_chain_is_lowered_in_a_time_that_does_not_depend_on_counts() -> None:
    pad = fo.plan.numpy.pad((1000,), 10**9, "reflect")
    begun = time.perf_counter()
    plan = pad.then(fo.plan.slice(pad.shape, [5], [1000], [10**6]))
    assert time.perf_counter() - begun < 0.01
    assert plan.axes[0].count == 1000


W = AxisMap.whole
FRAMED = fo.plan.numpy.pad((3, 3), ((10**6, 0), (1, 1)))
FLATTENED = fo.plan.numpy.repeat(FRAMED.shape, 2)
REPEATED = SlicePlan.create([W(10**6), AxisMap.create(1, 0, 0, 2)], (2 * 10**6,), (10**6,))


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        # Merged axes, in one form and in another.
        (REPEATED, fo.plan.numpy.repeat((10**6,), 2), True),
        (
            SlicePlan.create([W(10**9), W(2), W(2)], (2 * 10**9, 2), (10**9, 2, 2), (0, 2, 1)),
            SlicePlan.create(
                [W(10**9), AxisMap.create(1, 0, 1, 1), W(2), W(2)], (2 * 10**9, 2), (10**9, 2, 2), (0, 1, 3, 2)
            ),
            True,
        ),
        # Fill values before all that is read, and several runs in each of the outputs that they are.
        (FRAMED.then(FLATTENED), FRAMED[:, ::-1].then(FLATTENED), False),
        (FRAMED.then(FLATTENED), FRAMED[::-1][::-1].then(FLATTENED), True),
        (
            fo.plan.numpy.pad((10**6,), 3, "reflect").then(fo.plan.numpy.repeat((10**6 + 6,), 2)),
            fo.plan.numpy.pad((10**6,), 3, "symmetric").then(fo.plan.numpy.repeat((10**6 + 6,), 2)),
            False,
        ),
        # Maps that go around: each output is a way of its own, and the cycle is as long as the axis.
        *[
            (
                SlicePlan.create([AxisMap.create(10**9 + 7, 0, 5 * 10**8, 10**9, mode)]),
                SlicePlan.create([AxisMap.create(10**9 + 7, start, 5 * 10**8, 10**9, mode)]),
                is_same,
            )
            for mode in (fo.SampleMode.WRAP, fo.SampleMode.REFLECT, fo.SampleMode.SYMMETRIC)
            for start, is_same in (((2 * 10**9 + 14) * (10**9 + 6), True), (1, False))
        ],
        (
            SlicePlan.create([AxisMap.create(3, 1, 2, 10**9, fo.SampleMode.REFLECT)]),
            SlicePlan.create([AxisMap.create(3, 1, 0, 10**9)]),
            True,
        ),
    ],
)
def test_plans_are_compared_in_a_time_that_does_not_depend_on_counts(
    one: SlicePlan, other: SlicePlan, is_same: bool
) -> None:
    begun = time.perf_counter()
    assert (one == other) == is_same
    assert one.reads_as(other) == is_same
    assert not is_same or hash(one) == hash(other)
    assert time.perf_counter() - begun < 0.1


@pytest.mark.parametrize("mode", [fo.SampleMode.WRAP, fo.SampleMode.REFLECT, fo.SampleMode.SYMMETRIC])
def test_few_outputs_decide_whether_maps_that_go_around_read_the_same(mode: fo.SampleMode) -> None:
    for extent in range(2, scale(8, 13)):
        pools: dict[tuple[int | None, ...], AxisMap] = {}
        for start, stride in product(range(2 * extent), range(2 * extent)):
            axis = AxisMap.create(extent, start, stride, 4 * extent + 2, mode)
            reads = tuple([axis.source(y) for y in range(axis.count)])
            first = pools.setdefault(reads[:4], axis)
            assert reads == tuple([first.source(y) for y in range(first.count)])
            assert goes_alike(first, axis)


def test_maps_of_outputs_that_each_fold_stay_short() -> None:
    constant = SlicePlan.create([AxisMap.create(3, 1, 2, 10**9, fo.SampleMode.REFLECT)])
    assert constant.runs(0) == ((10**9, 1, 0),)
    assert constant.then(fo.plan.numpy.pad(constant.shape, 2, "edge")).axes == (AxisMap.create(3, 1, 0, 10**9 + 4),)
    # 1024 runs in each of 3000 laps, all of which are one.
    turns = SlicePlan.create([RunMap(2, [Run(1, i % 2, 1) for i in range(2048)])])
    tracemalloc.start()
    laps = turns.then(fo.plan.slice((2048,), [0], [3000 * 1024], [2], mode="wrap"))
    assert laps.runs(0) == ((3000 * 1024, 0, 0),)
    # As many, no two of which are alike.
    with pytest.raises(fo.AttributeValueError, match="4096 runs"):
        turns.then(fo.plan.slice((2048,), [0], [10**6], [1021], mode="reflect"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # Three million runs would take hundreds of megabytes.
    assert peak < 16 << 20


def test_plans_have_so_many_fill_values_at_most() -> None:
    assert SlicePlan.create([W(3)], fills=4096)([1, 2, 3], fill_value=7).tolist() == [1, 2, 3]
    for wrong in (4097, 10**12, 10**5000, -1):
        with pytest.raises(fo.AttributeValueError, match=r"fills must be in 0\.\.4096"):
            SlicePlan.create([W(3)], fills=wrong)
    with pytest.raises(fo.AttributeValueError, match=r"have fill slots in 0\.\.4095"):
        RunMap(3, [Run(1, None, 4096)])
    full = SlicePlan.create([W(3)], fills=4096)
    with pytest.raises(fo.AttributeValueError, match="4096 fill values together with it: run one after the other"):
        full.then(fo.plan.numpy.pad((3,), 1))


def test_fills_that_make_too_many_boxes_are_an_error_before_anything_is_written() -> None:
    framed = fo.lazy(np.ones((4, 4), np.uint8)).pad(1, constant_values=7).pad(1, constant_values=9)
    expected = np.pad(np.pad(np.ones((4, 4), np.uint8), 1, constant_values=7), 1, constant_values=9)
    assert np.array_equal(framed.tile((9, 9)).run(), np.tile(expected, (9, 9)))
    many = framed.tile((100, 100))
    out = np.full(many.shape, 5, np.uint8)
    with pytest.raises(fo.AttributeValueError, match=r"fills must make at most 4096 boxes .*, got 2"):
        many.run(out=out)
    assert (out == 5).all()


def test_too_many_runs_are_an_error_that_names_both_stages() -> None:
    tiles = fo.plan.numpy.tile((4,), MOST_RUNS + 1)
    pad = fo.plan.numpy.pad(tiles.shape, 2, "reflect")
    with pytest.raises(fo.AttributeValueError) as info:
        tiles.then(pad)
    message = str(info.value)
    assert "join (4,) -> (16388,) in one plan, but it gives an axis more than 4096 runs" in message
    assert "got '(16388,) -> (16392,)'" in message
    few = fo.plan.numpy.tile((4,), 1000)
    assert len(few.then(fo.plan.numpy.pad(few.shape, 2, "reflect")).runs(0)) == 1002


def test_a_split_that_does_not_cancel_a_merge_is_an_error_that_names_both_stages() -> None:
    merged = SlicePlan.create([AxisMap.whole(6), AxisMap.whole(4)], (24,), (6, 4), (1, 0))
    split = SlicePlan.create([AxisMap.whole(3), AxisMap.whole(8)], (3, 8), (24,))
    with pytest.raises(
        fo.AttributeValueError, match=r"join \(6, 4\) -> \(24,\) in one plan.*keep.*got '\(24,\) -> \(3, 8\)'"
    ):
        merged.then(split)
    fits = SlicePlan.create([AxisMap.whole(2), AxisMap.whole(12)], (2, 12), (24,))
    assert merged.then(fits).shape == (2, 12)


def test_shapes_must_fit() -> None:
    pad = fo.plan.numpy.pad((3,), 1)
    with pytest.raises(
        fo.AttributeValueError, match=r"plan must have the source_shape \(5,\), which \(3,\) -> \(5,\) gives"
    ):
        pad.then(pad)
    with pytest.raises(fo.DTypeError, match="plan must be a SlicePlan"):
        pad.then(3)  # type: ignore[arg-type]


def test_transposes_and_indices() -> None:
    plan = fo.plan.numpy.pad((4, 5, 3), ((1, 1), (0, 2), (0, 0)), "reflect")
    data = np.arange(60).reshape(4, 5, 3)
    padded = np.pad(data, ((1, 1), (0, 2), (0, 0)), "reflect")
    assert np.array_equal(plan.transpose((2, 0, 1))(data), padded.transpose(2, 0, 1))
    assert np.array_equal(plan.transpose()(data), padded.T)
    assert np.array_equal(plan.transpose((-1, 0, 1))(data), padded.transpose(-1, 0, 1))
    assert np.array_equal(plan[1:5, ::-2, None, 1](data), padded[1:5, ::-2, None, 1])
    assert plan.transpose((0, 1, 2)) == plan
    assert plan.transpose((1, 2, 0)).transpose((2, 0, 1)) == plan
    for axes in ((0, 1), (0, 0, 1), (0, 1, 3)):
        with pytest.raises(fo.AttributeValueError, match="axes must name each of the 3 axes once"):
            plan.transpose(axes)
    with pytest.raises(fo.OutOfBoundsError, match="index must be in"):
        plan[9]
    with pytest.raises(TypeError):
        iter(plan)  # type: ignore[call-overload]


def test_runs_are_those_of_the_source() -> None:
    plan = fo.plan.numpy.pad((9,), 2, "reflect")[1:].then(fo.plan.numpy.pad((12,), 1))
    assert plan.runs(0) == plan.runs(-1) == ((1, None, 0), (2, 1, -1), (8, 1, 1), (2, 7, -1), (1, None, 0))
    reads = [first if first is None else first + y * stride for n, first, stride in plan.runs(0) for y in range(n)]
    padded = np.pad(np.pad(np.arange(9), 2, "reflect")[1:], 1, constant_values=-1)
    assert [-1 if each is None else each for each in reads] == padded.tolist()
    for axis in (1, -2):
        with pytest.raises(fo.AttributeValueError, match=r"axis must be in -1\.\.0"):
            plan.runs(axis)
    with pytest.raises(fo.AttributeValueError, match="axis must have at most 4096 runs"):
        fo.plan.numpy.tile((3,), 9999).runs(0)


def test_fill_values_are_those_of_the_stages() -> None:
    once = fo.plan.numpy.pad((2, 2), ((1, 1), (0, 0)))
    plan = once.then(fo.plan.numpy.pad(once.shape, 1))
    data = np.arange(4, dtype=np.int16).reshape(2, 2)
    expected = np.pad(np.pad(data, ((1, 1), (0, 0)), constant_values=7), 1, constant_values=9)
    assert plan.fills == 2
    assert np.array_equal(plan(data, fill_value=(7, 9)), expected)
    assert np.array_equal(plan(data, fill_value=[7, 9]), expected)
    assert np.array_equal(plan(data, fill_value=5), np.where(expected > 6, 5, expected))
    assert np.array_equal(plan(data), np.where(expected > 6, 0, expected))
    assert np.array_equal(plan(data, fill_value=np.array([7, 9])), expected)
    for wrong in ((7,), (7, 8, 9), [], np.arange(3)):
        with pytest.raises(fo.AttributeValueError, match="fill_value must be one value, or a list of 2"):
            plan(data, fill_value=wrong)
    with pytest.raises(fo.AttributeValueError, match="fill_value must"):
        plan(data, fill_value=(7, 70000))


def test_a_list_of_one_run_can_be_a_view() -> None:
    data = np.arange(12).reshape(4, 3)
    plan = SlicePlan.create([RunMap(4, [Run(3, 3, -1)]), AxisMap.whole(3)], (3, 3), (4, 3), (1, 0))
    assert plan.is_view
    assert np.array_equal(plan(data), data[:0:-1].T)
    view = as_view(plan, data)
    assert np.array_equal(view, data[:0:-1].T)
    assert np.shares_memory(view, data)


def test_views_in_any_order() -> None:
    data = np.arange(120).reshape(4, 5, 6)
    plan = fo.plan.numpy.take_slice(data.shape, np.s_[1:, ::-2, 2]).transpose((1, 0))
    assert plan.is_view
    assert not fo.plan.numpy.pad((3,), 1, "edge").is_view
    merged = SlicePlan.create([AxisMap.whole(4), AxisMap.whole(5)], (20,), (4, 5))
    assert not merged.is_view
    assert "merges axes" in merged.explain()
