"""Planned outputs: one output and the plans that write it, each a box, for sources that are read chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from typing import NamedTuple, Protocol, TypeAlias

from fastops._plans._axis_cuts import Range
from fastops._plans._axis_map import AxisMap
from fastops._plans._blocks import BlockCutter, BlockPart
from fastops._plans._factors import NO_AXIS, find_factors
from fastops._plans._map_runs import runs_of
from fastops._plans._plan_runs import windows_of
from fastops._plans._run_map import Map
from fastops._plans._slice_plan import SlicePlan

#: Lengths of chunks along each axis.
Chunks: TypeAlias = tuple[tuple[int, ...], ...]

# Outputs along an axis that read nothing new, as those of a pad, add as many chunks to those of the source.
_MOST_MORE = 2

# Boxes of an output of which what was cut is kept for other blocks.
_MOST_CUTTERS = 256


class Box(NamedTuple):
    """A box of an output: where it begins, and the plan that gives it."""

    start: tuple[int, ...]
    plan: SlicePlan


class Block(NamedTuple):
    """A box of an output, cut into what a source's chunks give.

    Attributes
    ----------
    shape : tuple of int
        Of the block.
    region : tuple of Range
        Where it lies in the output, whose axes are split as boxes need it.
    parts : list of BlockPart
        Boxes of `region`, each by one plan.
    """

    shape: tuple[int, ...]
    region: tuple[Range, ...]
    parts: list[BlockPart]

    @property
    def split_shape(self) -> tuple[int, ...]:
        """The shape that parts are boxes of."""
        return tuple([stop - start for start, stop in self.region])


class BoxesOf(Protocol):
    """The boxes that make an output."""

    def within(self, region: Sequence[Range]) -> Iterator[Box]:
        """Yield those that have a part in a region."""

    def describe(self) -> Iterator[str]:
        """Yield texts that say what all of them are: equal ones for equal boxes."""

    def chunks(self, shape: Sequence[int], chunks: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
        """Return the chunks of what they make, of a shape, for a source in chunks."""


class ListedBoxes:
    """Boxes that are few, or one."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._boxes = tuple(boxes)

    def within(self, region: Sequence[Range]) -> Iterator[Box]:
        """Yield those that have a part in a region."""
        for box in self._boxes:
            sides = zip(box.start, box.plan.shape, region, strict=True)
            if all([first < stop and start < first + n for first, n, (start, stop) in sides]):
                yield box

    def describe(self) -> Iterator[str]:
        """Yield the start and the plan of each."""
        for box in self._boxes:
            yield f"{box.start} {box.plan.to_json()}"

    def chunks(self, shape: Sequence[int], chunks: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
        """Return the chunks of what they make: as long as those of the largest box alone."""
        largest = max(self._boxes, key=lambda box: box.plan.size)
        own = chunks_of_result(largest.plan, chunks)
        if len(self._boxes) == 1:
            return own
        return tuple([regular_lengths(n, max(lengths)) for n, lengths in zip(shape, own, strict=True)])


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
    def of_plan(cls, plan: SlicePlan) -> PlannedOutput:
        """Return the output of one plan."""
        return cls(plan.shape, plan.source_shape, ListedBoxes([Box((0,) * len(plan.shape), plan)]), None, plan.fills)

    @property
    def is_identity(self) -> bool:
        """True if it is known to be what the source is."""
        if self.shape != self.source_shape:
            return False
        boxes = list(islice(self.boxes.within([(0, n) for n in self.split_shape]), 2))
        return len(boxes) == 1 and boxes[0].plan == SlicePlan.create([AxisMap.whole(n) for n in self.shape])

    def default_chunks(self, chunks: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
        """Return the chunks of the output for a source in chunks; an axis that is made of several is one chunk."""
        split = self.boxes.chunks(self.split_shape, chunks)
        if self.split_shape == self.shape:
            return split
        own: list[tuple[int, ...]] = [(n,) for n in self.shape]
        for factor, lengths in zip(find_factors(self.split_shape, self.shape) or (), split, strict=True):
            if factor.axis != NO_AXIS and factor.axis not in self.merged_axes:
                own[factor.axis] = lengths
        return tuple(own)

    @property
    def merged_axes(self) -> dict[int, list[int]]:
        """The axes that boxes are boxes of, for each axis of the output that is made of several."""
        if self.split_shape == self.shape:
            return {}
        merged: dict[int, list[int]] = {}
        for k, factor in enumerate(find_factors(self.split_shape, self.shape) or ()):
            merged.setdefault(factor.axis, []).append(k)
        return {axis: own for axis, own in merged.items() if axis != NO_AXIS and len(own) > 1}


class OutputCutter:
    """Cuts a planned output into blocks, for a source in chunks: what `BlockCutter` does for a plan.

    Parameters
    ----------
    output : PlannedOutput
    chunks : tuple of tuple of int
        The lengths of the source's chunks along each of its axes.
    """

    def __init__(self, output: PlannedOutput, chunks: tuple[tuple[int, ...], ...]) -> None:
        self._output = output
        self._chunks = chunks
        self._cutters: dict[tuple[int, ...], BlockCutter] = {}

    def cut(self, region: Sequence[Range]) -> Block:
        """Return a block of the output; an axis that boxes split has to be in it as a whole."""
        output = self._output
        shape = tuple([stop - start for start, stop in region])
        split = tuple(region) if output.split_shape == output.shape else self._split(region)
        parts: list[BlockPart] = []
        for start, plan in output.boxes.within(split):
            cutter = self._cutters.get(start)
            if cutter is None:
                cutter = BlockCutter(plan, self._chunks)
                if len(self._cutters) < _MOST_CUTTERS:
                    self._cutters[start] = cutter
            if plan.shape == output.split_shape:
                parts += cutter.cut(split)
                continue
            sides = list(zip(start, plan.shape, split, strict=True))
            own = [(max(low - first, 0), min(high - first, n)) for first, n, (low, high) in sides]
            by = [max(first - low, 0) for first, _, (low, _) in sides]
            for part in cutter.cut(own):
                parts.append(part._replace(start=tuple([i + k for i, k in zip(part.start, by, strict=True)])))
        return Block(shape, tuple(split), parts)

    def _split(self, region: Sequence[Range]) -> tuple[Range, ...]:
        """Return a region of the output as one of the shape that boxes are boxes of."""
        output = self._output
        split: list[Range] = [(0, n) for n in output.split_shape]
        factors = find_factors(output.split_shape, output.shape) or ()
        merged = output.merged_axes
        for k, factor in enumerate(factors):
            if factor.axis != NO_AXIS and factor.axis not in merged:
                split[k] = region[factor.axis]
        for axis in merged:
            assert region[axis] == (0, output.shape[axis])
        return tuple(split)


def regular_lengths(extent: int, length: int) -> tuple[int, ...]:
    """Return the lengths of chunks of one length, of which the last may be shorter.

    Examples
    --------
    >>> regular_lengths(10, 4), regular_lengths(0, 4)
    ((4, 4, 2), (0,))
    """
    whole, rest = divmod(extent, max(length, 1))
    return (*(length,) * whole, *((rest,) if rest or not whole else ()))


def chunks_of_result(plan: SlicePlan, chunks: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Return the chunks of a plan's result, for a source in chunks: regular ones, but for axes that stay as they are.

    A chunk is as long as the longest of the source along the axis that is read, divided by the stride, so that it reads
    about as much. Where most of an axis reads nothing new, as a wide pad, chunks are longer: they are at most two more
    than what is read has. A new axis is one chunk where chunks are repeated along it as they are, and at most three
    else.
    """
    if not plan.size:
        return tuple([(n,) for n in plan.shape])
    factors = find_factors([plan.axes[k].count for k in plan.order], plan.shape)
    assert factors is not None
    digits: list[list[int]] = [[] for _ in plan.shape]
    for k, factor in zip(plan.order, factors, strict=True):
        if factor.axis != NO_AXIS:
            digits[factor.axis].append(k)
    windows = windows_of(plan)
    # Then chunks are repeated along new axes as views.
    is_as_it_is = plan.is_ordered and all([a.extent == 1 or a == AxisMap.whole(a.extent) for a in plan.axes])
    found: list[tuple[int, ...]] = []
    for n, own in zip(plan.shape, digits, strict=True):
        if not own:
            found.append((n,))
            continue
        source, _, step = windows[own[0]]
        axis, inner = plan.axes[own[0]], prod([plan.axes[k].count for k in own[1:]])
        if source == NO_AXIS:
            few = inner * -(-axis.count // (1 + _MOST_MORE))
            found.append((n,) if is_as_it_is else regular_lengths(n, few))
        elif inner == 1 and abs(step) == 1 and axis == AxisMap.whole(sum(chunks[source])):
            found.append(tuple(chunks[source]))
        else:
            found.append(regular_lengths(n, _length_of(axis, step, max(chunks[source], default=1) or 1, inner)))
    return tuple(found)


def _length_of(axis: Map, step: int, length: int, inner: int) -> int:
    """Return how long a result's chunks are, of which ``inner`` outputs belong to one of the axis."""
    strides = [abs(stride * step) for count, first, stride in _few_runs(axis) if first is not None and count > 1]
    own = -(-length // max(max(strides, default=1), 1))
    if inner > 1:
        return max(own // inner, 1) * inner
    constant = sum([count for count, first, stride in _few_runs(axis) if first is None or stride == 0])
    most = -(-(axis.count - constant) // own) + _MOST_MORE
    return own * -(-axis.count // (own * most))


def _few_runs(axis: Map) -> Iterator[tuple[int, int | None, int]]:
    """Yield the runs of an axis of few; of one that goes around, one that says how."""
    if type(axis) is AxisMap and axis.mode.name in ("WRAP", "REFLECT", "SYMMETRIC"):
        yield axis.count, axis.start, axis.stride
    else:
        yield from runs_of(axis)
