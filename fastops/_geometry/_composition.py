"""Composition: one plan of two that follow each other.

Between two stages lies a shape. The earlier stage merges its axes into the axes of that shape, and the later stage
splits them into its own. So an index along such an axis is a number in two mixed bases: its *digits* are the axes of
the earlier stage, its *legs* those of the later one, and each leg steps through the axis by its own coefficient. Where
each leg stays within one digit, or comes apart into legs that do, each leg is composed with its digit alone. Otherwise
the stages stay two plans.

A `Builder` collects the axes of the composed plan, and brings them into the order of the later stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fastops._errors import AttributeValueError, FastopsError, counted, shown
from fastops._geometry._axis_map import MOST_RUNS, MOST_SLOTS, AxisMap, Map, canonical_axis
from fastops._geometry._geometry import (
    MOST_AXES,
    NO_AXIS,
    Geometry,
    SourceWindow,
    digits_of,
    find_factors,
    geometry_of,
    is_ordered,
    size_of,
    windows_of,
)
from fastops._geometry._map_composition import compose_maps, constant_map, mirrored_map, read_from, shift_slots
from fastops._geometry._sample_mode import SampleMode

#: The window of an axis that reads one element, or none.
NEW = SourceWindow(NO_AXIS, 0, 0)


class _Axis(NamedTuple):
    """An axis of the composed plan: every ``step`` of an axis of the source, or a map over a window of it.

    Attributes
    ----------
    source : int
        Axis of the source, or NO_AXIS for one element that is read by all outputs.
    step, n : int
        Source indices from one index of the window to the next, and outputs of the axis.
    map : Map or None
        None where output ``i`` reads index ``i`` of the window, in bounds.
    target, axis : int
        The axis of the result's shape, and the axis of the later stage, that it becomes; NO_AXIS for none.
    """

    source: int
    step: int
    n: int
    map: Map | None
    target: int = NO_AXIS
    axis: int = NO_AXIS


class Builder:
    """The axes of the composed plan, and where in each axis of the source they begin."""

    def __init__(self, source_shape: tuple[int, ...]) -> None:
        self._source_shape = source_shape
        self._offsets = [0] * len(source_shape)
        self._axes: list[_Axis] = []

    def add(self, window: SourceWindow, step: int, axis: Map, index: int = NO_AXIS, target: int = NO_AXIS) -> None:
        """Add a map over every ``step`` of a window of the source, for axis ``index`` of the later stage."""
        source, offset, pace = window
        step *= pace
        if source != NO_AXIS:
            self._offsets[source] += offset
        if source == NO_AXIS or step == 0:
            axis = constant_map(axis)
        if type(axis) is AxisMap and axis.is_strict:
            if source != NO_AXIS:
                self._offsets[source] += step * axis.start
            self._axes.append(_Axis(source, step * axis.stride, axis.count, None, target, index))
            return
        if step < 0:
            self._offsets[source] += step * (axis.extent - 1)
            step, axis = -step, mirrored_map(axis)
        self._axes.append(_Axis(source, step, axis.count, axis, target, index))

    def geometry(self, later: Geometry, fills: int) -> Geometry:
        """Return the geometry of the plan."""
        places = {k: i for i, k in enumerate(later.order)}
        ordered = sorted(self._axes, key=lambda axis: places.get(axis.axis, len(places)))
        joined = _join([axis for axis in ordered if axis.n != 1 or axis.map is not None])
        sources = [axis.source for axis in joined]
        # An axis that repeats one element needs no source where other axes move along it.
        joined = [
            axis._replace(source=NO_AXIS) if axis.step == 0 and sources.count(axis.source) > 1 else axis
            for axis in joined
        ]
        chosen = self._place(joined)
        maps, windows, positions = zip(*chosen, strict=True) if chosen else ((), (), ())
        long = sorted([k for k in range(len(maps)) if positions[k] >= 0], key=positions.__getitem__)
        order = tidied([*long, *[k for k in range(len(maps)) if positions[k] < 0]], maps)
        factors = find_factors([axis.extent for axis in maps], self._source_shape)
        is_split = factors is not None and list(windows) == [SourceWindow(axis, 0, place) for axis, place in factors]
        if len(maps) > MOST_AXES:
            raise AttributeValueError.about("axes", f"be at most {MOST_AXES}", len(maps))
        return Geometry(maps, later.shape, self._source_shape, order, fills, None if is_split else windows)

    def _place(self, joined: Sequence[_Axis]) -> list[tuple[Map, SourceWindow, int]]:
        """Return maps, windows and positions in the result, in the source's order; new axes follow their neighbours."""
        followers: dict[int, list[int]] = {}
        last = -1
        for i, axis in enumerate(joined):
            if axis.source == NO_AXIS:
                followers.setdefault(last, []).append(i)
            else:
                last = i
        chosen: list[tuple[Map, SourceWindow, int]] = []

        def follow(i: int) -> None:
            chosen.extend([(_map_of(joined[j], 1, 0), NEW, j) for j in followers.get(i, ())])

        follow(-1)
        for source, (extent, offset) in enumerate(zip(self._source_shape, self._offsets, strict=True)):
            own = [i for i, axis in enumerate(joined) if axis.source == source]
            own.sort(key=lambda i: (-abs(joined[i].step), i))
            if not own and extent:
                window = NEW if extent == 1 else SourceWindow(source, 0, 1)
                chosen.append((AxisMap.create(extent, offset, 1, 1), window, -1))
            laid = [
                _lay(joined[i], source, extent, 0 if k else offset, is_alone=len(own) == 1) for k, i in enumerate(own)
            ]
            # Axes that go backwards begin elsewhere in their windows: the offset of the first one holds all of it.
            offset = sum([window.offset for _, window in laid])
            for k, (i, (read, window)) in enumerate(zip(own, laid, strict=True)):
                chosen.append((read, window._replace(offset=0 if k else offset), i))
                follow(i)
        return chosen


