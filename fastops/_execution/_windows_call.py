"""Calls of windows: many outputs of one size, which are checked and moved together.

Data may be of any kind, or a list of arrays or of tensors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fastops._arrays._conversions import Conversion, Normalization, check_channels, find_conversion, read_normalization
from fastops._arrays._dtypes import AnyArray, check_span
from fastops._arrays._fill_values import as_pixels, encode_channels, encode_fill, is_channel_list
from fastops._arrays._outputs import allocate, as_output, share_memory
from fastops._errors import errors_of
from fastops._execution import _windows as reading
from fastops._execution._execute import ZEROS, as_table, check_done, convert_whole, execute_checked, find_call
from fastops._execution._kinds import TENSORS, find_kind
from fastops._execution._plan_call import check_shape
from fastops._execution._planned_kind import DataCall
from fastops._execution._windows import CallWindows, PlanOf, WindowsArguments
from fastops._geometry._planned_output import PlannedOutput
from fastops._geometry._range_and_windows import WindowsGeometry, create_windows
from fastops._geometry._sample_mode import SampleMode
from fastops._runtime._kernels import run_launches
from fastops._settings import STREAM_BYTES
from fastops.kernels._intrinsics._object_layout import is_as_expected
from fastops.kernels._tables._words import LARGEST


def run_windows_geometry(
    geometry: WindowsGeometry, data: Any, out: Any, normalize: Any, dtype: Any, **arguments: Any
) -> Any:
    """Run a plan of windows on data; the arguments are fields of `WindowsArguments`."""

    def plan_of(shape: tuple[int, ...]) -> WindowsGeometry:
        check_shape(geometry.source_shape, shape)
        return geometry

    with errors_of("plan", {}):
        wanted = read_normalization(normalize, dtype, -1)
        return call_windows(data, out, plan_of, WindowsArguments(**arguments, wanted=wanted))


def call_windows(data: Any, out: Any, plan_of: PlanOf, arguments: WindowsArguments, *, is_list: bool = False) -> Any:
    """Return windows of data of any kind, or of a list of arrays or of tensors."""

    def run(array: Any, out: Any) -> Any:
        return run_windows(reading.read_windows(array, plan_of, arguments, is_list=is_list), arguments, out)

    kind = find_kind(data[0] if is_list else data, arguments.chunks)
    if kind is None or (is_list and kind is not TENSORS):
        # This call refuses a list of data that is not in memory.
        return run(data, out)

    def lower(shape: tuple[int, ...]) -> list[PlannedOutput]:
        # The checks of windows look at shapes only, so this array takes no memory.
        stand_in = np.broadcast_to(np.empty((), np.uint8), shape)
        return [reading.planned_windows(reading.read_windows(stand_in, plan_of, arguments, is_list=False), arguments)]

    call = DataCall(run, lower, arguments.fill_value, True, False, is_list, arguments.wanted, arguments.chunks)
    return kind.run(call, data, out)


def run_windows(windows: CallWindows, arguments: WindowsArguments, out: Any) -> Any:
    """Return the windows, or write them into ``out``.

    Raises
    ------
    FastopsError
        The errors of `fastops.windows`, before a byte is written.
    """
    plan, dtype, wanted = windows.plan, windows.arrays[0].dtype, arguments.wanted
    fill, axis, shape = ZEROS, None, (len(windows.starts), *plan.shape)
    if is_channel_list(arguments.fill_value, dtype):
        if wanted is not None:
            # Pixels with a fill value for each channel cannot be converted while they are moved.
            return convert_whole(run_windows(windows, arguments._replace(wanted=None), None), wanted, out)
        axis = reading.channel_of(plan, arguments.channel_axis)
        fill = encode_channels("fill_value", arguments.fill_value, dtype, plan.shape[axis]).array
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
        for part in _parts_of_channels(windows, own, fill, axis):
            _move(*part, None)
    if target is None:
        return own
    if own is not target:
        np.copyto(target, own)
    return out


def _conversion_of(wanted: Normalization, windows: CallWindows, out: Any, shape: tuple[int, ...]) -> Conversion:
    """Return the conversion for one window; ``shape`` is the shape of all windows."""
    dtype = windows.arrays[0].dtype
    conversion = find_conversion(wanted, dtype, out, len(shape))
    check_channels(conversion, shape)
    # Kernels count axes within one window, so leave out the first axis.
    own = wanted._replace(axis=conversion.axis - 1)
    return conversion if conversion.axis <= 0 else find_conversion(own, dtype, out, len(shape) - 1)


def _move(windows: CallWindows, target: AnyArray, fill: AnyArray, conversion: Conversion | None) -> None:
    """Write all windows, or raise for the first that is wrong."""
    if not target.nbytes:
        for n in range(len(windows.starts)):
            reading.check_item(windows, n)
        return
    if is_as_expected():
        left = _move_most(windows, target, fill, conversion)
    else:
        left = [*range(len(windows.starts))]
        for n in left:
            reading.check_window(windows, n)
    for n in left:
        value = fill[0] if windows.plan.mode is SampleMode.FILL else None
        execute_checked(find_call(windows.plan_of(n)), windows.source_of(n), (target[n],), value, conversion)


def _move_most(windows: CallWindows, target: AnyArray, fill: AnyArray, conversion: Conversion | None) -> list[int]:
    """Write the windows that compiled code takes, return the other windows' numbers, and raise for a wrong one."""
    numbers = (windows.starts, windows.strides, windows.items)
    words = None if conversion is None else conversion.words
    what = ((*windows.arrays, target), fill, plan_words(windows.plan), *numbers, words, STREAM_BYTES)
    # The numbers of windows that are valid, but have coordinates that are too large for compiled code.
    beyond: list[int] = []
    while (status := run_launches("move_windows", target.nbytes, *what, beyond[-1] + 1 if beyond else 0)) < 0:
        reading.check_window(windows, -1 - status)
        beyond.append(-1 - status)
    for source in windows.arrays if status else ():
        check_span(source)
    check_done(status)
    return beyond


