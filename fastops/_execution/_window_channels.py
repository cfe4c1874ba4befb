"""Windows that fill each channel with a value of its own, as windows that have one fill value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from fastops._arrays._channels import as_pixels
from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError
from fastops._execution._window_checks import CallWindows
from fastops._execution._window_sources import geometries_of
from fastops._geometry._windows_geometry import WindowsGeometry, create_windows
from fastops._lowering._axes import resolve_axis_of

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
