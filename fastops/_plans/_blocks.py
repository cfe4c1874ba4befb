"""Blocks: a part of a plan's result, and what it reads of a source that lies in chunks.

A block is a box of the result. It is cut into pieces, so that each of them reads one chunk of the source; where several
axes of a plan read one axis of the source, or one of them folds so often that pieces would be many, a piece reads the
chunks of that axis side by side. All is integers, and what is cut along an axis serves all blocks that have the same
part of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, product
from math import prod
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from fastops._plans._axis_map import AxisMap
from fastops._plans._factors import NO_AXIS, find_factors
from fastops._plans._map_composition import constant_map, map_of_runs, mirrored_map, read_from
from fastops._plans._map_runs import runs_of
from fastops._plans._plan_builder import NEW
from fastops._plans._plan_fields import SourceWindow
from fastops._plans._run_map import MOST_RUNS, Map, Run
from fastops._plans._sample_mode import SampleMode
from fastops._plans._slice_plan import SlicePlan, windows_of

#: From the first index of a range to the one behind its last.
Range: TypeAlias = tuple[int, int]

# An axis that comes back to chunks it has left so often, on average, is read with them side by side.
_MOST_RETURNS = 4

# Runs of an axis that are looked at to find what it reads of its only chunk; of more, all that its map covers is taken.
_FEW_RUNS = 64


class ChunkPart(NamedTuple):
    """What is read of one chunk along an axis: the chunk's number, and indices within it."""

    chunk: int
    start: int
    stop: int


class BlockPiece(NamedTuple):
    """A part of a block that one plan gives.

    Attributes
    ----------
    place : tuple of Range
        Where it lies in the block.
    split : (tuple of int, tuple of Range) or None
        Where the piece is no box of the block: the shape that splits the axes of `place`, and the box of that.
    parts : tuple of tuple of ChunkPart, or None
        What it reads, along each axis of the source; side by side, they are what `plan` takes. None where nothing is
        read but fill values: `plan` takes one element then, of no axes.
    plan : SlicePlan
        From these to the piece.
    """

    place: tuple[Range, ...]
    split: tuple[tuple[int, ...], tuple[Range, ...]] | None
    parts: tuple[tuple[ChunkPart, ...], ...] | None
    plan: SlicePlan

    def chunks(self) -> Iterator[tuple[int, ...]]:
        """Yield the chunks that it reads, by their numbers along each axis, in row-major order."""
        if self.parts is not None:
            yield from product(*[[part.chunk for part in own] for own in self.parts])


class _Reading(NamedTuple):
    """How axes of a plan read an axis of a source, or a part of it; the same for many blocks.

    Attributes
    ----------
    ranges : tuple of (int, Range)
        For axes of which it has not all outputs of the block: which it has, from the block's first one on.
    maps : tuple of (int, Map, SourceWindow)
        Map and window of each of the axes, in what is read.
    extent : int
        Length of what is read.
    """

    ranges: tuple[tuple[int, Range], ...]
    maps: tuple[tuple[int, Map, SourceWindow], ...]
    extent: int


class _Segment(NamedTuple):
    """A reading, and what of the chunks along the axis of the source is read."""

    reading: _Reading
    parts: tuple[ChunkPart, ...]


class _Box(NamedTuple):
    """A part of one axis of a result that is a box of the axes that are merged in it."""

    place: Range
    digits: tuple[Range, ...]