def plan_words(plan: WindowsGeometry) -> AnyArray:
    """Return the words of a plan (`kernels._tables._calls`)."""
    # Clip strides, because compiled code leaves larger ones to Python.
    strides = [max(min(stride, LARGEST + 1), -LARGEST - 1) for stride in plan.stride]
    return as_table((len(plan.axes), plan.mode, *[axis - int(plan.items) for axis in plan.axes], *strides))


def _parts_of_channels(
    windows: CallWindows, target: AnyArray, fill: AnyArray, axis: int
) -> Iterator[tuple[CallWindows, AnyArray, AnyArray]]:
    """Yield windows that have one fill value, the array that they write, and the value.

    Channels along an axis of windows have a fill value each. If all channels lie side by side in memory, they are one
    element, a pixel; otherwise there are windows of each channel.
    """
    plan, n = windows.plan, len(fill)
    k = axis + int(plan.items)
    column = plan.axes.index(k) if k in plan.axes else None
    is_whole = column is None
    if column is not None:
        first = windows.starts[:, column].astype(object)
        step = plan.stride[column] if windows.strides is None else windows.strides[:, column].astype(object)
        is_whole = not first.any() and bool(np.all(step == 1))
    if is_whole and axis == target.ndim - 2:
        *arrays, pixels = [as_pixels(array, n) for array in (*windows.arrays, target)]
        if pixels is not None and not any([array is None for array in arrays]):
            yield _of_channel(windows, arrays, k), pixels, fill.view(pixels.dtype)  # type: ignore[arg-type]
            return
    for y in range(n):
        index = slice(y, y + 1)
        own = target[(*(slice(None),) * (axis + 1), index)]
        if column is None:
            part = _of_channel(windows, [array[(*(slice(None),) * k, index)] for array in windows.arrays], k)
        else:
            part = _of_channel(windows, windows.arrays, k)
            # Coordinates beyond 2^62 are all outside of data, so clip them.
            part.starts[:, column] = np.clip(first + y * step, -1 << 62, 1 << 62)
        yield part, own, fill[y : y + 1]


def _of_channel(windows: CallWindows, arrays: Sequence[AnyArray], k: int) -> CallWindows:
    """Return windows of these arrays that have one element along axis k of data."""
    plan = windows.plan
    size = tuple([1 if own == k else length for own, length in zip(plan.axes, plan.size, strict=True)])
    own = create_windows(arrays[0].shape, size, plan.stride, plan.axes, plan.items, plan.mode)
    return windows._replace(plan=own, arrays=tuple(arrays), starts=windows.starts.copy())
