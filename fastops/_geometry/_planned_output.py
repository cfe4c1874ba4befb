"""Planned outputs: one output and the plans that write it, each a box, for sources that are read chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import prod
from typing import Any, NamedTuple, Protocol

from fastops._geometry._axis_cuts import Range
from fastops._geometry._blocks import BlockCutter, BlockPart, BlockPiece, boxes_of, reads
from fastops._geometry._factors import NO_AXIS, find_factors
from fastops._geometry._geometry import Geometry, is_identity, size_of
from fastops._geometry._json import geometry_to_json
from fastops._geometry._result_chunks import (
    AxisLengths,
    ChunkLimits,
    Chunks,
    chunks_of_result,
    merged_length,
    within_limits,
)

# Boxes of an output of which what was cut is kept for other blocks.
_MOST_CUTTERS = 256


class Box(NamedTuple):
    """A box of an output: where it begins, and the plan that gives it."""

    start: tuple[int, ...]
    geometry: Geometry


class BoxesOf(Protocol):
    """The boxes that make an output."""

    def within(self, region: Sequence[Range]) -> Iterator[Box]:
        """Yield those that have a part in a region."""

    def describe(self) -> Iterator[str]:
        """Yield texts that say what all of them are: equal ones for equal boxes."""

    def reads(self) -> bool:
        """True if any of them reads anything but fill values."""

    def chunks(self, shape: Sequence[int], chunks: Chunks, limits: ChunkLimits) -> list[AxisLengths]:
        """Return how long the chunks of what they make are, of a shape, for a source in chunks."""


class ListedBoxes:
    """Boxes that are few, or one; chunks of what they make are those of ``like``, by default of the largest box."""

    def __init__(self, boxes: Sequence[Box], like: Geometry | None = None) -> None:
        self._boxes = tuple(boxes)
        self._like = boxes[0].geometry if len(boxes) == 1 else like

    def within(self, region: Sequence[Range]) -> Iterator[Box]:
        """Yield those that have a part in a region."""
        for box in self._boxes:
            sides = zip(box.start, box.geometry.shape, region, strict=True)
            if all([first < stop and start < first + n for first, n, (start, stop) in sides]):
                yield box

    def describe(self) -> Iterator[str]:
        """Yield the start and the plan of each."""
        for box in self._boxes:
            yield f"{box.start} {geometry_to_json(box.geometry)}"

    def reads(self) -> bool:
        """True if any of them reads anything but fill values."""
        return any([reads(box.geometry) for box in self._boxes])

    def chunks(self, shape: Sequence[int], chunks: Chunks, limits: ChunkLimits) -> list[AxisLengths]:
        """Return how long the chunks of what they make are."""
        if self._like is not None:
            return chunks_of_result(self._like, chunks, limits)
        largest = max(self._boxes, key=lambda box: size_of(box.geometry))
        own = chunks_of_result(largest.geometry, chunks, limits)
        return [AxisLengths(n, axis.length) for n, axis in zip(shape, own, strict=True)]


class PlannedOutput:
    """One output, and what writes it.

    Parameters
    ----------
    shape, source_shape : tuple of int
        Its shape, and that of the source.
    boxes : BoxesOf
        They do not overlap, and leave no element out.
    split_shape : tuple of int, optional
        The shape that they are boxes of, where that is one that splits axes of the output.
    fills : int
        Fill values that a call may give.
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
    def is_identity(self) -> bool:
        """True if it is known to be what the source is."""
        if self.shape != self.source_shape:
            return False
        boxes = list(islice(self.boxes.within([(0, n) for n in self.split_shape]), 2))
        return len(boxes) == 1 and is_identity(boxes[0].geometry)

    @property
    def reads(self) -> bool:
        """True if anything but fill values is read."""
        return 0 not in self.shape and self.boxes.reads()

    def default_chunks(self, chunks: Chunks, limits: ChunkLimits) -> Chunks:
        """Return the chunks of the output for a source in chunks."""
        split = self.boxes.chunks(self.split_shape, chunks, limits)
        if self.split_shape == self.shape:
            return within_limits(split, limits)
        own = []
        for n, digits in zip(self.shape, self.split_axes, strict=True):
            if len(digits) == 1:
                own.append(split[digits[0]])
            else:
                counts, most = [self.split_shape[k] for k in digits], prod([split[k].length for k in digits])
                own.append(AxisLengths(n, merged_length(counts, most)))
        return within_limits(own, limits)

    @property
    def split_axes(self) -> list[list[int]]:
        """The axes of `split_shape` that each axis of the output is made of, but for those of length 1."""
        axes: list[list[int]] = [[] for _ in self.shape]
        for k, (axis, _) in enumerate(find_factors(self.split_shape, self.shape) or ()):
            if axis != NO_AXIS:
                axes[axis].append(k)
        return axes