class BlockCutter:
    """Cuts a plan's result into blocks, for a source in chunks.

    Parameters
    ----------
    plan : SlicePlan
    chunks : tuple of tuple of int
        The lengths of the source's chunks along each of its axes.
    """

    def __init__(self, plan: SlicePlan, chunks: Sequence[Sequence[int]]) -> None:
        self.plan = plan
        self._starts = [list(accumulate(lengths, initial=0)) for lengths in chunks]
        self._windows = windows_of(plan) if plan.axes else ()
        self._digits: list[list[int]] = [[] for _ in plan.shape]
        if plan.size:
            factors = find_factors([plan.axes[k].count for k in plan.order], plan.shape)
            assert factors is not None
            for k, factor in zip(plan.order, factors, strict=True):
                if factor.axis != NO_AXIS:
                    self._digits[factor.axis].append(k)
        self._readers: list[list[int]] = [[] for _ in chunks]
        for k, window in enumerate(self._windows):
            if window.axis != NO_AXIS:
                self._readers[window.axis].append(k)
        self._new_axes = [k for k, window in enumerate(self._windows) if window.axis == NO_AXIS]
        self._maps: dict[tuple[int, Range], Map] = {}
        self._fills: dict[tuple[int, Range], bool] = {}
        self._known: dict[tuple[int, ...], list[_Segment]] = {}
        # Blocks inside of a result have the same readings, and plans, which are then told by their addresses.
        self._readings: dict[_Reading, _Reading] = {}
        self._plans: dict[tuple[Any, ...], SlicePlan] = {}

    def cut(self, region: Sequence[Range]) -> list[BlockPiece]:
        """Return the pieces of a block; they leave no element of it out, and none is in two of them."""
        if any([start >= stop for start, stop in region]):
            return []
        pieces: list[BlockPiece] = []
        own = [self._boxes(t, *bounds) for t, bounds in enumerate(region)]
        for boxes in product(*own):
            ranges = dict.fromkeys(range(len(self.plan.axes)), (0, 1))
            for t, box in enumerate(boxes):
                ranges.update(zip(self._digits[t], box.digits, strict=True))
            pieces += self._cut_box(boxes, ranges)
        return pieces

    def _boxes(self, t: int, start: int, stop: int) -> list[_Box]:
        """Return the boxes of a part of axis t of the result; their places are counted from the part's start."""
        counts = [self.plan.axes[k].count for k in self._digits[t]]
        if not counts:
            return [_Box((0, 1), ())]
        return [_Box((low - start, high - start), digits) for (low, high), digits in _boxes_of(counts, start, stop)]

    def _cut_box(self, boxes: Sequence[_Box], ranges: dict[int, Range]) -> Iterator[BlockPiece]:
        maps = {k: self._map(k, bounds) for k, bounds in ranges.items()}
        if any([self._fills[k, bounds] for k, bounds in ranges.items()]):
            filled = self._reading({}, {k: (constant_map(axis), NEW) for k, axis in maps.items()}, 0)
            yield self._piece(boxes, [filled], None)
            return
        others = self._reading({}, {k: (maps[k], NEW) for k in self._new_axes}, 0)
        segments = [self._segments(s, ranges, maps) for s in range(len(self._readers))]
        for chosen in product(*segments):
            readings = [each.reading for each in chosen]
            yield self._piece(boxes, [*readings, others], tuple([each.parts for each in chosen]))

    def _map(self, k: int, bounds: Range) -> Map:
        """Return the map of a range of outputs of axis k, and note if it reads nothing."""
        found = self._maps.get((k, bounds))
        if found is None:
            found = self._maps[k, bounds] = _restricted(self.plan.axes[k], *bounds)
            self._fills[k, bounds] = _is_fill(found)
        return found

    def _reading(self, ranges: dict[int, Range], maps: dict[int, tuple[Map, SourceWindow]], extent: int) -> _Reading:
        """Return a reading, the same object for equal ones."""
        own = _Reading(tuple(ranges.items()), tuple([(k, *each) for k, each in maps.items()]), extent)
        return self._readings.setdefault(own, own)

    def _segment(
        self, ranges: dict[int, Range], maps: dict[int, tuple[Map, SourceWindow]], parts: tuple[ChunkPart, ...]
    ) -> _Segment:
        return _Segment(self._reading(ranges, maps, sum([part.stop - part.start for part in parts])), parts)

    def _segments(self, s: int, ranges: dict[int, Range], maps: dict[int, Map]) -> list[_Segment]:
        """Return the segments of an axis of the source; they are the same for all blocks with these ranges."""
        readers = self._readers[s]
        key = (s, *[bound for k in readers for bound in ranges[k]])
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._find_segments(s, {k: maps[k] for k in readers})
        return found

    def _find_segments(self, s: int, maps: dict[int, Map]) -> list[_Segment]:
        """Cut what axes with these maps read of an axis of the source at the bounds of its chunks."""
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
            return [self._segment({}, fixed, self._parts(s, origin, origin))]
        if len(moving) == 1:
            ((k, axis),) = moving.items()
            cut = self._cut_axis(s, axis, origin, self._windows[k].step)
            if cut is not None:
                return [
                    self._segment(
                        {} if len(cut) == 1 else {k: bounds},
                        {**fixed, k: (own, SourceWindow(s, 0, 1) if own.extent > 1 else NEW)},
                        parts,
                    )
                    for bounds, own, parts in cut
                ]
        return [self._side_by_side(s, origin, fixed, moving)]

    def _cut_axis(
        self, s: int, axis: Map, origin: int, step: int
    ) -> list[tuple[Range, Map, tuple[ChunkPart, ...]]] | None:
        """Return outputs of one map that read one chunk each, with maps of that; None if they were too many.

        Fill values belong to what is before them.
        """
        starts = self._starts[s]
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
        cut = []
        at = 0
        for chunk, runs in groups:
            low, high = _bounds_of(runs)
            count = sum([run.count for run in runs])
            own = _shifted(axis, origin if step == 1 else None, runs, low, high) if len(groups) == 1 else None
            if own is None:
                own = map_of_runs(high - low, [_moved(run, -low) for run in runs])
            part = ChunkPart(chunk, low - starts[chunk], high - starts[chunk])
            cut.append(((at, at + count), own, (part,)))
            at += count
        return cut

    def _side_by_side(
        self, s: int, origin: int, fixed: dict[int, tuple[Map, SourceWindow]], moving: dict[int, Map]
    ) -> _Segment:
        """Return all outputs of axes that read one axis of the source, of which all chunks between are read."""
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
            laid[k] = (axis, SourceWindow(s, 0, step) if axis.extent > 1 else NEW)
        return self._segment({}, {**fixed, **laid}, self._parts(s, origin, last))

    def _parts(self, s: int, first: int, last: int) -> tuple[ChunkPart, ...]:
        """Return what chunks have of an axis of the source between two indices, both of which are read."""
        starts = self._starts[s]
        parts = []
        for chunk in range(bisect_right(starts, first) - 1, bisect_right(starts, last)):
            start, stop = starts[chunk : chunk + 2]
            if start < stop:
                parts.append(ChunkPart(chunk, max(first, start) - start, min(last + 1, stop) - start))
        return tuple(parts)

    def _piece(
        self,
        boxes: Sequence[_Box],
        readings: Sequence[_Reading],
        parts: tuple[tuple[ChunkPart, ...], ...] | None,
    ) -> BlockPiece:
        """Return the piece of a reading of each axis of the source, and of those that read none of it."""
        taken = dict([own for reading in readings for own in reading.ranges])
        place, split = self._place(boxes, taken) if taken else ([box.place for box in boxes], None)
        shape = tuple([stop - start for start, stop in (place if split is None else split[1])])
        key = (shape, *map(id, readings))
        plan = self._plans.get(key)
        if plan is None:
            source_shape = () if parts is None else tuple([reading.extent for reading in readings[:-1]])
            plan = self._plans[key] = self._create_plan(shape, source_shape, readings)
        return BlockPiece(tuple(place), split, parts, plan)

    def _place(
        self, boxes: Sequence[_Box], taken: dict[int, Range]
    ) -> tuple[list[Range], tuple[tuple[int, ...], tuple[Range, ...]] | None]:
        """Return the place of a piece that has these ranges of some axes, and how it is split."""
        place: list[Range] = []
        split_shape: list[int] = []
        within: list[Range] = []
        is_split = False
        for digits, box in zip(self._digits, boxes, strict=True):
            start, stop = box.place
            if len(digits) == 1:
                if digits[0] in taken:
                    low, high = taken[digits[0]]
                    start, stop = start + low, start + high
                place.append((start, stop))
                split_shape.append(stop - start)
                within.append((0, stop - start))
                continue
            counts = [high - low for low, high in box.digits]
            if digits and digits[0] in taken and not any([k in taken for k in digits[1:]]):
                # The outermost of them is cut, so that what is left still is in one.
                inner = prod(counts[1:])
                low, high = taken[digits[0]]
                start, stop = start + low * inner, start + high * inner
                counts[0] = high - low
                within += [(0, n) for n in counts]
            else:
                is_split = is_split or any([k in taken for k in digits])
                within += [taken.get(k, (0, n)) for k, n in zip(digits, counts, strict=True)]
            place.append((start, stop))
            split_shape += counts
        return place, (tuple(split_shape), tuple(within)) if is_split else None

    def _create_plan(
        self, shape: tuple[int, ...], source_shape: tuple[int, ...], readings: Sequence[_Reading]
    ) -> SlicePlan:
        """Return the plan of readings, without windows where the axes' extents make the source's shape."""
        own = sorted([each for reading in readings for each in reading.maps], key=itemgetter(0))
        axes, windows = [axis for _, axis, _ in own], [window for _, _, window in own]
        factors = find_factors([axis.extent for axis in axes], source_shape)
        is_plain = factors is not None and windows == [SourceWindow(axis, 0, place) for axis, place in factors]
        return SlicePlan(axes, shape, source_shape, self.plan.order, None if is_plain else windows, self.plan.fills)


