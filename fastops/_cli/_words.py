"""What plans read, in words: the lines of `fastops explain`."""

from __future__ import annotations

from dataclasses import dataclass

from fastops._geometry._axis_map import AxisMap
from fastops.plan._slice_plan import SlicePlan

_PREVIEW = 9


@dataclass(frozen=True, slots=True)
class Block:
    """One line on a part of a call, notes on what may surprise in it, and the lines of a picture."""

    line: str
    notes: tuple[str, ...] = ()
    picture: tuple[str, ...] = ()


def maps_of(plan: SlicePlan) -> tuple[AxisMap, ...]:
    """Return the axes of an operator's plan, each of which it reads in one mode."""
    return tuple([axis for axis in plan.axes if type(axis) is AxisMap])


def describe_plan(name: str, plan: SlicePlan) -> str:
    """Return the shapes of a plan, and whether it has to copy."""
    view = "reads in bounds, so it can be a view" if plan.is_view else "reads out of bounds, so it is a copy"
    return f"{name}: {plan.source_shape} -> {plan.shape}, {view if plan.size else 'which is empty'}"


def describe_axis(k: int, axis: AxisMap, *, is_read: bool = True) -> str:
    """Return the numbers of an axis and what they mean; of one in an empty plan, which is not read, its lengths only.

    Examples
    --------
    >>> describe_axis(0, AxisMap.create(5, 4, -2, 3))
    'axis 0: extent 5, start 4, stride -2, count 3, strict_bounds: indices 4 2 0'
    """
    if not is_read:
        return f"axis {k}: extent {axis.extent}, count {axis.count}: not read, because the result is empty"
    return f"axis {k}: {axis}: {_reading(axis)}"


def numbered(first: int, last: int, one: str, many: str) -> str:
    """Return ``"bit 3"`` or ``"bits 3..5"``, by the words for one and for many."""
    return f"{one} {first}" if first == last else f"{many} {first}..{last}"


def _reading(axis: AxisMap) -> str:
    last = axis.count - 1
    if not axis.is_strict:
        return f"coordinates {axis.start}..{axis.start + last * axis.stride} read {_preview(axis)}"
    if axis == AxisMap.whole(axis.extent):
        return "the whole axis"
    if axis.count == 1:
        return f"index {axis.start}"
    if axis.stride == 0:
        return f"index {axis.start}, {axis.count} times"
    if axis.stride == -1 and axis.count == axis.extent:
        return "the whole axis, reversed"
    if axis.stride == 1:
        return f"indices {axis.start}..{axis.start + last}"
    return f"indices {_preview(axis)}"


def _preview(axis: AxisMap) -> str:
    """Return the source indices, the first ones where they are many; FILL stands for the fill value."""
    if axis.count <= _PREVIEW:
        return " ".join(_index(axis, y) for y in range(axis.count))
    first = " ".join(_index(axis, y) for y in range(_PREVIEW - 2))
    return f"{first} ... {_index(axis, axis.count - 1)}"


def _index(axis: AxisMap, y: int) -> str:
    index = axis.source(y)
    return "FILL" if index is None else str(index)