def _map_of(axis: _Axis, extent: int, start: int) -> Map:
    """Return the map of an axis over all of an extent."""
    return AxisMap.create(extent, start, axis.step, axis.n) if axis.map is None else axis.map


def _lay(axis: _Axis, source: int, extent: int, offset: int, *, is_alone: bool) -> tuple[Map, SourceWindow]:
    """Return the map and the window of an axis that reads an axis of the source, alone or with other axes."""
    if extent == 1:
        return _map_of(axis, 1, 0), NEW
    step = axis.step
    if axis.map is None:
        if is_alone:
            return _map_of(axis, extent, offset), SourceWindow(source, 0, 1)
        if step < 0:
            last = axis.n - 1
            return AxisMap.create(axis.n, last, -1, axis.n), SourceWindow(source, offset + step * last, -step)
        return AxisMap.whole(axis.n), SourceWindow(source, offset, step)
    return axis.map, SourceWindow(source, offset, step)


def _join(axes: Sequence[_Axis]) -> list[_Axis]:
    """Return axes in the result's order; neighbours that step through source and result as one axis are joined."""
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


def tidied(order: Sequence[int], axes: Sequence[Map]) -> tuple[int, ...]:
    """Return an order, or the order of the axes themselves if they differ only in axes of one output."""
    long = [k for k in order if axes[k].count != 1]
    return tuple(sorted(order) if long == sorted(long) else order)


_STRICT = SampleMode.STRICT_BOUNDS


class _Leg(NamedTuple):
    """An axis of the later stage: its output ``i`` adds ``coefficient * i`` to the index along the axis in between.

    Attributes
    ----------
    coefficient, n : int
        The step, and the number of outputs.
    outer : Map or None
        The map that reads the leg's outputs, if they are not read in order.
    axis : int
        The axis of the later stage.
    """

    coefficient: int
    n: int
    outer: Map | None
    axis: int


class Apart(Exception):  # noqa: N818, callers catch it as an answer
    """Two stages cannot be one plan; the text says why."""


def compose(earlier: Geometry, later: Geometry) -> Geometry:
    """Return the geometry of `SlicePlan.then`."""
    if later.source_shape != earlier.shape:
        rule = f"have the source_shape {shown(earlier.shape)}, which {stage_name(earlier)} gives"
        raise AttributeValueError("SlicePlan.then", "plan", rule, stage_name(later))
    try:
        return join(earlier, later)
    except Apart as reason:
        rule = f"join {stage_name(earlier)} in one plan, but it {reason}: run one after the other"
        raise AttributeValueError("SlicePlan.then", "plan", rule, stage_name(later)) from None


def join(earlier: Geometry, later: Geometry) -> Geometry:
    """Return the geometry of two stages; raise `Apart` where one plan cannot be both."""
    fills = earlier.fills + later.fills
    if fills > MOST_SLOTS:
        raise Apart(f"has more than {MOST_SLOTS} fill values together with it")
    if 0 in later.shape:
        return Geometry((), later.shape, earlier.source_shape, (), fills)
    return _axis_by_axis(earlier, later, fills) or _by_legs(earlier, later, fills)


def _axis_by_axis(earlier: Geometry, later: Geometry, fills: int) -> Geometry | None:
    """Return what `_by_legs` returns, in a tenth of the time; None unless each axis has one axis and one map."""
    axes, shape, source_shape, order, first_slot, windows = earlier
    between, later_shape, _, later_order, _, later_windows = later
    is_plain = windows is later_windows is None and len(order) == len(between) == len(shape)
    if not is_plain or 0 in shape or tuple([axis.extent for axis in axes]) != source_shape:
        return None
    maps = list(axes)
    for k, n, outer in zip(order, shape, between, strict=True):
        axis = axes[k]
        if type(axis) is not AxisMap:
            return None
        extent, start, stride, count, mode = axis
        if count != n or outer.extent != n:
            return None
        if type(outer) is AxisMap and outer.mode is _STRICT:
            _, first, by, count, _ = outer
            if by != 1 or count != n:
                maps[k] = canonical_axis(extent, start + first * stride, stride * by, count, mode)
        elif stride == 1 and n == extent and mode is _STRICT:
            maps[k] = shift_slots(outer, first_slot)
        else:
            return None
    moved = tuple([order[k] for k in later_order])
    if tuple([maps[k].count for k in moved]) != later_shape:
        return None
    if 1 in later_shape:
        moved = tidied(moved, maps)
    return tuple.__new__(Geometry, (tuple(maps), later_shape, source_shape, moved, fills, None))


