"""Reading: what two plans read, compared output by output of each axis, whatever form they have.

An axis of a result is a row of outputs, each of which adds something to the source's indices, or is a fill value of
some slot; an element of the result is the sum over its axes, or the highest of their slots. So two plans read the same
if their axes do, but for what all outputs of one axis add: that another axis may add instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TypeAlias

from fastops._plans._factors import NO_AXIS, find_factors
from fastops._plans._map_runs import cycle_of, runs_of
from fastops._plans._plan_fields import SourceWindow
from fastops._plans._run_map import Map
from fastops._plans._slice_plan import SlicePlan, windows_of

#: What an output adds to each of the source's indices, or the slot of its fill value.
_Value: TypeAlias = tuple[int, ...] | int

# Outputs of an axis: how many, what the first one adds or the slot of all, and what each next one adds more.
_Stretch: TypeAlias = tuple[int, _Value, tuple[int, ...]]


def corners_of(plan: SlicePlan) -> tuple[object, ...]:
    """Return what the first and the last element of a result read: the same for plans that read alike."""
    if not plan.size:
        return ()
    return tuple([_element(plan, is_last=is_last) for is_last in (False, True)])


def _element(plan: SlicePlan, *, is_last: bool) -> _Value:
    total = [0] * len(plan.source_shape)
    slot = -1
    for axis, (source, offset, step) in zip(plan.axes, windows_of(plan), strict=True):
        first, stride = _at(axis, axis.count - 1 if is_last else 0)
        if first is None:
            slot = max(slot, stride)
        elif source != NO_AXIS:
            total[source] += offset + step * first
    return tuple(total) if slot < 0 else slot


def _at(axis: Map, y: int) -> tuple[int | None, int]:
    """Return what an output reads, and its slot if it is a fill value."""
    first = axis.source(y)
    if first is not None or not hasattr(axis, "runs"):
        return first, 0
    for run in axis.runs:
        if y < run.count:
            break
        y -= run.count
    return None, run.stride


def reads_alike(one: SlicePlan, other: SlicePlan, *, tells_slots: bool) -> bool:
    """True if two plans of the same shapes read the same; fill values of all slots are the same one by default."""
    if not one.size:
        return True
    sides = [_Side(plan, tells_slots=tells_slots) for plan in (one, other)]
    floors = [side.floor for side in sides]
    if floors[0] != floors[1] or (floors[0] < 0 and sides[0].origin != sides[1].origin):
        return False
    return all([_is_same(sides[0], sides[1], k) for k in range(len(one.shape))])


class _Side:
    """One of two plans that are compared.

    Attributes
    ----------
    floor : int
        The lowest slot that an element has; negative if any reads the source.
    origin : tuple of int
        What the axes' first outputs that read anything add up to.
    """

    def __init__(self, plan: SlicePlan, *, tells_slots: bool) -> None:
        self._tells_slots = tells_slots
        self._rank = len(plan.source_shape)
        self._groups: list[list[tuple[Map, SourceWindow]]] = [[] for _ in plan.shape]
        rest: list[tuple[Map, SourceWindow]] = []
        factors = find_factors([plan.axes[k].count for k in plan.order], plan.shape)
        assert factors is not None
        windows = windows_of(plan)
        for k, factor in zip(plan.order, factors, strict=True):
            (rest if factor.axis == NO_AXIS else self._groups[factor.axis]).append((plan.axes[k], windows[k]))
        groups = [*self._groups, *[[each] for each in rest]]
        self.floor = max([self._lowest(group) for group in groups], default=-1)
        total = [0] * self._rank
        if self.floor < 0:
            for group in groups:
                first = next(value for _, value, _ in self._stretches(group) if type(value) is tuple)
                total = [a + b for a, b in zip(total, first, strict=True)]
        self.origin = tuple(total)

    def limit(self, k: int) -> int | None:
        """Return after how many outputs axis k of the result repeats itself, where it is known to."""
        group = self._groups[k]
        return cycle_of(group[0][0]) if len(group) == 1 else None

    def stretches(self, k: int) -> Iterator[_Stretch]:
        """Yield the outputs of axis k of the result, joined, counted from the first one that reads anything."""
        origin: tuple[int, ...] | None = None
        for count, value, by in _join(self._raised(self._groups[k])):
            if type(value) is tuple:
                origin = value if origin is None else origin
                yield count, tuple([a - b for a, b in zip(value, origin, strict=True)]), by
            else:
                yield count, value, by

    def _raised(self, group: Sequence[tuple[Map, SourceWindow]]) -> Iterator[_Stretch]:
        """Yield outputs of which none lies below the floor."""
        for count, value, by in self._stretches(group):
            if self.floor >= 0:
                yield count, self.floor if type(value) is tuple else max(value, self.floor), ()
            else:
                yield count, value, by

    def _lowest(self, group: Sequence[tuple[Map, SourceWindow]]) -> int:
        """Return the lowest slot of a group's outputs, negative if any reads the source."""
        lowest = None
        for _, value, _ in self._stretches(group):
            if type(value) is tuple:
                return -1
            lowest = value if lowest is None else min(lowest, value)
        return -1 if lowest is None else lowest  # type: ignore[return-value]

    def _stretches(self, group: Sequence[tuple[Map, SourceWindow]]) -> Iterator[_Stretch]:
        """Yield the outputs of axes that are merged into one."""
        if not group:
            yield 1, (0,) * self._rank, (0,) * self._rank
            return
        (axis, window), inner = group[0], group[1:]
        for count, first, stride in runs_of(axis):
            if first is None:
                value: _Value = stride if self._tells_slots else 0
                by: tuple[int, ...] = ()
            else:
                value = self._vector(window, window.offset + window.step * first)
                by = self._vector(window, window.step * stride)
            if not inner:
                yield count, value, by
                continue
            for i in range(count):
                at = value if type(value) is int else tuple([a + i * b for a, b in zip(value, by, strict=True)])  # type: ignore[arg-type]
                for inner_count, inner_value, inner_by in self._stretches(inner):
                    yield inner_count, *_add(at, inner_value, inner_by)

    def _vector(self, window: SourceWindow, number: int) -> tuple[int, ...]:
        return tuple([number if k == window.axis else 0 for k in range(self._rank)])


