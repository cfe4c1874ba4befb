"""Axes that callers name, and lists that have a value for each: what all operators check of them."""

from __future__ import annotations

from collections.abc import Sequence

from fastops._errors import AttributeValueError, counted
from fastops._lowering._axis_error import AxisError


def resolve_axis(attribute: str, axis: int, rank: int) -> int:
    """Return an axis counted from the front; negative axes count from the end."""
    if rank == 0:
        raise AxisError("", attribute, "name no axis of data of rank 0", axis, axis, None, rank)
    if not -rank <= axis < rank:
        raise AxisError("", attribute, f"be in {-rank}..{rank - 1}, for data of rank {rank}", axis, axis, None, rank)
    return axis + rank if axis < 0 else axis


def resolve_axes(attribute: str, axes: Sequence[int], rank: int, *, may_repeat: bool = False) -> tuple[int, ...]:
    """Return axes counted from the front, each once unless they may repeat."""
    named = tuple([resolve_axis(attribute, axis, rank) for axis in axes])
    if not may_repeat and len(set(named)) < len(named):
        raise AttributeValueError.about(attribute, "name each axis once", tuple(axes))
    return named


def resolve_axis_of(shape: Sequence[int], attribute: str, axis: int) -> int:
    """Return an axis counted from the front, of data that must have one."""
    if not shape:
        raise AxisError("", "data", "have at least one axis", tuple(shape), axis, None, 0)
    return resolve_axis(attribute, axis, len(shape))


def check_length(attribute: str, values: Sequence[object], n: int, of_what: str) -> None:
    """Raise unless a list has n values: as many as there are of something."""
    if len(values) != n:
        raise AttributeValueError.about(attribute, f"have {counted(n, 'value')}, one for each {of_what}", tuple(values))


def check_at_least_0(attribute: str, values: Sequence[int]) -> None:
    """Raise for negative values."""
    if min(values, default=0) < 0:
        raise AttributeValueError.about(attribute, "be at least 0", tuple(values))


def with_ones(lengths: Sequence[int], rank: int) -> tuple[int, ...]:
    """Return a shape with ones in front, so that it has so many axes."""
    return (*(1,) * (rank - len(lengths)), *lengths)
