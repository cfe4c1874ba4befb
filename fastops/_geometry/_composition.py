"""Composition: one plan of two that follow each other.

Between the two stages lies a shape. The earlier stage merges its axes into the axes of that shape, and the later stage
splits them into its own axes. So an index along an axis of that shape is a number in two mixed bases: its *digits* are
the axes of the earlier stage, and its *legs* are the axes of the later stage; each leg steps through the axis at its
own step. If each leg stays within one digit, or can be cut into legs that do, each leg is composed with its digit
alone. Otherwise the stages stay two plans.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from fastops._errors import AttributeValueError, FastopsError, counted, shown
from fastops._geometry import _geometry as g
from fastops._geometry._axis_map import MOST_RUNS, MOST_SLOTS, AxisMap, Map, is_affine
from fastops._geometry._geometry import NO_AXIS, Geometry, SourceWindow
from fastops._geometry._map_composition import compose_maps, constant_map, mirrored_map, read_from, shift_slots

#: The window of an axis that reads one element, or none.
NEW = SourceWindow(NO_AXIS, 0, 0)

_ONE = AxisMap.whole(1)


class Apart(Exception):  # noqa: N818, callers catch it as an answer
    """Two stages cannot be one plan; the text says why."""


class _Leg(NamedTuple):
    """An axis of the later stage, or a part of one; it steps through an axis between the stages, or of the source.

    Attributes
    ----------
    step : int
        The distance, along the axis that the leg steps through, between two neighbouring indices of the map.
    map : Map
        How the outputs of the leg read these indices. An affine map reads all of them in order.
    place : int
        The position among the axes of the later stage, in the result's order. Legs of no such axis come last.
    target : int
        The axis of the result that the leg is merged into; NO_AXIS for none.
    source : int
        The axis of the source; NO_AXIS if all outputs read one element, or before it is known.
    """

    step: int
    map: Map
    place: int = g.MOST_AXES
    target: int = NO_AXIS
    source: int = NO_AXIS


#: A leg, and the window of the source that it steps through.
_Part: TypeAlias = tuple[SourceWindow, _Leg]


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
    """Return the geometry of one plan for two stages; raise `Apart` if there is none."""
    fills = earlier.fills + later.fills
    if fills > MOST_SLOTS:
        raise Apart(f"has more than {MOST_SLOTS} fill values together with it")
    if 0 in later.shape:
        return Geometry((), later.shape, earlier.source_shape, (), fills)
    try:
        return _axis_by_axis(earlier, later, fills) or _build(earlier.source_shape, later, fills, _legs(earlier, later))
    except FastopsError:
        raise Apart(f"gives an axis more than {MOST_RUNS} runs") from None


def stage_name(geometry: Geometry) -> str:
    """Return the name of a stage in errors."""
    return f"{shown(geometry.source_shape)} -> {shown(geometry.shape)}"


def _axis_by_axis(earlier: Geometry, later: Geometry, fills: int) -> Geometry | None:
    """Return what `_build` returns, in a tenth of the time; None if axes are split or merged, or read windows."""
    axes, shape, source_shape, order, first_slot, windows = earlier
    between, later_shape, _, later_order, _, later_windows = later
    is_plain = windows is later_windows is None and len(order) == len(between) == len(shape)
    if not is_plain or 0 in shape or tuple([axis.extent for axis in axes]) != source_shape:
        return None
    maps = list(axes)
    for k, n, outer in zip(order, shape, between, strict=True):
        axis = axes[k]
        is_window = is_affine(axis) and not is_affine(outer) and axis != AxisMap.whole(n)
        if axis.count != n or outer.extent != n or is_window:
            return None
        maps[k] = compose_maps(axis, outer, first_slot)
    moved = tuple([order[k] for k in later_order])
    if tuple([maps[k].count for k in moved]) != later_shape:
        return None
    if 1 in later_shape:
        moved = _without_units(moved, maps)
    return tuple.__new__(Geometry, (tuple(maps), later_shape, source_shape, moved, fills, None))


def _without_units(order: Sequence[int], axes: Sequence[Map]) -> tuple[int, ...]:
    """Return an order of axes, or 0, 1, 2 and so on if the two differ only in axes of one output."""
    long = [k for k in order if axes[k].count != 1]
    return tuple(sorted(order) if long == sorted(long) else order)


def _legs(earlier: Geometry, later: Geometry) -> Iterator[_Part]:
    """Yield the legs of two stages, each with its window of the source."""
    # If the earlier result is empty, every output of the later stage is a fill value.
    digits = g.digits_of(earlier) if g.size_of(earlier) else [[] for _ in earlier.shape]
    windows = g.windows_of(earlier)
    targets = {k: target for target, own in enumerate(g.digits_of(later)) for k in own}
    origins = [0] * len(digits)
    legs: list[list[_Leg]] = [[] for _ in digits]
    for k, (axis, (at, offset, step)) in enumerate(zip(later.axes, g.windows_of(later), strict=True)):
        leg = _Leg(step, shift_slots(axis, earlier.fills), later.order.index(k), targets.get(k, NO_AXIS))
        if at == NO_AXIS or not digits[at]:
            # All outputs of this axis read one element, or are fill values.
            yield NEW, leg
            continue
        begin, leg = _straightened(leg)
        origins[at] += offset + begin
        if leg.map != _ONE:
            legs[at].append(leg)
    moved = {k for own in digits for k in own}
    for own, origin, moving in zip(digits, origins, legs, strict=True):
        # An axis without digits has no legs either.
        counts = [earlier.axes[k].count for k in own]
        for k, first, chosen in zip(own, *_divide(moving, origin, counts), strict=False):
            yield from _read_digit(earlier.axes[k], windows[k], first, chosen)
    if g.size_of(earlier):
        yield from [(windows[k], _Leg(1, axis)) for k, axis in enumerate(earlier.axes) if k not in moved]


def _straightened(leg: _Leg) -> tuple[int, _Leg]:
    """Return where a leg begins, and the leg from there on; its map, if affine, then reads all indices in order."""
    if not is_affine(leg.map):
        return 0, leg
    _, start, stride, count, _ = leg.map
    return leg.step * start, leg._replace(step=leg.step * stride, map=AxisMap.whole(count))


def _divide(legs: Sequence[_Leg], origin: int, counts: Sequence[int]) -> tuple[list[int], list[list[_Leg]]]:
    """Return the origin and the legs of each digit, from the outermost digit to the innermost."""
    origins, chosen = [], []
    for count in counts[:0:-1]:
        inner, outer = [], []
        for leg in legs:
            if leg.step % count == 0:
                outer.append(leg._replace(step=leg.step // count))
                continue
            n, reach = leg.map.extent, count // abs(leg.step)
            if is_affine(leg.map) and n > reach > 1 and (count % leg.step, n % reach) == (0, 0):
                # The leg goes through all of this digit and on to the next one.
                outer.append(leg._replace(step=leg.step * reach // count, map=AxisMap.whole(n // reach)))
                leg = leg._replace(map=AxisMap.whole(reach))
            inner.append(leg)
        ends = [leg.step * (leg.map.extent - 1) for leg in inner]
        lowest, highest = sum([min(end, 0) for end in ends]), sum([max(end, 0) for end in ends])
        own = (origin + lowest) % count - lowest
        if own + highest >= count:
            raise Apart(f"does not keep apart the axes {shown(tuple(counts))} that the first one merges")
        origins.append(own)
        chosen.append(inner)
        origin = (origin - own) // count
        legs = outer
    return [origin, *origins[::-1]], [list(legs), *chosen[::-1]]


def _read_digit(axis: Map, window: SourceWindow, origin: int, legs: list[_Leg]) -> Iterator[_Part]:
    """Yield the legs that read one axis of the earlier stage, from output ``origin`` on."""
    if is_affine(axis):
        yield window, _Leg(1, AxisMap.create(axis.extent, axis.start + axis.stride * origin, 1, 1))
        for leg in legs:
            yield window._replace(offset=0), leg._replace(step=axis.stride * leg.step)
        return
    if len(legs) > 1:
        # Legs that repeat one output need no source.
        yield from [(NEW, leg) for leg in legs if not leg.step]
        legs = [leg for leg in legs if leg.step]
    if len(legs) > 1:
        raise Apart(f"splits an axis that reads beyond its {counted(axis.extent, 'element')}")
    leg = legs[0] if legs else _Leg(0, _ONE)
    chosen = read_from(axis, origin, leg.step, leg.map.extent)
    # The slots of the leg's map have their final numbers already.
    yield window, leg._replace(step=1, map=compose_maps(chosen, leg.map, 0))


def _build(source_shape: tuple[int, ...], later: Geometry, fills: int, parts: Iterable[_Part]) -> Geometry:
    """Return the geometry of legs, in the order of the later stage."""
    offsets = [0] * len(source_shape)
    legs: list[_Leg] = []
    for (source, offset, pace), leg in parts:
        step, axis = leg.step * pace, leg.map
        if source == NO_AXIS or step == 0:
            axis = constant_map(axis)
        if step < 0 and not is_affine(axis):
            offset += step * (axis.extent - 1)
            step, axis = -step, mirrored_map(axis)
        begin, leg = _straightened(leg._replace(step=step, map=axis, source=source))
        if source != NO_AXIS:
            offsets[source] += offset + begin
        legs.append(leg)
    legs = _joined(sorted([leg for leg in legs if leg.map != _ONE], key=attrgetter("place")))
    sources = [leg.source for leg in legs]
    # A leg that repeats one element needs no source if other legs move along it.
    legs = [leg._replace(source=NO_AXIS) if leg.step == 0 and sources.count(leg.source) > 1 else leg for leg in legs]
    sources = [leg.source for leg in legs]
    legs += [_Leg(1, _ONE, source=s) for s, n in enumerate(source_shape) if n and s not in sources]
    axes = _placed(legs, source_shape, offsets)
    maps, windows, positions = zip(*axes, strict=True) if axes else ((), (), ())
    factors = g.find_factors([axis.extent for axis in maps], source_shape)
    is_split = factors is not None and list(windows) == [(axis, 0, step) for axis, step in factors]
    order = _without_units(sorted(range(len(axes)), key=positions.__getitem__), maps)
    return g.geometry_of(maps, later.shape, source_shape, order, fills, None if is_split else windows)


def _joined(legs: Sequence[_Leg]) -> list[_Leg]:
    """Return legs in the result's order; neighbours that step through source and result as one leg are joined."""
    joined: list[_Leg] = []
    for leg in legs:
        outer = joined[-1] if joined else leg
        is_next = (outer.source, outer.target, outer.step) == (leg.source, leg.target, leg.step * leg.map.count)
        if joined and is_next and is_affine(outer.map) and is_affine(leg.map):
            joined[-1] = leg._replace(map=AxisMap.whole(outer.map.count * leg.map.count))
        else:
            joined.append(leg)
    return joined


