"""Reading: what two plans read, compared output by output of each axis, whatever form they have.

An axis of a result is a row of outputs, each of which adds something to the source's indices, or is a fill value of
some slot; an element of the result is the sum over its axes, or the highest of their slots. So two plans read the same
if their axes do, but for what all outputs of one axis add: that another axis may add instead.

Nothing is compared one by one that is regular: an axis is a row of blocks, and two rows are compared block by block,
cut to one length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from typing import NamedTuple, TypeAlias

from fastops._geometry._axis_map import AxisMap
from fastops._geometry._factors import NO_AXIS
from fastops._geometry._geometry import Geometry, SourceWindow, digits_of, size_of
from fastops._geometry._map_composition import slots_of
from fastops._geometry._map_runs import cycle_of, goes_alike, runs_of
from fastops._geometry._run_map import Map
from fastops._geometry._source_runs import windows_of

#: What an output adds to each of the source's indices, or the slot of its fill value.
_Value: TypeAlias = tuple[int, ...] | int

# Rows of more blocks are not compared to their ends: whoever merges axes that fold often has as many.
_MOST_BLOCKS = 1 << 16


def hash_of(geometry: Geometry) -> int:
    """Return the hash of the shapes and of what the first and the last element read: one for all that read alike."""
    corners = [_element(geometry, is_last=is_last) for is_last in (False, True)] if size_of(geometry) else []
    return hash((geometry.shape, geometry.source_shape, geometry.fills, *corners))


def _element(geometry: Geometry, *, is_last: bool) -> _Value:
    """Return what the first or the last element reads: the sum over the axes, or the highest of their slots."""
    total = [0] * len(geometry.source_shape)
    slot = -1
    for axis, (source, offset, step) in zip(geometry.axes, windows_of(geometry), strict=True):
        if type(axis) is AxisMap:
            first, own_slot = axis.source(axis.count - 1 if is_last else 0), 0
        else:
            run = axis.runs[-1 if is_last else 0]
            first, own_slot = run.source(run.count - 1 if is_last else 0), run.stride
        if first is None:
            slot = max(slot, own_slot)
        elif source != NO_AXIS:
            total[source] += offset + step * first
    return tuple(total) if slot < 0 else slot


def reads_alike(one: Geometry, other: Geometry, *, tells_slots: bool) -> bool:
    """True if two plans read the same, whatever their forms are; fill values of all slots are the same one by default.

    Those that tell slots have as many of them.
    """
    if (one.shape, one.source_shape) != (other.shape, other.source_shape):
        return False
    if tells_slots and one.fills != other.fills:
        return False
    if (one.axes, one.order, one.windows) == (other.axes, other.order, other.windows) or not size_of(one):
        return True
    sides = [_Side(geometry, tells_slots=tells_slots) for geometry in (one, other)]
    floors = [side.floor for side in sides]
    if floors[0] != floors[1] or (floors[0] < 0 and sides[0].origin != sides[1].origin):
        return False
    return all(_is_same(sides[0], sides[1], k) for k in range(len(one.shape)))


class _Block(NamedTuple):
    """Outputs that follow each other: of one fill value, or those of digits, from the outermost one to the innermost.

    Attributes
    ----------
    value : tuple of int or int
        What the first output adds, or the slot of all.
    digits : tuple of (int, tuple of int)
        Outputs of each digit, more than one, and what each next one of them adds more; that is empty for fill values.
    """

    value: _Value
    digits: tuple[tuple[int, tuple[int, ...]], ...]

    @classmethod
    def of(cls, value: _Value, digits: Sequence[tuple[int, tuple[int, ...]]]) -> _Block:
        """Return the block in the only form that it has: digits that go on as one are one."""
        if type(value) is int:
            length = prod([n for n, _ in digits])
            return cls(value, ((length, ()),) if length > 1 else ())
        joined: list[tuple[int, tuple[int, ...]]] = []
        for n, by in reversed(digits):
            if n == 1:
                continue
            if joined and by == tuple([joined[-1][0] * each for each in joined[-1][1]]):
                joined[-1] = (n * joined[-1][0], joined[-1][1])
            else:
                joined.append((n, by))
        return cls(value, tuple(joined[::-1]))

    @property
    def length(self) -> int:
        """Number of outputs."""
        return prod([n for n, _ in self.digits])

    def repeated(self, n: int, value: _Value, by: tuple[int, ...]) -> _Block:
        """Return what n outputs of an outer axis, which add so much, make of a block of the inner axes."""
        if type(value) is int or type(self.value) is int:
            slot = max([each for each in (value, self.value) if type(each) is int])
            return _Block.of(slot, ((n, ()), *self.digits))
        assert type(value) is type(self.value) is tuple
        return _Block.of(_sum(value, self.value), ((n, by), *self.digits))

    def cut(self, most: int) -> list[_Block]:
        """Return the outputs as several blocks, the first one of which has at most so many; there are more."""
        (n, by), *inner = self.digits
        length = prod([each for each, _ in inner])
        if most >= length:
            n_first = most // length
            second = _sum(self.value, [n_first * each for each in by]) if type(self.value) is tuple else self.value
            return [_Block.of(self.value, ((n_first, by), *inner)), _Block.of(second, ((n - n_first, by), *inner))]
        assert type(self.value) is tuple
        rest = _Block.of(_sum(self.value, by), ((n - 1, by), *inner))
        return [*_Block.of(self.value, inner).cut(most), rest]


def _sum(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple([a + b for a, b in zip(one, other, strict=True)])


class _Side:
    """One of two plans that are compared.

    Attributes
    ----------
    floor : int
        The lowest slot that an element has; negative if any reads the source.
    origin : tuple of int
        What the axes' first outputs that read anything add up to.
    """

    def __init__(self, geometry: Geometry, *, tells_slots: bool) -> None:
        self._tells_slots = tells_slots
        self._rank = len(geometry.source_shape)
        pairs = list(zip(geometry.axes, windows_of(geometry), strict=True))
        digits = digits_of(geometry)
        merged = {k for own in digits for k in own}
        self._groups = [[pairs[k] for k in own] for own in digits]
        groups = [*self._groups, *[[pair] for k, pair in enumerate(pairs) if k not in merged]]
        self.floor = max([self._lowest(group) for group in groups], default=-1)
        total = (0,) * self._rank
        if self.floor < 0:
            for axis, window in [each for group in groups for each in group]:
                first = next(first for _, first, _ in runs_of(axis) if first is not None)
                total = _sum(total, self._vector(window, window.offset + window.step * first))
        self.origin = total

    def axis(self, k: int) -> tuple[Map, SourceWindow] | None:
        """Return the axis of the plan that axis k of the result is, where it is one."""
        return self._groups[k][0] if len(self._groups[k]) == 1 else None

    def blocks(self, k: int) -> Iterator[_Block]:
        """Yield the outputs of axis k of the result, counted from the first one that reads anything."""
        origin: tuple[int, ...] | None = None
        for value, digits in self._blocks(self._groups[k]):
            if type(value) is int or self.floor >= 0:
                # No element lies below the floor.
                slot = self.floor if type(value) is tuple else max(value, self.floor)
                yield _Block.of(slot, digits)
                continue
            assert type(value) is tuple
            origin = value if origin is None else origin
            yield _Block(_sum(value, [-each for each in origin]), digits)

    def _lowest(self, group: Sequence[tuple[Map, SourceWindow]]) -> int:
        """Return the lowest slot of a group's outputs, negative if any reads the source."""
        lowest = -1
        for axis, _ in group:
            if not any(first is not None for _, first, _ in runs_of(axis)):
                lowest = max(lowest, min([self._slot(slot) for _, _, slot in runs_of(axis)]))
        return lowest

    def _slot(self, slot: int) -> int:
        return slot if self._tells_slots else 0

    def _blocks(self, group: Sequence[tuple[Map, SourceWindow]]) -> Iterator[_Block]:
        """Yield the outputs of axes that are merged into one."""
        if not group:
            yield _Block((0,) * self._rank, ())
            return
        (axis, window), inner = group[0], group[1:]
        first_blocks = list(islice(self._blocks(inner), 2))
        length = prod([axis.count for axis, _ in inner])
        highest = max([self._slot(slot) for axis, _ in inner for slot in slots_of(axis)], default=-1)
        for count, first, stride in runs_of(axis):
            if first is None:
                value: _Value = self._slot(stride)
                by: tuple[int, ...] = ()
            else:
                value = self._vector(window, window.offset + window.step * first)
                by = self._vector(window, window.step * stride)
            if len(first_blocks) == 1:
                yield first_blocks[0].repeated(count, value, by)
                continue
            if type(value) is int and value >= highest:
                yield _Block.of(value, ((count * length, ()),))
                continue
            for i in range(count):
                at = value if type(value) is int else _sum(value, [i * each for each in by])  # type: ignore[arg-type]
                for block in self._blocks(inner):
                    yield block.repeated(1, at, ())

    def _vector(self, window: SourceWindow, number: int) -> tuple[int, ...]:
        return tuple([number if k == window.axis else 0 for k in range(self._rank)])


