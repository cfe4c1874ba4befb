"""The fields of a plan: what each of them takes, converted and checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from fastops._errors import AttributeValueError, FastopsError, fields_shown, shown
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._factors import NO_AXIS, makes_shape
from fastops._geometry._map_runs import inside_of
from fastops._geometry._numbers import as_index, as_indices, is_of
from fastops._geometry._run_map import MOST_SLOTS, Map, RunMap
from fastops._geometry._sample_mode import SampleMode

# Plans have no more axes: what yields maps for ever is an error at once.
_MOST_AXES = 1 << 12


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

    def __repr__(self) -> str:
        return fields_shown(self)


class PlanFields(NamedTuple):
    """The fields of a `SlicePlan`, which says what they are: checked, and those that were not given filled in."""

    axes: tuple[Map, ...]
    shape: tuple[int, ...]
    source_shape: tuple[int, ...]
    order: tuple[int, ...]
    fills: int
    windows: tuple[SourceWindow, ...] | None


def checked_fields(
    axes: Sequence[Map],
    shape: Sequence[int] | None,
    source_shape: Sequence[int] | None,
    order: Sequence[int] | None,
    windows: Sequence[SourceWindow] | None,
    fills: int | None,
) -> PlanFields:
    """Return the fields of a plan, in which no kernel leaves its arrays.

    Raises
    ------
    AttributeValueError, DTypeError
        They are not of these types, or do not fit each other.
    """
    axes = _as_axes(axes)
    shape = None if shape is None else _as_lengths("shape", shape)
    source_shape = None if source_shape is None else _as_lengths("source_shape", source_shape)
    if len(axes) > _MOST_AXES:
        raise AttributeValueError("SlicePlan", "axes", f"be at most {_MOST_AXES} AxisMaps", axes)
    counts, extents = [], []
    is_inside = True
    slots = 0
    for axis in axes:
        counts.append(axis.count if type(axis) is AxisMap else _count_of(axis, axes))
        extents.append(axis.extent)
        if type(axis) is RunMap:
            slots = max(slots, 1 + max(axis.slots, default=-1))
        elif axis.mode is SampleMode.STRICT_BOUNDS:
            is_inside = is_inside and axis.reads_inside
        elif axis.mode is SampleMode.FILL:
            slots = slots or 1
    in_place = tuple(range(len(axes)))
    order = in_place if order is None else _as_order(order, len(axes))
    ordered = counts if order == in_place else [counts[k] for k in order]
    # A plan that gives nothing may leave out what it would read.
    is_void = not axes and shape is not None and 0 in shape
    if shape is None:
        shape = tuple(ordered)
    elif not is_void:
        _check_shape("shape", shape, "counts", ordered)
    if windows is not None:
        windows = _as_windows(windows, axes, source_shape)
    if source_shape is None:
        source_shape = tuple(extents)
    elif windows is None and not is_void:
        _check_shape("source_shape", source_shape, "extents", extents)
    if 0 in counts:
        slots = 0
        axes = tuple([AxisMap.unread(axis.extent, axis.count) for axis in axes])
    elif not is_inside:
        raise AttributeValueError("SlicePlan", "axes", "read inside their extents in mode strict_bounds", axes)
    if fills is None:
        fills = slots
    elif not slots <= (fills := _as_number("fills", fills)) <= MOST_SLOTS:
        raise AttributeValueError("SlicePlan", "fills", f"be in {slots}..{MOST_SLOTS}", fills)
    return PlanFields(axes, shape, source_shape, order, fills, windows)


def _check_shape(attribute: str, shape: tuple[int, ...], what: str, lengths: Sequence[int]) -> None:
    """Raise unless lengths of the axes, their counts or their extents, make a shape."""
    if not makes_shape(lengths, shape):
        rule = f"be the {what} {shown(tuple(lengths))}, merged or not, with axes of length 1 added or dropped"
        raise AttributeValueError("SlicePlan", attribute, rule, shape)


def _as_axes(axes: Sequence[Map]) -> tuple[Map, ...]:
    """Return axes as a tuple, which stays what it is; of too many, one more than a plan may have."""
    if type(axes) is tuple:
        return axes
    if not is_of(axes, Iterable) or getattr(axes, "shape", None) == ():
        raise AttributeValueError("SlicePlan", "axes", "be AxisMaps", axes)
    return tuple(islice(axes, _MOST_AXES + 1))


def _as_number(attribute: str, value: Any) -> int:
    """Return one of a plan's numbers as a Python integer."""
    try:
        return as_index(attribute, value)
    except FastopsError as error:
        error.add_context("SlicePlan", {attribute: value})
        raise