def _placed(legs: list[_Leg], source_shape: Sequence[int], offsets: list[int]) -> list[tuple[Map, SourceWindow, int]]:
    """Return maps, windows and positions in the result, in the source's order; a new axis follows the leg before it."""
    sources = [leg.source for leg in legs]
    last = (NO_AXIS, 0, 0)
    keys = []
    for i, leg in enumerate(legs):
        if leg.source != NO_AXIS:
            last = (leg.source, -abs(leg.step), i)
            if leg.step < 0 and sources.count(leg.source) > 1:
                # The window of a leg that goes backwards begins at the leg's end.
                offsets[leg.source] += leg.step * (leg.map.count - 1)
        keys.append((*last, i))
    placed: list[tuple[Map, SourceWindow, int]] = []
    for *_, i in sorted(keys):
        step, axis, _, _, source = legs[i]
        window = NEW
        if source == NO_AXIS or source_shape[source] == 1:
            axis = AxisMap.create(1, 0, step, axis.count) if is_affine(axis) else axis
        elif is_affine(axis) and sources.count(source) == 1:
            axis = AxisMap.create(source_shape[source], offsets[source], step, axis.count)
            window = SourceWindow(source, 0, 1)
        else:
            axis = mirrored_map(axis) if step < 0 else axis
            window = SourceWindow(source, offsets[source], abs(step))
            # The first leg of an axis of the source has the offset of all of them.
            offsets[source] = 0
        placed.append((axis, window, i))
    return placed


