"""Composition: one plan of two that follow each other, and a plan's result in another order.

Between two stages lies a shape. The earlier one merges its axes into that shape's, the later one splits it into its
own. So each axis of the shape is a number in two mixed bases: its *digits* are the axes of the earlier stage, and its
*legs* those of the later one, each of which steps through the axis at its own pace. Where every leg stays within one
digit, or comes apart into legs that do, each of them is composed with its digit alone; where not, the stages are two
plans.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fastops._errors import AttributeValueError, DTypeError, FastopsError, shown
from fastops._plans._axis_map import AxisMap
from fastops._plans._factors import NO_AXIS, find_factors
from fastops._plans._numbers import as_indices
from fastops._plans._run_map import (
    MOST_RUNS,
    Map,
    Run,
    RunMap,
    compose_maps,
    map_of_runs,
    read_from,
    reads_fill,
    runs_of,
    shift_slots,
)
from fastops._plans._sample_mode import SampleMode
from fastops._plans._slice_plan import SlicePlan, SourceWindow, windows_of


class _Leg(NamedTuple):
    """Output ``i`` of a leg stands for ``coefficient * i`` more of what it steps through.

    Attributes
    ----------
    coefficient, n : int
        How far it steps, and its outputs.
    outer : Map or None
        What reads the leg's outputs in another order than they have, or beyond them.
    axis : int
        Of the later stage, from which it comes.
    """

    coefficient: int
    n: int
    outer: Map | None
    axis: int


class _Axis(NamedTuple):
    """An axis of the plan that is being made: every ``step`` of an axis of the source, or a map over a window of that.

    Attributes
    ----------
    source : int
        Axis of the source, or NO_AXIS for what reads one element however often.
    step, n : int
        Indices of the source from one of the window to the next, and the axis's outputs.
    map : Map or None
        None where output ``i`` reads index ``i`` of the window, in bounds.
    target, axis : int
        Where it stands in the result: the axis of its shape, and the axis of the later stage; NO_AXIS for nowhere.
    """

    source: int
    step: int
    n: int
    map: Map | None
    target: int = NO_AXIS
    axis: int = NO_AXIS


class Apart(Exception):  # noqa: N818, it is no error but an answer
    """Two stages are no one plan; the text says why."""


def compose_plans(earlier: SlicePlan, later: SlicePlan) -> SlicePlan:
    """Return what `SlicePlan.then` returns."""
    if type(later) is not SlicePlan:
        raise DTypeError("SlicePlan.then", "plan", "be a SlicePlan", later)
    if later.source_shape != earlier.shape:
        rule = f"have the source_shape {shown(earlier.shape)}, which {stage_name(earlier)} gives"
        raise AttributeValueError("SlicePlan.then", "plan", rule, stage_name(later))
    try:
        return join_plans(earlier, later)
    except Apart as reason:
        rule = f"join {stage_name(earlier)} in one plan, but it {reason}: run one after the other"
        raise AttributeValueError("SlicePlan.then", "plan", rule, stage_name(later)) from None


def join_plans(earlier: SlicePlan, later: SlicePlan) -> SlicePlan:
    """Return one plan of two of which the later one takes what the earlier one gives.

    Raises
    ------
    Apart
        There is none.
    """
    fills = earlier.fills + later.fills
    if not later.size:
        return SlicePlan((), later.shape, earlier.source_shape, fills=fills)
    builder = _Builder(earlier.source_shape)
    if not earlier.size:
        _fill(builder, later, earlier.fills)
        return builder.plan(later, fills)
    try:
        _compose(builder, earlier, later)
        return builder.plan(later, fills)
    except FastopsError:
        raise Apart(f"gives an axis more than {MOST_RUNS} runs") from None


def stage_name(plan: SlicePlan) -> str:
    """Return how errors call a stage."""
    return f"{shown(plan.source_shape)} -> {shown(plan.shape)}"


def transpose_plan(plan: SlicePlan, axes: Sequence[int] | None) -> SlicePlan:
    """Return what `SlicePlan.transpose` returns."""
    rank = len(plan.shape)
    try:
        given = tuple(range(rank))[::-1] if axes is None else as_indices("axes", axes)
        resolved = [k + rank if k < 0 else k for k in given]
        if sorted(resolved) != list(range(rank)):
            raise AttributeValueError.about("axes", f"be a permutation of the {rank} axes", given)
    except FastopsError as error:
        error.add_context("SlicePlan.transpose", {"axes": axes})
        raise
    shape = tuple([plan.shape[k] for k in resolved])
    if not plan.size:
        return SlicePlan((), shape, plan.source_shape, fills=plan.fills)
    groups: list[list[int]] = [[] for _ in plan.shape]
    rest: list[int] = []
    for k, target in zip(plan.order, _targets_of(plan), strict=True):
        (groups[target] if target != NO_AXIS else rest).append(k)
    order = [*[k for target in resolved for k in groups[target]], *rest]
    return SlicePlan(plan.axes, shape, plan.source_shape, _tidied(order, plan.axes), plan.windows, plan.fills)


def _tidied(order: Sequence[int], axes: Sequence[Map]) -> Sequence[int]:
    """Return an order, or that of the axes themselves where it differs in none of more than one output."""
    long = [k for k in order if axes[k].count != 1]
    return range(len(axes)) if long == sorted(long) else order


def _targets_of(plan: SlicePlan) -> list[int]:
    """Return which axis of the result each axis belongs to, in the result's order."""
    factors = find_factors([plan.axes[k].count for k in plan.order], plan.shape)
    assert factors is not None
    return [factor.axis for factor in factors]


