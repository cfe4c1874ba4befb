"""Rebased calls: from windows to a prepared call, by another one of the same size that reads elsewhere.

Windows of one size that lie inside of a source differ in the offset from which they read and in nothing else, and
making a schedule takes longer than running a small one. So the call of such windows is that of others of their size,
with another offset in its table; its plan is made when it is asked for.
"""

from __future__ import annotations

from functools import lru_cache

from fastops._arrays._dtypes import AnyDType
from fastops._execution._prepared_call import PreparedCall, create_call
from fastops._execution._tables import FIRST_SRC_OFFSET, NO_TABLE
from fastops._lowering._windows import Windows
from fastops._settings import CACHE_SIZE


def prepare_windows(
    lowered: Windows | list[Windows], shape: tuple[int, ...], byte_strides: tuple[int, ...], dtype: AnyDType
) -> PreparedCall:
    """Return the call of what an operator lowers to, for a source of this shape, these byte strides and this dtype."""
    if isinstance(lowered, list):
        return create_call(tuple([windows.plan() for windows in lowered]), byte_strides, dtype)
    call = _rebase(lowered, byte_strides, dtype) if tuple(lowered.extents) == shape else None
    return create_call((lowered.plan(),), byte_strides, dtype) if call is None else call


def _rebase(windows: Windows, byte_strides: tuple[int, ...], dtype: AnyDType) -> PreparedCall | None:
    """Return the call of windows that lie inside of their axes; None for others, and where nothing is read."""
    strides, counts, offset = [], [], 0
    for extent, (start, stride, count), byte_stride in zip(windows.extents, windows.bounds, byte_strides, strict=True):
        if count < 1 or not 0 <= start < extent or not 0 <= start + (count - 1) * stride < extent:
            return None
        strides.append(stride if count > 1 else 1)
        counts.append(count)
        offset += start * byte_stride
    result_shape = None if windows.shape is None else tuple(windows.shape)
    shape = tuple(windows.extents)
    origin, first = _find_origin(shape, tuple(strides), tuple(counts), result_shape, byte_strides, dtype)
    if origin.table is NO_TABLE:
        return None
    return origin.rebased(windows.plan, dtype, first + offset)


@lru_cache(CACHE_SIZE)
def _find_origin(
    source_shape: tuple[int, ...],
    strides: tuple[int, ...],
    counts: tuple[int, ...],
    shape: tuple[int, ...] | None,
    byte_strides: tuple[int, ...],
    dtype: AnyDType,
) -> tuple[PreparedCall, int]:
    """Return a call of such windows, and the offset that its table would have if every start were 0."""
    bounds, offset = [], 0
    for stride, count, byte_stride in zip(strides, counts, byte_strides, strict=True):
        start = max(-stride, 0) * (count - 1)
        bounds.append((start, stride, count))
        offset += start * byte_stride
    plan = Windows(source_shape, bounds, shape=shape).plan()
    call = create_call((plan,), byte_strides, dtype)
    return call, 0 if call.table is NO_TABLE else int(call.table[FIRST_SRC_OFFSET]) - offset
