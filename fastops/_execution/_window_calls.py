"""Calls of windows that are like an earlier one: they need not be read and lowered again.

That takes as long as all the rest of a call that cuts a few windows. It is done once for all calls of one array's
geometry and the same attributes, whose starts are arrays of int64.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import encode_fill
from fastops._arrays._inputs import as_source
from fastops._arrays._outputs import allocate, as_output, share_memory
from fastops._execution._execute import ZEROS
from fastops._execution._windows_call import PreparedWindows, create_table, prepare_windows, run_table
from fastops._geometry._sample_mode import SampleMode
from fastops._geometry._windows_geometry import WindowsGeometry
from fastops._settings import CACHE_SIZE, STREAM_BYTES

_INT64 = np.dtype(np.int64)


class WindowsCall(NamedTuple):
    """A call of windows without its arrays: of one source of a geometry and a type, into contiguous outputs."""

    plan: WindowsGeometry
    shape: tuple[int, ...]
    byte_strides: tuple[int, ...]
    dtype: AnyDType
    prepared: PreparedWindows
    fill: AnyArray


@lru_cache(CACHE_SIZE)
def create_windows_call(
    plan: WindowsGeometry, shape: tuple[int, ...], byte_strides: tuple[int, ...], dtype: AnyDType
) -> WindowsCall | None:
    """Return the call of a plan on arrays of a geometry and a type; None where it cannot be one."""
    if shape != plan.source_shape or 0 in plan.shape or not dtype.itemsize:
        return None
    if dtype.hasobject or dtype.names is not None:
        return None
    prepared = prepare_windows(plan, shape, byte_strides, dtype.itemsize, None, False)
    fill = encode_fill(dtype, None) if plan.mode is SampleMode.FILL else ZEROS
    return WindowsCall(plan, shape, byte_strides, dtype, prepared, fill)


def execute_windows(call: WindowsCall, data: AnyArray, starts: Any, items: Any, out: Any) -> Any:
    """Return the windows of an array; None, and nothing is written, where a call has to be read after all.

    That is so for starts and items that are no arrays of int64, for windows that may be wrong, outputs of other
    layouts, or so many that they are streamed.

    Raises
    ------
    OutputError
        ``out`` cannot take the result, or there is no memory for one.
    """
    # Copies: other threads may give the caller's arrays another shape or type.
    own_starts = _copy_of(starts)
    own_items = None if items is None else _copy_of(items)
    if own_starts is None or own_starts.ndim != 2 or own_starts.shape[1] != len(call.plan.axes):
        return None
    n = len(own_starts)
    numbers = [own_starts]
    if items is not None:
        if own_items is None or own_items.shape != (n,):
            return None
        numbers.append(own_items)
    source, _pinned = as_source(data)
    known = (source.shape, source.strides, source.dtype) == (call.shape, call.byte_strides, call.dtype)
    total_bytes = n * call.prepared.window_bytes
    if not known or not 0 < total_bytes < STREAM_BYTES:
        return None
    shape = (n, *call.plan.shape)
    if out is None:
        target = allocate(shape, call.dtype)
    else:
        target, _pinned_out = as_output(out, shape, call.dtype)
        if not target.flags.c_contiguous or share_memory(target, source):
            return None
    table = create_table(call.prepared, target, starts=own_starts, items=own_items)
    if not run_table(table, (target,), source, call.fill):
        return None
    return target if out is None else out


def _copy_of(numbers: Any) -> AnyArray | None:
    """Return a copy of an array of int64; None for anything else."""
    if type(numbers) is not ndarray or numbers.dtype is not _INT64:
        return None
    own = np.array(numbers, order="C")
    return own if own.dtype is _INT64 else None
