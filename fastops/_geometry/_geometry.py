"""Factors: lengths whose products make a shape, as a split source axis or a merged result axis has them.

Geometry: what one output reads of a source, as a tuple of integers without methods. All else is functions of it.

`create_geometry` checks what comes from outside: from users, from JSON, from pickles. What fastops itself computes from
geometry that is right is right too, and becomes a `Geometry` as it is, or by `geometry_of`.

The axes of a plan in coordinates of its source: what of the source each of them reads, and in which runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copyreg import pickle
from itertools import islice
from math import prod
from typing import Any, NamedTuple, TypeAlias

from fastops._errors import AttributeValueError, FastopsError, fields_shown, shown
from fastops._geometry._axis_map import MOST_RUNS, MOST_SLOTS, AxisMap, Map, Run, RunMap
from fastops._geometry._map_composition import is_fill, runs_of, slots_of
from fastops._geometry._numbers import as_index, as_indices, named_indices

#: The axis of what has no axis in the shape: a length of 1 needs none.
NO_AXIS = -1


#: Where a length stands in a shape: its axis, and how many elements of that axis one of its own is.
Factor: TypeAlias = tuple[int, int]


def find_factors(lengths: Sequence[int], shape: Sequence[int]) -> list[Factor] | None:
    """Return where each length stands in a shape, in row-major order; None if they do not make it.

    Lengths of 1 stand nowhere, and axes of length 1 have no lengths.

    Examples
    --------
    >>> find_factors((2, 1, 3, 4), (6, 1, 4))
    [(0, 3), (-1, 0), (0, 1), (2, 1)]
    >>> find_factors((4, 3), (6, 2))
    """
    if tuple(lengths) == tuple(shape):
        return [(NO_AXIS, 0) if length == 1 else (axis, 1) for axis, length in enumerate(shape)]
    factors = []
    axis, place = len(shape), 0
    whole = 0
    for length in reversed(lengths):
        if length == 1:
            factors.append((NO_AXIS, 0))
            continue
        if place == whole:
            axis, place = _next_axis(shape, axis), 1
            if axis < 0:
                return None
            whole = shape[axis]
        factors.append((axis, place))
        place = place * length
    if place != whole or _next_axis(shape, axis) >= 0:
        return None
    return factors[::-1]


def _next_axis(shape: Sequence[int], axis: int) -> int:
    """Return the axis of more than one element, or of none, that stands before another one; negative for none."""
    axis -= 1
    while axis >= 0 and shape[axis] == 1:
        axis -= 1
    return axis


def makes_shape(lengths: Sequence[int], shape: Sequence[int]) -> bool:
    """True if lengths make a shape by merging neighbours, and adding and dropping axes of length 1."""
    return find_factors(lengths, shape) is not None


#: A geometry has no more axes: what yields maps for ever is an error at once.
MOST_AXES = 1 << 12

_new = tuple.__new__  # Faster than what a named tuple makes of its fields.


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


class Geometry(NamedTuple):
    """What one output reads of a source; `fastops.plan.SlicePlan` is what users hold of it.

    Attributes
    ----------
    axes : tuple of AxisMap or RunMap
        How each axis of the source, or each that it is split into, is read.
    shape, source_shape : tuple of int
        The shapes of the result and of data.
    order : tuple of int
        Which of the axes comes first in the result, which next, and so on.
    fills : int
        Fill values that a call may give.
    windows : tuple of SourceWindow or None
        What of the source each axis reads; None where the axes' extents make the source's shape.
    """

    axes: tuple[Map, ...]
    shape: tuple[int, ...]
    source_shape: tuple[int, ...]
    order: tuple[int, ...]
    fills: int
    windows: tuple[SourceWindow, ...] | None = None


def extents_of(geometry: Geometry) -> tuple[int, ...]:
    """Return the extents of the axes: the source's shape, but for what is split, windows and axes of length 1."""
    return tuple([axis.extent for axis in geometry.axes])


def size_of(geometry: Geometry) -> int:
    """Return the number of elements of the result."""
    return prod(geometry.shape)


