"""The geometry of what reads nothing: the values of a range."""

from __future__ import annotations

from copyreg import pickle
from math import inf
from typing import Any, NamedTuple

from fastops._errors import AttributeValueError


class RangeGeometry(NamedTuple):
    """The values ``start + i * step`` for ``0 <= i < count``; `fastops.plan.RangePlan` is what users hold of it.

    start and step are integers for an integral output type, already truncated, and floats for a float type, not yet
    rounded to it.
    """

    start: int | float
    step: int | float
    count: int  # type: ignore[assignment]  # The word for it; who would count in a tuple of three?


def create_range(start: int | float, step: int | float, count: int) -> RangeGeometry:
    """Return the geometry of numbers from outside, checked."""
    for name, number in (("start", start), ("step", step)):
        is_number = type(number) is int or type(number) is float
        if not is_number or not -inf < number < inf:
            raise AttributeValueError("RangePlan", name, "be an integer or a finite float", number)
    if type(count) is not int or count < 0:
        raise AttributeValueError("RangePlan", "count", "be an integer of at least 0", count)
    return RangeGeometry(start, step, count)


def _reduce(geometry: RangeGeometry) -> tuple[Any, ...]:
    return create_range, tuple(geometry)


pickle(RangeGeometry, _reduce)
