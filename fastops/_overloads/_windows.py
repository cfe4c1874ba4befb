"""The stubs of `fastops.windows` and `fastops.frame` for users' compiled code."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from fastops._overloads._arguments import OF_INTEGERS, argument_of, is_index
from fastops._overloads._calls import is_none, lowered_by, rule_of, write
from fastops._overloads._stubs import OPTIONS, CallError, check_data, raise_status
from fastops.kernels._tables import _rules as r
from fastops.ops._patches import frame
from fastops.ops._slices import slice as fastops_slice
from fastops.ops._windows import RULE, windows

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


_FRAME = "fastops.frame"
_op, _rule, _names = rule_of(frame)
_lower_frame = lowered_by(_op, _rule, (*_names[:3], "mode"), r.MODE)
_lower_pads = lowered_by(_op, *rule_of(fastops_slice)[1:])


@register_jitable(**OPTIONS)
def _padded(x, frame_length, axis, center, mode, fill_value):
    """Return the signal, padded on both sides by half a frame if frames are centered."""
    if not center or frame_length < 2:
        return x
    raise_status(_FRAME, 0 if -x.ndim <= axis < x.ndim else r.NO_AXIS)
    pad = np.int64(frame_length) // 2
    raise_status(_FRAME, 0 if pad < 2**60 else r.TOO_LARGE)
    lowered = _lower_pads(x, fill_value, ((-pad,), (x.shape[axis] + 2 * pad,), None, (axis,), mode))
    return write(_FRAME, lowered, x, None)


@overload(frame, jit_options=OPTIONS)
def _frame_stub(x, frame_length, hop_length, axis=-1, center=False, mode="reflect", fill_value=None, out=None):
    check_data(_FRAME, "x", x)
    for name, kind in (("frame_length", frame_length), ("hop_length", hop_length)):
        if not is_index(kind):
            raise CallError(f"{_FRAME}: {name} must be an integer, signed or of less than 64 bits, got {kind}")
    is_centered = center is not False and not isinstance(center, types.Omitted)

    def impl(x, frame_length, hop_length, axis=-1, center=False, mode="reflect", fill_value=None, out=None):
        signal = _padded(x, frame_length, axis, center, mode, fill_value) if is_centered else x
        lowered = _lower_frame(signal, fill_value, (frame_length, hop_length, axis, mode))
        return write(_FRAME, lowered, signal, out)

    return impl
