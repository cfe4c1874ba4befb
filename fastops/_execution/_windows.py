"""Windows: many outputs of one size. All windows of a call are read, checked and moved together.

All windows read one array, or each window reads an array of its own. A grid of patches is run as windows, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from fastops._arrays._conversions import Conversion, Normalization, check_channels, find_conversion
from fastops._arrays._dtypes import AnyArray, as_column, as_rows, check_span
from fastops._arrays._fill_values import as_pixels, encode_channels, encode_fill, is_channel_list
from fastops._arrays._inputs import as_source, check_equal
from fastops._arrays._outputs import allocate, as_output, share_memory
from fastops._errors import AttributeValueError, OutOfBoundsError, counted, shown
from fastops._execution._execute import (
    ZEROS,
    as_table,
    check_done,
    convert_whole,
    copy_whole,
    create_call,
    execute_checked,
)
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import Geometry, geometry_of
from fastops._geometry._range_and_windows import WindowsGeometry, create_windows, window_of
from fastops._geometry._sample_mode import SampleMode, check_fill_mode
from fastops._lowering._bounds import resolve_axis_of
from fastops._lowering._windows import Grid
from fastops._runtime._kernels import run_launches
from fastops._settings import STREAM_BYTES
from fastops.kernels._intrinsics._object_layout import is_as_expected
from fastops.kernels._tables._words import LARGEST

#: Returns the plan of windows for data of a shape.
PlanOf = Callable[[tuple[int, ...]], WindowsGeometry]


class WindowsArguments(NamedTuple):
    """The arguments of a call of windows, but for data, ``out`` and those that the plan has.

    Attributes
    ----------
    starts, strides, items : array_like or None
        The strides of each window, if they are not those of the plan.
    fill_value : object
    channel_axis : int
    wanted : Normalization or None
        How elements are converted, with axes of the result.
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
    arrays, pins : tuple
        What windows read, as `as_source` gives it: one array for all, or one for each window.
    is_list : bool
        True if each window has its own array.
    starts : ndarray of int64
        A row for each window.
    strides : ndarray of int64, or None
        A row for each window, if they are not those of the plan.
    items : ndarray of int64, or None
        One for each window.
    """

    plan: WindowsGeometry
    arrays: tuple[AnyArray, ...]
    pins: tuple[Any, ...]
    is_list: bool
    starts: AnyArray
    strides: AnyArray | None
    items: AnyArray | None

    def source_of(self, n: int) -> AnyArray:
        """Return the array that window n reads."""
        if self.is_list:
            return self.arrays[n]
        return self.arrays[0] if self.items is None else self.arrays[0][self.items[n]]

    def plan_of(self, n: int) -> Geometry:
        """Return the geometry of window n; raises for coordinates that its mode does not allow."""
        window = window_of(self.plan, self.starts[n].tolist(), self.strides_of(n))
        return geometry_of(window.axes(self.source_of(n).shape, self.plan.mode))

    def strides_of(self, n: int) -> tuple[int, ...]:
        """Return the strides of window n."""
        return self.plan.stride if self.strides is None else tuple(self.strides[n].tolist())


def read_rows(k: int, starts: Any, strides: Any) -> tuple[AnyArray, AnyArray | None]:
    """Return the starts, and the strides if each window has its own, along k axes."""
    own_starts = as_rows("starts", starts, k, "for each window one coordinate for each axis that has starts")
    if strides is None:
        return own_starts, None
    own_strides = as_rows("stride", strides, k, "for each window one stride for each axis that has starts")
    if own_strides.shape != own_starts.shape:
        raise AttributeValueError.about("stride", f"have shape {own_starts.shape}, as starts", own_strides.shape)
    return own_starts, own_strides


def read_windows(data: Any, plan_of: PlanOf, arguments: WindowsArguments, *, is_list: bool) -> CallWindows:
    """Return the windows of an array, or of a list of arrays; raises if arrays or numbers do not fit each other."""
    read = [as_source(each) for each in (tuple(data) if is_list else (data,))]
    arrays = tuple([array for array, _ in read])
    if is_list:
        check_equal("array", "dtype", [array.dtype for array in arrays])
        check_equal("array", "rank", [array.ndim for array in arrays])
    plan = plan_of(arrays[0].shape)
    if arguments.fill_value is not None:
        check_fill_mode(plan.mode, arguments.fill_value)
    wanted = arguments.wanted
    if wanted is not None and wanted.axis in (0, -1 - len(plan.shape)) and len(wanted.mean) + len(wanted.std) > 2:
        raise AttributeValueError.about("normalize", "name an axis of a window, as axis 0 is not", wanted.axis)
    starts, strides = read_rows(len(plan.axes), arguments.starts, arguments.strides)
    n = len(starts)
    if is_list:
        _check_extents(plan, arrays)
        if len(arrays) != n:
            raise AttributeValueError.about(
                "starts", f"have {counted(len(arrays), 'row')}, one for each array of data", n
            )
    if plan.items and arguments.items is None:
        raise AttributeValueError.about("items", "be given: the plan has items", arguments.items)
    if arguments.items is not None and not plan.items:
        raise AttributeValueError.about("items", "be given for plans with items only", arguments.items)
    items = as_column("items", arguments.items, n) if plan.items else None
    return CallWindows(plan, arrays, tuple([pin for _, pin in read]), is_list, starts, strides, items)


def _check_extents(plan: WindowsGeometry, arrays: Sequence[AnyArray]) -> None:
    """Raise unless all arrays have the same extents along the axes that windows take whole."""
    for axis, extent in enumerate(arrays[0].shape):
        for n, array in enumerate(arrays if axis not in plan.axes else ()):
            if array.shape[axis] != extent:
                rule = (
                    f"have arrays of extent {shown(extent)} along axis {axis}, of which windows take all, "
                    f"which array {n} has not"
                )
                raise AttributeValueError.about("data", rule, array.shape)


def _check_item(windows: CallWindows, n: int) -> None:
    """Raise if data has no such item as window n reads."""
    if windows.items is not None:
        item, extent = int(windows.items[n]), windows.arrays[0].shape[0]
        if not 0 <= item < extent:
            rule = f"be in 0..{extent - 1}" if extent else "be none: data has no items"
            raise OutOfBoundsError.about(f"items[{n}]", rule, item, 0, extent)


def check_window(windows: CallWindows, n: int) -> None:
    """Raise if window n reads an item that data does not have, or coordinates that the mode does not allow."""
    _check_item(windows, n)
    plan = windows.plan
    starts, shape = tuple(windows.starts[n].tolist()), windows.source_of(n).shape
    for axis, start, stride, count in zip(plan.axes, starts, windows.strides_of(n), plan.size, strict=True):
        extent = shape[axis - int(plan.items)]
        try:
            AxisMap.create(extent, start, stride, count, plan.mode)
        except OutOfBoundsError as found:
            if extent == 0:
                rule = f"be 0 on an empty axis, as in window {n}"
                raise OutOfBoundsError.about("size", rule, count, axis, extent) from None
            raise OutOfBoundsError.about(f"starts[{n}]", found.rule, starts, axis, extent) from None


def run_windows(windows: CallWindows, arguments: WindowsArguments, out: Any) -> Any:
    """Return the windows, or write them into ``out``.

    Raises
    ------
    FastopsError
        As `fastops.windows` says, before a byte is written.
    """
    plan, dtype, wanted = windows.plan, windows.arrays[0].dtype, arguments.wanted
    fill, axis, shape = ZEROS, None, (len(windows.starts), *plan.shape)
    if is_channel_list(arguments.fill_value, windows.arrays[0]):
        if wanted is not None:
            # Pixels with a value for each channel are no elements that could be converted while they are moved.
            return convert_whole(run_windows(windows, arguments._replace(wanted=None), None), wanted, out)
        axis = channel_of(plan, arguments.channel_axis)
        fill = encode_channels(arguments.fill_value, dtype, plan.shape[axis])
    elif plan.mode is SampleMode.FILL:
        fill = encode_fill(dtype, arguments.fill_value)
    result_type, conversion = dtype, None
    if wanted is not None:
        conversion = _conversion_of(wanted, windows, out, shape)
        arrays = tuple([array.astype(conversion.source, copy=False) for array in windows.arrays])
        windows, fill, result_type = windows._replace(arrays=arrays), fill.astype(conversion.source), conversion.result
    target, _pinned = None, None
    if out is not None:
        target, _pinned = as_output(out, shape, dtype if conversion is None else getattr(out, "dtype", result_type))
    own = target
    if own is None or own.dtype != result_type or any([share_memory(own, source) for source in windows.arrays]):
        own = allocate(shape, result_type)
    if axis is None:
        _move(windows, own, fill, conversion)
    else:
        for part in parts_of_channels(windows, own, fill, axis):
            _move(*part, None)
    if target is None:
        return own
    if own is not target:
        np.copyto(target, own)
    return out


def _conversion_of(wanted: Normalization, windows: CallWindows, out: Any, shape: tuple[int, ...]) -> Conversion:
    """Return the conversion of one window of a result of a shape."""
    dtype = windows.arrays[0].dtype
    conversion = find_conversion(wanted, dtype, out, len(shape))
    check_channels(conversion, shape)
    if conversion.axis <= 0:
        return conversion
    # Kernels count the axes of one window.
    return find_conversion(wanted._replace(axis=conversion.axis - 1), dtype, out, len(shape) - 1)


def _move(windows: CallWindows, target: AnyArray, fill: AnyArray, conversion: Conversion | None) -> None:
    """Write all windows, or raise for the first that is wrong."""
    if not target.nbytes:
        for n in range(len(windows.starts)):
            _check_item(windows, n)
        return
    if is_as_expected():
        left = _move_most(windows, target, fill, conversion)
    else:
        left = [*range(len(windows.starts))]
        for n in left:
            check_window(windows, n)
    for n in left:
        value = fill[0] if windows.plan.mode is SampleMode.FILL else None
        execute_checked(create_call((windows.plan_of(n),)), windows.source_of(n), (target[n],), value, conversion)


def _move_most(windows: CallWindows, target: AnyArray, fill: AnyArray, conversion: Conversion | None) -> list[int]:
    """Write the windows that compiled code computes with, return the others, and raise for the first that is wrong."""
    numbers = (windows.starts, windows.strides, windows.items)
    words = None if conversion is None else conversion.words
    what = ((*windows.arrays, target), fill, plan_words(windows.plan), *numbers, words, STREAM_BYTES)
    # Windows that are right, but have numbers that are too large for compiled code.
    beyond: list[int] = []
    while (status := run_launches("move_windows", target.nbytes, *what, beyond[-1] + 1 if beyond else 0)) < 0:
        check_window(windows, -1 - status)
        beyond.append(-1 - status)
    for source in windows.arrays if status else ():
        check_span(source.shape, source.strides, source.itemsize)
    check_done(status)
    return beyond


def plan_words(plan: WindowsGeometry) -> AnyArray:
    """Return the words of a plan (`kernels._tables._calls`)."""
    # Compiled code leaves out windows of larger strides.
    strides = [max(min(stride, LARGEST + 1), -LARGEST - 1) for stride in plan.stride]
    return as_table((len(plan.axes), plan.mode, *[axis - int(plan.items) for axis in plan.axes], *strides))


def channel_of(plan: WindowsGeometry, channel_axis: int) -> int:
    """Return the axis of a window that an axis of data becomes."""
    axis = resolve_axis_of(plan.source_shape, "channel_axis", channel_axis)
    if plan.items and axis == 0:
        raise AttributeValueError.about("channel_axis", "not be axis 0, of which items are indices", channel_axis)
    return axis - int(plan.items)


def parts_of_channels(
    windows: CallWindows, target: AnyArray, fill: AnyArray, axis: int
) -> Iterator[tuple[CallWindows, AnyArray, AnyArray]]:
    """Yield windows that have one fill value, where they are written, and that value.

    Channels along an axis of windows have a fill value each. If all channels lie side by side in memory, they are one
    element, a pixel; otherwise there are windows of each channel.
    """
    n, k = len(fill), axis + int(windows.plan.items)
    column = windows.plan.axes.index(k) if k in windows.plan.axes else None
    first, steps = [0] * len(windows.starts), [1] * len(windows.starts)
    if column is not None:
        first = windows.starts[:, column].tolist()
        steps = [windows.strides_of(i)[column] for i in range(len(first))]
    if axis == target.ndim - 2 and not any(first) and {*steps} <= {1}:
        pixels = [as_pixels(array, n) for array in (*windows.arrays, target)]
        if all([each is not None for each in pixels]):
            *arrays, own = [each for each in pixels if each is not None]
            yield _with_axis(windows, arrays, k, 0), own, fill.view(own.dtype)
            return
    for y in range(n):
        own = target[(*(slice(None),) * (axis + 1), slice(y, y + 1))]
        # All coordinates beyond 2^62 are outside of data alike.
        starts = [max(min(x + y * step, 1 << 62), -1 << 62) for x, step in zip(first, steps, strict=True)]
        yield _with_axis(windows, windows.arrays, k, starts), own, fill[y : y + 1]


def _with_axis(windows: CallWindows, arrays: Sequence[AnyArray], k: int, starts: Any) -> CallWindows:
    """Return windows of arrays that take one index along axis k of data, from these starts on."""
    plan = windows.plan
    kept = [i for i, own in enumerate(plan.axes) if own != k]
    own = create_windows(
        arrays[0].shape,
        (*[plan.size[i] for i in kept], 1),
        (*[plan.stride[i] for i in kept], 1),
        (*[plan.axes[i] for i in kept], k),
        plan.items,
        plan.mode,
    )
    # Compiled code takes C-contiguous rows.
    rows = np.empty((2, len(windows.starts), len(kept) + 1), np.int64)
    rows[0, :, :-1], rows[0, :, -1], rows[1, :, -1] = windows.starts[:, kept], starts, 1
    strides = windows.strides
    if strides is not None:
        rows[1, :, :-1] = strides[:, kept]
        strides = rows[1]
    return windows._replace(plan=own, arrays=tuple(arrays), starts=rows[0], strides=strides)


def run_grid(grid: Grid, source: AnyArray, out: Any, copy: Any, fill_value: object) -> Any:
    """Return the patches of an array that reach beyond it, or write them into ``out``: they are no view."""
    if copy is not True and copy is not None:
        reason = "a result written into out" if out is not None else "a result that reads out of bounds"
        rule = f"be True or None for {reason}" if copy is False else "be True, False or None"
        raise AttributeValueError.about("copy", rule, copy)
    target, _pinned = None, None
    if out is not None:
        target, _pinned = as_output(out, grid.shape, source.dtype)
    is_dense = target is not None and target.flags.c_contiguous
    dense: AnyArray = target if is_dense else allocate(grid.shape, source.dtype)  # type: ignore[assignment]
    starts = np.stack(np.meshgrid(*grid.starts, indexing="ij"), -1).reshape(-1, len(grid.starts))
    arguments = WindowsArguments(starts, fill_value=fill_value)
    windows = read_windows(source, lambda _: grid.windows, arguments, is_list=False)
    run_windows(windows, arguments, dense.reshape(grid.split_shape).transpose(np.argsort(grid.order)))
    if target is None:
        return dense
    if not is_dense:
        copy_whole(dense, target)
    return out
