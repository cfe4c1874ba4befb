"""Planned outputs: an output is made of boxes, and each box has a plan; and their blocks, for sources in chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple, Protocol

from fastops._geometry import _blocks
from fastops._geometry._blocks import AxisChunks, BlockCutter, BlockPiece, Chunks, Range
from fastops._geometry._geometry import NO_AXIS, Geometry, digits_of, size_of, windows_of

# The number of cutters that are kept, one for each plan of a box.
_MOST_CUTTERS = 256


class Box(NamedTuple):
    """A box of an output: its first index, and the plan of its elements."""

    start: tuple[int, ...]
    geometry: Geometry


class BoxesOf(Protocol):
    """The boxes that make an output; `dask.base.tokenize` takes them."""

    def __iter__(self) -> Iterator[Box]:
        """Yield all boxes."""

    def within(self, region: Sequence[Range]) -> Iterator[Box]:
        """Yield the boxes that overlap a region."""

    def chunks(self, chunks: Chunks, most: int) -> list[AxisChunks]:
        """Return the lengths of the chunks of the output, of at most ``most`` elements, for a source in chunks."""


class ListedBoxes(tuple[Box, ...]):
    """One box, or a few boxes."""

    __slots__ = ()

    def within(self, region: Sequence[Range]) -> Iterator[Box]:
        """Yield the boxes that overlap a region."""
        for box in self:
            sides = zip(box.start, box.geometry.shape, region, strict=True)
            if all([first < stop and start < first + n for first, n, (start, stop) in sides]):
                yield box

    def chunks(self, chunks: Chunks, most: int) -> list[AxisChunks]:
        """Return the lengths of the chunks of the largest box, for the whole output."""
        own = _blocks.chunks_of_result(max([box.geometry for box in self], key=size_of), chunks, most)
        return own if len(self) == 1 else list(map(_blocks.longest_of, own))


class PlannedOutput(NamedTuple):
    """One output, and the boxes that make it.

    Attributes
    ----------
    shape, source_shape : tuple of int
        The shapes of the output and of the source.
    boxes : BoxesOf
        The boxes that make the output; they do not overlap.
    split_shape : tuple of int or None
        A shape that splits axes of the output, if the boxes are boxes of this shape. Outputs of data in chunks have
        none.
    fills : int
        The number of fill values that a call may give.
    """

    shape: tuple[int, ...]
    source_shape: tuple[int, ...]
    boxes: BoxesOf
    split_shape: tuple[int, ...] | None = None
    fills: int = 1

    @classmethod
    def of_geometry(cls, geometry: Geometry) -> PlannedOutput:
        """Return the output of one plan."""
        boxes = ListedBoxes([Box((0,) * len(geometry.shape), geometry)])
        return cls(geometry.shape, geometry.source_shape, boxes, None, geometry.fills)

    @property
    def geometry(self) -> Geometry | None:
        """The plan of the whole output; None if the output has several boxes."""
        return self.boxes[0].geometry if type(self.boxes) is ListedBoxes and len(self.boxes) == 1 else None

    def default_chunks(self, chunks: Chunks, width: int, most: int = 1) -> Chunks:
        """Return the chunks of the output for a source in chunks.

        A chunk has at most as many elements as the largest chunk of the source, or as SMALL_BYTES hold where an element
        has ``width`` bytes, or ``most``, whichever is more.
        """
        most = max(prod(map(max, chunks)), _blocks.SMALL_BYTES // max(width, 1), most)
        return _blocks.within_limits(self.shape, self.boxes.chunks(chunks, most), chunks, most)


def source_axes(output: PlannedOutput) -> list[int | None]:
    """Return the axis of the source that each axis of an output reads; None for new axes, and for merged ones.

    An axis of length 1, or of one repeated element, reads no axis. If the ranks are equal and all other axes read the
    axis of the source with their own number, so does this one. Otherwise an axis of length 1 stands for the one axis of
    length 1 of the source that no other axis reads, if there is exactly one of either kind.

    Examples
    --------
    >>> from fastops.plan import numpy as plans
    >>> for plan in (plans.transpose((3, 1, 4)), plans.tile((3, 4), (2, 1, 2)), plans.take_slice((3, 4), 0)):
    ...     source_axes(PlannedOutput.of_geometry(plan.geometry))
    [2, 1, 0]
    [None, 0, 1]
    [1]
    """
    rank, n_axes = len(output.shape), len(output.source_shape)
    read: list[set[int]] = [set() for _ in output.shape]
    for _, geometry in output.boxes.within([(0, n) for n in output.shape]):
        windows = windows_of(geometry)
        for t, own in enumerate(digits_of(geometry)):
            read[t] |= {windows[k].axis for k in own} - {NO_AXIS}
    axes: list[int | None] = []
    for t, own_axes in enumerate(read):
        found = next(iter(own_axes)) if len(own_axes) == 1 else t if rank == n_axes and t in own_axes else None
        axes.append(None if found in axes else found)
    if rank == n_axes and all([axis in (None, t) for t, axis in enumerate(axes)]):
        return list(range(rank))
    left = [s for s, n in enumerate(output.source_shape) if n == 1 and s not in axes]
    places = [t for t, n in enumerate(output.shape) if n == 1 and axes[t] is None]
    if len(left) == len(places) == 1:
        axes[places[0]] = left[0]
    return axes


class OutputCutter:
    """Cuts a planned output into blocks, for a source in chunks.

    Parameters
    ----------
    output : PlannedOutput
    chunks : Chunks
        The lengths of the source's chunks along each of its axes.
    """

    def __init__(self, output: PlannedOutput, chunks: Chunks) -> None:
        self._boxes = output.boxes
        self._cutter_of = lru_cache(_MOST_CUTTERS)(lambda geometry: BlockCutter(geometry, chunks))

    def cut(self, region: Sequence[Range]) -> Iterator[BlockPiece]:
        """Yield the pieces of a block of the output: each element of the block is in one piece."""
        if any([start >= stop for start, stop in region]):
            return
        for start, geometry in self._boxes.within(region):
            sides = list(zip(start, geometry.shape, region, strict=True))
            own_region = [(max(low - at, 0), min(high - at, n)) for at, n, (low, high) in sides]
            for piece in self._cutter_of(geometry).cut(own_region):
                by = [max(at - low, 0) for at, _, (low, _) in sides]
                place = tuple([(first + i, last + i) for (first, last), i in zip(piece.place, by, strict=True)])
                yield piece._replace(place=place)
