"""What windows do when they are called: all are checked, then moved in one launch."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastops._arrays._channels import encode_channels, is_channel_list
from fastops._arrays._conversions import Conversion, Normalization, check_channels, find_conversion
from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import encode_fill
from fastops._arrays._inputs import check_span
from fastops._arrays._outputs import allocate, as_output, share_memory
from fastops._execution._calls import as_table, create_call
from fastops._execution._execute import ZEROS, check_done, convert_whole, execute_checked
from fastops._execution._window_channels import channel_of, parts_of_channels
from fastops._execution._window_checks import CallWindows, WindowsArguments, check_item, check_window, read_windows
from fastops._execution._window_sources import WindowSources
from fastops._geometry._sample_mode import SampleMode
from fastops._geometry._windows_geometry import WindowsGeometry
from fastops._runtime._kernels import run_launches
from fastops._settings import STREAM_BYTES
from fastops.kernels._tables._words import LARGEST


def run_windows(plan: WindowsGeometry, sources: WindowSources, arguments: WindowsArguments, out: Any) -> Any:
    """Return the windows of sources that have the shape of the plan, along the axes that windows take whole.

    Raises
    ------
    FastopsError
        As `fastops.windows` says, before a byte is written.
    """
    dtype, fill_value, wanted = sources.dtype, arguments.fill_value, arguments.wanted
    windows, fill, axis = read_windows(plan, sources, arguments), ZEROS, None
    if is_channel_list(fill_value, sources.arrays[0]):
        if wanted is not None:
            # Pixels with a value for each channel are no elements that could be converted as they are moved.
            return convert_whole(run_windows(plan, sources, arguments._replace(wanted=None), None), wanted, out)
        axis = channel_of(plan, arguments.channel_axis)
        fill = encode_channels(fill_value, dtype, plan.shape[axis])
    elif plan.mode is SampleMode.FILL:
        fill = encode_fill(dtype, fill_value)
    shape, result_type, conversion = (len(windows.starts), *plan.shape), dtype, None
    if wanted is not None:
        conversion, sources = _conversion_of(wanted, sources, out, shape)
        windows, fill = windows._replace(sources=sources), fill.astype(conversion.source)
        result_type = conversion.result
    is_empty = 0 in shape or not dtype.itemsize
    if is_empty:
        for n in range(len(windows.starts)):
            check_item(windows, n)
    target, _pinned = None, None
    if out is not None:
        target, _pinned = as_output(out, shape, dtype if conversion is None else getattr(out, "dtype", result_type))
    own = target
    if own is None or own.dtype != result_type or any([share_memory(own, source) for source in sources.arrays]):
        own = allocate(shape, result_type)
    if not is_empty:
        _move_all(windows, own, fill, axis, conversion)
    if target is None:
        return own
    if own is not target:
        np.copyto(target, own)
    return out


def _conversion_of(
    wanted: Normalization, sources: WindowSources, out: Any, shape: tuple[int, ...]
) -> tuple[Conversion, WindowSources]:
    """Return the conversion of a window, of a result of a shape, and the sources in the machine's order of bytes."""
    conversion = find_conversion(wanted, sources.dtype, out, len(shape))
    check_channels(conversion, shape)
    if conversion.axis > 0:
        # Kernels count the axes of one window.
        own = wanted._replace(axis=conversion.axis - 1)
        conversion = find_conversion(own, sources.dtype, out, len(shape) - 1)
    if sources.dtype != conversion.source:
        arrays = tuple([array.astype(conversion.source) for array in sources.arrays])
        sources = sources._replace(arrays=arrays)
    return conversion, sources


def _move_all(
    windows: CallWindows, target: AnyArray, fill: AnyArray, axis: int | None, conversion: Conversion | None
) -> None:
    """Write all windows; with an axis of a window, its outputs along that have a fill value each."""
    if axis is None:
        _move(windows, target, fill, conversion)
        return
    for part in parts_of_channels(windows, target, fill, axis):
        _move(*part, None)


def _move(windows: CallWindows, target: AnyArray, fill: AnyArray, conversion: Conversion | None) -> None:
    """Write all windows, or raise for the first that is wrong."""
    numbers = (windows.starts, windows.strides, windows.items)
    words = None if conversion is None else conversion.words
    what = ((*windows.sources.arrays, target), fill, plan_words(windows.plan), *numbers, words, STREAM_BYTES)
    # Windows that are right, whose numbers compiled code does not compute with.
    beyond: list[int] = []
    while (status := run_launches("move_windows", target.nbytes, *what, beyond[-1] + 1 if beyond else 0)) < 0:
        check_window(windows, -1 - status)
        beyond.append(-1 - status)
    for source in windows.sources.arrays if status else ():
        check_span(source.shape, source.strides, source.itemsize)
    check_done(status)
    for n in beyond:
        value = fill[0] if windows.plan.mode is SampleMode.FILL else None
        execute_checked(create_call((windows.plan_of(n),)), windows.source_of(n), (target[n],), value, conversion)


def plan_words(plan: WindowsGeometry) -> AnyArray:
    """Return the words of a plan (`kernels._tables._window`)."""
    axes, strides = plan.axes, plan.stride
    if plan.items:
        axes = tuple([axis - 1 for axis in axes])
    if strides and max(map(abs, strides)) > LARGEST:
        # Windows of larger strides are left out.
        strides = tuple([max(min(stride, LARGEST + 1), -LARGEST - 1) for stride in strides])
    return as_table((len(axes), plan.mode, *axes, *strides))