class _Row:
    """Blocks that are taken one after the other, and cut."""

    def __init__(self, blocks: Iterator[_Block]) -> None:
        self._blocks = blocks
        self._left: list[_Block] = []

    def take(self) -> _Block | None:
        """Return the next block, None behind the last one."""
        return self._left.pop() if self._left else next(self._blocks, None)

    def cut(self, block: _Block, most: int) -> _Block:
        """Return at most so many outputs of a block that was taken; the others are taken next."""
        first, *others = block.cut(most)
        self._left += others[::-1]
        return first


def _is_same(one: _Side, other: _Side, k: int) -> bool:
    """True if axis k of two results reads the same, but for an origin.

    Where both repeat themselves, they are the same if they are for as long as both cycles together take.
    """
    left = None
    only, other_only = one.axis(k), other.axis(k)
    if only is not None and other_only is not None:
        (axis, window), (other_axis, other_window) = only, other_only
        cycle, other_cycle = cycle_of(axis), cycle_of(other_axis)
        if cycle is not None and other_cycle is not None:
            assert type(axis) is type(other_axis) is AxisMap
            is_alike = (axis.extent, axis.mode, window) == (other_axis.extent, other_axis.mode, other_window)
            if is_alike and goes_alike(axis, other_axis):
                return True
            left = cycle + other_cycle
    rows = _Row(one.blocks(k)), _Row(other.blocks(k))
    for _ in range(_MOST_BLOCKS):
        block, other_block = rows[0].take(), rows[1].take()
        if block is None or other_block is None:
            return block is other_block
        if left is not None and left <= 0:
            return True
        while block.length != other_block.length:
            if block.length > other_block.length:
                block = rows[0].cut(block, other_block.length)
            else:
                other_block = rows[1].cut(other_block, block.length)
        if block != other_block:
            return False
        if left is not None:
            left -= block.length
    return False
