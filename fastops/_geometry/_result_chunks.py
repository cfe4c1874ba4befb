"""The chunks of a plan's result, for a source in chunks: regular, and no larger than its largest one, or than 1 MiB."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import prod
from typing import TypeAlias

from fastops._errors import AttributeValueError
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._factors import NO_AXIS
from fastops._geometry._geometry import Geometry, digits_of, size_of
from fastops._geometry._map_runs import runs_of
from fastops._geometry._source_runs import windows_of

#: Lengths of chunks along each axis.
Chunks: TypeAlias = tuple[tuple[int, ...], ...]

#: The length of all chunks along an axis but the last, or the lengths of the source's, which stay as they are.
AxisChunks: TypeAlias = int | tuple[int, ...]

#: Chunks may be larger than those of the source, up to so many bytes.
SMALL_BYTES = 1 << 20

# A result with so many chunks more than its source has too many: a task takes longer than the bytes of a small chunk.
_MANY_CHUNKS = 10_000

# dask lists the lengths of all chunks along an axis.
_MOST_ALONG_AXIS = 10_000_000

# Runs of an axis that are looked at to find with which stride it reads.
_FEW_RUNS = 4


def regular_lengths(extent: int, length: int) -> tuple[int, ...]:
    """Return the lengths of chunks of one length, of which the last may be shorter.

    Examples
    --------
    >>> regular_lengths(10, 4), regular_lengths(0, 4)
    ((4, 4, 2), (0,))
    """
    whole, rest = divmod(extent, max(length, 1))
    return (*(length,) * whole, *((rest,) if rest or not whole else ()))


def chunks_of_result(geometry: Geometry, chunks: Chunks, most: int) -> list[AxisChunks]:
    """Return how long the chunks of a plan's result are, of so many elements at most, however many there are.

    A chunk is as long as the longest of the source along the axis that is read, divided by the stride, so that it reads
    about as much; along an axis of copies, or of the elements of windows, it has all of them. Where that are more
    elements than a chunk may have, the shortest sides are kept, and the others are as long as what is left allows;
    axes of copies come last.
    """
    if not size_of(geometry):
        return list(geometry.shape)
    windows = windows_of(geometry)
    # Of axes that read one axis of the source together, the one of the widest steps goes through its chunks.
    coarsest: dict[int, int] = {}
    for k, window in enumerate(windows):
        if geometry.axes[k].count > 1 and _step(geometry, k) >= _step(geometry, coarsest.get(window.axis, k)):
            coarsest[window.axis] = k
    wanted: list[tuple[bool, int, int]] = []
    lengths: list[AxisChunks] = list(geometry.shape)
    merged = [[geometry.axes[k].count for k in own] for own in digits_of(geometry)]
    for t, own in enumerate(digits_of(geometry)):
        k = own[0] if own else -1
        source = windows[k].axis if own else NO_AXIS
        if source != NO_AXIS and coarsest[source] == k:
            if len(own) == 1 and abs(windows[k].step) == 1 and geometry.axes[k] == AxisMap.whole(sum(chunks[source])):
                lengths[t] = chunks[source]
            else:
                longest = -(-max(*chunks[source], 1) // max(_step(geometry, k), 1))
                lengths[t] = min(longest, geometry.axes[k].count) * prod(merged[t][1:])
        wanted.append((bool(own) and source == NO_AXIS, longest_of(lengths[t]), t))
    for _, length, t in sorted(wanted):
        if length > most:
            length = lengths[t] = merged_length(merged[t], most)
        most //= length
    return lengths


def longest_of(own: AxisChunks) -> int:
    """Return the length of the longest chunk along an axis."""
    return own if isinstance(own, int) else max(own)


def most_elements(chunks: Chunks, width: int) -> int:
    """Return how many elements a chunk of a result may have, for a source in chunks of elements of so many bytes."""
    return max(prod(map(max, chunks)), SMALL_BYTES // max(width, 1), 1)


def most_read(geometry: Geometry, chunks: Chunks) -> int:
    """Return about how many elements of the source lie between those that one chunk of a result reads, for its chunks.

    Examples
    --------
    >>> from fastops._geometry._geometry import geometry_of
    >>> every_9th = geometry_of([AxisMap.create(900, 0, 9, 100)])
    >>> most_read(every_9th, ((10,) * 10,)), most_read(every_9th, ((100,),))
    (82, 892)
    """
    if not size_of(geometry):
        return 0
    windows, reach = windows_of(geometry), [0] * len(geometry.source_shape)
    for own, lengths in zip(digits_of(geometry), chunks, strict=True):
        length = max(lengths)
        for k in reversed(own):
            count = min(length, geometry.axes[k].count)
            length = -(-length // geometry.axes[k].count)
            if windows[k].axis != NO_AXIS:
                reach[windows[k].axis] += (count - 1) * _step(geometry, k)
    return prod([min(n + 1, extent) for n, extent in zip(reach, geometry.source_shape, strict=True)])


def within_limits(shape: Sequence[int], lengths: Sequence[AxisChunks], chunks: Chunks, most: int) -> Chunks:
    """Return the lengths of all chunks; where they are too many, they become longer, up to so many elements.

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
    return tuple(
        [regular_lengths(n, axis) if isinstance(axis, int) else axis for n, axis in zip(shape, own, strict=True)]
    )


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


def _step(geometry: Geometry, k: int) -> int:
    """Return how far apart two outputs of an axis of a plan read the source, of those that are looked at."""
    runs = islice(runs_of(geometry.axes[k]), _FEW_RUNS)
    strides = [abs(stride) for count, first, stride in runs if first is not None and count > 1]
    return abs(windows_of(geometry)[k].step) * max(strides, default=1)
