"""The stub of `fastops.windows` for users' compiled code."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload

from fastops._overloads._arguments import OF_INTEGERS, fill_at, is_index
from fastops._overloads._link import check_window, run_window, set_axis, set_mode, start_axis
from fastops._overloads._pointers import may_overlap, output_at, shift_by, source_at
from fastops._overloads._statuses import MODES, OPTIONS, raise_status
from fastops._overloads._words import new_words, set_output, shape_of
from fastops._overloads._writing import (
    as_list,
    check_out,
    copy_array,
    entry,
    is_none,
    length_of,
    mode_number,
    unused_fill_value,
)
from fastops.kernels._tables._window import OTHER_LENGTH, OTHER_SHAPE, OUT_OF_BOUNDS
from fastops.kernels._tables._words import FILL
from fastops.ops._windows import windows

_NAME = "fastops.windows"


def _is_rows(kind) -> bool:
    """True for the type of an array of integers of two dimensions."""
    return isinstance(kind, types.Array) and kind.ndim == 2 and is_index(kind.dtype)


def stride_of(stride, n, j):
    """The stride of axis j in window n."""


@overload(stride_of, jit_options=OPTIONS)
def _stride_of(stride, n, j):
    if _is_rows(stride):
        return lambda stride, n, j: stride[n, j]
    if is_index(stride):
        return lambda stride, n, j: stride
    return lambda stride, n, j: as_list(stride)[j]


def fits_stride(stride, n, k):
    """True if strides are as many as n windows of k axes have."""


@overload(fits_stride, jit_options=OPTIONS)
def _fits_stride(stride, n, k):
    if _is_rows(stride):
        return lambda stride, n, k: stride.shape == (n, k)
    if is_index(stride):
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
    """Let words say what window n reads; return a status. Without sizes it has as many outputs as they say already."""


@overload(set_window, jit_options=OPTIONS)
def _set_window(words, n, starts, sizes, stride, axes, mode):
    keeps_sizes = is_none(sizes)

    def impl(words, n, starts, sizes, stride, axes, mode):
        status = set_mode(words, mode)
        for j in range(starts.shape[1]):
            if status == 0:
                axis, by = entry(axes, j, j), stride_of(stride, n, j)
                if keeps_sizes:
                    status = start_axis(words, axis, starts[n, j], by)
                else:
                    status = set_axis(words, axis, starts[n, j], by, sizes[j])
        return status

    return impl


def check_windows(words, starts, sizes, stride, axes, items, extent, mode):
    """Let words say what the last window reads, and check all; return a status. Items are indices of so many."""


# Of no array's type but those of numbers: it is compiled once for all types of data.
@overload(check_windows, jit_options=OPTIONS)
def _check_windows(words, starts, sizes, stride, axes, items, extent, mode):
    def impl(words, starts, sizes, stride, axes, items, extent, mode):
        n, k = len(starts), len(sizes)
        if starts.shape[1] != k or length_of(axes, k) != k or length_of(items, n) != n or not fits_stride(stride, n, k):
            return OTHER_LENGTH
        status = 0
        for i in range(n):
            status = set_window(words, i, starts, sizes, stride, axes, mode)
            if status == 0 and item_of(items, i, extent) < 0:
                status = OUT_OF_BOUNDS
            status = status or check_window(words)
            if status != 0:
                return status
        if n == 0:
            # The shape of no windows has their size too: any start that reads nothing of it does.
            status = set_mode(words, FILL)
            for j in range(k):
                status = status or set_axis(words, entry(axes, j, j), 0, 0, sizes[j])
            status = status or check_window(words)
        return status

    return impl


def write_windows(words, output, step, source, item_step, starts, stride, axes, items, extent, mode, fill):
    """Write windows, each so many bytes behind the one before; items are so many bytes apart. Return a status.

    They are checked, but the arrays of their numbers are the caller's, which somebody may have changed since: sizes are
    those of the words, and all else is looked at again.
    """


@overload(write_windows, jit_options=OPTIONS)
def _write_windows(words, output, step, source, item_step, starts, stride, axes, items, extent, mode, fill):
    def impl(words, output, step, source, item_step, starts, stride, axes, items, extent, mode, fill):
        for n in range(len(starts)):
            item = item_of(items, n, extent)
            status = OUT_OF_BOUNDS if item < 0 else set_window(words, n, starts, None, stride, axes, mode)
            status = status or check_window(words)
            if status != 0:
                return status
            run_window(shift_by(output, n * step), shift_by(source, item * item_step), words, fill)
        return 0

    return impl


def finish_windows(words, data, starts, stride, axes, items, extent, mode, fill, status, out):
    """Write windows that are checked into ``out``, or a fresh array, and return it; or raise for a status."""


@overload(finish_windows, jit_options=OPTIONS)
def _finish_windows(words, data, starts, stride, axes, items, extent, mode, fill, status, out):
    has_items = not is_none(items)
    rank = data.ndim - has_items
    whole, all_axes = tuple(range(rank)), tuple(range(rank + 1))
    if is_none(out):

        def write_fresh(words, data, starts, stride, axes, items, extent, mode, fill, status, out):
            raise_status(_NAME, status)
            result = np.empty((len(starts), *shape_of(words, whole)), data.dtype)
            set_output(words, result, whole, 1)
            target, source = output_at(result), source_at(data)
            step, item_step = result.strides[0], data.strides[0] if has_items else 0
            raise_status(
                _NAME,
                write_windows(words, target, step, source, item_step, starts, stride, axes, items, extent, mode, fill),
            )
            return result

        return write_fresh
    check_out(out, data, rank + 1)

    def write_into(words, data, starts, stride, axes, items, extent, mode, fill, status, out):
        status = status or set_output(words, out, whole, 1)
        raise_status(_NAME, status or (0 if len(out) == len(starts) else OTHER_SHAPE))
        # What is written must change neither data nor the numbers that are still to be read.
        overlaps = may_overlap(out, data) or may_overlap(out, starts) or shares(out, stride) or shares(out, items)
        result = np.empty(out.shape, data.dtype) if overlaps else out
        set_output(words, result, whole, 1)
        target, source = output_at(result), source_at(data)
        step, item_step = result.strides[0], data.strides[0] if has_items else 0
        raise_status(
            _NAME,
            write_windows(words, target, step, source, item_step, starts, stride, axes, items, extent, mode, fill),
        )
        if overlaps:
            copy_array(result, out, all_axes)
        return out

    return write_into


def shares(out, numbers):
    """True if numbers are an array that may overlap ``out``."""


@overload(shares, jit_options=OPTIONS)
def _shares(out, numbers):
    if isinstance(numbers, types.Array):
        return lambda out, numbers: may_overlap(out, numbers)
    return lambda out, numbers: False


@overload(windows, jit_options=OPTIONS)
def _stub(data, starts, size, stride=1, axes=None, items=None, mode="strict_bounds", fill_value=None, out=None):
    if not isinstance(data, types.Array):
        raise TypingError("fastops.windows: data must be one array in compiled code")
    if not _is_rows(starts):
        raise TypingError(f"fastops.windows: starts must be an array of two dimensions {OF_INTEGERS}, got {starts}")
    skipped = 0 if is_none(items) else 1
    rank, is_named = data.ndim - skipped, not is_none(axes)
    if rank < 0:
        raise TypingError("fastops.windows: data must have a first axis, of which items are indices")

    def impl(data, starts, size, stride=1, axes=None, items=None, mode="strict_bounds", fill_value=None, out=None):
        words = new_words(data, rank, skipped)
        number = mode_number(mode, MODES)
        status = set_mode(words, number) or unused_fill_value(fill_value, number)
        sizes = as_list(size)
        if not is_named and len(sizes) != rank:
            status = status or OTHER_LENGTH
        # The axes of data, of which the first is not one of a window with items.
        own_axes = own_axes_of(axes, skipped, rank)
        extent = data.shape[0] if skipped else 1
        status = status or check_windows(words, starts, sizes, stride, own_axes, items, extent, number)
        fill, fill_status = fill_at(data, fill_value)
        status = status or fill_status
        return finish_windows(words, data, starts, stride, own_axes, items, extent, number, fill, status, out)

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