def is_ordered(geometry: Geometry) -> bool:
    """True if the axes stand in the result as they stand in the source."""
    return geometry.order == tuple(range(len(geometry.order)))


def is_view(geometry: Geometry) -> bool:
    """True if the result can be a view of the source: every axis reads in bounds, and none are merged."""
    for axis in geometry.axes:
        if not axis.is_strict:
            return False
    if not size_of(geometry):
        return True
    long = [geometry.axes[k].count for k in geometry.order if geometry.axes[k].count != 1]
    return long == [n for n in geometry.shape if n != 1]


def digits_of(geometry: Geometry) -> list[list[int]]:
    """Return which axes each axis of a result that has elements merges, the outermost first, but for those of one."""
    factors = find_factors([geometry.axes[k].count for k in geometry.order], geometry.shape)
    assert factors is not None
    digits: list[list[int]] = [[] for _ in geometry.shape]
    for k, (axis, _) in zip(geometry.order, factors, strict=True):
        if axis != NO_AXIS:
            digits[axis].append(k)
    return digits


def geometry_of(
    axes: Sequence[Map],
    shape: Sequence[int] | None = None,
    source_shape: Sequence[int] | None = None,
    order: Sequence[int] | None = None,
    fills: int | None = None,
    windows: tuple[SourceWindow, ...] | None = None,
) -> Geometry:
    """Return the geometry of fields that fit each other; those that are not given follow from the axes.

    Only their number is checked: `create_geometry` is for what comes from outside.
    """
    axes = tuple(axes)
    if len(axes) > MOST_AXES:
        raise AttributeValueError("SlicePlan", "axes", f"be at most {MOST_AXES} AxisMaps", axes)
    counts = [axis.count for axis in axes]
    if 0 in counts:
        axes = tuple([AxisMap.unread(axis.extent, axis.count) for axis in axes])
    if shape is None:
        shape = counts if order is None else [counts[k] for k in order]
    if source_shape is None:
        source_shape = [axis.extent for axis in axes]
    if fills is None:
        fills = max([1 + slot for axis in axes for slot in slots_of(axis)], default=0)
    order = range(len(axes)) if order is None else order
    return _new(Geometry, (axes, tuple(shape), tuple(source_shape), tuple(order), fills, windows))


def whole_geometry(shape: Sequence[int]) -> Geometry:
    """Return the geometry that reads all of a source as it is."""
    return geometry_of([AxisMap.whole(extent) for extent in shape])


def create_geometry(
    axes: Sequence[Map],
    shape: Sequence[int] | None = None,
    source_shape: Sequence[int] | None = None,
    order: Sequence[int] | None = None,
    windows: Sequence[SourceWindow] | None = None,
    fills: int | None = None,
) -> Geometry:
    """Return the geometry of fields from outside, converted and checked: no kernel leaves its arrays by it.

    Raises
    ------
    AttributeValueError, DTypeError
        They are not of these types, or do not fit each other.
    """
    given: Any = axes
    if not isinstance(given, Iterable) or getattr(given, "shape", None) == ():
        raise AttributeValueError("SlicePlan", "axes", "be AxisMaps", axes)
    axes = tuple(islice(given, MOST_AXES + 1))
    written = {"shape": shape, "source_shape": source_shape, "order": order, "fills": fills}
    try:
        lengths, source_lengths, own_order = [
            None if each is None else as_indices(name, each) for name, each in [*written.items()][:3]
        ]
        own_fills = None if fills is None else as_index("fills", fills)
    except FastopsError as error:
        error.add_context("SlicePlan", written)
        raise
    for name, own in (("shape", lengths), ("source_shape", source_lengths)):
        if min(own or (), default=0) < 0:
            raise AttributeValueError("SlicePlan", name, "hold lengths of at least 0", written[name])
    if any([type(axis) is not AxisMap and type(axis) is not RunMap for axis in axes]):
        raise AttributeValueError("SlicePlan", "axes", "be AxisMaps or RunMaps", axes)
    in_place = tuple(range(len(axes)))
    if own_order is not None and sorted(own_order) != list(in_place):
        raise AttributeValueError("SlicePlan", "order", f"be a permutation of {shown(in_place)}", order)
    # A plan that gives nothing may leave out what it would read.
    is_void = not axes and lengths is not None and 0 in lengths
    if not is_void:
        _check_shape("shape", lengths, "counts", [axes[k].count for k in own_order or in_place])
    if windows is not None:
        windows = _as_windows(windows, axes, source_lengths)
    elif not is_void:
        _check_shape("source_shape", source_lengths, "extents", [axis.extent for axis in axes])
    geometry = geometry_of(axes, lengths, source_lengths, own_order, None, windows)
    strict = [axis for axis in geometry.axes if type(axis) is AxisMap and axis.is_strict]
    if 0 not in [axis.count for axis in axes] and not all([axis.reads_inside for axis in strict]):
        raise AttributeValueError("SlicePlan", "axes", "read inside their extents in mode strict_bounds", axes)
    if own_fills is None:
        return geometry
    if not geometry.fills <= own_fills <= MOST_SLOTS:
        raise AttributeValueError("SlicePlan", "fills", f"be in {geometry.fills}..{MOST_SLOTS}", own_fills)
    return geometry._replace(fills=own_fills)


