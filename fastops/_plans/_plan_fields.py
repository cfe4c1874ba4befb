"""The fields of a plan: what each of them takes, converted and checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from fastops._errors import AttributeValueError, FastopsError, shown
from fastops._plans._factors import NO_AXIS
from fastops._plans._numbers import as_index, as_indices, is_of
from fastops._plans._run_map import Map, RunMap

# Plans have no more axes: what yields maps for ever is an error at once.
MOST_AXES = 1 << 12


def as_axes(axes: Sequence[Map]) -> tuple[Map, ...]:
    """Return axes as a tuple, which stays what it is; of too many, one more than a plan may have."""
    if type(axes) is tuple:
        return axes
    if not is_of(axes, Iterable) or getattr(axes, "shape", None) == ():
        raise AttributeValueError("SlicePlan", "axes", "be AxisMaps", axes)
    return tuple(islice(axes, MOST_AXES + 1))


def as_number(attribute: str, value: Any) -> int:
    """Return one of a plan's numbers as a Python integer."""
    try:
        return as_index(attribute, value)
    except FastopsError as error:
        error.add_context("SlicePlan", {attribute: value})
        raise


def as_lengths(attribute: str, value: Any) -> tuple[int, ...]:
    """Return a shape as a tuple of Python integers."""
    try:
        return as_indices(attribute, value)
    except FastopsError as error:
        error.add_context("SlicePlan", {attribute: value})
        raise


class SourceWindow(NamedTuple):
    """What of a source an axis of a plan reads: index ``i`` of the window is index ``offset + i * step``.

    Where several axes read one axis of the source, what they read is added up.

    Attributes
    ----------
    axis : int
        Of the source; -1 for a new axis, of which all outputs read the same, or fill values.
    offset : int
        Of index 0 of the window.
    step : int
        From one index of the window to the next.
    """

    axis: int
    offset: int
    step: int


def count_of(axis: Any, axes: Sequence[Any]) -> int:
    """Return the count of an axis that is no AxisMap."""
    if type(axis) is not RunMap:
        raise AttributeValueError("SlicePlan", "axes", "be AxisMaps or RunMaps", axes)
    return axis.count


def as_order(order: Sequence[int], n: int) -> tuple[int, ...]:
    """Return which axes come first in the result."""
    found = as_lengths("order", order)
    if sorted(found) != list(range(n)):
        raise AttributeValueError("SlicePlan", "order", f"be a permutation of {shown(tuple(range(n)))}", order)
    return found


def as_windows(
    windows: Sequence[SourceWindow], axes: tuple[Map, ...], source_shape: tuple[int, ...] | None
) -> tuple[SourceWindow, ...]:
    """Return a window for each axis, which all lie in the source."""
    rule = "come with a source_shape, and be a SourceWindow for each axis"
    given = tuple(islice(windows, MOST_AXES + 1)) if is_of(windows, list, tuple) else ()
    if source_shape is None or len(given) != len(axes):
        raise AttributeValueError("SlicePlan", "windows", rule, windows)
    lowest, highest = [0] * len(source_shape), [0] * len(source_shape)
    for window, axis in zip(given, axes, strict=True):
        if type(window) is not SourceWindow or any([type(number) is not int for number in window]):
            raise AttributeValueError("SlicePlan", "windows", rule, windows)
        k, offset, step = window
        if k == NO_AXIS:
            if axis.extent > 1:
                raise AttributeValueError("SlicePlan", "windows", "name the axis of each that is longer than 1", window)
        elif not 0 <= k < len(source_shape):
            raise AttributeValueError("SlicePlan", "windows", f"name axes in 0..{len(source_shape) - 1}", window)
        elif axis.extent:
            last = (axis.extent - 1) * step
            lowest[k] += offset + min(last, 0)
            highest[k] += offset + max(last, 0)
    if 0 not in [axis.count for axis in axes]:
        for low, high, extent in zip(lowest, highest, source_shape, strict=True):
            if extent and not 0 <= low <= high < extent:
                raise AttributeValueError("SlicePlan", "windows", "lie in the source", given)
    return given
