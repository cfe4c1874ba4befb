"""What windows do when they are called: all are checked, then moved in one launch."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from fastops._arrays._byte_strides import contiguous_byte_strides
from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import encode_fill
from fastops._arrays._inputs import check_span
from fastops._arrays._outputs import allocate, as_output, share_memory
from fastops._execution._calls import create_call
from fastops._execution._execute import ZEROS, copy_whole, execute_checked
from fastops._execution._window_checks import CallWindows, check_items, check_windows, read_windows
from fastops._execution._window_sources import WindowSources
from fastops._geometry._sample_mode import SampleMode, check_fill_mode
from fastops._geometry._windows_geometry import WindowsGeometry
from fastops._geometry._words import window_words
from fastops._runtime._kernels import run_kernel
from fastops._settings import CACHE_SIZE, STREAM_BYTES
from fastops.kernels._tables import _window as t
from fastops.kernels._tables._gather import PARTS, TOTAL_BYTES
from fastops.kernels._tables._words import LARGEST


class PreparedWindows(NamedTuple):
    """What calls of a plan have in common, for sources and outputs of one shape, byte strides and type.

    Attributes
    ----------
    table : ndarray of int64
        The table that the kernel runs, without the numbers of the windows.
    window_bytes : int
        Bytes of one window.
    """

    table: AnyArray
    window_bytes: int


def run_windows(
    plan: WindowsGeometry, sources: WindowSources, starts: Any, strides: Any, items: Any, out: Any, fill_value: Any
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
    shape = (len(windows.starts), *plan.shape)
    is_empty = 0 in shape or not dtype.itemsize
    if is_empty:
        check_items(windows)
    if out is None:
        own = allocate(shape, dtype)
        if not is_empty:
            _move(windows, own, fill)
        return own
    target, _pinned = as_output(out, shape, dtype)
    if is_empty:
        return out
    if any([share_memory(target, source) for source in sources.arrays]):
        own = allocate(shape, dtype)
        _move(windows, own, fill)
        copy_whole(own, target)
    else:
        _move(windows, target, fill)
    return out


def _move(windows: CallWindows, target: AnyArray, fill: AnyArray) -> None:
    """Write all windows, or raise for the first that is wrong."""
    plan, sources = windows.plan, windows.sources
    source = sources.arrays[0]
    width = target.dtype.itemsize
    streams = target.nbytes >= STREAM_BYTES
    layout = None if target.flags.c_contiguous else target.strides[1:]
    prepared = prepare_windows(plan, source.shape, source.strides, width, layout, streams)
    table = create_table(
        prepared,
        target,
        starts=windows.starts,
        strides=windows.strides,
        items=windows.items,
        geometries=sources.geometries,
    )
    arrays = (target,) if sources.geometries is None else (target, *sources.arrays)
    if run_table(table, arrays, source, fill):
        return
    beyond = check_windows(windows)
    table[t.IS_CHECKED] = 1
    run_table(table, arrays, source, fill)
    for i in beyond:
        own = windows.source_of(i)
        execute_checked(
            create_call((windows.plan_of(i),)), own, (target[i],), fill[0] if plan.mode is SampleMode.FILL else None
        )


def create_table(
    prepared: PreparedWindows,
    target: AnyArray,
    *,
    starts: AnyArray,
    strides: AnyArray | None = None,
    items: AnyArray | None = None,
    geometries: AnyArray | None = None,
) -> AnyArray:
    """Return the table of windows that are written into a target, with the numbers of each of them."""
    parts, at, places = [prepared.table], len(prepared.table), []
    for column, numbers in ((t.STARTS, starts), (t.STRIDES, strides), (t.ITEMS, items), (t.GEOMETRIES, geometries)):
        if numbers is not None:
            places.append((column, at))
            parts.append(numbers.ravel())
            at += numbers.size
    table = np.concatenate(parts)
    n = len(target)
    table[TOTAL_BYTES], table[t.N_WINDOWS], table[t.DST_STEP] = n * prepared.window_bytes, n, target.strides[0]
    for column, place in places:
        table[column] = place
    return table


def run_table(table: AnyArray, arrays: tuple[AnyArray, ...], source: AnyArray, fill: AnyArray) -> bool:
    """Move the windows of a table; return False, and nothing is written, if one of them may be wrong."""
    run_kernel("gather", int(table[TOTAL_BYTES]), arrays, source, table, fill)
    return bool(table[t.DOUBTFUL] < 0)


@lru_cache(CACHE_SIZE)
def prepare_windows(
    plan: WindowsGeometry,
    shape: tuple[int, ...],
    byte_strides: tuple[int, ...],
    width: int,
    out_byte_strides: tuple[int, ...] | None,
    streams: bool,
) -> PreparedWindows:
    """Return what a call has in common with others.

    ``out_byte_strides`` are those of one window, None where outputs are contiguous.
    """
    check_span(shape, byte_strides, width)
    first, k = int(plan.items), len(plan.axes)
    strides = [1] * (len(shape) - first)
    for stride, axis in zip(plan.stride, plan.axes, strict=True):
        # Windows of larger strides are left out, whatever the words say.
        strides[axis - first] = max(min(stride, LARGEST + 1), -LARGEST - 1)
    if out_byte_strides is None:
        out_byte_strides = contiguous_byte_strides(plan.shape, width)
    words = window_words(shape[first:], plan.shape, strides, plan.mode)
    window_bytes = width * prod(plan.shape)
    header = [0] * t.WINDOWS_COLUMNS
    header[PARTS] = t.WINDOWS
    header[t.N_AXES], header[t.AXIS_NUMBERS] = k, t.WINDOWS_COLUMNS
    header[t.MODE], header[t.WIDTH], header[t.STREAMS] = int(plan.mode), width, int(streams)
    header[t.WORDS], header[t.N_WORDS] = t.WINDOWS_COLUMNS + k, len(words)
    header[t.BYTE_STRIDES] = t.WINDOWS_COLUMNS + k + len(words)
    if plan.items:
        header[t.ITEM_EXTENT], header[t.ITEM_PITCH] = shape[0], byte_strides[0]
    numbers = [axis - first for axis in plan.axes]
    return PreparedWindows(
        np.array([*header, *numbers, *words, *byte_strides[first:], *out_byte_strides], np.int64), window_bytes
    )
