"""Planned outputs: an output and the boxes that make it, each with a plan, for sources that are read by chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, NamedTuple, Protocol

from fastops._geometry._blocks import (
    AxisChunks,
    BlockCutter,
    BlockPiece,
    Chunks,
    Range,
    boxes_of,
    chunks_of_result,
    longest_of,
    merged_length,
    within_limits,
)
from fastops._geometry._geometry import NO_AXIS, Geometry, digits_of, find_factors, size_of, windows_of

# Plans of boxes whose cutters are kept for other blocks.
_MOST_CUTTERS = 256


class Box(NamedTuple):
    """A box of an output: its first index, and the plan of its elements."""

    start: tuple[int, ...]
    geometry: Geometry


class BoxesOf(Protocol):
    """The boxes that make an output; equal boxes have equal tokens, of plain values."""

    token: Any

    def within(self, region: Sequence[Range]) -> Iterator[Box]:
        """Yield the boxes that have a part in a region."""

    def chunks(self, chunks: Chunks, most: int) -> list[AxisChunks]:
        """Return the lengths of the chunks of the output, of so many elements at most, for a source in chunks."""


class ListedBoxes:
    """One box, or a few boxes."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._boxes = self.token = tuple(boxes)

    def within(self, region: Sequence[Range]) -> Iterator[Box]:
        """Yield the boxes that have a part in a region."""
        for box in self._boxes:
            sides = zip(box.start, box.geometry.shape, region, strict=True)
            if all([first < stop and start < first + n for first, n, (start, stop) in sides]):
                yield box

    def chunks(self, chunks: Chunks, most: int) -> list[AxisChunks]:
        """Return the lengths of the chunks of the output: those of the largest box."""
        own = chunks_of_result(max([box.geometry for box in self._boxes], key=size_of), chunks, most)
        return own if len(self._boxes) == 1 else list(map(longest_of, own))


class PlannedOutput:
    """One output, and the boxes that make it.

    Parameters
    ----------
    shape, source_shape : tuple of int
        Of the output and of the source.
    boxes : BoxesOf
        Each element of the output is in one of them.
    split_shape : tuple of int, optional
        The shape of which they are boxes, if it splits axes of the output.
    fills : int
        Number of fill values that a call may give.
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        source_shape: tuple[int, ...],
        boxes: BoxesOf,
        split_shape: tuple[int, ...] | None = None,
        fills: int = 1,
    ) -> None:
        self.fills = fills
        self.shape = shape
        self.source_shape = source_shape
        self.boxes = boxes
        self.split_shape = shape if split_shape is None else split_shape

    @classmethod
    def of_geometry(cls, geometry: Geometry) -> PlannedOutput:
        """Return the output of one plan."""
        boxes = ListedBoxes([Box((0,) * len(geometry.shape), geometry)])
        return cls(geometry.shape, geometry.source_shape, boxes, None, geometry.fills)

    @property
    def geometry(self) -> Geometry | None:
        """The plan of the whole output; None if the output has several boxes."""
        boxes = list(self.boxes.within([(0, n) for n in self.shape])) if type(self.boxes) is ListedBoxes else []
        return boxes[0].geometry if len(boxes) == 1 and boxes[0].geometry.shape == self.shape else None

    def default_chunks(self, chunks: Chunks, most: int) -> Chunks:
        """Return the chunks of the output, of so many elements at most, for a source in chunks."""
        lengths = self.boxes.chunks(chunks, most)
        if self.split_shape != self.shape:
            split, lengths = lengths, []
            for digits in self.split_axes:
                if len(digits) == 1:
                    lengths.append(split[digits[0]])
                else:
                    counts, longest = [self.split_shape[k] for k in digits], [longest_of(split[k]) for k in digits]
                    lengths.append(merged_length(counts, prod(longest)))
        return within_limits(self.shape, lengths, chunks, most)

    @property
    def split_axes(self) -> list[list[int]]:
        """For each axis of the output, the axes of `split_shape` that it merges, but for those of length 1."""
        axes: list[list[int]] = [[] for _ in self.shape]
        for k, (axis, _) in enumerate(find_factors(self.split_shape, self.shape) or ()):
            if axis != NO_AXIS:
                axes[axis].append(k)
        return axes


def source_axes(output: PlannedOutput) -> list[int | None]:
    """Return the axis of the source that each axis of an output reads; None for new axes, and for merged ones.

    An axis of length 1 reads no axis. It is taken for the axis of the source at its place, if all others are at their
    places, or for the only axis of length 1 that is left.

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
    targets = {k: t for t, own in enumerate(output.split_axes) for k in own}
    for _, geometry in output.boxes.within([(0, n) for n in output.split_shape]):
        windows = windows_of(geometry)
        for k, own in enumerate(digits_of(geometry)):
            if k in targets:
                read[targets[k]] |= {windows[i].axis for i in own} - {NO_AXIS}
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
    """Cuts a planned output into blocks, for a source in chunks, as `BlockCutter` cuts the result of a plan.

    Parameters
    ----------
    output : PlannedOutput
    chunks : Chunks
        The lengths of the source's chunks along each of its axes.
    """

    def __init__(self, output: PlannedOutput, chunks: Chunks) -> None:
        self._output = output
        self._split_axes = [] if output.split_shape == output.shape else output.split_axes
        self._cutter_of = lru_cache(_MOST_CUTTERS)(lambda geometry: BlockCutter(geometry, chunks))

    def cut(self, region: Sequence[Range]) -> Iterator[BlockPiece]:
        """Yield the pieces of a block of the output: each element of the block is in one piece."""
        shape = self._output.split_shape
        if any([start >= stop for start, stop in region]):
            return
        if shape == self._output.shape:
            yield from self._cut_boxes(region)
            return
        counts = [[shape[k] for k in own] for own in self._split_axes]
        for sides in product(*[list(boxes_of(n, *bounds)) for n, bounds in zip(counts, region, strict=True)]):
            split = [(0, 1)] * len(shape)
            for own, (_, digits) in zip(self._split_axes, sides, strict=True):
                for k, bounds in zip(own, digits, strict=True):
                    split[k] = bounds
            place = tuple([(a - start, b - start) for (start, _), ((a, b), _) in zip(region, sides, strict=True)])
            lengths = tuple([stop - start for start, stop in split])
            for piece in self._cut_boxes(split):
                yield piece._replace(place=place, split=(lengths, piece.place))

    def _cut_boxes(self, region: Sequence[Range]) -> Iterator[BlockPiece]:
        """Yield the pieces of a region of `split_shape`."""
        for start, geometry in self._output.boxes.within(region):
            sides = list(zip(start, geometry.shape, region, strict=True))
            own_region = [(max(low - at, 0), min(high - at, n)) for at, n, (low, high) in sides]
            for piece in self._cutter_of(geometry).cut(own_region):
                by = [max(at - low, 0) for at, _, (low, _) in sides]
                place = tuple([(first + i, last + i) for (first, last), i in zip(piece.place, by, strict=True)])
                yield piece._replace(place=place)
