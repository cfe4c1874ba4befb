"""Axis cuts: what axes of a plan read of one axis of a source, cut where the chunks of the source end.

Where one axis reads, each stretch of its outputs that stays in a chunk is a segment, which reads that chunk alone.
Where several do, or one comes back to chunks so often that segments would be many, there is one segment, which reads
all chunks between side by side. All is integers; no loop goes over elements.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, islice
from typing import NamedTuple, TypeAlias

from fastops._geometry._axis_map import AxisMap
from fastops._geometry._builder import NEW
from fastops._geometry._geometry import SourceWindow
from fastops._geometry._map_composition import constant_map, map_of_runs, mirrored_map
from fastops._geometry._map_runs import runs_of
from fastops._geometry._run_map import MOST_RUNS, Map, Run
from fastops._geometry._sample_mode import SampleMode
from fastops._settings import CACHE_SIZE

#: From the first index of a range to the one behind its last.
Range: TypeAlias = tuple[int, int]

# An axis that comes back to chunks it has left so often, on average, is read with them side by side.
_MOST_RETURNS = 4

# Runs of an axis that are looked at to find what it reads of its only chunk; of more, all that its map covers is taken.
_FEW_RUNS = 64


class ChunkPart(NamedTuple):
    """What is read of one chunk along an axis: which of those that are read, and indices within it."""

    chunk: int
    start: int
    stop: int


class Segment(NamedTuple):
    """Outputs of the axes that read one axis of a source, and what they read.

    Attributes
    ----------
    ranges : tuple of (int, Range)
        For axes of which it has not all outputs that were cut: which it has.
    maps : tuple of (int, Map, SourceWindow)
        Map and window of each of the axes, in what is read.
    parts : tuple of ChunkPart
        What is read.
    """

    ranges: tuple[tuple[int, Range], ...]
    maps: tuple[tuple[int, Map, SourceWindow], ...]
    parts: tuple[ChunkPart, ...]

    @property
    def extent(self) -> int:
        """Length of what is read."""
        return sum([part.stop - part.start for part in self.parts])


class AxisCut(NamedTuple):
    """The segments of an axis, which many cuts have in common, and the numbers of the chunks that they read."""

    segments: tuple[Segment, ...]
    chunks: tuple[int, ...]


class AxisCutter:
    """Cuts what axes of a plan read of one axis of a source.

    Parameters
    ----------
    axis : int
        The source's.
    lengths : sequence of int
        Of its chunks.
    windows : mapping of int to SourceWindow
        The windows of the axes that read it.
    """

    def __init__(self, axis: int, lengths: Sequence[int], windows: Mapping[int, SourceWindow]) -> None:
        self._axis = axis
        self._starts = list(accumulate(lengths, initial=0))
        self._windows = windows
        # Equal ones are one object.
        self._known: dict[tuple[Segment, ...], tuple[Segment, ...]] = {}

    def cut(self, maps: Mapping[int, Map]) -> AxisCut:
        """Return the cut of axes with these maps, each of which reads something."""
        origin = 0
        fixed: dict[int, tuple[Map, SourceWindow]] = {}
        moving: dict[int, Map] = {}
        for k, axis in maps.items():
            window = self._windows[k]
            origin += window.offset
            if type(axis) is AxisMap and axis.is_strict and (axis.count == 1 or axis.stride * window.step == 0):
                origin += window.step * axis.start
                fixed[k] = (constant_map(axis), NEW)
            else:
                moving[k] = axis
        if not moving:
            return self._as_cut([_segment({}, fixed, self._parts(origin, origin))])
        if len(moving) == 1:
            ((k, axis),) = moving.items()
            stretches = self._stretches(axis, origin, self._windows[k].step)
            if stretches is not None:
                return self._as_cut(
                    [
                        _segment(
                            {k: bounds} if len(stretches) > 1 else {},
                            {**fixed, k: (own, SourceWindow(self._axis, 0, 1) if own.extent > 1 else NEW)},
                            [part],
                        )
                        for bounds, own, part in stretches
                    ]
                )
        return self._as_cut([self._side_by_side(origin, fixed, moving)])

    def _as_cut(self, segments: Sequence[Segment]) -> AxisCut:
        """Return segments with their chunks counted among those that they read."""
        chunks = sorted({part.chunk for segment in segments for part in segment.parts})
        number = {chunk: i for i, chunk in enumerate(chunks)}
        own = tuple(
            [
                segment._replace(parts=tuple([part._replace(chunk=number[part.chunk]) for part in segment.parts]))
                for segment in segments
            ]
        )
        return AxisCut(self._known.setdefault(own, own), tuple(chunks))

    def _stretches(self, axis: Map, origin: int, step: int) -> list[tuple[Range, Map, ChunkPart]] | None:
        """Return outputs of one map that read one chunk each, with maps of that; None if they were too many.

        Fill values belong to what is before them.
        """
        starts = self._starts
        groups: list[tuple[int, list[Run]]] = []
        filled: list[Run] = []
        seen: set[int] = set()
        n_runs = 0
        # Within one chunk nothing is to be cut, and a few runs tell what is read of it.
        most_runs = _FEW_RUNS if len(starts) == 2 else MOST_RUNS
        for count, first, stride in runs_of(axis):
            n_runs += 1
            if n_runs > most_runs:
                return None
            if first is None:
                (groups[-1][1] if groups else filled).append(Run(count, None, stride))
                continue
            first, stride = origin + step * first, step * stride
            while count:
                chunk = bisect_right(starts, first) - 1
                n = count
                if stride > 0:
                    n = min(count, (starts[chunk + 1] - 1 - first) // stride + 1)
                elif stride < 0:
                    n = min(count, (first - starts[chunk]) // -stride + 1)
                if not groups or groups[-1][0] != chunk:
                    groups.append((chunk, []))
                    seen.add(chunk)
                    if len(groups) > _MOST_RETURNS * (len(seen) + 1):
                        return None
                groups[-1][1].append(Run(n, first, stride))
                first += n * stride
                count -= n
        groups[0][1][:0] = filled
        stretches = []
        at = 0
        for chunk, runs in groups:
            low, high = _bounds_of(runs)
            count = sum([run.count for run in runs])
            moved = tuple([run if run.first is None else Run(run.count, run.first - low, run.stride) for run in runs])
            own = None
            if len(groups) == 1 and step == 1 and type(axis) is AxisMap:
                own = _in_own_mode(axis, origin - low, high - low, moved)
            part = ChunkPart(chunk, low - starts[chunk], high - starts[chunk])
            stretches.append(((at, at + count), own or _map_of_runs(high - low, moved), part))
            at += count
        return stretches

    def _side_by_side(self, origin: int, fixed: dict[int, tuple[Map, SourceWindow]], moving: dict[int, Map]) -> Segment:
        """Return all outputs of axes, which read all chunks between the first and the last index that they cover."""
        laid: dict[int, tuple[Map, SourceWindow]] = {}
        last = origin
        for k, axis in moving.items():
            offset, step = 0, self._windows[k].step
            if type(axis) is AxisMap and axis.is_strict:
                offset, step, axis = step * axis.start, step * axis.stride, AxisMap.whole(axis.count)
            reach = step * (axis.extent - 1)
            if step < 0:
                offset, step, axis = offset + reach, -step, mirrored_map(axis)
            origin += offset
            last += offset + abs(reach)
            laid[k] = (axis, SourceWindow(self._axis, 0, step) if axis.extent > 1 else NEW)
        return _segment({}, {**fixed, **laid}, self._parts(origin, last))

    def _parts(self, first: int, last: int) -> list[ChunkPart]:
        """Return what chunks have between two indices, both of which are read."""
        starts = self._starts
        parts = []
        for chunk in range(bisect_right(starts, first) - 1, bisect_right(starts, last)):
            start, stop = starts[chunk : chunk + 2]
            if start < stop:
                parts.append(ChunkPart(chunk, max(first, start) - start, min(last + 1, stop) - start))
        return parts


def _segment(
    ranges: Mapping[int, Range], maps: Mapping[int, tuple[Map, SourceWindow]], parts: Sequence[ChunkPart]
) -> Segment:
    return Segment(tuple(ranges.items()), tuple([(k, *own) for k, own in maps.items()]), tuple(parts))


def _bounds_of(runs: Sequence[Run]) -> Range:
    """Return the range of all that runs read, of which one does."""
    ends = [(first, first + (count - 1) * stride) for count, first, stride in runs if first is not None]
    return min([min(pair) for pair in ends]), max([max(pair) for pair in ends]) + 1


# Chunks inside of a source are read by the same runs.
_map_of_runs = lru_cache(CACHE_SIZE)(map_of_runs)


def _in_own_mode(axis: AxisMap, by: int, extent: int, runs: Sequence[Run]) -> AxisMap | None:
    """Return a map, moved, over what it reads alone, if it reads these runs there.

    One map of a mode runs faster than a list of runs.
    """
    if axis.mode in (SampleMode.STRICT_BOUNDS, SampleMode.WRAP):
        return None
    own = AxisMap.create(extent, axis.start + by, axis.stride, axis.count, axis.mode)
    return own if list(islice(runs_of(own), len(runs) + 1)) == list(runs) else None
