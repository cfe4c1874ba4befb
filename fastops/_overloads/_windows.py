"""The stubs of `fastops.windows` and `fastops.frame` for users' compiled code."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload, register_jitable

from fastops._overloads._arguments import OF_INTEGERS, argument_of, is_index
from fastops._overloads._calls import describe, is_none, lowered_by, put, rule_of, target_of, write
from fastops._overloads._link import emit_linked
from fastops._overloads._stubs import OPTIONS, CallError, raise_status, stub
from fastops.kernels._intrinsics._access import Pointer
from fastops.kernels._intrinsics._outlined import WORD, byte_pointer
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables._rules import OTHER_KIND
from fastops.kernels._user_calls import move_windows_of_call
from fastops.ops._patches import frame
from fastops.ops._slices import slice as fastops_slice
from fastops.ops._windows import RULE, windows

_WINDOWS = "fastops.windows"
_lower_windows = lowered_by("windows", RULE, ("starts", "size", "stride", "axes", "mode", "items"))


def _is_rows(kind) -> bool:
    """True for the type of an array of integers of two dimensions."""
    return isinstance(kind, types.Array) and kind.ndim == 2 and is_index(kind.dtype)


def copied(numbers):
    """Return a contiguous int64 copy of an array or a list of integers; None for None.

    Without a copy, another thread or the output could change the integers while the windows are moved.
    """


@overload(copied, jit_options=OPTIONS)
def _copied(numbers):
    if is_none(numbers):
        return lambda numbers: None
    return lambda numbers: np.ascontiguousarray(np.asarray(numbers)).astype(np.int64)


@register_jitable(**OPTIONS)
def _of_all(stride, k):
    """Return the stride of all windows."""
    return stride


@register_jitable(**OPTIONS)
def _of_each(stride, k):
    """Return strides of k axes for the lowering of windows that have strides of their own."""
    return np.zeros(k, np.int64)


@intrinsic
def move_windows(typingctx, call, starts, strides, items, source, out):
    """Move windows of these starts, strides and items, by a call that was lowered for no window; return a status."""

    def codegen(context, builder, signature, args):
        describe(context, builder, Pointer.of(builder, args[0]), (source, out), args[4:])
        addresses = [WORD(0)] * 3
        for i, kind in enumerate((starts, strides, items)):
            if not is_none(kind):
                array = context.make_array(kind)(context, builder, args[1 + i])
                addresses[i] = builder.ptrtoint(array.data, WORD)
        n = context.make_array(starts)(context, builder, args[1]).shape
        values = [args[0], cgutils.unpack_tuple(builder, n)[0], *addresses]
        return emit_linked(context, builder, move_windows_of_call, values)

    return types.intp(byte_pointer, starts, strides, items, source, out), codegen


@stub(windows, _WINDOWS)
def _windows_stub(data, starts, size, stride=1, axes=None, items=None, mode="strict_bounds", fill_value=None, out=None):
    if not _is_rows(starts):
        raise CallError(f"{_WINDOWS}: starts must be an array of two dimensions {OF_INTEGERS}, got {starts}")
    if data.ndim == 0 and not is_none(items):
        raise CallError(f"{_WINDOWS}: data must have a first axis, because items are indices of it")
    argument_of(f"{_WINDOWS}: items", None if is_none(items) else items, None)
    has_strides, has_items = _is_rows(stride), not is_none(items)
    shared, no_items = _of_each if has_strides else _of_all, np.zeros(0, np.int64) if has_items else None

    def impl(data, starts, size, stride=1, axes=None, items=None, mode="strict_bounds", fill_value=None, out=None):
        (n, k), own_stride, own_items = starts.shape, copied(stride if has_strides else None), copied(items)
        if has_strides:
            raise_status(_WINDOWS, 0 if own_stride.shape == starts.shape else OTHER_KIND)
        if has_items:
            raise_status(_WINDOWS, 0 if len(own_items) == n else OTHER_KIND)
        # Lower a call of no windows: it gives the shape of a window, and checks all but the windows' own integers.
        attributes = starts[:0], size, shared(stride, k), axes, mode, no_items
        call, status, shape = _lower_windows(data, fill_value, attributes)
        raise_status(_WINDOWS, status)
        target = target_of(_WINDOWS, (n, *shape[1:]), data, out)
        raise_status(_WINDOWS, move_windows(call, copied(starts), own_stride, own_items, data, target))
        return put(_WINDOWS, target, out)

    return impl


_FRAME = "fastops.frame"
_op, _rule, _names = rule_of(frame)
_lower_frame = lowered_by(_op, _rule, (*_names[:3], "mode"), r.MODE)
_lower_pads = lowered_by(_op, *rule_of(fastops_slice)[1:])


@register_jitable(**OPTIONS)
def _whole(x, frame_length, axis, center, mode, fill_value):
    return x


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


@stub(frame, _FRAME)
def _frame_stub(x, frame_length, hop_length, axis=-1, center=False, mode="reflect", fill_value=None, out=None):
    for name, kind in (("frame_length", frame_length), ("hop_length", hop_length)):
        if not is_index(kind):
            raise CallError(f"{_FRAME}: {name} must be an integer, signed or of less than 64 bits, got {kind}")
    signal_of = _whole if center is False or isinstance(center, types.Omitted) else _padded

    def impl(x, frame_length, hop_length, axis=-1, center=False, mode="reflect", fill_value=None, out=None):
        signal = signal_of(x, frame_length, axis, center, mode, fill_value)
        lowered = _lower_frame(signal, fill_value, (frame_length, hop_length, axis, mode))
        return write(_FRAME, lowered, signal, out)

    return impl
