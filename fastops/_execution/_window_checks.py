"""The windows of a call: read, and checked as each of their plans is."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

from fastops._arrays._conversions import Normalization
from fastops._arrays._dtypes import AnyArray
from fastops._arrays._integers import as_column, as_rows
from fastops._errors import AttributeValueError, OutOfBoundsError, counted
from fastops._execution._window_sources import WindowSources
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import Geometry, geometry_of
from fastops._geometry._numbers import is_listed
from fastops._geometry._sample_mode import check_fill_mode
from fastops._geometry._windows_geometry import WindowsGeometry, window_of


class WindowsArguments(NamedTuple):
    """What a caller writes of windows, but for data, ``out`` and what their plan has.

    Attributes
    ----------
    starts, strides, items : array_like or None
        The strides of each window, where they are not those of the plan.
    fill_value : object
    channel_axis : int
    wanted : Normalization or None
        What becomes of the elements, with axes of the result.
    chunks : object
    """

    starts: Any
    strides: Any = None
    items: Any = None
    fill_value: Any = None
    channel_axis: int = -1
    wanted: Normalization | None = None
    chunks: Any = None


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


def is_varied(stride: Any) -> bool:
    """True for strides of each window: an array of two dimensions, or a list of lists, as far as its first one says."""
    rank = getattr(stride, "ndim", None)
    if type(rank) is int:
        return rank > 1
    return isinstance(stride, list | tuple) and len(stride) > 0 and is_listed(stride[0])


def read_rows(k: int, starts: Any, strides: Any) -> tuple[AnyArray, AnyArray | None]:
    """Return the starts, and the strides if each window has its own, along k axes."""
    own_starts = as_rows("starts", starts, k, "for each window one coordinate for each axis that has starts")
    if strides is None:
        return own_starts, None
    own_strides = as_rows("stride", strides, k, "for each window one stride for each axis that has starts")
    if own_strides.shape != own_starts.shape:
        raise AttributeValueError.about("stride", f"have shape {own_starts.shape}, as starts", own_strides.shape)
    return own_starts, own_strides


def read_windows(plan: WindowsGeometry, sources: WindowSources, arguments: WindowsArguments) -> CallWindows:
    """Return the windows that a caller writes; raises where sources or numbers do not fit each other."""
    if sources.geometries is not None:
        sources.check_alike([axis for axis in range(len(plan.source_shape)) if axis not in plan.axes])
    if arguments.fill_value is not None:
        check_fill_mode(plan.mode, arguments.fill_value)
    wanted = arguments.wanted
    if wanted is not None and wanted.axis in (0, -1 - len(plan.shape)) and len(wanted.mean) + len(wanted.std) > 2:
        raise AttributeValueError.about("normalize", "name an axis of a window, as axis 0 is not", wanted.axis)
    own_starts, own_strides = read_rows(len(plan.axes), arguments.starts, arguments.strides)
    n, items = len(own_starts), arguments.items
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
