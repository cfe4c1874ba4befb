"""The stub of `fastops.windows` for users' compiled code."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.extending import overload

from fastops._overloads._arguments import OF_INTEGERS, is_index
from fastops._overloads._calls import check_out, copy_array, is_none, lowered_by, run
from fastops._overloads._pointers import may_overlap
from fastops._overloads._statuses import OPTIONS, raise_status
from fastops.kernels._tables._arrays import OTHER_SHAPE
from fastops.kernels._tables._rules import OTHER_KIND
from fastops.ops._windows import RULE, windows

_NAME = "fastops.windows"
_lower_windows = lowered_by("windows", RULE, ("starts", "size", "stride", "axes", "mode", "items"))


def _is_rows(kind) -> bool:
    """True for the type of an array of integers of two dimensions."""
    return isinstance(kind, types.Array) and kind.ndim == 2 and is_index(kind.dtype)


def own(numbers):
    """Numbers of windows that nobody else changes: other threads may write to arrays, and so may the windows."""


@overload(own, jit_options=OPTIONS)
def _own(numbers):
    return (lambda numbers: numbers.copy()) if isinstance(numbers, types.Array) else lambda numbers: numbers


def stride_of(stride, n):
    """The strides of window n."""


@overload(stride_of, jit_options=OPTIONS)
def _stride_of(stride, n):
    if not _is_rows(stride):
        return lambda stride, n: stride
    return lambda stride, n: stride[n] if n < len(stride) else np.zeros(stride.shape[1], stride.dtype)


def item_of(items, n):
    """The item of window n as a list, which is empty if there is no such window; None if there are no items."""


@overload(item_of, jit_options=OPTIONS)
def _item_of(items, n):
    return (lambda items, n: None) if is_none(items) else lambda items, n: items[n : n + 1]


def check_windows(data, starts, size, stride, axes, items, mode, fill_value):
    """The status of all windows, and the shape of one."""


@overload(check_windows, jit_options=OPTIONS)
def _check_windows(data, starts, size, stride, axes, items, mode, fill_value):
    def impl(data, starts, size, stride, axes, items, mode, fill_value):
        # No windows have a shape too.
        for i in range(max(len(starts), 1)):
            numbers = starts[i : i + 1], size, stride_of(stride, i), axes, mode, item_of(items, i)
            _, n, shape = _lower_windows(data, fill_value, numbers)
            if n < 0:
                break
        return -n, shape

    return impl


def write_windows(data, starts, size, stride, axes, items, mode, fill_value, out):
    """Write windows that are checked, one after the other; return a status."""


@overload(write_windows, jit_options=OPTIONS)
def _write_windows(data, starts, size, stride, axes, items, mode, fill_value, out):
    def impl(data, starts, size, stride, axes, items, mode, fill_value, out):
        status = 0
        for i in range(len(starts)):
            numbers = starts[i : i + 1], size, stride_of(stride, i), axes, mode, item_of(items, i)
            call, n, _ = _lower_windows(data, fill_value, numbers)
            status = status or run(call, n, data, out[i : i + 1])
        return status

    return impl


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
    has_rows, has_items = _is_rows(stride), not is_none(items)
    if data.ndim == 0 and has_items:
        raise TypingError("fastops.windows: data must have a first axis, of which items are indices")

    def impl(data, starts, size, stride=1, axes=None, items=None, mode="strict_bounds", fill_value=None, out=None):
        status = 0
        if has_rows:
            status = 0 if len(stride) == len(starts) else OTHER_KIND
        if has_items:
            status = status if len(items) == len(starts) else OTHER_KIND
        raise_status(_NAME, status)
        starts, size, stride, items = own(starts), own(size), own(stride), own(items)
        status, shape = check_windows(data, starts, size, stride, axes, items, mode, fill_value)
        raise_status(_NAME, status)
        result = target_of(out, len(starts), shape, data)
        raise_status(_NAME, write_windows(data, starts, size, stride, axes, items, mode, fill_value, result))
        return put(result, out)

    return impl
