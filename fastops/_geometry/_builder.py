"""The plan that composition makes: axes in the order of the later stage, laid into the source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fastops._errors import AttributeValueError
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._factors import NO_AXIS, find_factors
from fastops._geometry._geometry import MOST_AXES, Geometry, SourceWindow
from fastops._geometry._map_composition import constant_map, mirrored_map
from fastops._geometry._run_map import Map

#: The window of an axis that reads one element, or none.
NEW = SourceWindow(NO_AXIS, 0, 0)


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


class Builder:
    """The plan that is being made: its axes, and where in each axis of the source they begin."""

    def __init__(self, source_shape: tuple[int, ...]) -> None:
        self._source_shape = source_shape
        self._offsets = [0] * len(source_shape)
        self._axes: list[_Axis] = []

    def add(self, window: SourceWindow, step: int, axis: Map, index: int = NO_AXIS, target: int = NO_AXIS) -> None:
        """Add a map over every ``step`` of a window of the source, of the later stage's axis ``index``."""
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
        # What repeats one element needs no source, where others move along it.
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
            # Axes that go backwards begin elsewhere in their windows: the first one has what all of them begin at.
            offset = sum([window.offset for _, window in laid])
            for k, (i, (read, window)) in enumerate(zip(own, laid, strict=True)):
                chosen.append((read, window._replace(offset=0 if k else offset), i))
                follow(i)
        return chosen


def _map_of(axis: _Axis, extent: int, start: int) -> Map:
    """Return the map of an axis over all of an extent."""
    return AxisMap.create(extent, start, axis.step, axis.n) if axis.map is None else axis.map


def _lay(axis: _Axis, source: int, extent: int, offset: int, *, is_alone: bool) -> tuple[Map, SourceWindow]:
    """Return the map and the window of one of the axes that read an axis of the source, or of the only one."""
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


def tidied(order: Sequence[int], axes: Sequence[Map]) -> tuple[int, ...]:
    """Return an order, or that of the axes themselves where it differs in none of more than one output."""
    long = [k for k in order if axes[k].count != 1]
    return tuple(sorted(order) if long == sorted(long) else order)
