"""What windows do when they are called: all are checked, then moved in one launch."""

from __future__ import annotations

from typing import Any

from fastops._arrays._channels import encode_channels, is_channel_list
from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import encode_fill
from fastops._arrays._inputs import check_span
from fastops._arrays._outputs import allocate, as_output, share_memory
from fastops._execution._calls import as_table, create_call
from fastops._execution._execute import ZEROS, check_done, copy_whole, execute_checked
from fastops._execution._window_channels import channel_of, parts_of_channels
from fastops._execution._window_checks import CallWindows, check_item, check_window, read_windows
from fastops._execution._window_sources import WindowSources
from fastops._geometry._sample_mode import SampleMode, check_fill_mode
from fastops._geometry._windows_geometry import WindowsGeometry
from fastops._runtime._kernels import run_launches
from fastops._settings import STREAM_BYTES
from fastops.kernels._tables._words import LARGEST


def run_windows(
    plan: WindowsGeometry,
    sources: WindowSources,
    starts: Any,
    strides: Any,
    items: Any,
    out: Any,
    fill_value: Any,
    channel_axis: int = -1,
) -> Any:
    """Return the windows of sources that have the shape of the plan, along the axes that windows take whole.

    Raises
    ------
    FastopsError
        As `fastops.windows` says, before a byte is written.
    """
    mode, dtype = plan.mode, sources.dtype
    if fill_value is not None:
        check_fill_mode(mode, fill_value)
    fill, axis = ZEROS, None
    if is_channel_list(fill_value, sources.arrays[0]):
        axis = channel_of(plan, channel_axis)
        fill = encode_channels(fill_value, dtype, plan.shape[axis])
    elif mode is SampleMode.FILL:
        fill = encode_fill(dtype, fill_value)
    windows = read_windows(plan, sources, starts, strides, items)
    shape = (len(windows.starts), *plan.shape)
    is_empty = 0 in shape or not dtype.itemsize
    if is_empty:
        for n in range(len(windows.starts)):
            check_item(windows, n)
    if out is None:
        own = allocate(shape, dtype)
        if not is_empty:
            _move_all(windows, own, fill, axis)
        return own
    target, _pinned = as_output(out, shape, dtype)
    if is_empty:
        return out
    if any([share_memory(target, source) for source in sources.arrays]):
        own = allocate(shape, dtype)
        _move_all(windows, own, fill, axis)
        copy_whole(own, target)
    else:
        _move_all(windows, target, fill, axis)
    return out


def _move_all(windows: CallWindows, target: AnyArray, fill: AnyArray, axis: int | None) -> None:
    """Write all windows; with an axis of a window, its outputs along that have a fill value each."""
    if axis is None:
        _move(windows, target, fill)
        return
    for part in parts_of_channels(windows, target, fill, axis):
        _move(*part)


def _move(windows: CallWindows, target: AnyArray, fill: AnyArray) -> None:
    """Write all windows, or raise for the first that is wrong."""
    numbers = (windows.starts, windows.strides, windows.items)
    streams = int(target.nbytes >= STREAM_BYTES)
    what = ((*windows.sources.arrays, target), fill, plan_words(windows.plan), *numbers, streams)
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
        execute_checked(create_call((windows.plan_of(n),)), windows.source_of(n), (target[n],), value)


def plan_words(plan: WindowsGeometry) -> AnyArray:
    """Return the words of a plan (`kernels._tables._window`)."""
    axes, strides = plan.axes, plan.stride
    if plan.items:
        axes = tuple([axis - 1 for axis in axes])
    if strides and max(map(abs, strides)) > LARGEST:
        # Windows of larger strides are left out.
        strides = tuple([max(min(stride, LARGEST + 1), -LARGEST - 1) for stride in strides])
    return as_table((len(axes), plan.mode, *axes, *strides))
