"""Plans of sources in chunks: the chunks of a result, and the pieces of a block of a result.

A block is a box of a result. It is cut into pieces, and each piece names the box of the source that it reads. No loop
goes over elements.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, islice, product
from math import prod
from typing import NamedTuple, TypeAlias

from fastops._errors import AttributeValueError
from fastops._geometry._axis_map import MOST_RUNS, AxisMap, Map
from fastops._geometry._composition import NEW
from fastops._geometry._geometry import NO_AXIS, Geometry, SourceWindow, digits_of, size_of, windows_of
from fastops._geometry._map_composition import constant_map, is_fill, map_of_runs, read_from, runs_of

#: The lengths of chunks along each axis.
Chunks: TypeAlias = tuple[tuple[int, ...], ...]

#: One length for all chunks along an axis (the last chunk may be shorter), or the length of each chunk.
AxisChunks: TypeAlias = int | tuple[int, ...]

#: Chunks of a result may have this many bytes even if those of the source are smaller.
SMALL_BYTES = 1 << 20

# A result may have this many chunks more than its source: to run a task takes longer than to move a small chunk.
_MANY_CHUNKS = 10_000

# The most chunks along an axis, because dask keeps a list of their lengths.
_MOST_ALONG_AXIS = 10_000_000

# The number of runs of an axis from which its stride is taken.
_FIRST_RUNS = 4


def regular_lengths(extent: int, length: int) -> tuple[int, ...]:
    """Return the lengths of the chunks of an extent; the last chunk may be shorter.

    Examples
    --------
    >>> regular_lengths(10, 4), regular_lengths(0, 4)
    ((4, 4, 2), (0,))
    """
    whole, rest = divmod(extent, max(length, 1))
    return (*(length,) * whole, *((rest,) if rest or not whole else ()))


def chunks_of_result(geometry: Geometry, chunks: Chunks, most: int) -> list[AxisChunks]:
    """Return the lengths of the chunks of a plan's result, each of at most ``most`` elements.

    Along an axis that reads the source, a chunk is as long as the longest chunk of the source divided by the stride, so
    that it reads about one chunk. Along an axis that repeats the source, or that has the elements of windows, one chunk
    has all elements. If a chunk would have too many elements, its longest sides are cut, first those along axes that
    repeat the source.
    """
    if not size_of(geometry):
        return list(geometry.shape)
    axes, windows, digits = geometry.axes, windows_of(geometry), digits_of(geometry)
    steps = [abs(window.step) * _stride(axis) for axis, window in zip(axes, windows, strict=True)]
    # If several axes read one axis of the source, chunks follow those of the source along the axis of widest steps.
    by_step = sorted(range(len(axes)), key=lambda k: (axes[k].count > 1, steps[k]))
    coarsest = {windows[k].axis: k for k in by_step}
    wanted: list[tuple[bool, int, int]] = []
    lengths: list[AxisChunks] = list(geometry.shape)
    for t, own in enumerate(digits):
        k = own[0] if own else -1
        source = windows[k].axis if own else NO_AXIS
        if source != NO_AXIS and coarsest[source] == k:
            if len(own) == 1 and abs(windows[k].step) == 1 and axes[k] == AxisMap.whole(sum(chunks[source])):
                lengths[t] = chunks[source]
            else:
                longest = -(-max(*chunks[source], 1) // max(steps[k], 1))
                lengths[t] = min(longest, axes[k].count) * prod([axes[i].count for i in own[1:]])
        wanted.append((bool(own) and source == NO_AXIS, longest_of(lengths[t]), t))
    for _, length, t in sorted(wanted):
        if length > most:
            length = lengths[t] = merged_length([axes[k].count for k in digits[t]], most)
        most //= length
    return lengths


def longest_of(own: AxisChunks) -> int:
    """Return the length of the longest chunk along an axis."""
    return own if isinstance(own, int) else max(own)


def within_limits(shape: Sequence[int], lengths: Sequence[AxisChunks], chunks: Chunks, most: int) -> Chunks:
    """Return the lengths of all chunks. If there are too many chunks, join them, up to ``most`` elements in each.

    Examples
    --------
    >>> within_limits((10**8,), [10], ((10, 10),), 300_000)[0][:2]
    (10240, 10240)
    """
    own = list(lengths)
    counts = [n // max(axis, 1) + 1 if isinstance(axis, int) else len(axis) for n, axis in zip(shape, own, strict=True)]
    while prod(counts) > _MANY_CHUNKS + prod(map(len, chunks)) and 2 * prod(map(longest_of, own)) <= most:
        t = counts.index(max(counts))
        own[t] = length = 2 * longest_of(own[t])
        counts[t] = shape[t] // length + 1
    if max(counts, default=0) > _MOST_ALONG_AXIS:
        rule = f"have chunks so long that the result has at most {_MOST_ALONG_AXIS} of them along an axis"
        raise AttributeValueError.about("data", rule, f"a result of {max(counts)}")
    pairs = zip(shape, own, strict=True)
    return tuple([regular_lengths(n, axis) if isinstance(axis, int) else axis for n, axis in pairs])


def merged_length(counts: Sequence[int], most: int) -> int:
    """Return the length of chunks, at most ``most``, along an axis that merges axes of these counts.

    If possible, a chunk ends where an index of the outer axes ends. Of the lengths that give the fewest chunks, the
    shortest is returned.

    Examples
    --------
    >>> merged_length((10, 4), 30), merged_length((10, 4), 3), merged_length((10,), 9)
    (20, 3, 5)
    """
    extent = prod(counts)
    if extent <= most:
        return extent
    unit = next(unit for unit in [prod(counts[i:]) for i in range(1, len(counts) + 1)] if unit <= most)
    n_chunks = -(-extent // (most // unit * unit))
    return -(-extent // (n_chunks * unit)) * unit


def _stride(axis: Map) -> int:
    """Return the widest stride between two outputs of an axis, in its first runs."""
    runs = islice(runs_of(axis), _FIRST_RUNS)
    return max([abs(stride) for count, first, stride in runs if first is not None and count > 1], default=1)


#: The first index of a range, and the index behind its last.
Range: TypeAlias = tuple[int, int]

#: A range along each axis.
Region: TypeAlias = tuple[Range, ...]

# The most times that an axis may return to a chunk, on average. If it returns more often, all of its chunks are read
# side by side.
_MOST_RETURNS = 4

# The most runs of an axis whose range of indices is computed; an axis of more runs is taken to read all of its extent.
_FEW_RUNS = 64


def shape_of(region: Region) -> tuple[int, ...]:
    """Return the lengths of the ranges of a region."""
    return tuple([stop - start for start, stop in region])


class BlockPiece(NamedTuple):
    """A part of a block that is the result of one plan.

    Attributes
    ----------
    place : tuple of Range
        The box of the block in which the piece lies.
    read : tuple of Range, or None
        The box of the source that the piece reads, which is the source of `geometry`. None for a piece of fill values:
        then the source of `geometry` is one element without axes.
    geometry : Geometry
        The plan of the piece.
    """

    place: Region
    read: Region | None
    geometry: Geometry


#: A part of an axis of a result: its range in the block, and ranges of the plan's axes that the axis merges.
_Side: TypeAlias = tuple[Range, tuple[Range, ...]]

#: The plan's axes that read one axis of the source, by number, map and window, and the range that they read.
_Read: TypeAlias = tuple[tuple[tuple[int, Map, SourceWindow], ...], Range]


class BlockCutter:
    """Cuts blocks of a plan's result into pieces, for a source in chunks.

    If one axis of the plan reads an axis of the source, a block is cut at the ends of chunks, so that each piece reads
    one chunk. If several axes read it, a piece reads all chunks between its first index and its last one, side by side.

    Parameters
    ----------
    geometry : Geometry
        The plan; its result has elements.
    chunks : tuple of tuple of int
        The lengths of the source's chunks along each of its axes.
    """

    def __init__(self, geometry: Geometry, chunks: Sequence[Sequence[int]]) -> None:
        self._geometry = geometry
        self._windows = windows_of(geometry)
        self._digits = digits_of(geometry)
        self._readers = [[k for k, window in enumerate(self._windows) if window.axis == s] for s in range(len(chunks))]
        self._starts = [list(accumulate(lengths, initial=0)) for lengths in chunks]
        # Neighbouring blocks have the same range along all axes but one.
        self._sides = cache(self._find_sides)
        self._read = cache(self._find_read)

    def cut(self, region: Sequence[Range]) -> Iterator[BlockPiece]:
        """Yield the pieces of a block that has elements; each element is in one piece."""
        geometry = self._geometry
        for sides in product(*[self._sides(t, *bounds) for t, bounds in enumerate(region)]):
            ranges = [(0, 1)] * len(geometry.axes)
            for own, (_, digits) in zip(self._digits, sides, strict=True):
                for k, bounds in zip(own, digits, strict=True):
                    ranges[k] = bounds
            axes = [_part_of(axis, *bounds) for axis, bounds in zip(geometry.axes, ranges, strict=True)]
            windows = [NEW] * len(axes)
            read: Region | None = None
            if any(map(is_fill, axes)):
                axes = list(map(constant_map, axes))
            else:
                reads = [self._read(s, *[ranges[k] for k in own]) for s, own in enumerate(self._readers)]
                read = tuple([bounds for _, bounds in reads])
                for k, axis, window in [each for laid, _ in reads for each in laid]:
                    axes[k], windows[k] = axis, window
            place = tuple([bounds for bounds, _ in sides])
            shape, source_shape = shape_of(place), shape_of(read or ())
            part = Geometry(tuple(axes), shape, source_shape, geometry.order, geometry.fills, tuple(windows))
            yield BlockPiece(place, read, part)

    def _find_sides(self, t: int, start: int, stop: int) -> list[_Side]:
        """Return the parts of a range of axis t of the result: boxes of the axes that t merges, each in one chunk."""
        own = self._digits[t]
        if not own:
            return [((start, stop), ())]
        sides: list[_Side] = []
        for (low, _), digits in boxes_of([self._geometry.axes[k].count for k in own], start, stop):
            inner = prod([last - first for first, last in digits[1:]])
            at = low - start
            for first, last in self._stretches(own[0], *digits[0]):
                n = (last - first) * inner
                sides.append(((at, at + n), ((first, last), *digits[1:])))
                at += n
        return sides

    def _stretches(self, k: int, start: int, stop: int) -> list[Range]:
        """Return the parts of a range of axis k that read one chunk of the source each.

        Fill values belong to the part before them; at the start, to the first part. The range stays one part if it
        would have many parts, or if other axes read the same axis of the source.
        """
        whole = [(start, stop)]
        s, offset, step = self._windows[k]
        if s < 0 or len(self._starts[s]) == 2 or len(self._readers[s]) > 1:
            return whole
        starts, ends, last, at = self._starts[s], [start], -1, start
        seen: set[int] = set()
        for n_runs, run in enumerate(runs_of(_part_of(self._geometry.axes[k], start, stop))):
            count, place, by = run.moved(offset, step)
            while count:
                n = count
                if place is not None:
                    chunk = bisect_right(starts, place) - 1
                    if chunk != last:
                        ends += [at] if seen else []
                        seen.add(chunk)
                        last = chunk
                    if by:
                        room = starts[chunk + 1] - 1 - place if by > 0 else place - starts[chunk]
                        n = min(n, room // abs(by) + 1)
                    place += n * by
                at += n
                count -= n
                if n_runs > MOST_RUNS or len(ends) > _MOST_RETURNS * (len(seen) + 1):
                    return whole
        return list(zip(ends, [*ends[1:], stop], strict=True))

    def _find_read(self, s: int, *ranges: Range) -> _Read:
        """Return the axes that read axis s of the source, within these ranges, and the range that they read."""
        first, extent, laid = 0, 1, []
        for k, bounds in zip(self._readers[s], ranges, strict=True):
            _, offset, step = self._windows[k]
            axis, low, high = _narrowed(_part_of(self._geometry.axes[k], *bounds))
            reach = step * (high - 1 - low)
            laid.append((k, axis, SourceWindow(s, max(-reach, 0), step) if high - low > 1 else NEW))
            first += offset + step * low + min(reach, 0)
            extent += abs(reach)
        return tuple(laid), (first, first + extent)


def _part_of(axis: Map, start: int, stop: int) -> Map:
    """Return the map of a range of the outputs of an axis."""
    return axis if stop - start == axis.count else read_from(axis, start, 1, stop - start)


def _narrowed(axis: Map) -> tuple[Map, int, int]:
    """Return a map over the range of indices that an axis reads, and this range; for many runs, all of the axis."""
    runs = list(islice(runs_of(axis), _FEW_RUNS + 1))
    if len(runs) > _FEW_RUNS:
        return axis, 0, axis.extent
    read = [(first, first + (count - 1) * stride) for count, first, stride in runs if first is not None]
    low, high = min(map(min, read)), max(map(max, read)) + 1
    return map_of_runs(high - low, [run.moved(-low, 1) for run in runs]), low, high


def boxes_of(counts: Sequence[int], start: int, stop: int) -> Iterator[tuple[Range, tuple[Range, ...]]]:
    """Cut a range of an axis that merges axes of these counts into boxes; yield their ranges of that axis and of these.

    Examples
    --------
    >>> for place, digits in boxes_of((3, 4), 2, 9):
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
        if rest == 0 and stop - start >= inner:
            end = stop // inner * inner
            yield (start, end), ((digit, stop // inner), *[(0, n) for n in counts[1:]])
        else:
            first, end = start - rest, min(stop, start - rest + inner)
            for (low, high), digits in boxes_of(counts[1:], rest, end - first):
                yield (first + low, first + high), ((digit, digit + 1), *digits)
        start = end