def _boxes_of(counts: Sequence[int], start: int, stop: int) -> Iterator[tuple[Range, tuple[Range, ...]]]:
    """Yield the boxes of digits, of so many outputs each, that a range of the axis that they make is.

    Examples
    --------
    >>> for place, digits in _boxes_of((3, 4), 2, 9):
    ...     print(place, digits)
    (2, 4) ((0, 1), (2, 4))
    (4, 8) ((1, 2), (0, 4))
    (8, 9) ((2, 3), (0, 1))
    """
    if len(counts) == 1:
        yield (start, stop), ((start, stop),)
        return
    inner = prod(counts[1:])
    while start < stop:
        digit, rest = divmod(start, inner)
        end = min(stop, (digit + 1) * inner)
        if rest == 0 and stop - start >= inner:
            last = stop // inner
            yield (start, last * inner), ((digit, last), *[(0, n) for n in counts[1:]])
            start = last * inner
            continue
        first = digit * inner
        for (low, high), digits in _boxes_of(counts[1:], rest, end - first):
            yield (first + low, first + high), ((digit, digit + 1), *digits)
        start = end


def _restricted(axis: Map, start: int, stop: int) -> Map:
    """Return the map of outputs ``start`` to ``stop`` of a map."""
    return axis if stop - start == axis.count else read_from(axis, start, 1, stop - start)


