"""What windows do when they are called: all are checked, then moved in one launch."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastops._arrays._conversions import Conversion, Normalization, check_channels, find_conversion, with_axis
from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import encode_fill
from fastops._arrays._inputs import check_span
from fastops._arrays._outputs import allocate, as_output, share_memory
from fastops._errors import AttributeValueError
from fastops._execution._calls import as_table, create_call
from fastops._execution._execute import ZEROS, check_done, execute_checked
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
    wanted: Normalization | None = None,
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
    fill = encode_fill(dtype, fill_value) if mode is SampleMode.FILL else ZEROS
    windows = read_windows(plan, sources, starts, strides, items)
    shape, result_type, conversion = (len(windows.starts), *plan.shape), dtype, None
    if wanted is not None:
        conversion, sources = _conversion_of(plan, wanted, sources, out, shape)
        windows, fill, result_type = (
            windows._replace(sources=sources),
            fill.astype(conversion.source),
            conversion.result,
        )
    is_empty = 0 in shape or not dtype.itemsize
    if is_empty:
        for n in range(len(windows.starts)):
            check_item(windows, n)
    if out is None:
        own = allocate(shape, result_type)
        if not is_empty:
            _move(windows, own, fill, conversion)
        return own
    target, _pinned = as_output(out, shape, dtype if conversion is None else out.dtype)
    if is_empty:
        return out
    if target.dtype != result_type or any([share_memory(target, source) for source in sources.arrays]):
        own = allocate(shape, result_type)
        _move(windows, own, fill, conversion)
        np.copyto(target, own)
    else:
        _move(windows, target, fill, conversion)
    return out


def _conversion_of(
    plan: WindowsGeometry, wanted: Normalization, sources: WindowSources, out: Any, shape: tuple[int, ...]
) -> tuple[Conversion, WindowSources]:
    """Return the conversion of a window, of a result of a shape, and the sources in the machine's order of bytes."""
    own = with_axis(wanted, len(plan.shape))
    check_channels(find_conversion(own, sources.dtype, out, len(shape)), shape)
    if own.axis is not None:
        axis = own.axis % len(shape)
        if axis == 0:
            raise AttributeValueError.about("normalize", "name an axis of a window, as axis 0 is not", wanted.axis)
        # Kernels count the axes of one window.
        own = own._replace(axis=axis - 1)
    conversion = find_conversion(own, sources.dtype, out, len(plan.shape))
    if sources.dtype != conversion.source:
        arrays = tuple([array.astype(conversion.source) for array in sources.arrays])
        sources = sources._replace(arrays=arrays)
    return conversion, sources


def _move(windows: CallWindows, target: AnyArray, fill: AnyArray, conversion: Conversion | None) -> None:
    """Write all windows, or raise for the first that is wrong."""
    numbers = (windows.starts, windows.strides, windows.items)
    words = None if conversion is None else conversion.words
    streams = int(target.nbytes >= STREAM_BYTES)
    what = ((*windows.sources.arrays, target), fill, plan_words(windows.plan), *numbers, words, streams)
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
