"""From a memory-mapped file to others, block by block, in the order of the bytes that are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import Element
from fastops._execution._block_call import region_of, write_pieces
from fastops._geometry._blocks import ChunkPart, Range
from fastops._geometry._planned_output import OutputCutter, PlannedOutput

# What one launch writes at most: little enough to stop between two, and to show progress.
_BLOCK_BYTES = 1 << 26


def write_blocks(output: PlannedOutput, source: AnyArray, target: AnyArray, fill: Element) -> Iterator[int]:
    """Write an output into a contiguous array of as many elements; yield the elements of each block behind it."""
    if not target.nbytes:
        return
    # All of the source is one chunk, of which a view is read.
    cutter = OutputCutter(output, tuple([(n,) for n in output.source_shape]))
    own = target.reshape(output.shape)

    def read(sides: tuple[tuple[ChunkPart, ...], ...]) -> AnyArray:
        return np.asarray(source[region_of([(part.start, part.stop) for (part,) in sides])])

    for region in regions_of(output.shape, max(_BLOCK_BYTES // target.itemsize, 1)):
        write_pieces(cutter.cut(region), own[region_of(region)], fill, read)
        yield prod([stop - start for start, stop in region])


def regions_of(shape: Sequence[int], most: int) -> Iterator[tuple[Range, ...]]:
    """Yield regions of an array, each contiguous in it and of at most so many elements, in the order of memory.

    Examples
    --------
    >>> list(regions_of((3, 4), 4))
    [((0, 1), (0, 4)), ((1, 2), (0, 4)), ((2, 3), (0, 4))]
    >>> list(regions_of((2, 3), 2))
    [((0, 1), (0, 2)), ((0, 1), (2, 3)), ((1, 2), (0, 2)), ((1, 2), (2, 3))]
    >>> list(regions_of((), 4))
    [()]
    """
    yield from _divided([(0, n) for n in shape], 0, most)


def _divided(region: list[Range], axis: int, most: int) -> Iterator[tuple[Range, ...]]:
    """Yield the regions of one that is a single element along the axes before ``axis``."""
    if axis == len(region) or prod([stop - start for start, stop in region]) <= most:
        yield tuple(region)
        return
    start, stop = region[axis]
    length = max(most // prod([high - low for low, high in region[axis + 1 :]]), 1)
    for first in range(start, stop, length):
        region[axis] = (first, min(first + length, stop))
        yield from _divided(region, axis + 1, most)
    region[axis] = (start, stop)