def _is_fill(axis: Map) -> bool:
    """True for a map of which no output reads anything."""
    if type(axis) is AxisMap and axis.mode is not SampleMode.FILL:
        return False
    return all([run.first is None for run in runs_of(axis)])


def _bounds_of(runs: Sequence[Run]) -> Range:
    """Return the range of all that runs read, of which one does."""
    ends = [(first, first + (count - 1) * stride) for count, first, stride in runs if first is not None]
    return min([min(pair) for pair in ends]), max([max(pair) for pair in ends]) + 1


def _moved(run: Run, by: int) -> Run:
    return run if run.first is None else Run(run.count, run.first + by, run.stride)


def _shifted(axis: Map, origin: int | None, runs: Sequence[Run], low: int, high: int) -> Map | None:
    """Return an axis as a map of what it reads, from ``low`` to ``high``, in its own mode; None if that reads other.

    One map of a mode runs faster than a list of runs.
    """
    if origin is None or type(axis) is not AxisMap or axis.mode in (SampleMode.STRICT_BOUNDS, SampleMode.WRAP):
        return None
    own = AxisMap.create(high - low, origin + axis.start - low, axis.stride, axis.count, axis.mode)
    is_same = list(islice(runs_of(own), len(runs) + 1)) == [_moved(run, -low) for run in runs]
    return own if is_same else None
