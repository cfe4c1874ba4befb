"""Stubs of what `fastops.numpy` has, for users' compiled code; and, for those who ask, of NumPy's own functions."""


# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

from functools import cache

import numpy as np
from numba import types
from numba.extending import overload

from fastops._overloads._calls import copy_array, is_none, lower_copy, lowered_by, rule_of, write
from fastops._overloads._stubs import OPTIONS, CallError, raise_status, stub
from fastops.ops.numpy import (
    broadcast_to,
    flip,
    moveaxis,
    pad,
    repeat,
    roll,
    rot90,
    sliding_window_view,
    swapaxes,
    tile,
    transpose,
)

_lower_pad, _lower_tile = lowered_by(*rule_of(pad)), lowered_by(*rule_of(tile))
_lower_roll, _lower_flip = lowered_by(*rule_of(roll)), lowered_by(*rule_of(flip))
_lower_rot90, _lower_transpose = lowered_by(*rule_of(rot90)), lowered_by(*rule_of(transpose))
_lower_moveaxis, _lower_swapaxes = lowered_by(*rule_of(moveaxis)), lowered_by(*rule_of(swapaxes))
_lower_repeat, _lower_broadcast = lowered_by(*rule_of(repeat)), lowered_by(*rule_of(broadcast_to))
_lower_slides = lowered_by(*rule_of(sliding_window_view))


def _pad(array, pad_width, mode="constant", constant_values=None, out=None):
    if not isinstance(array, types.Array):
        return None
    if isinstance(constant_values, types.BaseTuple | types.Array | types.List | types.NoneType):
        raise CallError("fastops.numpy.pad: constant_values must be one number in compiled code")

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
    if not is_none(axes) and (not isinstance(axes, types.BaseTuple) or len(axes) != a.ndim):
        raise CallError(f"fastops.numpy.transpose: axes must be a tuple of the number of each axis, got {axes}")

    def impl(a, axes=None, out=None):
        return write("fastops.numpy.transpose", _lower_transpose(a, None, (axes,)), a, out)

    return impl


def _rot90(m, k=1, axes=(0, 1), out=None):
    def impl(m, k=1, axes=(0, 1), out=None):
        return write("fastops.numpy.rot90", _lower_rot90(m, None, (k, axes)), m, out)

    return impl


def _moveaxis(a, source, destination, out=None):
    def impl(a, source, destination, out=None):
        return write("fastops.numpy.moveaxis", _lower_moveaxis(a, None, (source, destination)), a, out)

    return impl


def _swapaxes(a, axis1, axis2, out=None):
    def impl(a, axis1, axis2, out=None):
        return write("fastops.numpy.swapaxes", _lower_swapaxes(a, None, (axis1, axis2)), a, out)

    return impl


def _repeat(a, repeats, axis=None, out=None):
    def impl(a, repeats, axis=None, out=None):
        return write("fastops.numpy.repeat", _lower_repeat(a, None, (repeats, axis)), a, out)

    return impl


def _broadcast_to(array, shape, out=None):
    def impl(array, shape, out=None):
        return write("fastops.numpy.broadcast_to", _lower_broadcast(array, None, (shape,)), array, out)

    return impl


def _sliding_window_view(x, window_shape, axis=None, step=1, out=None):
    def impl(x, window_shape, axis=None, step=1, out=None):
        lowered = _lower_slides(x, None, (window_shape, axis, step))
        return write("fastops.numpy.sliding_window_view", lowered, x, out)

    return impl


for _function, _body in (
    *((pad, _pad), (tile, _tile), (roll, _roll), (flip, _flip), (transpose, _transpose), (rot90, _rot90)),
    *((moveaxis, _moveaxis), (swapaxes, _swapaxes), (repeat, _repeat), (broadcast_to, _broadcast_to)),
    (sliding_window_view, _sliding_window_view),
):
    stub(_function, f"fastops.numpy.{_function.__name__}")(_body)


@cache
def overload_numpy() -> None:
    """Let np.pad, np.tile, and np.roll and np.flip with an axis, be what `fastops.numpy` has, in compiled code.

    Their types are Numba's, which other stubs of them can join: what is wrong comes through as it is raised.
    """
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
