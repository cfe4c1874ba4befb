"""What windows read: one array, or an array for each.

The windows of a call: read, and checked as each of their plans is.

Windows that fill each channel with a value of its own, as windows that have one fill value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias

import numpy as np

from fastops._arrays._conversions import Normalization
from fastops._arrays._dtypes import AnyArray, AnyDType, as_column, as_rows
from fastops._arrays._fill_values import as_pixels
from fastops._arrays._inputs import as_source
from fastops._errors import AttributeValueError, OutOfBoundsError, counted, shown
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import Geometry, geometry_of
from fastops._geometry._numbers import is_listed
from fastops._geometry._range_and_windows import WindowsGeometry, create_windows, window_of
from fastops._geometry._sample_mode import check_fill_mode
from fastops._lowering._bounds import resolve_axis_of


class WindowSources(NamedTuple):
    """Arrays that nobody else has, and their pins.

    Attributes
    ----------
    arrays : tuple of ndarray
        One, or one for each window.
    pins : tuple
    geometries : ndarray of int64, or None
        The shape and byte strides of each, if each window has its own.
    """

    arrays: tuple[AnyArray, ...]
    pins: tuple[Any, ...]
    geometries: AnyArray | None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the first one."""
        return self.arrays[0].shape

    @property
    def dtype(self) -> AnyDType:
        return self.arrays[0].dtype

    def check_alike(self, axes: Sequence[int]) -> None:
        """Raise unless all arrays are as long along some axes: windows take all of these."""
        assert self.geometries is not None
        for axis in axes:
            differs = self.geometries[:, axis] != self.shape[axis]
            if differs.any():
                n = int(differs.argmax())
                rule = (
                    f"have arrays of extent {shown(self.shape[axis])} along axis {axis}, of which windows take all, "
                    f"which array {n} has not"
                )
                raise AttributeValueError.about("data", rule, self.arrays[n].shape)


# How objects say that they are arrays, as those of other libraries and images of Pillow do. NumPy looks for them on
# objects too, where asking for one may copy an image.
_PROTOCOLS = ("__array__", "__array_interface__", "__array_struct__")


def is_list_of_arrays(data: Any) -> bool:
    """True for a list or a tuple of arrays, by whatever protocol they are arrays: each window has its own.

    NumPy would make one array of those of one shape.
    """
    if not isinstance(data, list | tuple) or not data:
        return False
    first = data[0]
    # NumPy's scalars are numbers, and bytes are text.
    if isinstance(first, np.ndarray | np.generic | bytes):
        return isinstance(first, np.ndarray)
    own = getattr(first, "__dict__", ())
    return any([hasattr(type(first), name) or name in own for name in _PROTOCOLS]) or _has_buffer(first)


def _has_buffer(value: Any) -> bool:
    try:
        memoryview(value).release()
    except TypeError:
        return False
    return True


def as_window_source(data: Any) -> WindowSources:
    """Return the one array that all windows read."""
    array, pin = as_source(data)
    return WindowSources((array,), (pin,), None)


def as_window_sources(data: Sequence[Any]) -> WindowSources:
    """Return the arrays of a list, which are of one type and rank."""
    read = [as_source(array) for array in tuple(data)]
    arrays = tuple([array for array, _ in read])
    check_equal("array", "dtype", [array.dtype for array in arrays])
    check_equal("array", "rank", [array.ndim for array in arrays])
    return WindowSources(arrays, tuple([pin for _, pin in read]), geometries_of(arrays))


def geometries_of(arrays: Sequence[AnyArray]) -> AnyArray:
    """Return the shapes and byte strides of arrays of one rank, a row for each."""
    return np.array([array.shape + array.strides for array in arrays], np.int64).reshape(len(arrays), -1)


def check_equal(kind: str, what: str, values: Sequence[Any]) -> None:
    """Raise unless all of a list of data are of one dtype, or the like, of which the value of each is given."""
    for n, value in enumerate(values):
        if value != values[0]:
            rule = f"have {kind}s of one {what}, {values[0]}, which {kind} {n} has not"
            raise AttributeValueError.about("data", rule, value)


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


#: Windows, where they are written, and the fill value.
Part: TypeAlias = tuple[CallWindows, AnyArray, AnyArray]


def channel_of(plan: WindowsGeometry, channel_axis: int) -> int:
    """Return which axis of a window an axis of data is."""
    axis = resolve_axis_of(plan.source_shape, "channel_axis", channel_axis)
    if plan.items and axis == 0:
        raise AttributeValueError.about("channel_axis", "not be axis 0, of which items are indices", channel_axis)
    return axis - int(plan.items)


def parts_of_channels(windows: CallWindows, target: AnyArray, fill: AnyArray, axis: int) -> Iterator[Part]:
    """Yield windows of pixels, if channels lie together in memory as they are taken, or else those of each channel."""
    coordinates = _coordinates(windows, axis)
    n, sources = len(fill), windows.sources
    arrays = [as_pixels(array, n) for array in (*sources.arrays, target)] if axis == target.ndim - 2 else [None]
    if all([array is not None for array in arrays]) and (coordinates == np.arange(n)).all():
        *pixels, own = [array for array in arrays if array is not None]
        yield _with_axis(windows, pixels, axis, 0), own, fill.view(own.dtype)
        return
    for y in range(n):
        own = target[(*(slice(None),) * (axis + 1), slice(y, y + 1))]
        yield _with_axis(windows, sources.arrays, axis, coordinates[:, y]), own, fill[y : y + 1]


def _coordinates(windows: CallWindows, axis: int) -> AnyArray:
    """Return for each window the indices that it reads along an axis of its own, -1 for those outside."""
    plan, n = windows.plan, windows.plan.shape[axis]
    k = axis + int(plan.items)
    if k not in plan.axes:
        return np.tile(np.arange(n), (len(windows.starts), 1))
    column = plan.axes.index(k)
    strides = [windows.strides_of(i)[column] for i in range(len(windows.starts))]
    rows = []
    for i, (start, stride) in enumerate(zip(windows.starts[:, column].tolist(), strides, strict=True)):
        extent = windows.source_of(i).shape[axis]
        read = [start + y * stride for y in range(n)]
        rows.append([x if 0 <= x < extent else -1 for x in read])
    return np.array(rows, np.int64).reshape(len(rows), n)


def _with_axis(windows: CallWindows, arrays: Sequence[AnyArray], axis: int, starts: AnyArray | int) -> CallWindows:
    """Return windows of arrays that take one index along an axis, which each of them begins at."""
    plan, sources = windows.plan, windows.sources
    k = axis + int(plan.items)
    kept = [i for i, own in enumerate(plan.axes) if own != k]
    source_shape = arrays[0].shape
    own = create_windows(
        source_shape,
        (*[plan.size[i] for i in kept], 1),
        (*[plan.stride[i] for i in kept], 1),
        (*[plan.axes[i] for i in kept], k),
        plan.items,
        plan.mode,
    )
    geometries = None if sources.geometries is None else geometries_of(arrays)
    return windows._replace(
        plan=own,
        sources=sources._replace(arrays=tuple(arrays), geometries=geometries),
        starts=_with_column(windows.starts[:, kept], starts),
        strides=None if windows.strides is None else _with_column(windows.strides[:, kept], 1),
    )


def _with_column(rows: AnyArray, column: AnyArray | int) -> AnyArray:
    """Return rows with a number more each, as compiled code takes them: C-contiguous."""
    own = np.empty((len(rows), rows.shape[1] + 1), np.int64)
    own[:, :-1], own[:, -1] = rows, column
    return own
