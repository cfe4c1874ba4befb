"""The windows of a call: read, and checked as each of their plans is."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._integers import as_column, as_rows
from fastops._errors import AttributeValueError, OutOfBoundsError, counted
from fastops._execution._window_sources import WindowSources
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import Geometry, geometry_of
from fastops._geometry._windows_geometry import WindowsGeometry, window_of


class CallWindows(NamedTuple):
    """All windows of a call, read.

    Attributes
    ----------
    plan : WindowsGeometry
    sources : WindowSources
    starts : ndarray of int64
        A row for each window.
    strides : ndarray of int64, or None
        Of each window, where they are not those of the plan.
    items : ndarray of int64, or None
        One for each window.
    """

    plan: WindowsGeometry
    sources: WindowSources
    starts: AnyArray
    strides: AnyArray | None
    items: AnyArray | None

    def source_of(self, n: int) -> AnyArray:
        """Return what window n reads."""
        if self.sources.geometries is not None:
            return self.sources.arrays[n]
        return self.sources.arrays[0] if self.items is None else self.sources.arrays[0][self.items[n]]

    def plan_of(self, n: int) -> Geometry:
        """Return the geometry of window n; raises for what its mode does not allow."""
        window = window_of(self.plan, self.starts[n].tolist(), self.strides_of(n))
        return geometry_of(window.axes(self.source_of(n).shape, self.plan.mode))

    def strides_of(self, n: int) -> tuple[int, ...]:
        """Return the strides of window n."""
        return self.plan.stride if self.strides is None else tuple(self.strides[n].tolist())


def read_windows(plan: WindowsGeometry, sources: WindowSources, starts: Any, strides: Any, items: Any) -> CallWindows:
    """Return the windows that a caller writes; raises where their numbers are not as many as they must be."""
    k = len(plan.axes)
    own_starts = as_rows("starts", starts, k, "for each window one coordinate for each axis that has starts")
    n = len(own_starts)
    own_strides = None
    if strides is not None:
        own_strides = as_rows("stride", strides, k, "for each window one stride for each axis that has starts")
        if len(own_strides) != n:
            raise AttributeValueError.about("stride", f"have shape ({n}, {k}), as starts", own_strides.shape)
    if sources.geometries is not None and len(sources.arrays) != n:
        raise AttributeValueError.about(
            "starts", f"have {counted(len(sources.arrays), 'row')}, one for each array of data", n
        )
    own_items = None
    if plan.items:
        if items is None:
            raise AttributeValueError.about("items", "be given: the plan has items", items)
        own_items = as_column("items", items, n)
    elif items is not None:
        raise AttributeValueError.about("items", "be given for plans with items only", items)
    return CallWindows(plan, sources, own_starts, own_strides, own_items)


def check_item(windows: CallWindows, n: int) -> None:
    """Raise if data has no such item as window n reads."""
    if windows.items is not None:
        item, extent = int(windows.items[n]), windows.sources.shape[0]
        if not 0 <= item < extent:
            rule = f"be in 0..{extent - 1}" if extent else "be none: data has no items"
            raise OutOfBoundsError.about(f"items[{n}]", rule, item, 0, extent)


def check_window(windows: CallWindows, n: int) -> None:
    """Raise if window n is wrong: if data has no such item, or the mode does not allow what it reads."""
    check_item(windows, n)
    try:
        windows.plan_of(n)
    except OutOfBoundsError as error:
        _raise_about(windows, n, error)


def _raise_about(windows: CallWindows, n: int, error: OutOfBoundsError) -> NoReturn:
    """Raise what is wrong with window n, about the caller's attributes."""
    plan, starts, shape = windows.plan, tuple(windows.starts[n].tolist()), windows.source_of(n).shape
    strides = windows.strides_of(n)
    for axis, start, stride, count in zip(plan.axes, starts, strides, plan.size, strict=True):
        extent = shape[axis - int(plan.items)]
        try:
            AxisMap.create(extent, start, stride, count, plan.mode)
        except OutOfBoundsError as found:
            if extent == 0:
                rule = f"be 0 on an empty axis, as in window {n}"
                raise OutOfBoundsError.about("size", rule, count, axis, extent) from None
            raise OutOfBoundsError.about(f"starts[{n}]", found.rule, starts, axis, extent) from None
    raise error
