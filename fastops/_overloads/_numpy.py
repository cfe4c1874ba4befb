"""Stubs of what `fastops.numpy` has, for users' compiled code; and, for those who ask, of NumPy's own functions."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

from functools import cache

import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.extending import overload

from fastops._overloads._calls import copy_array, is_none, lower_copy, lowered_by, rule_of, write
from fastops._overloads._statuses import OPTIONS, raise_status
from fastops.ops.numpy._moves import flip, lower_flip, lower_roll, roll
from fastops.ops.numpy._pad import lower_pad, pad
from fastops.ops.numpy._repeats import lower_tile, tile
from fastops.ops.numpy._transpositions import lower_transpose, transpose

_lower_pad, _lower_tile = lowered_by(*rule_of(lower_pad)), lowered_by(*rule_of(lower_tile))
_lower_roll, _lower_flip = lowered_by(*rule_of(lower_roll)), lowered_by(*rule_of(lower_flip))
_lower_transpose = lowered_by(*rule_of(lower_transpose))


def _pad(array, pad_width, mode="constant", constant_values=None, out=None):
    if not isinstance(array, types.Array):
        return None
    if isinstance(constant_values, types.BaseTuple | types.Array | types.List | types.NoneType):
        raise TypingError("fastops.numpy.pad: constant_values must be one number in compiled code")

    def impl(array, pad_width, mode="constant", constant_values=None, out=None):
        lowered = _lower_pad(array, constant_values, (pad_width, mode))
        return write("fastops.numpy.pad", lowered, array, out)

    return impl


def _tile(A, reps, out=None):  # noqa: N803 - NumPy's own name.
    if not isinstance(A, types.Array):
        return None

    def impl(A, reps, out=None):  # noqa: N803
        return write("fastops.numpy.tile", _lower_tile(A, None, (reps,)), A, out)

    return impl


def _roll(a, shift, axis=None, out=None):
    if not isinstance(a, types.Array):
        return None
    if not is_none(axis):

        def impl(a, shift, axis=None, out=None):
            return write("fastops.numpy.roll", _lower_roll(a, None, (shift, axis)), a, out)

        return impl

    def impl_flat(a, shift, axis=None, out=None):
        dense = np.empty(a.shape, a.dtype)
        raise_status("fastops.numpy.roll", copy_array(a, dense))
        flat = dense.reshape(dense.size)
        rolled = write("fastops.numpy.roll", _lower_roll(flat, None, (shift, 0)), flat, None).reshape(a.shape)
        return _put(rolled, out)

    return impl_flat


def _put(result, out):
    """The result, or ``out`` with it."""


@overload(_put, jit_options=OPTIONS)
def _put_overload(result, out):
    if is_none(out):
        return lambda result, out: result
    return lambda result, out: write("fastops.numpy.roll", lower_copy(result, None, ((), ())), result, out)


def _flip(m, axis=None, out=None):
    if not isinstance(m, types.Array):
        return None
    return lambda m, axis=None, out=None: write("fastops.numpy.flip", _lower_flip(m, None, (axis,)), m, out)


def _transpose(a, axes=None, out=None):
    if not isinstance(a, types.Array):
        return None
    if not is_none(axes) and (not isinstance(axes, types.BaseTuple) or len(axes) != a.ndim):
        raise TypingError("fastops.numpy.transpose: axes must be a tuple of the number of each axis")

    def impl(a, axes=None, out=None):
        return write("fastops.numpy.transpose", _lower_transpose(a, None, (axes,)), a, out)

    return impl


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