def _by_legs(earlier: Geometry, later: Geometry, fills: int) -> Geometry:
    """Return the geometry of any two stages; raise where there is none. The later one has outputs."""
    builder = Builder(earlier.source_shape)
    try:
        if size_of(earlier):
            _compose(builder, earlier, later)
        else:
            # Every output is a fill value of the later stage.
            targets = _targets_of(later)
            for k, axis in enumerate(later.axes):
                builder.add(NEW, 0, shift_slots(axis, earlier.fills), k, targets[k])
        return builder.geometry(later, fills)
    except FastopsError:
        raise Apart(f"gives an axis more than {MOST_RUNS} runs") from None


def stage_name(geometry: Geometry) -> str:
    """Return the name of a stage in errors."""
    return f"{shown(geometry.source_shape)} -> {shown(geometry.shape)}"


def _targets_of(geometry: Geometry) -> dict[int, int]:
    """Return the axis of the result that each axis is merged into; NO_AXIS for axes of one output."""
    targets = {k: target for target, own in enumerate(digits_of(geometry)) for k in own}
    return {k: targets.get(k, NO_AXIS) for k in geometry.order}


def _compose(builder: Builder, earlier: Geometry, later: Geometry) -> None:
    """Add the axes of two stages that both have outputs."""
    digits = digits_of(earlier)
    legs: list[list[_Leg]] = [[] for _ in earlier.shape]
    origins = [0] * len(earlier.shape)
    targets = _targets_of(later)
    for k, (axis, (at, offset, step)) in enumerate(zip(later.axes, windows_of(later), strict=True)):
        if at == NO_AXIS or not digits[at]:
            # The axis between the stages has one element.
            builder.add(NEW, 0, shift_slots(axis, earlier.fills), k, targets[k])
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
    """Return the origin and the legs of each digit, from the outermost digit to the innermost."""
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
                # It goes through all of this digit and on to the next one.
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
    builder: Builder, axis: Map, window: SourceWindow, origin: int, legs: list[_Leg], targets: dict[int, int]
) -> None:
    """Add the axes by which legs read one axis of the earlier stage, from output ``origin`` on."""
    if type(axis) is AxisMap and axis.is_strict:
        builder.add(window, 1, AxisMap.create(axis.extent, axis.start + axis.stride * origin, 1, 1))
        within = window._replace(offset=0)
        for leg in legs:
            own = AxisMap.whole(leg.n) if leg.outer is None else leg.outer
            builder.add(within, axis.stride * leg.coefficient, own, leg.axis, targets[leg.axis])
        return
    moving = [leg for leg in legs if leg.coefficient or leg.outer is not None]
    if len(legs) > 1:
        # Legs that repeat the same output need no source.
        for leg in legs:
            if leg not in moving:
                builder.add(NEW, 0, AxisMap.create(1, 0, 0, leg.n), leg.axis, targets[leg.axis])
    else:
        moving = legs
    if len(moving) > 1:
        raise Apart(f"splits an axis that reads beyond its {counted(axis.extent, 'element')}")
    if not moving:
        builder.add(window, 1, read_from(axis, origin, 0, 1))
        return
    (leg,) = moving
    chosen = read_from(axis, origin, leg.coefficient, leg.n)
    if leg.outer is not None:
        # The slots of its map are moved up already.
        chosen = compose_maps(chosen, leg.outer, 0)
    builder.add(window, 1, chosen, leg.axis, targets[leg.axis])


def plans_of_channels(geometry: Geometry, axis: int) -> list[Geometry]:
    """Return the plan of each output along an axis of a result with elements, which no other axis is merged with.

    Slot ``s`` of the plan is slot ``y * fills + s`` of that of output ``y``.
    """
    shape, n, fills = list(geometry.shape), geometry.shape[axis], geometry.fills
    if n == 1:
        return [geometry]
    shape[axis] = 1
    (k,) = digits_of(geometry)[axis]
    plans = []
    for y in range(n):
        axes = [read_from(own, y, 1, 1) if j == k else own for j, own in enumerate(geometry.axes)]
        shifted = [shift_slots(own, y * fills) for own in axes]
        plans.append(geometry_of(shifted, shape, geometry.source_shape, geometry.order, n * fills, geometry.windows))
    return plans


def plan_of_pixels(geometry: Geometry) -> Geometry | None:
    """Return the plan on data whose last axis is one element; None if the plan does not take that axis as it is."""
    axes, shape, source_shape = geometry.axes, geometry.shape, geometry.source_shape
    is_plain = geometry.windows is None and is_ordered(geometry) and len(axes) == len(shape) == len(source_shape)
    if not is_plain or axes[-1] != AxisMap.whole(source_shape[-1]):
        return None
    return geometry_of((*axes[:-1], AxisMap.whole(1)), fills=geometry.fills)
