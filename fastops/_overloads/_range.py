"""The stub of `fastops.range` for users' compiled code."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.core.errors import NumbaError
from numba.extending import overload
from numba.np.numpy_support import from_dtype

from fastops._arrays._dtypes import as_output_type
from fastops._errors import FastopsError
from fastops._overloads._calls import check_out, is_none
from fastops._overloads._link import lower_range, write_range
from fastops._overloads._pointers import output_at
from fastops._overloads._stubs import OPTIONS, CallError, stub
from fastops.kernels._intrinsics._memory import load_int, stack_words, store_int
from fastops.kernels._intrinsics._range_vectors import bits_of_double
from fastops.kernels._tables import _range as t
from fastops.kernels._tables._range import COLUMNS, NUMBERS_WORDS
from fastops.ops._range import range as fastops_range

_FORMULAS = {8: t.INT8, 16: t.INT16, 32: t.INT32, 64: t.INT64}


def _dtype_of(output_type):
    """The type of Numba that a literal name, or a type, stands for; raises for none that compiled code can write."""
    if isinstance(output_type, types.DType | types.NumberClass):
        dtype = output_type.dtype
    elif isinstance(output_type, types.StringLiteral):
        try:
            dtype = from_dtype(as_output_type("output_type", output_type.literal_value))
        except (FastopsError, NumbaError) as error:
            raise CallError(f"fastops.range{error}") from None
    else:
        raise CallError("fastops.range: output_type must be a type, or a literal name of one")
    is_integer = isinstance(dtype, types.Integer) and not isinstance(dtype, types.Boolean)
    if not is_integer and dtype not in (types.float32, types.float64):
        raise CallError("fastops.range: output_type must be an integer type, float32 or float64")
    return dtype


def new_range(count, dtype, out):
    """An array of so many elements: a fresh one, or ``out``."""


@overload(new_range, jit_options=OPTIONS)
def _new_range(count, dtype, out):
    if is_none(out):
        return lambda count, dtype, out: np.empty(count, dtype)

    def impl(count, dtype, out):
        if len(out) != count:
            raise ValueError("fastops.range: out must have the shape of the result")
        return out

    return impl


def store_number(numbers, k, value):
    """Write a number of Numba's as compiled code of ranges reads it (`kernels._tables._range`)."""


@overload(store_number, jit_options=OPTIONS)
def _store_number(numbers, k, value):
    if isinstance(value, types.Float):

        def store_float(numbers, k, value):
            store_int(numbers, 2 * k, 1)
            store_int(numbers, 2 * k + 1, bits_of_double(np.float64(value)))

        return store_float

    def store_integer(numbers, k, value):
        store_int(numbers, 2 * k, 0)
        store_int(numbers, 2 * k + 1, np.int64(value))

    return store_integer


def raise_wrong(status):
    """Raise a ValueError for the status of a range that is not 0."""


# Of no array's type: it is compiled once.
@overload(raise_wrong, jit_options=OPTIONS)
def _raise_wrong(status):
    def impl(status):
        if status == t.NOT_FINITE:
            raise ValueError("fastops.range: numbers must be finite")
        if status == t.ZERO_STEP:
            raise ValueError("fastops.range: step must not be 0, nor truncate to it")
        if status == t.OUT_OF_RANGE:
            raise ValueError("fastops.range: numbers, and how many there are, must keep all sums within 64 bits")

    return impl


@stub(fastops_range, "fastops.range", prefer_literal=True)
def _stub(start, stop, step, output_type, out=None):
    numbers = (start, stop, step)
    for number in numbers:
        if not isinstance(number, types.Integer | types.Float):
            raise CallError(f"fastops.range: start, stop and step must be numbers, got {number}")
    if any(isinstance(number, types.Integer) and number.bitwidth == 64 and not number.signed for number in numbers):
        raise CallError("fastops.range: numbers must be signed integers, or unsigned ones of less than 64 bits")
    dtype = _dtype_of(output_type)
    if not is_none(out):
        check_out("fastops.range", out, types.Array(dtype, 1, "C"), 1)
    width, formula = dtype.bitwidth // 8, _FORMULAS.get(dtype.bitwidth)
    if isinstance(dtype, types.Float):
        formula = t.FLOAT32 if width == 4 else t.FLOAT64

    def impl(start, stop, step, output_type, out=None):
        row, numbers = stack_words(COLUMNS), stack_words(NUMBERS_WORDS)
        store_int(row, t.FORMULA, formula)
        store_int(row, t.WIDTH, width)
        store_int(row, t.MASK, -1)
        for column in (t.SWAP, t.CODES, t.STREAMS):
            store_int(row, column, 0)
        store_number(numbers, 0, start)
        store_number(numbers, 1, stop)
        store_number(numbers, 2, step)
        raise_wrong(lower_range(row, numbers))
        result = new_range(load_int(row, t.COUNT), dtype, out)
        store_int(row, t.DST_PITCH, result.strides[0])
        write_range(output_at(result), row, row, 0, len(result))
        return result

    return impl