class _Builder:
    """The plan that is being made: its axes, and where in each axis of the source they begin."""

    def __init__(self, source_shape: tuple[int, ...]) -> None:
        self._source_shape = source_shape
        self._offsets = [0] * len(source_shape)
        self._axes: list[_Axis] = []

    def add(self, window: SourceWindow, step: int, axis: Map, leg: _Leg | None = None, target: int = NO_AXIS) -> None:
        """Add a map over every ``step`` of a window of the source; the leg is what it comes from, and goes to."""
        source, offset, pace = window
        step *= pace
        index = NO_AXIS if leg is None else leg.axis
        if source != NO_AXIS:
            self._offsets[source] += offset
        if source == NO_AXIS or step == 0:
            axis = _constant(axis)
        if type(axis) is AxisMap and axis.is_strict:
            if source != NO_AXIS:
                self._offsets[source] += step * axis.start
            self._axes.append(_Axis(source, step * axis.stride, axis.count, None, target, index))
            return
        if step < 0:
            self._offsets[source] += step * (axis.extent - 1)
            step, axis = -step, _mirrored(axis)
        self._axes.append(_Axis(source, step, axis.count, axis, target, index))

    def plan(self, later: SlicePlan, fills: int) -> SlicePlan:
        """Return the plan."""
        places = {k: i for i, k in enumerate(later.order)}
        ordered = sorted(self._axes, key=lambda axis: places.get(axis.axis, len(places)))
        joined = _join([axis for axis in ordered if axis.n != 1 or axis.map is not None])
        sources = [axis.source for axis in joined]
        # What repeats one element needs no source, where others move along it.
        joined = [
            axis._replace(source=NO_AXIS) if axis.step == 0 and sources.count(axis.source) > 1 else axis
            for axis in joined
        ]
        chosen = self._place(joined)
        maps, windows, positions = zip(*chosen, strict=True) if chosen else ((), (), ())
        long = sorted([k for k in range(len(maps)) if positions[k] >= 0], key=positions.__getitem__)
        order = _tidied([*long, *[k for k in range(len(maps)) if positions[k] < 0]], maps)
        factors = find_factors([axis.extent for axis in maps], self._source_shape)
        is_split = factors is not None and list(windows) == [SourceWindow(axis, 0, place) for axis, place in factors]
        return SlicePlan(maps, later.shape, self._source_shape, order, None if is_split else windows, fills)

    def _place(self, joined: Sequence[_Axis]) -> list[tuple[Map, SourceWindow, int]]:
        """Return maps, windows and positions in the result, in the source's order, new axes behind what they follow."""
        followers: dict[int, list[int]] = {}
        last = -1
        for i, axis in enumerate(joined):
            if axis.source == NO_AXIS:
                followers.setdefault(last, []).append(i)
            else:
                last = i
        chosen: list[tuple[Map, SourceWindow, int]] = []

        def follow(i: int) -> None:
            chosen.extend([(_map_of(joined[j], 1, 0), _NEW, j) for j in followers.get(i, ())])

        follow(-1)
        for source, (extent, offset) in enumerate(zip(self._source_shape, self._offsets, strict=True)):
            own = [i for i, axis in enumerate(joined) if axis.source == source]
            own.sort(key=lambda i: (-abs(joined[i].step), i))
            if not own and extent:
                window = _NEW if extent == 1 else SourceWindow(source, 0, 1)
                chosen.append((AxisMap.create(extent, offset, 1, 1), window, -1))
            for i in own:
                chosen.append((*_lay(joined[i], source, extent, offset, is_alone=len(own) == 1), i))
                follow(i)
                offset = 0
        return chosen