class OutputCutter:
    """Cuts a planned output into blocks, for a source in chunks: what `BlockCutter` does for a plan.

    Parameters
    ----------
    output : PlannedOutput
    chunks : Chunks
        The lengths of the source's chunks along each of its axes.
    """

    def __init__(self, output: PlannedOutput, chunks: Chunks) -> None:
        self._output = output
        self._chunks = chunks
        self._split_axes = [] if output.split_shape == output.shape else output.split_axes
        self._cutters: dict[tuple[int, ...], BlockCutter] = {}
        # What parts of the output as boxes make it are in the output itself, with what keeps the key theirs.
        self._merged: dict[tuple[Any, ...], tuple[tuple[BlockPiece, ...], tuple[BlockPiece, ...]]] = {}

    def cut(self, region: Sequence[Range]) -> list[BlockPart]:
        """Return the parts of a block of the output, of which nothing is left out, and nothing is twice."""
        output = self._output
        if output.split_shape == output.shape:
            return list(self._cut_boxes(region))
        parts: list[BlockPart] = []
        if any([start >= stop for start, stop in region]):
            return parts
        counts = [[output.split_shape[k] for k in own] for own in self._split_axes]
        for sides in product(*[list(boxes_of(n, *bounds)) for n, bounds in zip(counts, region, strict=True)]):
            split = [(0, 1)] * len(output.split_shape)
            for own, (_, digits) in zip(self._split_axes, sides, strict=True):
                for k, bounds in zip(own, digits, strict=True):
                    split[k] = bounds
            place = [(low - start, high - start) for (start, _), ((low, high), _) in zip(region, sides, strict=True)]
            parts += [self._merge(part, place, split) for part in self._cut_boxes(split)]
        return parts

    def _cut_boxes(self, region: Sequence[Range]) -> Iterator[BlockPart]:
        """Yield the parts of a region of what boxes are boxes of."""
        for start, geometry in self._output.boxes.within(region):
            cutter = self._cutters.get(start)
            if cutter is None:
                cutter = BlockCutter(geometry, self._chunks)
                if len(self._cutters) < _MOST_CUTTERS:
                    self._cutters[start] = cutter
            if geometry.shape == self._output.split_shape:
                yield from cutter.cut(region)
                continue
            sides = list(zip(start, geometry.shape, region, strict=True))
            by = [max(first - low, 0) for first, _, (low, _) in sides]
            for part in cutter.cut([(max(low - first, 0), min(high - first, n)) for first, n, (low, high) in sides]):
                yield part._replace(start=tuple([i + k for i, k in zip(part.start, by, strict=True)]))

    def _merge(self, part: BlockPart, place: Sequence[Range], split: Sequence[Range]) -> BlockPart:
        """Return a part of a split region as one of a block of the output, in which that region has a place."""
        shape = tuple([stop - start for start, stop in split])
        key = (id(part.pieces), part.start, shape)
        found = self._merged.get(key)
        if found is None:
            whole = tuple([(0, stop - start) for start, stop in place])
            pieces = []
            for piece in part.pieces:
                sides = zip(part.start, piece.place, strict=True)
                within = tuple([(first + low, first + high) for first, (low, high) in sides])
                pieces.append(piece._replace(place=whole, splits=((shape, within), *piece.splits)))
            found = self._merged[key] = tuple(pieces), part.pieces
        return part._replace(start=tuple([start for start, _ in place]), pieces=found[0])
