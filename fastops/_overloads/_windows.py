"""The stub of `fastops.windows` for users' compiled code.

The stub of `fastops.frame` for users' compiled code.
"""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload, register_jitable

from fastops._overloads._arguments import OF_INTEGERS, argument_of, is_index, may_overlap
from fastops._overloads._calls import check_out, copy_array, describe, is_none, lowered_by, rule_of, write
from fastops._overloads._link import emit_linked
from fastops._overloads._stubs import OPTIONS, CallError, raise_status, stub
from fastops.kernels._intrinsics._access import Pointer
from fastops.kernels._intrinsics._types import WORD, byte_pointer
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables._arrays import OTHER_SHAPE
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


def numbers_of(starts, stride, items):
    """The starts of all windows, then their strides, then their items, as far as there are any; and a status.

    They are copies: other threads may write to the arrays, and so may the windows.
    """


@overload(numbers_of, jit_options=OPTIONS)
def _numbers_of(starts, stride, items):
    has_strides, has_items = _is_rows(stride), not is_none(items)
    rows, columns = 1 + has_strides, 1 if has_items else 0

    def impl(starts, stride, items):
        status, (n, k) = 0, starts.shape
        numbers = np.empty(n * (k * rows + columns), np.int64)
        if has_strides:
            status = 0 if stride.shape == starts.shape else OTHER_KIND
        if has_items:
            status = status if len(items) == n else OTHER_KIND
        if status:
            return numbers, status
        for i in range(n):
            for j in range(k):
                numbers[i * k + j] = starts[i, j]
                if has_strides:
                    numbers[(n + i) * k + j] = stride[i, j]
            if has_items:
                numbers[n * k * rows + i] = items[i]
        return numbers, 0

    return impl


def shared_of(stride, k):
    """Strides of k axes that all windows share; zeros if each window has its own."""


@overload(shared_of, jit_options=OPTIONS)
def _shared_of(stride, k):
    return (lambda stride, k: np.zeros(k, np.int64)) if _is_rows(stride) else lambda stride, k: stride


@intrinsic
def move_windows(typingctx, call, starts, numbers, stride, items, source, out):
    """Move windows with these numbers, of a call that was lowered for no window; return a status."""

    def codegen(context, builder, signature, args):
        describe(context, builder, Pointer.of(builder, args[0]), (source, out), args[5:])
        n, k = cgutils.unpack_tuple(builder, context.make_array(starts)(context, builder, args[1]).shape)
        at = builder.ptrtoint(context.make_array(numbers)(context, builder, args[2]).data, WORD)
        length = builder.mul(builder.mul(n, k), WORD(8))
        strides = builder.add(at, length) if _is_rows(stride) else WORD(0)
        behind = builder.add(at, builder.mul(length, WORD(1 + _is_rows(stride))))
        values = [args[0], n, at, strides, WORD(0) if is_none(items) else behind]
        return emit_linked(context, builder, move_windows_of_call, values)

    return types.intp(byte_pointer, starts, numbers, stride, items, source, out), codegen


def target_of(out, n, shape, data):
    """The array that windows are written to: a fresh one, if there is no ``out`` or if it may overlap data."""


@overload(target_of, jit_options=OPTIONS)
def _target_of(out, n, shape, data):
    if is_none(out):
        return lambda out, n, shape, data: np.empty((n, *shape[1:]), data.dtype)
    check_out(_WINDOWS, out, data, len(shape))

    def impl(out, n, shape, data):
        raise_status(_WINDOWS, 0 if out.shape == (n, *shape[1:]) else OTHER_SHAPE)
        return np.empty(out.shape, data.dtype) if may_overlap(out, data) else out

    return impl


def put(result, out):
    """``out`` with the result, which may be written there already; or the result, if there is no ``out``."""


@overload(put, jit_options=OPTIONS)
def _put(result, out):
    if is_none(out):
        return lambda result, out: result

    def impl(result, out):
        if not may_overlap(result, out):
            raise_status(_WINDOWS, copy_array(result, out))
        return out

    return impl


@stub(windows, _WINDOWS)
def _windows_stub(data, starts, size, stride=1, axes=None, items=None, mode="strict_bounds", fill_value=None, out=None):
    if not _is_rows(starts):
        raise CallError(f"fastops.windows: starts must be an array of two dimensions {OF_INTEGERS}, got {starts}")
    if data.ndim == 0 and not is_none(items):
        raise CallError("fastops.windows: data must have a first axis, of which items are indices")
    argument_of(f"{_WINDOWS}: items", None if is_none(items) else items, None)
    no_items = None if is_none(items) else np.zeros(0, np.int64)

    def impl(data, starts, size, stride=1, axes=None, items=None, mode="strict_bounds", fill_value=None, out=None):
        numbers, status = numbers_of(starts, stride, items)
        raise_status(_WINDOWS, status)
        # What no windows read says the shape of one, and whether all but the numbers is right.
        attributes = starts[:0], size, shared_of(stride, starts.shape[1]), axes, mode, no_items
        call, status, shape = _lower_windows(data, fill_value, attributes)
        raise_status(_WINDOWS, status)
        result = target_of(out, len(starts), shape, data)
        raise_status(_WINDOWS, move_windows(call, starts, numbers, stride, items, data, result))
        return put(result, out)

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
    """The signal, with what centered frames read beyond it."""
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