_NEW = SourceWindow(NO_AXIS, 0, 0)


def _map_of(axis: _Axis, extent: int, start: int) -> Map:
    """Return the map of an axis over all of an extent."""
    return AxisMap.create(extent, start, axis.step, axis.n) if axis.map is None else axis.map


def _lay(axis: _Axis, source: int, extent: int, offset: int, *, is_alone: bool) -> tuple[Map, SourceWindow]:
    """Return the map and the window of one of the axes that read an axis of the source, or of the only one."""
    if extent == 1:
        return _map_of(axis, 1, 0), _NEW
    step, whole = axis.step, SourceWindow(source, 0, 1)
    if axis.map is None:
        if is_alone:
            return _map_of(axis, extent, offset), whole
        if step < 0:
            last = axis.n - 1
            return AxisMap.create(axis.n, last, -1, axis.n), SourceWindow(source, offset + step * last, -step)
        return AxisMap.whole(axis.n), SourceWindow(source, offset, step)
    if is_alone and (type(axis.map) is RunMap or axis.map.mode in _FEW_RUNS):
        if (offset, step, axis.map.extent) == (0, 1, extent):
            return axis.map, whole
        runs = [run if run.first is None else _scaled(run, offset, step) for run in runs_of(axis.map)]
        return RunMap(extent, runs), whole
    return axis.map, SourceWindow(source, offset, step)


# Modes of maps of three runs at most, which need no window.
_FEW_RUNS = (SampleMode.CLAMP, SampleMode.FILL)


def _scaled(run: Run, offset: int, step: int) -> Run:
    assert run.first is not None
    return Run(run.count, offset + step * run.first, step * run.stride)


def _mirrored(axis: Map) -> Map:
    """Return a map over a window that is counted from its other end."""
    last = axis.extent - 1
    if type(axis) is AxisMap:
        return AxisMap.create(axis.extent, last - axis.start, -axis.stride, axis.count, axis.mode)
    return map_of_runs(axis.extent, [r if r.first is None else _scaled(r, last, -1) for r in runs_of(axis)])


def _join(axes: Sequence[_Axis]) -> list[_Axis]:
    """Return axes in the result's order, with neighbours joined that go through source and result as one does."""
    joined: list[_Axis] = []
    for axis in axes:
        outer = joined[-1] if joined else None
        if (
            outer is not None
            and outer.map is axis.map is None
            and (outer.source, outer.target) == (axis.source, axis.target)
            and outer.step == axis.step * axis.n
        ):
            joined[-1] = axis._replace(n=outer.n * axis.n)
        else:
            joined.append(axis)
    return joined


def _compose(builder: _Builder, earlier: SlicePlan, later: SlicePlan) -> None:
    """Add the axes of two stages that both have outputs."""
    digits: list[list[int]] = [[] for _ in earlier.shape]
    for k, at in zip(earlier.order, _targets_of(earlier), strict=True):
        if at != NO_AXIS:
            digits[at].append(k)
    legs: list[list[_Leg]] = [[] for _ in earlier.shape]
    origins = [0] * len(earlier.shape)
    targets = dict(zip(later.order, _targets_of(later), strict=True))
    for k, (axis, (at, offset, step)) in enumerate(zip(later.axes, windows_of(later), strict=True)):
        if at == NO_AXIS or not digits[at]:
            # There is one element to read.
            leg = _Leg(0, axis.count, None, k)
            builder.add(_NEW, 0, shift_slots(axis, earlier.fills), leg, targets[k])
        elif type(axis) is AxisMap and axis.is_strict:
            origins[at] += offset + step * axis.start
            legs[at].append(_Leg(step * axis.stride if axis.count > 1 else 0, axis.count, None, k))
        else:
            origins[at] += offset
            legs[at].append(_Leg(step, axis.extent, shift_slots(axis, earlier.fills), k))
    places = {k: i for i, k in enumerate(later.order)}
    for own, origin, moving in zip(digits, origins, legs, strict=True):
        counts = [earlier.axes[k].count for k in own]
        moving.sort(key=lambda leg: places[leg.axis])
        for k, first, chosen in zip(own, *_divide(moving, origin, counts), strict=True):
            _read_digit(builder, earlier.axes[k], windows_of(earlier)[k], first, chosen, targets)
    moved = {k for own in digits for k in own}
    for k, (axis, window) in enumerate(zip(earlier.axes, windows_of(earlier), strict=True)):
        if k not in moved:
            builder.add(window, 1, axis)


