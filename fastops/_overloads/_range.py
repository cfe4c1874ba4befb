"""The stub of `fastops.range` for users' compiled code."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

from contextlib import suppress

import numpy as np
from numba import types
from numba.core.errors import NumbaError
from numba.extending import overload
from numba.np.numpy_support import from_dtype

from fastops._arrays._dtypes import as_output_type
from fastops._errors import FastopsError
from fastops._overloads._arguments import OF_INTEGERS, is_index
from fastops._overloads._calls import check_out, is_none
from fastops._overloads._link import lower_range, write_range
from fastops._overloads._stubs import OPTIONS, CallError, raise_status
from fastops.kernels._intrinsics._memory import memory_in, stack_words
from fastops.kernels._intrinsics._numbers import bits_of_double
from fastops.kernels._tables import _range as t
from fastops.kernels._tables._arrays import OTHER_SHAPE
from fastops.kernels._tables._range import COLUMNS, NUMBERS_WORDS
from fastops.ops._range import range as fastops_range

_RANGE = "fastops.range"
_FORMULAS = {8: t.INT8, 16: t.INT16, 32: t.INT32, 64: t.INT64}


def _dtype_of(output_type):
    """Return Numba's type for a type or for its literal name; raise if compiled code cannot write elements of it."""
    dtype = None
    if isinstance(output_type, types.DType | types.NumberClass):
        dtype = output_type.dtype
    elif isinstance(output_type, types.StringLiteral):
        # The name may be unknown, or that of a type which Numba lacks, such as int4.
        with suppress(FastopsError, NumbaError):
            dtype = from_dtype(as_output_type("output_type", output_type.literal_value))
    is_integer = isinstance(dtype, types.Integer) and not isinstance(dtype, types.Boolean)
    if not is_integer and dtype not in (types.float32, types.float64):
        rule = "be a type of integers, float32 or float64, or a literal name of one"
        raise CallError(f"{_RANGE}: output_type must {rule}, got {output_type}")
    return dtype


def words_of(number):
    """Return a number of a range as the two words that kernels read (`kernels._tables._range`)."""


@overload(words_of, jit_options=OPTIONS)
def _words_of(number):
    if isinstance(number, types.Float):
        return lambda number: (1, bits_of_double(np.float64(number)))
    return lambda number: (0, np.int64(number))


@overload(fastops_range, jit_options=OPTIONS, prefer_literal=True)
def _range_stub(start, stop, step, output_type, out=None):
    for number in (start, stop, step):
        if not isinstance(number, types.Float) and not is_index(number):
            raise CallError(f"{_RANGE}: start, stop and step must be floats, or {OF_INTEGERS[3:]}, got {number}")
    dtype = _dtype_of(output_type)
    has_out = not is_none(out)
    if has_out:
        check_out(_RANGE, out, types.Array(dtype, 1, "C"), 1)
    is_dense = not has_out or out.layout == "C"
    width, formula = dtype.bitwidth // 8, _FORMULAS.get(dtype.bitwidth)
    if isinstance(dtype, types.Float):
        formula = t.FLOAT32 if width == 4 else t.FLOAT64

    def impl(start, stop, step, output_type, out=None):
        row, numbers = stack_words(COLUMNS), stack_words(NUMBERS_WORDS)
        row[t.FORMULA], row[t.WIDTH], row[t.MASK], row[t.STREAMS] = formula, width, -1, 0
        numbers[0], numbers[1] = words_of(start)
        numbers[2], numbers[3] = words_of(stop)
        numbers[4], numbers[5] = words_of(step)
        raise_status(_RANGE, lower_range(row, numbers))
        n = row[t.COUNT]
        if has_out:
            raise_status(_RANGE, 0 if len(out) == n else OTHER_SHAPE)
        result = out if has_out else np.empty(n, dtype)
        values = result if is_dense else np.empty(n, dtype)
        write_range(memory_in(values.ctypes.data, 0, n * width, True), row, 0, n)
        for i in range(0 if is_dense else n):
            result[i] = values[i]
        return result

    return impl
