"""Blocks: a box of a plan's result, and what it reads of a source that lies in chunks.

A block is cut into pieces, so that each of them reads one chunk of the source, or few side by side. Blocks inside of a
result differ in the numbers of their chunks alone, and share all else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from fastops._geometry._axis_cuts import AxisCut, AxisCutter, ChunkPart, Range, Segment
from fastops._geometry._builder import NEW
from fastops._geometry._factors import NO_AXIS, find_factors
from fastops._geometry._geometry import Geometry, SourceWindow, digits_of, size_of
from fastops._geometry._map_composition import constant_map, is_fill, read_from
from fastops._geometry._run_map import Map
from fastops._geometry._source_runs import windows_of

#: A shape that splits axes of a block, and a box of that.
Split: TypeAlias = tuple[tuple[int, ...], tuple[Range, ...]]


class BlockPiece(NamedTuple):
    """A part of a block that one plan gives.

    Attributes
    ----------
    place : tuple of Range
        Where it lies.
    splits : tuple of Split
        Where the piece is no box of the block: how the axes of `place` are split, and the box of that, in turn.
    parts : tuple of tuple of ChunkPart, or None
        What it reads, along each axis of the source; side by side, they are what `geometry` reads. None where nothing
        but fill values is read: `geometry` has a source of one element then, of no axes.
    geometry : Geometry
        From these to the piece.
    """

    place: tuple[Range, ...]
    splits: tuple[Split, ...]
    parts: tuple[tuple[ChunkPart, ...], ...] | None
    geometry: Geometry


class BlockPart(NamedTuple):
    """A box of a block, cut.

    Attributes
    ----------
    start : tuple of int
        Where in the block it begins.
    pieces : tuple of BlockPiece
        They leave no element out, and none is in two of them; places are counted from `start`. Other blocks have the
        same object.
    chunks : tuple of tuple of int
        The numbers of the chunks that pieces read, along each axis of the source: each of their products is read.
    """

    start: tuple[int, ...]
    pieces: tuple[BlockPiece, ...]
    chunks: tuple[tuple[int, ...], ...]

    @property
    def reads(self) -> bool:
        """True if it reads anything but fill values."""
        return self.pieces[0].parts is not None


class _Box(NamedTuple):
    """A part of an axis of a result that is a box of the axes merged in it: start, length, and ranges of these."""

    start: int
    length: int
    digits: tuple[Range, ...]


class BlockCutter:
    """Cuts a plan's result into blocks, for a source in chunks.

    Parameters
    ----------
    geometry : Geometry
    chunks : tuple of tuple of int
        The lengths of the source's chunks along each of its axes.
    """

    def __init__(self, geometry: Geometry, chunks: Sequence[Sequence[int]]) -> None:
        self._geometry = geometry
        windows = windows_of(geometry) if geometry.axes else ()
        self._digits = digits_of(geometry) if size_of(geometry) else [[] for _ in geometry.shape]
        self._readers = [[k for k, window in enumerate(windows) if window.axis == s] for s in range(len(chunks))]
        self._new_axes = [k for k, window in enumerate(windows) if window.axis == NO_AXIS]
        self._cutters = [
            AxisCutter(s, lengths, {k: windows[k] for k in own})
            for s, (lengths, own) in enumerate(zip(chunks, self._readers, strict=True))
        ]
        self._maps: dict[tuple[int, Range], tuple[Map, bool]] = {}
        self._cuts: dict[tuple[int, ...], AxisCut] = {}
        self._pieces: dict[tuple[Any, ...], tuple[BlockPiece, ...]] = {}

    def cut(self, region: Sequence[Range]) -> list[BlockPart]:
        """Return the parts of a block, of which nothing is left out, and nothing is twice."""
        if any([start >= stop for start, stop in region]):
            return []
        parts = []
        for boxes in product(*[self._boxes(t, *bounds) for t, bounds in enumerate(region)]):
            ranges: dict[int, Range] = {}
            for own, box in zip(self._digits, boxes, strict=True):
                ranges.update(zip(own, box.digits, strict=True))
            parts.append(self._cut_box(boxes, ranges))
        return parts

    def _boxes(self, t: int, start: int, stop: int) -> list[_Box]:
        """Return the boxes of a part of axis t of the result; their places are counted from the part's start."""
        boxes = boxes_of([self._geometry.axes[k].count for k in self._digits[t]], start, stop)
        return [_Box(low - start, high - low, digits) for (low, high), digits in boxes]

    def _cut_box(self, boxes: Sequence[_Box], ranges: Mapping[int, Range]) -> BlockPart:
        """Return the part of a block that is a box of the plan's axes."""
        start = tuple([box.start for box in boxes])
        lengths = tuple([box.length for box in boxes])
        found = [self._map(k, ranges.get(k, (0, 1))) for k in range(len(self._geometry.axes))]
        if any([is_fill for _, is_fill in found]):
            maps = [constant_map(axis) for axis, _ in found]
            key: tuple[Any, ...] = (lengths, *maps)
            pieces = self._pieces.get(key)
            if pieces is None:
                filled = Segment((), tuple([(k, axis, NEW) for k, axis in enumerate(maps)]), ())
                pieces = self._pieces[key] = (self._piece(boxes, (filled,), None),)
            return BlockPart(start, pieces, ())
        cuts = [self._cut_axis(s, ranges, found) for s in range(len(self._readers))]
        key = (lengths, *[id(cut.segments) for cut in cuts], *[found[k][0] for k in self._new_axes])
        pieces = self._pieces.get(key)
        if pieces is None:
            new = Segment((), tuple([(k, found[k][0], NEW) for k in self._new_axes]), ())
            chosen = product(*[cut.segments for cut in cuts])
            made = [self._piece(boxes, (*own, new), tuple([each.parts for each in own])) for own in chosen]
            pieces = self._pieces[key] = tuple(made)
        return BlockPart(start, pieces, tuple([cut.chunks for cut in cuts]))

    def _map(self, k: int, bounds: Range) -> tuple[Map, bool]:
        """Return the map of a range of outputs of axis k, and if it reads nothing."""
        found = self._maps.get((k, bounds))
        if found is None:
            axis, (start, stop) = self._geometry.axes[k], bounds
            own = axis if stop - start == axis.count else read_from(axis, start, 1, stop - start)
            found = self._maps[k, bounds] = (own, is_fill(own))
        return found

    def _cut_axis(self, s: int, ranges: Mapping[int, Range], found: Sequence[tuple[Map, bool]]) -> AxisCut:
        """Return the cut of an axis of the source, which is the same for all blocks with these ranges."""
        own = self._readers[s]
        key = (s, *[bound for k in own for bound in ranges.get(k, (0, 1))])
        cut = self._cuts.get(key)
        if cut is None:
            cut = self._cuts[key] = self._cutters[s].cut({k: found[k][0] for k in own})
        return cut

    def _piece(
        self,
        boxes: Sequence[_Box],
        segments: Sequence[Segment],
        parts: tuple[tuple[ChunkPart, ...], ...] | None,
    ) -> BlockPiece:
        """Return the piece of a segment of each axis of the source, and of the axes that read none of it."""
        taken = dict([own for segment in segments for own in segment.ranges])
        place, splits = self._place(boxes, taken)
        shape = tuple([stop - start for start, stop in (splits[-1][1] if splits else place)])
        source_shape = () if parts is None else tuple([segment.extent for segment in segments[:-1]])
        own = sorted([each for segment in segments for each in segment.maps], key=itemgetter(0))
        axes, windows = tuple([axis for _, axis, _ in own]), tuple([window for _, _, window in own])
        factors = find_factors([axis.extent for axis in axes], source_shape)
        is_plain = factors is not None and list(windows) == [SourceWindow(axis, 0, at) for axis, at in factors]
        order, fills = self._geometry.order, self._geometry.fills
        geometry = Geometry(axes, shape, source_shape, order, fills, None if is_plain else windows)
        return BlockPiece(place, splits, parts, geometry)

    def _place(self, boxes: Sequence[_Box], taken: Mapping[int, Range]) -> tuple[tuple[Range, ...], tuple[Split, ...]]:
        """Return the place of a piece that has these ranges of some axes, and how it is split."""
        place: list[Range] = []
        split_shape: list[int] = []
        within: list[Range] = []
        is_split = False
        for digits, box in zip(self._digits, boxes, strict=True):
            start, stop = 0, box.length
            counts = [high - low for low, high in box.digits]
            if digits and digits[0] in taken and not any([k in taken for k in digits[1:]]):
                # The outermost of them is cut, so that what is left still is in one.
                inner = prod(counts[1:])
                low, high = taken[digits[0]]
                start, stop = low * inner, high * inner
                counts[0] = high - low
                within += [(0, n) for n in counts]
            else:
                is_split = is_split or any([k in taken for k in digits])
                within += [taken.get(k, (0, n)) for k, n in zip(digits, counts, strict=True)]
            place.append((start, stop))
            split_shape += counts
        return tuple(place), ((tuple(split_shape), tuple(within)),) if is_split else ()


def boxes_of(counts: Sequence[int], start: int, stop: int) -> Iterator[tuple[Range, tuple[Range, ...]]]:
    """Yield the boxes of digits, of so many outputs each, that a range of the axis that they make is.

    Examples
    --------
    >>> for place, digits in boxes_of((3, 4), 2, 9):
    ...     print(place, digits)
    (2, 4) ((0, 1), (2, 4))
    (4, 8) ((1, 2), (0, 4))
    (8, 9) ((2, 3), (0, 1))
    """
    if len(counts) <= 1:
        yield (start, stop), ((start, stop),) * len(counts)
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
        for (low, high), digits in boxes_of(counts[1:], rest, end - first):
            yield (first + low, first + high), ((digit, digit + 1), *digits)
        start = end


def reads(geometry: Geometry) -> bool:
    """True if a plan reads anything but fill values."""
    return size_of(geometry) > 0 and not any(map(is_fill, geometry.axes))