def _divide(legs: Sequence[_Leg], origin: int, counts: Sequence[int]) -> tuple[list[int], list[list[_Leg]]]:
    """Return for each digit where its legs begin, and the legs, from the outermost digit to the innermost."""
    origins, chosen = [], []
    left = list(legs)
    for count in counts[:0:-1]:
        inner, outer = [], []
        for leg in left:
            if leg.n == 1 and leg.outer is None:
                continue
            if leg.coefficient % count == 0:
                outer.append(leg._replace(coefficient=leg.coefficient // count))
                continue
            reach = count // abs(leg.coefficient)
            if leg.outer is None and leg.n > reach > 1 and (count % leg.coefficient, leg.n % reach) == (0, 0):
                # It goes through this digit and on to the next one.
                outer.append(leg._replace(coefficient=leg.coefficient * reach // count, n=leg.n // reach))
                leg = leg._replace(n=reach)
            inner.append(leg)
        lowest = sum([min(leg.coefficient * (leg.n - 1), 0) for leg in inner])
        highest = sum([max(leg.coefficient * (leg.n - 1), 0) for leg in inner])
        own = (origin + lowest) % count - lowest
        if own + highest >= count:
            raise Apart(f"does not keep the axes {shown(tuple(counts))} apart, which that one merges")
        origins.append(own)
        chosen.append(inner)
        origin = (origin - own) // count
        left = outer
    if counts:
        origins.append(origin)
        chosen.append([leg for leg in left if leg.n != 1 or leg.outer is not None])
    return origins[::-1], chosen[::-1]


def _read_digit(
    builder: _Builder, axis: Map, window: SourceWindow, origin: int, legs: list[_Leg], targets: dict[int, int]
) -> None:
    """Add the axes that read one axis of the earlier stage, from output ``origin`` on, by these legs."""
    if type(axis) is AxisMap and axis.is_strict:
        builder.add(window, 1, AxisMap.create(axis.extent, axis.start + axis.stride * origin, 1, 1))
        within = window._replace(offset=0)
        for leg in legs:
            own = AxisMap.whole(leg.n) if leg.outer is None else leg.outer
            builder.add(within, axis.stride * leg.coefficient, own, leg, targets[leg.axis])
        return
    moving = [leg for leg in legs if leg.coefficient or leg.outer is not None]
    if len(legs) > 1:
        # What repeats the same needs no source.
        for leg in legs:
            if leg not in moving:
                builder.add(_NEW, 0, AxisMap.create(1, 0, 0, leg.n), leg, targets[leg.axis])
    else:
        moving = legs
    if len(moving) > 1:
        raise Apart(f"splits an axis that reads beyond its {shown(axis.extent)} elements")
    if not moving:
        builder.add(window, 1, read_from(axis, origin, 0, 1))
        return
    (leg,) = moving
    chosen = read_from(axis, origin, leg.coefficient, leg.n)
    if leg.outer is not None:
        # Its slots are counted from the first one of the later stage on already.
        chosen = compose_maps(chosen, leg.outer, 0)
    builder.add(window, 1, chosen, leg, targets[leg.axis])


def _constant(axis: Map) -> Map:
    """Return a map over one element, which is read wherever another map reads any."""
    if not reads_fill(axis):
        return AxisMap.create(1, 0, 0, axis.count)
    return map_of_runs(1, [run if run.first is None else Run(run.count, 0, 0) for run in runs_of(axis)])


def _fill(builder: _Builder, later: SlicePlan, first_slot: int) -> None:
    """Add the axes of a stage with outputs behind one that has none: every output is a fill value."""
    targets = dict(zip(later.order, _targets_of(later), strict=True))
    for k, axis in enumerate(later.axes):
        builder.add(_NEW, 0, shift_slots(axis, first_slot), _Leg(0, axis.count, None, k), targets[k])
