"""The chunks of a plan's result, for a source in chunks: regular, and no larger than the largest of the source."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple, TypeAlias

from fastops._errors import AttributeValueError
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._factors import NO_AXIS
from fastops._geometry._geometry import Geometry, digits_of, size_of
from fastops._geometry._run_map import Map
from fastops._geometry._source_runs import windows_of

#: Lengths of chunks along each axis.
Chunks: TypeAlias = tuple[tuple[int, ...], ...]

# Chunks may be larger than those of the source, up to so many bytes, where windows overlap, or chunks are too many.
_SMALL_BYTES = 1 << 20

# A result with so many chunks more than its source has too many: a task takes longer than the bytes of a small chunk.
_MANY_CHUNKS = 10_000

# dask lists the lengths of all chunks along an axis.
_MOST_ALONG_AXIS = 10_000_000


class ChunkLimits(NamedTuple):
    """How large the chunks of a result may be.

    Attributes
    ----------
    most : int
        Elements of a chunk.
    small : int
        Elements of a chunk where windows overlap, or where there are more than `many` chunks, if `small` is more.
    many : int
        Chunks of a result.
    """

    most: int
    small: int
    many: int

    @classmethod
    def of_source(cls, chunks: Sequence[Sequence[int]], width: int) -> ChunkLimits:
        """Return the limits for a source in chunks, whose elements have ``width`` bytes: as its largest chunk has.

        Examples
        --------
        >>> ChunkLimits.of_source([(4, 4, 2), (5,)], 8)
        ChunkLimits(most=20, small=131072, many=10003)
        """
        small = max(_SMALL_BYTES // max(width, 1), 1)
        return cls(prod(map(max, chunks)) or small, small, _MANY_CHUNKS + prod(map(len, chunks)))

    @classmethod
    def of_array(cls, shape: Sequence[int]) -> ChunkLimits:
        """Return the limits of a result that is an array in memory, of which chunks are views: none."""
        return cls(max(prod(shape), 1), 0, max(prod(shape), 1))


class AxisLengths(NamedTuple):
    """How long chunks are along an axis.

    Attributes
    ----------
    extent : int
        Of the axis.
    length : int
        Of its longest chunk; all have it but the last, which may be shorter, and those that are `kept`.
    kept : tuple of int or None
        The lengths of chunks of the source that stay as they are.
    """

    extent: int
    length: int
    kept: tuple[int, ...] | None = None

    @property
    def n_chunks(self) -> int:
        """How many chunks there are."""
        return max(-(-self.extent // max(self.length, 1)), 1) if self.kept is None else len(self.kept)


def regular_lengths(extent: int, length: int) -> tuple[int, ...]:
    """Return the lengths of chunks of one length, of which the last may be shorter.

    Examples
    --------
    >>> regular_lengths(10, 4), regular_lengths(0, 4)
    ((4, 4, 2), (0,))
    """
    whole, rest = divmod(extent, max(length, 1))
    return (*(length,) * whole, *((rest,) if rest or not whole else ()))


def chunks_of_result(geometry: Geometry, chunks: Sequence[tuple[int, ...]], limits: ChunkLimits) -> list[AxisLengths]:
    """Return how long the chunks of a plan's result are, for a source in chunks, before there are too many of them.

    A chunk is as long as the longest of the source along the axis that is read, divided by the stride, so that it reads
    about as much; along an axis of copies, or of the elements of windows, it has all of them. Where that are more
    elements than a chunk may have, the shortest sides are kept, and the others are as long as what is left allows;
    axes of copies come last.
    """
    if not size_of(geometry):
        return [AxisLengths(n, n) for n in geometry.shape]
    axes = _result_axes(geometry, chunks)
    left = max(limits.most, limits.small) if _windows_overlap(geometry) else limits.most
    lengths = [0] * len(axes)
    for t in sorted(range(len(axes)), key=lambda t: (axes[t].is_new, axes[t].want)):
        want = axes[t].want
        lengths[t] = want if want <= left else merged_length(axes[t].counts, left)
        left //= lengths[t]
    return [
        AxisLengths(n, length, axis.kept if length == axis.want else None)
        for n, axis, length in zip(geometry.shape, axes, lengths, strict=True)
    ]


def within_limits(axes: Sequence[AxisLengths], limits: ChunkLimits) -> Chunks:
    """Return the lengths of all chunks; where they are too many, chunks that are small become longer.

    Examples
    --------
    >>> within_limits([AxisLengths(100, 4), AxisLengths(6, 3, (1, 2, 3))], ChunkLimits(12, 60, 20))
    ((16, 16, 16, 16, 16, 16, 4), (1, 2, 3))
    """
    own = list(axes)
    while prod([axis.n_chunks for axis in own]) > limits.many:
        t = max(range(len(own)), key=lambda t: own[t].n_chunks)
        if own[t].n_chunks == 1 or 2 * prod([axis.length for axis in own]) > limits.small:
            break
        own[t] = AxisLengths(own[t].extent, 2 * own[t].length)
    for axis in own:
        if axis.n_chunks > _MOST_ALONG_AXIS:
            rule = f"have chunks so long that the result has at most {_MOST_ALONG_AXIS} of them along an axis"
            raise AttributeValueError.about("data", rule, f"a result of {axis.n_chunks}")
    return tuple([axis.kept or regular_lengths(axis.extent, axis.length) for axis in own])


def merged_length(counts: Sequence[int], most: int) -> int:
    """Return how long chunks are along an axis that merges others of so many elements, if they may be so long.

    They end where elements of the others do, as far as possible, and are nearly of one length.

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


