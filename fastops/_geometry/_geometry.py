"""Geometry: the elements of a source that one output reads, as a tuple of integers without methods.

`create_geometry` checks fields from users and from JSON. Geometry that fastops computes from valid geometry is valid
too: `Geometry` or `geometry_of` makes it without these checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from math import prod
from typing import Any, NamedTuple

from fastops._errors import AttributeValueError, errors_of, fields_shown, shown
from fastops._geometry._axis_map import MOST_RUNS, MOST_SLOTS, AxisMap, Map, Run, RunMap, is_affine
from fastops._geometry._map_composition import is_fill, runs_of, slots_of
from fastops._geometry._numbers import as_index, as_indices, named_indices
from fastops._geometry._sample_mode import SampleMode

#: This number stands for no axis: a length of 1, for instance, needs no axis of a shape.
NO_AXIS = -1


def find_factors(lengths: Sequence[int], shape: Sequence[int]) -> list[tuple[int, int]] | None:
    """Split the axes of a shape into lengths; return each length's axis, and its row-major step within that axis.

    A length of 1 has axis NO_AXIS and step 0. The result is None unless the shape follows from the lengths by merging
    neighbours, and by adding and dropping axes of length 1.

    Examples
    --------
    >>> find_factors((2, 1, 3, 4), (6, 1, 4))
    [(0, 3), (-1, 0), (0, 1), (2, 1)]
    >>> find_factors((4, 3), (6, 2))
    """
    if tuple(lengths) == tuple(shape):
        return [(NO_AXIS, 0) if length == 1 else (axis, 1) for axis, length in enumerate(shape)]
    axes = [axis for axis, length in enumerate(shape) if length != 1]
    factors = []
    axis, place, whole = NO_AXIS, 0, 0
    for length in reversed(lengths):
        if length == 1:
            factors.append((NO_AXIS, 0))
            continue
        if place == whole:
            # The lengths so far make whole axes.
            if not axes:
                return None
            axis = axes.pop()
            place, whole = 1, shape[axis]
        factors.append((axis, place))
        place *= length
    return factors[::-1] if place == whole and not axes else None


#: The most axes of a geometry.
MOST_AXES = 1 << 12

_new = tuple.__new__  # Faster than the constructor of a named tuple.


class SourceWindow(NamedTuple):
    """The part of a source that an axis of a plan reads: index ``i`` of the window is index ``offset + i * step``.

    If several axes of a plan read one axis of the source, an output reads the sum of their indices.

    Attributes
    ----------
    axis : int
        The axis of the source; -1 for a new axis, whose outputs all read one element, or fill values.
    offset : int
        The source index of index 0 of the window.
    step : int
        The distance in the source from one index of the window to the next.
    """

    axis: int
    offset: int
    step: int

    def __repr__(self) -> str:
        return fields_shown(self)


class Geometry(NamedTuple):
    """The elements of a source that one output reads; users hold it as a `fastops.plan.SlicePlan`.

    Attributes
    ----------
    axes : tuple of AxisMap or RunMap
        One map for each axis of the source, or for each axis that it is split into.
    shape, source_shape : tuple of int
        The shapes of the result and of data.
    order : tuple of int
        The axis that comes first in the result, the axis that comes next, and so on.
    fills : int
        The number of fill values that a call may pass.
    windows : tuple of SourceWindow or None
        The part of the source that each axis reads; None if the extents of the axes make the shape of the source.
    """

    axes: tuple[Map, ...]
    shape: tuple[int, ...]
    source_shape: tuple[int, ...]
    order: tuple[int, ...]
    fills: int
    windows: tuple[SourceWindow, ...] | None = None


def extents_of(geometry: Geometry) -> tuple[int, ...]:
    """Return the extents of the axes."""
    return tuple([axis.extent for axis in geometry.axes])


def size_of(geometry: Geometry) -> int:
    """Return the number of elements of the result."""
    return prod(geometry.shape)


def is_ordered(geometry: Geometry) -> bool:
    """True if the axes stand in the result as they stand in the source."""
    return geometry.order == tuple(range(len(geometry.order)))


def is_view(geometry: Geometry) -> bool:
    """True if the result can be a view of the source: every axis reads in bounds, and none are merged."""
    if not all([axis.is_strict for axis in geometry.axes]):
        return False
    if not size_of(geometry):
        return True
    long = [geometry.axes[k].count for k in geometry.order if geometry.axes[k].count != 1]
    return long == [n for n in geometry.shape if n != 1]


def digits_of(geometry: Geometry) -> list[list[int]]:
    """Return the axes that each axis of a result merges, outermost first, without axes of one output.

    The result must have elements.
    """
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
    """Return the geometry of fields that fit each other; only the number of axes is checked.

    If a field is None, it follows from the axes.
    """
    axes = tuple(axes)
    if len(axes) > MOST_AXES:
        raise AttributeValueError("SlicePlan", "axes", f"be at most {MOST_AXES} AxisMaps", axes)
    counts = [axis.count for axis in axes]
    if 0 in counts:
        axes = tuple([_new(AxisMap, (axis.extent, 0, 1, axis.count, SampleMode.STRICT_BOUNDS)) for axis in axes])
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
    axes: Any, shape: Any = None, source_shape: Any = None, order: Any = None, windows: Any = None, fills: Any = None
) -> Geometry:
    """Return the geometry of fields from users or from JSON, converted to Python integers and checked.

    Raises
    ------
    AttributeValueError, DTypeError
        The fields have wrong types, or do not fit each other.
    """
    if not isinstance(axes, Iterable) or getattr(axes, "shape", None) == ():
        raise AttributeValueError("SlicePlan", "axes", "be AxisMaps", axes)
    axes = tuple(islice(axes, MOST_AXES + 1))
    written = {"shape": shape, "source_shape": source_shape, "order": order}
    with errors_of("SlicePlan", {**written, "fills": fills}):
        lists = [None if each is None else as_indices(name, each) for name, each in written.items()]
        own_fills = None if fills is None else as_index("fills", fills)
    lengths, source_lengths, own_order = lists
    for name, own in (("shape", lengths), ("source_shape", source_lengths)):
        if min(own or (), default=0) < 0:
            raise AttributeValueError("SlicePlan", name, "hold lengths of at least 0", written[name])
    if any([type(axis) is not AxisMap and type(axis) is not RunMap for axis in axes]):
        raise AttributeValueError("SlicePlan", "axes", "be AxisMaps or RunMaps", axes)
    in_place = tuple(range(len(axes)))
    if own_order is not None and sorted(own_order) != list(in_place):
        raise AttributeValueError("SlicePlan", "order", f"be a permutation of {shown(in_place)}", order)
    # A plan without outputs may leave out its axes.
    is_void = not axes and lengths is not None and 0 in lengths
    if not is_void:
        _check_shape("shape", lengths, "counts", [axes[k].count for k in own_order or in_place])
    if windows is not None:
        windows = _as_windows(windows, axes, source_lengths)
    elif not is_void:
        _check_shape("source_shape", source_lengths, "extents", [axis.extent for axis in axes])
    geometry = geometry_of(axes, lengths, source_lengths, own_order, None, windows)
    # `AxisMap` checks all maps except those with start 0 and stride 1.
    strict = [axis for axis in geometry.axes if is_affine(axis)]
    if size_of(geometry) and not all([axis.start + axis.count <= axis.extent for axis in strict if axis.stride == 1]):
        raise AttributeValueError("SlicePlan", "axes", "read inside their extents in mode strict_bounds", axes)
    if own_fills is None:
        return geometry
    if not geometry.fills <= own_fills <= MOST_SLOTS:
        raise AttributeValueError("SlicePlan", "fills", f"be in {geometry.fills}..{MOST_SLOTS}", own_fills)
    return geometry._replace(fills=own_fills)


def _check_shape(attribute: str, shape: tuple[int, ...] | None, what: str, lengths: Sequence[int]) -> None:
    """Raise unless the counts or extents of the axes make a given shape."""
    if shape is not None and find_factors(lengths, shape) is None:
        rule = f"be the {what} {shown(tuple(lengths))}, merged or not, with axes of length 1 added or dropped"
        raise AttributeValueError("SlicePlan", attribute, rule, shape)


def _as_windows(windows: Any, axes: Sequence[Map], source_shape: tuple[int, ...] | None) -> tuple[SourceWindow, ...]:
    """Return a window for each axis; raise unless all of them lie in the source."""
    given = tuple(islice(windows, MOST_AXES + 1)) if isinstance(windows, list | tuple) else ()
    is_right = [type(window) is SourceWindow and {*map(type, window)} == {int} for window in given]
    if source_shape is None or len(given) != len(axes) or not all(is_right):
        rule = "come with a source_shape, and be a SourceWindow of integers for each axis"
        raise AttributeValueError("SlicePlan", "windows", rule, windows)
    lowest, highest = [0] * len(source_shape), [0] * len(source_shape)
    for window, axis in zip(given, axes, strict=True):
        k, offset, step = window
        if axis.extent <= 1 and window == (NO_AXIS, 0, 0):
            continue
        if not 0 <= k < len(source_shape) or (axis.extent <= 1 and abs(step) > max(source_shape[k], 1)):
            rule = f"be ({NO_AXIS}, 0, 0) for new axes, of length 1; or name an axis and have a step within it"
            raise AttributeValueError("SlicePlan", "windows", rule, window)
        # A window of at most one index ends where it begins.
        last = (axis.extent - 1) * step if axis.extent > 1 else 0
        lowest[k] += offset + min(last, 0)
        highest[k] += offset + max(last, 0)
    if 0 not in [axis.count for axis in axes]:
        inside = [0 <= low <= high < max(n, 1) for low, high, n in zip(lowest, highest, source_shape, strict=True)]
        # An empty source has no elements, so one axis must give fill values only.
        if not all(inside) or (0 in source_shape and not any(map(is_fill, axes))):
            raise AttributeValueError("SlicePlan", "windows", "lie in the source", given)
    return given


def windows_of(geometry: Geometry) -> tuple[SourceWindow, ...]:
    """Return the part of the source that each axis of a plan reads."""
    if geometry.windows is not None:
        return geometry.windows
    factors = find_factors(extents_of(geometry), geometry.source_shape) or [(NO_AXIS, 0)] * len(geometry.axes)
    return tuple([_new(SourceWindow, (axis, 0, step)) for axis, step in factors])


def axis_number(op: str, geometry: Geometry, axis: int) -> int:
    """Return the number of an axis; callers of ``op`` may count from the last axis, by negative numbers."""
    n = len(geometry.axes)
    (k,) = named_indices(op, axis=axis)
    if not -n <= k < n:
        raise AttributeValueError(op, "axis", f"be in {-n}..{n - 1}", axis)
    return k % n


def source_runs(geometry: Geometry, axis: int) -> tuple[Run, ...]:
    """Return the runs of an axis in coordinates of the source, as `SlicePlan.runs` does."""
    k = axis_number("SlicePlan.runs", geometry, axis)
    runs = tuple(islice(runs_of(geometry.axes[k]), MOST_RUNS + 1)) if size_of(geometry) else ()
    if len(runs) > MOST_RUNS:
        rule = f"have at most {MOST_RUNS} runs"
        raise AttributeValueError("SlicePlan.runs", "axis", rule, axis, k, geometry.axes[k].extent)
    _, offset, step = windows_of(geometry)[k]
    return tuple([run.moved(offset, step) for run in runs])
