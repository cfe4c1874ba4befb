"""The stub of `fastops.windows` for users' compiled code."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload

from fastops._overloads._arguments import fill_at
from fastops._overloads._link import check_window, run_window, set_axis
from fastops._overloads._pointers import may_overlap, output_at, shift_by, source_at
from fastops._overloads._statuses import raise_status
from fastops._overloads._words import new_words, set_mode, set_output, shape_of
from fastops._overloads._writing import (
    MODES,
    OPTIONS,
    as_list,
    check_out,
    copy_array,
    entry,
    is_none,
    length_of,
    mode_number,
    unused_fill_value,
)
from fastops.kernels._tables._window import OTHER_LENGTH, OUT_OF_BOUNDS
from fastops.ops._windows import windows

_NAME = "fastops.windows"


def _is_rows(kind) -> bool:
    """True for the type of an array of integers of two dimensions."""
    return isinstance(kind, types.Array) and kind.ndim == 2 and isinstance(kind.dtype, types.Integer)


def stride_of(stride, n, j):
    """The stride of axis j in window n."""


@overload(stride_of, jit_options=OPTIONS)
def _stride_of(stride, n, j):
    if _is_rows(stride):
        return lambda stride, n, j: stride[n, j]
    if isinstance(stride, types.Integer):
        return lambda stride, n, j: stride
    return lambda stride, n, j: as_list(stride)[j]


def fits_stride(stride, n, k):
    """True if strides are as many as n windows of k axes have."""


@overload(fits_stride, jit_options=OPTIONS)
def _fits_stride(stride, n, k):
    if _is_rows(stride):
        return lambda stride, n, k: stride.shape == (n, k)
    if isinstance(stride, types.Integer):
        return lambda stride, n, k: True
    return lambda stride, n, k: len(as_list(stride)) == k


def item_of(items, n, extent):
    """The item of window n; -1 if there is no such one, 0 if there are no items."""


@overload(item_of, jit_options=OPTIONS)
def _item_of(items, n, extent):
    if is_none(items):
        return lambda items, n, extent: 0

    def impl(items, n, extent):
        item = as_list(items)[n]
        return item if 0 <= item < extent else -1

    return impl


def set_window(words, n, starts, sizes, stride, axes, mode):
    """Let words say what window n reads; return a status."""


@overload(set_window, jit_options=OPTIONS)
def _set_window(words, n, starts, sizes, stride, axes, mode):
    def impl(words, n, starts, sizes, stride, axes, mode):
        status = set_mode(words, mode)
        for j in range(len(sizes)):
            if status == 0:
                status = set_axis(words, entry(axes, j, j), starts[n, j], stride_of(stride, n, j), sizes[j])
        return status

    return impl


def write_windows(words, data, starts, sizes, stride, axes, items, mode, fill, out):
    """Write windows that are checked into an array that shares no memory with data."""


@overload(write_windows, jit_options=OPTIONS)
def _write_windows(words, data, starts, sizes, stride, axes, items, mode, fill, out):
    whole, has_items = tuple(range(out.ndim - 1)), not is_none(items)

    def impl(words, data, starts, sizes, stride, axes, items, mode, fill, out):
        set_output(words, out, whole, 1)
        for n in range(len(starts)):
            set_window(words, n, starts, sizes, stride, axes, mode)
            source = source_at(data)
            if has_items:
                source = shift_by(source, item_of(items, n, data.shape[0]) * data.strides[0])
            run_window(shift_by(output_at(out), n * out.strides[0]), source, words, fill)

    return impl


def finish_windows(words, data, starts, sizes, stride, axes, items, mode, fill, out):
    """Write windows that are checked into ``out``, or a fresh array, and return it."""


@overload(finish_windows, jit_options=OPTIONS)
def _finish_windows(words, data, starts, sizes, stride, axes, items, mode, fill, out):
    rank = data.ndim - (0 if is_none(items) else 1)
    whole, all_axes = tuple(range(rank)), tuple(range(rank + 1))
    if is_none(out):

        def write_fresh(words, data, starts, sizes, stride, axes, items, mode, fill, out):
            result = np.empty((len(starts), *shape_of(words, whole)), data.dtype)
            write_windows(words, data, starts, sizes, stride, axes, items, mode, fill, result)
            return result

        return write_fresh
    check_out(out, data, rank + 1)

    def write_into(words, data, starts, sizes, stride, axes, items, mode, fill, out):
        raise_status(_NAME, set_output(words, out, whole, 1))
        if len(out) != len(starts):
            raise ValueError("fastops.windows: out must have the shape of the result")
        if may_overlap(out, data):
            result = np.empty(out.shape, data.dtype)
            write_windows(words, data, starts, sizes, stride, axes, items, mode, fill, result)
            copy_array(result, out, all_axes)
        else:
            write_windows(words, data, starts, sizes, stride, axes, items, mode, fill, out)
        return out

    return write_into


@overload(windows, jit_options=OPTIONS)
def _stub(data, starts, size, stride=1, axes=None, items=None, mode="strict_bounds", fill_value=None, out=None):
    if not isinstance(data, types.Array):
        return None
    if not _is_rows(starts):
        raise TypingError("fastops.windows: starts must be an array of integers of two dimensions")
    skipped = 0 if is_none(items) else 1
    rank, is_named = data.ndim - skipped, not is_none(axes)
    if rank < 0:
        raise TypingError("fastops.windows: data must have a first axis, of which items are indices")

    def impl(data, starts, size, stride=1, axes=None, items=None, mode="strict_bounds", fill_value=None, out=None):
        words = new_words(data, rank, skipped)
        number = mode_number(mode, MODES)
        raise_status(_NAME, set_mode(words, number))
        raise_status(_NAME, unused_fill_value(fill_value, number))
        sizes = as_list(size)
        n, k = len(starts), len(sizes)
        fits = starts.shape[1] == k and length_of(axes, k) == k and length_of(items, n) == n
        if not fits or not fits_stride(stride, n, k) or (not is_named and k != rank):
            raise_status(_NAME, OTHER_LENGTH)
        # The axes of data, of which the first is not one of a window with items.
        own_axes = own_axes_of(axes, skipped, rank)
        for i in range(n):
            raise_status(_NAME, set_window(words, i, starts, sizes, stride, own_axes, number))
            if item_of(items, i, data.shape[0] if skipped else 1) < 0:
                raise_status(_NAME, OUT_OF_BOUNDS)
            raise_status(_NAME, check_window(words))
        if n == 0:
            # The shape of no windows has their size too.
            for j in range(k):
                raise_status(_NAME, set_axis(words, entry(own_axes, j, j), 0, 1, sizes[j]))
        fill, status = fill_at(data, fill_value)
        raise_status(_NAME, status)
        return finish_windows(words, data, starts, sizes, stride, own_axes, items, number, fill, out)

    return impl


def own_axes_of(axes, skipped, rank):
    """Axes of data as axes of a window, which has not the first ones: out of its rank where they are none."""


@overload(own_axes_of, jit_options=OPTIONS)
def _own_axes_of(axes, skipped, rank):
    if is_none(axes):
        return lambda axes, skipped, rank: None
    if not isinstance(axes, types.BaseTuple):
        raise TypingError("fastops.windows: axes must be a tuple of integers")

    def impl(axes, skipped, rank):
        result = as_list(axes)
        for j in range(len(result)):
            axis = result[j]
            if axis < 0:
                axis += rank + skipped
            result = tuple_setitem(result, j, axis - skipped if axis >= skipped else rank)
        return result

    return impl
