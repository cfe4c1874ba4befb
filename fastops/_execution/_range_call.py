"""From the geometry of a range and a type to a running kernel."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import copysign
from struct import pack, unpack
from typing import Any

import numpy as np
from numpy import empty, ndarray
from numpy.typing import DTypeLike

from fastops._arrays._dtypes import AnyArray, AnyDType, as_output_type, bits_of, kind_of
from fastops._arrays._outputs import allocate, as_output
from fastops._arrays._pins import pin
from fastops._arrays._plain_types import NUMBERS
from fastops._errors import DTypeError, FastopsError
from fastops._execution._calls import as_table
from fastops._execution._rounding import rounding_steps
from fastops._geometry._numbers import sign_of_zero
from fastops._geometry._range_geometry import RangeGeometry
from fastops._lowering._ranges import check_float_range
from fastops._runtime._kernels import load_entry, run_kernel
from fastops._settings import CACHE_SIZE, PARALLEL_BYTES, STREAM_BYTES
from fastops.kernels._tables import _range as t

_INTEGERS = {1: t.INT8, 2: t.INT16, 4: t.INT32, 8: t.INT64}
_FLOATS = {"float16": t.FLOAT16, "bfloat16": t.BFLOAT16}

#: The types of attributes in keys: plain numbers, names of types, and dtypes.
PLAIN_TYPES = NUMBERS | frozenset(map(id, (str, type(None), *(type(np.dtype(code)) for code in "bBhHiIlLqQefdg"))))

# Stands in for the rounding table of types that need none.
_NO_ROUNDING = np.zeros((1, 2), np.int64)


class RangeCall:
    """All that a call needs besides the output.

    Attributes
    ----------
    shape : tuple of int
        Of the output.
    dtype : dtype
        Of the output.
    table : ndarray of int64
        What the range kernel runs, for a contiguous output.
    rounding : ndarray of int64
        The steps of a float of at most 8 bits, which the kernel rounds by.
    total_bytes : int
        Bytes of the output.
    run_small : callable or None
        The compiled kernel, once it is loaded, where one thread writes the output.
    """

    __slots__ = ("dtype", "rounding", "run_small", "shape", "table", "total_bytes")

    def __init__(self, shape: tuple[int], dtype: AnyDType, table: AnyArray, rounding: AnyArray) -> None:
        self.shape = shape
        self.dtype = dtype
        self.table = table
        self.rounding = rounding
        self.total_bytes = shape[0] * dtype.itemsize
        self.run_small: Callable[..., Any] | None = None


def prepare_range(geometry: RangeGeometry, dtype: AnyDType) -> RangeCall:
    """Return the call that writes the values of a range in a type."""
    width = dtype.itemsize
    row = [0] * t.COLUMNS
    # A count beyond 64 bits cannot be allocated, so it never reaches the kernel.
    row[t.COUNT] = min(geometry.count, 2**63 - 1)
    row[t.WIDTH] = row[t.DST_PITCH] = width
    row[t.SWAP] = int(not dtype.isnative)
    row[t.STREAMS] = int(geometry.count * width >= STREAM_BYTES)
    row[t.MASK] = -1
    rounding = _NO_ROUNDING
    if kind_of(dtype) in "iu":
        row[t.FORMULA] = _INTEGERS[width]
        row[t.START], row[t.STEP] = _low_word(int(geometry.start)), _low_word(int(geometry.step))
        if bits_of(dtype) < 8 * width:
            row[t.MASK] = (1 << bits_of(dtype)) - 1
    elif width == 8:
        row[t.FORMULA] = t.FLOAT64
        row[t.START], row[t.STEP] = unpack("qq", pack("dd", geometry.start, geometry.step))
    else:
        row[t.FORMULA] = _FLOATS[dtype.name] if width == 2 else t.FLOAT32
        row[t.START], row[t.STEP] = _float32_bits(geometry.start), _float32_bits(geometry.step)
        if width == 1:
            rounding = rounding_steps(dtype)
            row[t.CODES] = len(rounding)
    return RangeCall((geometry.count,), dtype, as_table(row), rounding)


def execute_range(call: RangeCall, out: Any = None) -> Any:
    """Write a range into ``out``, or into a fresh array, and return it."""
    run = call.run_small
    if run is not None:
        if out is None:
            out = empty(call.shape, call.dtype)
            run(out, call.table, call.rounding, 1, 0, 1)
            return out
        if type(out) is ndarray:
            _pinned = pin(out)
            # `carray`: contiguous, aligned and writeable.
            if out.shape == call.shape and out.dtype == call.dtype and out.flags.carray:
                run(out, call.table, call.rounding, 1, 0, 1)
                return out
    table = call.table
    if out is None:
        out = target = allocate(call.shape, call.dtype)
    else:
        target, _pinned = as_output(out, call.shape, call.dtype)
        if target.strides[0] != table[t.DST_PITCH]:
            table = table.copy()
            table[t.DST_PITCH] = target.strides[0]
    if call.total_bytes:
        run_kernel("fill_range", call.total_bytes, target, table, call.rounding)
        if call.total_bytes < PARALLEL_BYTES:
            call.run_small = load_entry("fill_range")
    return out


def run_range(geometry: RangeGeometry, output_type: DTypeLike, out: Any = None) -> Any:
    """Write the values of a range: what a range plan does when it is called."""
    start, step, count = geometry
    kind = type(output_type)
    # Steps of zero may have a sign too, but are too rare for a key.
    is_kept = step and (kind is str or id(kind) in PLAIN_TYPES)
    find: Callable[..., RangeCall] = _find_call if is_kept else _find_call.__wrapped__
    try:
        call = find(start, step, count, output_type, 0.0 if start else sign_of_zero(start))
        return execute_range(call, out)
    except FastopsError as error:
        error.add_context("plan", {})
        raise


@lru_cache(CACHE_SIZE, typed=True)
def _find_call(start: int | float, step: int | float, count: int, output_type: Any, _sign: float) -> RangeCall:
    """Return the call of a range's numbers; the sign of a start of zero is part of the key."""
    dtype = as_output_type("output_type", output_type)
    if kind_of(dtype) in "iu" and not (isinstance(start, int) and isinstance(step, int)):
        raise DTypeError.about("output_type", "be a float type, for a plan of floats", output_type)
    if kind_of(dtype) == "f":
        check_float_range(start=start, step=step)
    return prepare_range(RangeGeometry(start, step, count), dtype)


def _low_word(value: int) -> int:
    """The low 64 bits of an integer, as a signed number."""
    return ((value + 2**63) & (2**64 - 1)) - 2**63


def _float32_bits(value: int | float) -> int:
    """The bits of the float32 nearest to a number, rounded once; infinity beyond its range."""
    if isinstance(value, int):
        # float() would round a long integer first. Keep 53 bits, the last of which says if any lower one was set.
        excess = value.bit_length() - 53
        if excess > 0:
            kept = value >> excess
            value = (kept | int(kept << excess != value)) << excess
    try:
        packed = pack("f", value)
    except OverflowError:
        packed = pack("f", copysign(float("inf"), value))
    return int(unpack("I", packed)[0])