def _reduce_geometry(geometry: Geometry) -> tuple[Any, ...]:
    axes, shape, source_shape, order, fills, windows = geometry
    return create_geometry, (axes, shape, source_shape, order, windows, fills)


# What a pickle says is checked as all that comes from outside.
pickle(Geometry, _reduce_geometry)


def _check_shape(attribute: str, shape: tuple[int, ...] | None, what: str, lengths: Sequence[int]) -> None:
    """Raise unless lengths of the axes, their counts or their extents, make a shape, if it is given."""
    if shape is not None and not makes_shape(lengths, shape):
        rule = f"be the {what} {shown(tuple(lengths))}, merged or not, with axes of length 1 added or dropped"
        raise AttributeValueError("SlicePlan", attribute, rule, shape)


def _as_windows(
    windows: Sequence[SourceWindow], axes: tuple[Map, ...], source_shape: tuple[int, ...] | None
) -> tuple[SourceWindow, ...]:
    """Return a window for each axis, which all lie in the source."""
    rule = "come with a source_shape, and be a SourceWindow for each axis"
    given = tuple(islice(windows, MOST_AXES + 1)) if isinstance(windows, list | tuple) else ()
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
        if 0 in source_shape and not any(map(is_fill, axes)):
            raise AttributeValueError("SlicePlan", "windows", "read nothing of an empty source", given)
    return given


def windows_of(geometry: Geometry) -> tuple[SourceWindow, ...]:
    """Return what of the source each axis of a plan reads."""
    if geometry.windows is not None:
        return geometry.windows
    factors = find_factors(extents_of(geometry), geometry.source_shape) or [(NO_AXIS, 0)] * len(geometry.axes)
    return tuple([SourceWindow(axis, 0, place) for axis, place in factors])


def axis_number(op: str, geometry: Geometry, axis: int) -> int:
    """Return the number of an axis, which may be counted from the last; ``op`` is who asks."""
    n = len(geometry.axes)
    (k,) = named_indices(op, axis=axis)
    if not -n <= k < n:
        raise AttributeValueError(op, "axis", f"be in {-n}..{n - 1}", axis)
    return k % n


def source_runs(geometry: Geometry, axis: int) -> tuple[Run, ...]:
    """Return the runs of an axis: what `SlicePlan.runs` gives."""
    k = axis_number("SlicePlan.runs", geometry, axis)
    runs = tuple(islice(runs_of(geometry.axes[k]), MOST_RUNS + 1)) if size_of(geometry) else ()
    if len(runs) > MOST_RUNS:
        rule = f"have at most {MOST_RUNS} runs"
        raise AttributeValueError("SlicePlan.runs", "axis", rule, axis, k, geometry.axes[k].extent)
    window = windows_of(geometry)[k]
    return tuple([in_source(run, window) for run in runs])


def in_source(run: Run, window: SourceWindow) -> Run:
    """Return a run of a window as one of the source's axis."""
    if run.first is None:
        return run
    _, offset, step = window
    return Run(run.count, offset + step * run.first, step * run.stride if run.count > 1 else 1)