class _ResultAxis(NamedTuple):
    """What chunks along an axis of a result should be.

    Attributes
    ----------
    counts : tuple of int
        Of the axes that it merges.
    want : int
        How long they are if they may have so many elements.
    is_new : bool
        True for an axis of copies.
    kept : tuple of int or None
        The source's, if these are chunks of `want`.
    """

    counts: tuple[int, ...]
    want: int
    is_new: bool = False
    kept: tuple[int, ...] | None = None


def _result_axes(geometry: Geometry, chunks: Sequence[tuple[int, ...]]) -> list[_ResultAxis]:
    """Return what chunks along each axis of a result should be, for a source in chunks."""
    windows = windows_of(geometry)
    coarsest = {readers[-1] for readers in _readers(geometry)}
    found = []
    for n, own in zip(geometry.shape, digits_of(geometry), strict=True):
        if not own:
            found.append(_ResultAxis((), 1))
            continue
        axis, (source, _, step) = geometry.axes[own[0]], windows[own[0]]
        merged = tuple([geometry.axes[k].count for k in own])
        if own[0] not in coarsest:
            found.append(_ResultAxis(merged, n, source == NO_AXIS))
            continue
        lengths = chunks[source]
        if len(own) == 1 and abs(step) == 1 and axis == AxisMap.whole(sum(lengths)):
            found.append(_ResultAxis(merged, max(lengths), kept=tuple(lengths)))
            continue
        want = min(-(-(max(lengths) or 1) // (abs(step) * _stride_of(axis))), axis.count)
        found.append(_ResultAxis(merged, want * prod(merged[1:])))
    return found


def _readers(geometry: Geometry) -> list[list[int]]:
    """Return the axes of a plan that read each axis of a source that is read; the one of the widest steps is last."""
    readers: dict[int, list[int]] = {}
    for k, window in enumerate(windows_of(geometry)):
        if window.axis != NO_AXIS and geometry.axes[k].count > 1:
            readers.setdefault(window.axis, []).append(k)
    return [sorted(own, key=lambda k: (_step_of(geometry, k), geometry.axes[k].count)) for own in readers.values()]


def _windows_overlap(geometry: Geometry) -> bool:
    """True if axes that read one axis of the source together have more outputs than there are elements in between."""
    for own in _readers(geometry):
        reach = sum([_step_of(geometry, k) * (geometry.axes[k].count - 1) for k in own])
        if len(own) > 1 and prod([geometry.axes[k].count for k in own]) > reach + 1:
            return True
    return False


def _step_of(geometry: Geometry, k: int) -> int:
    """Return how far apart two outputs of an axis of a plan read the source at most."""
    return abs(windows_of(geometry)[k].step) * _stride_of(geometry.axes[k])


def _stride_of(axis: Map) -> int:
    if type(axis) is AxisMap:
        return max(abs(axis.stride), 1)
    return max([1, *[abs(stride) for count, first, stride in axis.runs if first is not None and count > 1]])