def _as_lengths(attribute: str, value: Any) -> tuple[int, ...]:
    """Return a shape as a tuple of Python integers."""
    lengths = _as_integers(attribute, value)
    if min(lengths, default=0) < 0:
        raise AttributeValueError("SlicePlan", attribute, "hold lengths of at least 0", value)
    return lengths


def _as_integers(attribute: str, value: Any) -> tuple[int, ...]:
    """Return a list of integers as a tuple of Python integers."""
    try:
        return as_indices(attribute, value)
    except FastopsError as error:
        error.add_context("SlicePlan", {attribute: value})
        raise


def _count_of(axis: Any, axes: Sequence[Any]) -> int:
    """Return the count of an axis that is no AxisMap."""
    if type(axis) is not RunMap:
        raise AttributeValueError("SlicePlan", "axes", "be AxisMaps or RunMaps", axes)
    return axis.count


def _as_order(order: Sequence[int], n: int) -> tuple[int, ...]:
    """Return which axes come first in the result."""
    found = _as_integers("order", order)
    if sorted(found) != list(range(n)):
        raise AttributeValueError("SlicePlan", "order", f"be a permutation of {shown(tuple(range(n)))}", order)
    return found


def _as_windows(
    windows: Sequence[SourceWindow], axes: tuple[Map, ...], source_shape: tuple[int, ...] | None
) -> tuple[SourceWindow, ...]:
    """Return a window for each axis, which all lie in the source."""
    rule = "come with a source_shape, and be a SourceWindow for each axis"
    given = tuple(islice(windows, _MOST_AXES + 1)) if is_of(windows, list, tuple) else ()
    if source_shape is None or len(given) != len(axes):
        raise AttributeValueError("SlicePlan", "windows", rule, windows)
    lowest, highest = [0] * len(source_shape), [0] * len(source_shape)
    for window, axis in zip(given, axes, strict=True):
        if type(window) is not SourceWindow or any([type(number) is not int for number in window]):
            raise AttributeValueError("SlicePlan", "windows", rule, windows)
        k, offset, step = window
        if k == NO_AXIS:
            if axis.extent > 1 or offset or step:
                own_rule = "name the axis of each that is longer than 1, and have offset 0 and step 0 for the others"
                raise AttributeValueError("SlicePlan", "windows", own_rule, window)
        elif not 0 <= k < len(source_shape):
            raise AttributeValueError("SlicePlan", "windows", f"name axes in 0..{len(source_shape) - 1}", window)
        else:
            # One index, or none, is where the window begins, whatever the step is.
            last = (axis.extent - 1) * step if axis.extent > 1 else 0
            lowest[k] += offset + min(last, 0)
            highest[k] += offset + max(last, 0)
            if axis.extent <= 1 and abs(step) > max(source_shape[k], 1):
                own_rule = "have a step that is no longer than the axis"
                raise AttributeValueError("SlicePlan", "windows", own_rule, window, k, source_shape[k])
    if 0 not in [axis.count for axis in axes]:
        for low, high, extent in zip(lowest, highest, source_shape, strict=True):
            if not 0 <= low <= high < max(extent, 1):
                raise AttributeValueError("SlicePlan", "windows", "lie in the source", given)
        # Of an empty source nothing can be read: an axis of fill values alone is all that there can be then.
        if 0 in source_shape and not any(map(_is_fill, axes)):
            raise AttributeValueError("SlicePlan", "windows", "read nothing of an empty source", given)
    return given


def _is_fill(axis: Map) -> bool:
    """True for an axis with outputs of which none reads anything."""
    if type(axis) is RunMap:
        return all([run.first is None for run in axis.runs])
    assert type(axis) is AxisMap
    if axis.mode is not SampleMode.FILL:
        return False
    first, end = inside_of(axis.extent, axis.start, axis.stride, axis.count)
    return first == end
