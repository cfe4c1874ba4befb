"""Stubs of what `fastops.numpy` has, for users' compiled code; and, for those who ask, of NumPy's own functions."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

from functools import cache

import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload, register_jitable

from fastops._overloads._arguments import as_pads
from fastops._overloads._link import pad_axis, repeat_axis, set_axis, set_mode, shift_axis
from fastops._overloads._statuses import OPTIONS, PAD_MODES
from fastops._overloads._words import new_words
from fastops._overloads._writing import (
    as_list,
    copy_array,
    entry,
    is_none,
    length_of,
    mode_number,
    unused_fill_value,
    write,
)
from fastops.kernels._tables._window import OTHER_LENGTH
from fastops.kernels._tables._words import STRICT_BOUNDS, WRAP
from fastops.ops.numpy._flip import flip
from fastops.ops.numpy._pad import pad
from fastops.ops.numpy._roll import roll
from fastops.ops.numpy._tile import tile
from fastops.ops.numpy._transpose import transpose


def _pad(array, pad_width, mode="constant", constant_values=None, out=None):
    if not isinstance(array, types.Array):
        return None
    if isinstance(constant_values, types.BaseTuple | types.Array | types.List | types.NoneType):
        raise TypingError("fastops.numpy.pad: constant_values must be one number in compiled code")
    rank, whole = array.ndim, tuple(range(array.ndim))

    def impl(array, pad_width, mode="constant", constant_values=None, out=None):
        words = new_words(array, rank, 0)
        number = mode_number(mode, PAD_MODES)
        status = set_mode(words, number)
        if status == 0:
            status = unused_fill_value(constant_values, number)
        pads = as_pads(pad_width, rank)
        for k in range(rank):
            if status == 0:
                status = pad_axis(words, k, pads[2 * k], pads[2 * k + 1])
        return write("fastops.numpy.pad", words, status, array, out, constant_values, whole, whole)

    return impl


def _tile(A, reps, out=None):  # noqa: N803 - NumPy's own name.
    if not isinstance(A, types.Array):
        return None
    if not isinstance(reps, types.Integer | types.BaseTuple):
        raise TypingError("fastops.numpy.tile: reps must be an integer or a tuple of them")
    n = len(reps) if isinstance(reps, types.BaseTuple) else 1
    rank = max(A.ndim, n)
    first, whole = rank - n, tuple(range(rank))

    def impl(A, reps, out=None):  # noqa: N803
        words = new_words(A, rank, 0)
        status = set_mode(words, WRAP)
        times = as_list(reps)
        for j in range(n):
            if status == 0:
                status = repeat_axis(words, first + j, times[j])
        return write("fastops.numpy.tile", words, status, A, out, None, whole, whole)

    return impl


@register_jitable(**OPTIONS)
def _roll_axes(words, shift, axis):
    """Shift axes by numbers that are broadcast against each other; return a status."""
    status = set_mode(words, WRAP)
    shifts, axes = as_list(shift), as_list(axis)
    n, m = len(shifts), len(axes)
    if n != m and n != 1 and m != 1:
        return OTHER_LENGTH
    for j in range(max(n, m) if n and m else 0):
        if status == 0:
            status = shift_axis(words, axes[j if m > 1 else 0], shifts[j if n > 1 else 0])
    return status


def _roll(a, shift, axis=None, out=None):
    if not isinstance(a, types.Array):
        return None
    rank, whole = a.ndim, tuple(range(a.ndim))
    if not is_none(axis):

        def impl(a, shift, axis=None, out=None):
            words = new_words(a, rank, 0)
            status = _roll_axes(words, shift, axis)
            return write("fastops.numpy.roll", words, status, a, out, None, whole, whole)

        return impl

    def impl_flat(a, shift, axis=None, out=None):
        dense = np.empty(a.shape, a.dtype)
        copy_array(a, dense, whole)
        flat = dense.reshape(dense.size)
        words = new_words(flat, 1, 0)
        status = 0
        for each in as_list(shift):
            if status == 0:
                status = _roll_axes(words, each, 0)
        rolled = write("fastops.numpy.roll", words, status, flat, None, None, (0,), (0,)).reshape(a.shape)
        return _put(rolled, out)

    return impl_flat


def _put(result, out):
    """The result, or ``out`` with it."""


@overload(_put, jit_options=OPTIONS)
def _put_overload(result, out):
    if is_none(out):
        return lambda result, out: result
    rank, whole = result.ndim, tuple(range(result.ndim))

    def impl(result, out):
        words = new_words(result, rank, 0)
        return write("fastops.numpy.roll", words, 0, result, out, None, whole, whole)

    return impl


def _flip(m, axis=None, out=None):
    if not isinstance(m, types.Array):
        return None
    rank, whole, is_named = m.ndim, tuple(range(m.ndim)), not is_none(axis)

    def impl(m, axis=None, out=None):
        words = new_words(m, rank, 0)
        status = set_mode(words, STRICT_BOUNDS)
        for j in range(length_of(axis, rank)):
            if status == 0:
                k = entry(axis, j, j)
                # An axis that is none is found by its number, before its extent matters.
                extent = m.shape[k] if -rank <= k < rank else 0
                status = set_axis(words, k, extent - 1, -1, extent)
        return write("fastops.numpy.flip", words, status, m, out, None, whole, whole)

    if rank == 0 and not is_named:
        return lambda m, axis=None, out=None: write("fastops.numpy.flip", new_words(m, 0, 0), 0, m, out, None, (), ())
    return impl


def _transpose(a, axes=None, out=None):
    if not isinstance(a, types.Array):
        return None
    rank, whole = a.ndim, tuple(range(a.ndim))
    if not is_none(axes) and (not isinstance(axes, types.BaseTuple) or len(axes) != rank):
        raise TypingError("fastops.numpy.transpose: axes must be a tuple of the number of each axis")
    if is_none(axes) or rank == 0:
        order = whole[::-1]

        def impl(a, axes=None, out=None):
            return write("fastops.numpy.transpose", new_words(a, rank, 0), 0, a, out, None, order, whole)

        return impl

    def impl_order(a, axes=None, out=None):
        words = new_words(a, rank, 0)
        status = set_mode(words, STRICT_BOUNDS)
        numbers = as_list(axes)
        for k in range(rank):
            if status == 0:
                extent = a.shape[numbers[k]] if -rank <= numbers[k] < rank else 0
                status = set_axis(words, numbers[k], 0, 1, extent)
        return write("fastops.numpy.transpose", words, status, a, out, None, _from_front(numbers, rank), whole)

    return impl_order


@register_jitable(**OPTIONS)
def _from_front(numbers, rank):
    """Numbers of axes counted from the front; nothing is known of those that are wrong."""
    result = numbers
    for i in range(rank):
        if numbers[i] < 0:
            result = tuple_setitem(result, i, numbers[i] + rank)
    return result


for _function, _stub in ((pad, _pad), (tile, _tile), (roll, _roll), (flip, _flip), (transpose, _transpose)):
    overload(_function, jit_options=OPTIONS)(_stub)


@cache
def overload_numpy() -> None:
    """Let np.pad, np.tile, and np.roll and np.flip with an axis, be what `fastops.numpy` has, in compiled code."""
    overload(np.pad, jit_options=OPTIONS)(_pad)
    overload(np.tile, jit_options=OPTIONS)(_tile)

    # Without an axis they are Numba's own; with one that is None, it has none.
    overload(np.roll, jit_options=OPTIONS)(
        lambda a, shift, axis=None, out=None: None if _is_left_out(axis) else _roll(a, shift, axis, out)
    )
    overload(np.flip, jit_options=OPTIONS)(
        lambda m, axis=None, out=None: None if _is_left_out(axis) else _flip(m, axis, out)
    )


def _is_left_out(kind) -> bool:
    """True for the type of an argument that a call does not give."""
    return kind is None or isinstance(kind, types.Omitted)
