"""Composition: one plan of two that follow each other.

Between two stages lies a shape. The earlier one merges its axes into that shape's, the later one splits it into its
own. So each axis of the shape is a number in two mixed bases: its *digits* are the axes of the earlier stage, and its
*legs* those of the later one, each of which steps through the axis at its own pace. Where every leg stays within one
digit, or comes apart into legs that do, each of them is composed with its digit alone; where not, the stages are two
plans.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fastops._errors import AttributeValueError, FastopsError, counted, shown
from fastops._geometry._axis_map import AxisMap, canonical_axis
from fastops._geometry._builder import NEW, Builder, tidied
from fastops._geometry._factors import NO_AXIS
from fastops._geometry._geometry import Geometry, SourceWindow, digits_of, size_of
from fastops._geometry._map_composition import compose_maps, read_from, shift_slots
from fastops._geometry._run_map import MOST_RUNS, MOST_SLOTS, Map
from fastops._geometry._sample_mode import SampleMode
from fastops._geometry._source_runs import windows_of

_STRICT = SampleMode.STRICT_BOUNDS


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


class Apart(Exception):  # noqa: N818, it is no error but an answer
    """Two stages are no one plan; the text says why."""


def compose(earlier: Geometry, later: Geometry) -> Geometry:
    """Return what `SlicePlan.then` returns."""
    if later.source_shape != earlier.shape:
        rule = f"have the source_shape {shown(earlier.shape)}, which {stage_name(earlier)} gives"
        raise AttributeValueError("SlicePlan.then", "plan", rule, stage_name(later))
    try:
        return join(earlier, later)
    except Apart as reason:
        rule = f"join {stage_name(earlier)} in one plan, but it {reason}: run one after the other"
        raise AttributeValueError("SlicePlan.then", "plan", rule, stage_name(later)) from None


def join(earlier: Geometry, later: Geometry) -> Geometry:
    """Return the geometry of one plan of two, of which the later one takes what the earlier one gives.

    Raises
    ------
    Apart
        There is none.
    """
    fills = earlier.fills + later.fills
    if fills > MOST_SLOTS:
        raise Apart(f"has more than {MOST_SLOTS} fill values together with it")
    if 0 in later.shape:
        return Geometry((), later.shape, earlier.source_shape, (), fills)
    return _axis_by_axis(earlier, later, fills) or _by_legs(earlier, later, fills)


def _axis_by_axis(earlier: Geometry, later: Geometry, fills: int) -> Geometry | None:
    """Return a geometry that reads what that of `_by_legs` reads; None where it takes more than a map for each pair.

    Most stages neither split nor merge nor drop axes, and each pair of their maps is one map: so composing them takes a
    tenth of the time.
    """
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
    """Return the geometry of any two stages of which the later one has outputs; raises where there is none."""
    builder = Builder(earlier.source_shape)
    if not size_of(earlier):
        _fill(builder, later, earlier.fills)
        return builder.geometry(later, fills)
    try:
        _compose(builder, earlier, later)
        return builder.geometry(later, fills)
    except FastopsError:
        raise Apart(f"gives an axis more than {MOST_RUNS} runs") from None


def stage_name(geometry: Geometry) -> str:
    """Return how errors call a stage."""
    return f"{shown(geometry.source_shape)} -> {shown(geometry.shape)}"


def _targets_of(geometry: Geometry) -> dict[int, int]:
    """Return which axis of the result each axis belongs to; NO_AXIS for those of one output."""
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
            # There is one element to read.
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
    builder: Builder, axis: Map, window: SourceWindow, origin: int, legs: list[_Leg], targets: dict[int, int]
) -> None:
    """Add the axes that read one axis of the earlier stage, from output ``origin`` on, by these legs."""
    if type(axis) is AxisMap and axis.is_strict:
        builder.add(window, 1, AxisMap.create(axis.extent, axis.start + axis.stride * origin, 1, 1))
        within = window._replace(offset=0)
        for leg in legs:
            own = AxisMap.whole(leg.n) if leg.outer is None else leg.outer
            builder.add(within, axis.stride * leg.coefficient, own, leg.axis, targets[leg.axis])
        return
    moving = [leg for leg in legs if leg.coefficient or leg.outer is not None]
    if len(legs) > 1:
        # What repeats the same needs no source.
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
        # Its slots are counted from the first one of the later stage on already.
        chosen = compose_maps(chosen, leg.outer, 0)
    builder.add(window, 1, chosen, leg.axis, targets[leg.axis])


def _fill(builder: Builder, later: Geometry, first_slot: int) -> None:
    """Add the axes of a stage with outputs behind one that has none: every output is a fill value."""
    targets = _targets_of(later)
    for k, axis in enumerate(later.axes):
        builder.add(NEW, 0, shift_slots(axis, first_slot), k, targets[k])