def plans_of_channels(geometry: Geometry, axis: int) -> list[Geometry]:
    """Return the plan of each output along an axis of a result; the result has elements, and the axis merges no others.

    Fill slot ``s`` of the plan becomes fill slot ``y * fills + s`` of the plan of output ``y``.
    """
    shape, n, fills = list(geometry.shape), geometry.shape[axis], geometry.fills
    if n == 1:
        return [geometry]
    shape[axis] = 1
    (k,) = g.digits_of(geometry)[axis]
    plans = []
    for y in range(n):
        axes = [read_from(own, y, 1, 1) if j == k else own for j, own in enumerate(geometry.axes)]
        shifted = [shift_slots(own, y * fills) for own in axes]
        plans.append(g.geometry_of(shifted, shape, geometry.source_shape, geometry.order, n * fills, geometry.windows))
    return plans


def plan_of_pixels(geometry: Geometry) -> Geometry | None:
    """Return the plan with pixels as elements; None if it moves, splits or merges axes, or changes the last one."""
    axes, shape, source_shape = geometry.axes, geometry.shape, geometry.source_shape
    is_plain = geometry.windows is None and g.is_ordered(geometry) and len(axes) == len(shape) == len(source_shape)
    if not is_plain or axes[-1] != AxisMap.whole(source_shape[-1]):
        return None
    return g.geometry_of((*axes[:-1], AxisMap.whole(1)), fills=geometry.fills)
