"""Stubs of `fastops.slice`, `strided_slice`, `windows`, and of functions of `fastops.numpy`."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from fastops._overloads._arguments import OF_INTEGERS, argument_of, is_index
from fastops._overloads._calls import is_none, lowered_by, make_stub, rule_of, write
from fastops._overloads._stubs import OPTIONS, CallError, check_data, raise_status
from fastops.kernels._tables import _rules as r
from fastops.ops import _slices, numpy
from fastops.ops._windows import RULE, windows

make_stub(_slices.slice, "fill_value")
make_stub(_slices.strided_slice)
make_stub(numpy.pad, "constant_values")
for _function in (numpy.flip, numpy.moveaxis, numpy.repeat, numpy.rot90, numpy.swapaxes, numpy.tile, numpy.transpose):
    make_stub(_function)
make_stub(numpy.broadcast_to)
make_stub(numpy.sliding_window_view)

_ROLL = "fastops.numpy.roll"
_lower_roll = lowered_by(*rule_of(numpy.roll), data_name="a")
_lower_copy = lowered_by(*rule_of(_slices.strided_slice))


@overload(numpy.roll, jit_options=OPTIONS)
def _roll_stub(a, shift, axis=None, out=None):
    check_data(_ROLL, "a", a)
    if not is_none(axis):
        return lambda a, shift, axis=None, out=None: write(_ROLL, _lower_roll(a, None, (shift, axis)), a, out)

    has_out = not is_none(out)

    def flattened(a, shift, axis=None, out=None):
        flat = np.ascontiguousarray(a).reshape(a.size)
        rolled = write(_ROLL, _lower_roll(flat, None, (shift, 0)), flat, None).reshape(a.shape)
        return write(_ROLL, _lower_copy(rolled, None, ((), ())), rolled, out) if has_out else rolled

    return flattened


_WINDOWS = "fastops.windows"
_lower_windows = lowered_by("windows", RULE, ("starts", "size", "stride", "axes", "mode", "items"))


def _is_rows(kind) -> bool:
    """True for the type of an array of integers of two dimensions."""
    return isinstance(kind, types.Array) and kind.ndim == 2 and is_index(kind.dtype)


@register_jitable(**OPTIONS)
def _copied(numbers):
    """Return a contiguous int64 copy of an array or a list of integers.

    Without a copy, another thread or the output could change the integers while the windows are moved.
    """
    return np.ascontiguousarray(np.asarray(numbers)).astype(np.int64)


@overload(windows, jit_options=OPTIONS)
def _windows_stub(data, starts, size, stride=1, axes=None, items=None, mode="strict_bounds", fill_value=None, out=None):
    check_data(_WINDOWS, "data", data)
    if not _is_rows(starts):
        raise CallError(f"{_WINDOWS}: starts must be an array of two dimensions {OF_INTEGERS}, got {starts}")
    if data.ndim == 0 and not is_none(items):
        raise CallError(f"{_WINDOWS}: data must have a first axis, because items are indices of it")
    argument_of(f"{_WINDOWS}: items", None if is_none(items) else items, None)
    has_strides, has_items = _is_rows(stride), not is_none(items)
    no_items = np.zeros(0, np.int64) if has_items else None

    def impl(data, starts, size, stride=1, axes=None, items=None, mode="strict_bounds", fill_value=None, out=None):
        n, k = starts.shape
        own_strides, own_items = _copied(stride) if has_strides else None, _copied(items) if has_items else None
        if has_strides:
            raise_status(_WINDOWS, 0 if own_strides.shape == starts.shape else r.OTHER_KIND)
        if has_items:
            raise_status(_WINDOWS, 0 if len(own_items) == n else r.OTHER_KIND)
        # Lower a call of no windows: it gives the shape of a window, and checks all but the windows' own integers.
        shared = np.zeros(k, np.int64) if has_strides else stride
        call, status, shape = _lower_windows(data, fill_value, (starts[:0], size, shared, axes, mode, no_items))
        lowered = call, status, (n, *shape[1:])
        return write(_WINDOWS, lowered, data, out, (_copied(starts), own_strides, own_items))

    return impl
