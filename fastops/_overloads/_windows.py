"""The stub of `fastops.windows` for users' compiled code."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from fastops._overloads._arguments import OF_INTEGERS, is_index
from fastops._overloads._calls import check_out, copy_array, describe, is_none, lowered_by
from fastops._overloads._link import emit_linked
from fastops._overloads._pointers import may_overlap
from fastops._overloads._statuses import OPTIONS, raise_status
from fastops.kernels._intrinsics._access import Pointer
from fastops.kernels._intrinsics._types import BYTE, WORD, byte_pointer
from fastops.kernels._tables._arrays import OTHER_SHAPE
from fastops.kernels._tables._rules import OTHER_KIND
from fastops.kernels._user_calls import call_windows
from fastops.ops._windows import RULE, windows

_NAME = "fastops.windows"
_lower_windows = lowered_by("windows", RULE, ("starts", "size", "stride", "axes", "mode", "items"))


def _is_rows(kind) -> bool:
    """True for the type of an array of integers of two dimensions."""
    return isinstance(kind, types.Array) and kind.ndim == 2 and is_index(kind.dtype)


def numbers_of(starts, stride, items):
    """The numbers of all windows, a row for each, as `call_windows` has them; and a status.

    They are copies: other threads may write to the arrays, and so may the windows.
    """


@overload(numbers_of, jit_options=OPTIONS)
def _numbers_of(starts, stride, items):
    has_strides, has_items = _is_rows(stride), not is_none(items)

    def impl(starts, stride, items):
        status, (n, k) = 0, starts.shape
        numbers = np.empty((n, k + (k if has_strides else 0) + (1 if has_items else 0)), np.int64)
        if has_strides:
            status = 0 if stride.shape == starts.shape else OTHER_KIND
        if has_items:
            status = status if len(items) == n else OTHER_KIND
        if status:
            return numbers, status
        for i in range(n):
            for j in range(k):
                numbers[i, j] = starts[i, j]
                if has_strides:
                    numbers[i, k + j] = stride[i, j]
            if has_items:
                numbers[i, -1] = items[i]
        return numbers, 0

    return impl


def shared_of(stride, k):
    """Strides of k axes that all windows share; zeros if each window has its own."""


@overload(shared_of, jit_options=OPTIONS)
def _shared_of(stride, k):
    return (lambda stride, k: np.zeros(k, np.int64)) if _is_rows(stride) else lambda stride, k: stride


@intrinsic
def each_window(typingctx, call, numbers, source, out):
    """Lower all windows by their numbers, and move them if there is an array for the first one; return a status.

    The others are as far behind each other as the strides of its first axis say.
    """
    is_moved = not is_none(out)

    def codegen(context, builder, signature, args):
        call, step = Pointer.of(builder, args[0]), WORD(0)
        if is_moved:
            describe(context, builder, call, (source, out), args[2:])
            step = builder.extract_value(context.make_array(out)(context, builder, args[3]).strides, 0)
        struct = context.make_array(numbers)(context, builder, args[1])
        n, columns = cgutils.unpack_tuple(builder, struct.shape)
        place = builder.bitcast(struct.data, BYTE.as_pointer())
        room = builder.mul(struct.nitems, struct.itemsize)
        rows = Pointer.to_buffer(builder, place, builder.ptrtoint(place, WORD), room, is_writable=False)
        values = [call.value, rows.value, n, columns, WORD(int(is_moved)), step]
        return emit_linked(context, builder, call_windows, values)

    return types.intp(byte_pointer, numbers, source, out), codegen


def target_of(out, n, shape, data):
    """The array that windows are written to: a fresh one, if there is no ``out`` or if it may overlap data."""


@overload(target_of, jit_options=OPTIONS)
def _target_of(out, n, shape, data):
    if is_none(out):
        return lambda out, n, shape, data: np.empty((n, *shape[1:]), data.dtype)
    check_out(_NAME, out, data, len(shape))

    def impl(out, n, shape, data):
        raise_status(_NAME, 0 if out.shape == (n, *shape[1:]) else OTHER_SHAPE)
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
            raise_status(_NAME, copy_array(result, out))
        return out

    return impl


@overload(windows, jit_options=OPTIONS)
def _stub(data, starts, size, stride=1, axes=None, items=None, mode="strict_bounds", fill_value=None, out=None):
    if not isinstance(data, types.Array):
        raise TypingError("fastops.windows: data must be one array in compiled code")
    if not _is_rows(starts):
        raise TypingError(f"fastops.windows: starts must be an array of two dimensions {OF_INTEGERS}, got {starts}")
    if data.ndim == 0 and not is_none(items):
        raise TypingError("fastops.windows: data must have a first axis, of which items are indices")
    no_items = None if is_none(items) else np.zeros(0, np.int64)

    def impl(data, starts, size, stride=1, axes=None, items=None, mode="strict_bounds", fill_value=None, out=None):
        numbers, status = numbers_of(starts, stride, items)
        raise_status(_NAME, status)
        # What no windows read says the shape of one, and whether all but the numbers is right.
        attributes = starts[:0], size, shared_of(stride, starts.shape[1]), axes, mode, no_items
        call, status, shape = _lower_windows(data, fill_value, attributes)
        raise_status(_NAME, status or each_window(call, numbers, data, None))
        result = target_of(out, len(numbers), shape, data)
        raise_status(_NAME, each_window(call, numbers, data, result[:1]))
        return put(result, out)

    return impl