def _add(outer: _Value, value: _Value, by: tuple[int, ...]) -> tuple[_Value, tuple[int, ...]]:
    """Return what outputs of an inner axis are at one output of an outer axis."""
    if type(outer) is int or type(value) is int:
        return max(outer if type(outer) is int else -1, value if type(value) is int else -1), ()
    return tuple([a + b for a, b in zip(outer, value, strict=True)]), by  # type: ignore[arg-type]


def _join(stretches: Iterator[_Stretch]) -> Iterator[_Stretch]:
    """Yield the same outputs, each stretch as long as it can be, from the first on; as `join_runs` does."""
    last: _Stretch | None = None
    for stretch in stretches:
        left: _Stretch | None = stretch
        while left is not None:
            if last is None:
                last, left = left, None
                continue
            joined, left = _joined(last, left)
            if joined is None:
                yield last
                last = None
                continue
            last = joined
            if left is not None:
                yield last
                last = None
    if last is not None:
        yield last


def _joined(last: _Stretch, stretch: _Stretch) -> tuple[_Stretch | None, _Stretch | None]:
    """Return a stretch with what continues it of the next one, and the rest of that."""
    (n, value, by), (count, first, stride) = last, stretch
    if type(value) is int or type(first) is int:
        return ((n + count, value, by), None) if value == first else (None, stretch)
    assert type(value) is type(first) is tuple
    step = tuple([b - a for a, b in zip(value, first, strict=True)]) if n == 1 else by
    if tuple([a + n * b for a, b in zip(value, step, strict=True)]) != first:
        return None, stretch
    if count == 1 or stride == step:
        return (n + count, value, step), None
    return (n + 1, value, step), (count - 1, tuple([a + b for a, b in zip(first, stride, strict=True)]), stride)


def _is_same(one: _Side, other: _Side, k: int) -> bool:
    """True if axis k of two results reads the same, but for an origin.

    Where both repeat themselves, they are the same if they are for as long as both cycles together take.
    """
    cycles = [side.limit(k) for side in (one, other)]
    left = None if cycles[0] is None or cycles[1] is None else cycles[0] + cycles[1]
    for first, second in zip_longest(one.stretches(k), other.stretches(k)):
        if left is not None and left <= 0:
            return True
        if first is None or second is None:
            return False
        (count, value, by), (other_count, other_value, other_by) = first, second
        if (count, value) != (other_count, other_value) or (count > 1 and by != other_by):
            return False
        if left is not None:
            left -= count
    return True
