"""The stub of `fastops.range` for users' compiled code."""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

from math import ceil, isfinite

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import NumbaError, TypingError
from numba.extending import intrinsic, overload
from numba.np.numpy_support import from_dtype

from fastops._arrays._dtypes import as_output_type
from fastops._errors import FastopsError
from fastops._overloads._calls import check_out, is_none
from fastops._overloads._link import write_range
from fastops._overloads._pointers import output_at
from fastops._overloads._statuses import OPTIONS
from fastops.kernels._intrinsics._access import Pointer
from fastops.kernels._intrinsics._types import BYTE, WORD, byte_pointer
from fastops.kernels._tables import _range as t
from fastops.ops._range import range as fastops_range

_FORMULAS = {8: t.INT8, 16: t.INT16, 32: t.INT32, 64: t.INT64}

# Beyond, a count is no number of elements that memory has.
_MOST = 1 << 60


@intrinsic
def range_words(typingctx, out, start, step, count):
    """The row of a range of so many elements in the type of an array, from numbers of 64 bits."""
    if not isinstance(out, types.Array) or start != step:
        return None
    dtype, is_float = out.dtype, isinstance(out.dtype, types.Float)
    formula = (t.FLOAT32 if dtype.bitwidth == 32 else t.FLOAT64) if is_float else _FORMULAS[dtype.bitwidth]

    def codegen(context, builder, signature, args):
        struct = context.make_array(out)(context, builder, args[0])
        room = builder.bitcast(cgutils.alloca_once(builder, WORD, size=t.COLUMNS), BYTE.as_pointer())
        words = Pointer.to_buffer(builder, room, builder.ptrtoint(room, WORD), WORD(8 * t.COLUMNS), is_writable=True)

        def bits(number):
            kind = dtype if is_float else types.int64
            value = context.cast(builder, number, start, kind)
            if not is_float:
                return value
            cell = ir.IntType(dtype.bitwidth)
            return builder.zext(builder.bitcast(value, cell), WORD) if cell != WORD else builder.bitcast(value, WORD)

        pitch = builder.extract_value(struct.strides, 0)
        row = {t.FORMULA: WORD(formula), t.COUNT: args[3], t.WIDTH: struct.itemsize, t.DST_PITCH: pitch}
        row |= {t.SWAP: WORD(0), t.START: bits(args[1]), t.STEP: bits(args[2]), t.MASK: WORD(-1)}
        for column, value in (row | {t.CODES: WORD(0), t.STREAMS: WORD(0)}).items():
            words.element(WORD, WORD(column)).store(value, align=8)
        return words.value

    return byte_pointer(out, start, step, types.intp), codegen


def _dtype_of(output_type):
    """The type of Numba that a literal name, or a type, stands for; raises for none that compiled code can write."""
    if isinstance(output_type, types.DType | types.NumberClass):
        dtype = output_type.dtype
    elif isinstance(output_type, types.StringLiteral):
        try:
            dtype = from_dtype(as_output_type("output_type", output_type.literal_value))
        except (FastopsError, NumbaError) as error:
            raise TypingError(f"fastops.range: {error}") from None
    else:
        raise TypingError("fastops.range: output_type must be a type, or a literal name of one")
    is_integer = isinstance(dtype, types.Integer) and not isinstance(dtype, types.Boolean)
    if not is_integer and dtype not in (types.float32, types.float64):
        raise TypingError("fastops.range: output_type must be an integer type, float32 or float64")
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


@overload(fastops_range, jit_options=OPTIONS, prefer_literal=True)
def _stub(start, stop, step, output_type, out=None):
    numbers = (start, stop, step)
    if not all(isinstance(number, types.Integer | types.Float) for number in numbers):
        return None
    if any(isinstance(number, types.Integer) and number.bitwidth == 64 and not number.signed for number in numbers):
        raise TypingError("fastops.range: numbers must be signed integers, or unsigned ones of less than 64 bits")
    dtype = _dtype_of(output_type)
    if not is_none(out):
        check_out("fastops.range", out, types.Array(dtype, 1, "C"), 1)
    are_integers = all(isinstance(number, types.Integer) for number in numbers)
    if are_integers or isinstance(dtype, types.Integer):

        def count_integers(start, stop, step, output_type, out=None):
            if not (isfinite(start) and isfinite(stop) and isfinite(step)):
                raise ValueError("fastops.range: numbers must be finite")
            if max(abs(float(start)), abs(float(stop)), abs(float(step))) >= _MOST:
                raise ValueError("fastops.range: numbers must keep all sums within 64 bits")
            first, last, by = np.int64(start), np.int64(stop), np.int64(step)
            if by == 0:
                raise ValueError("fastops.range: step must not be 0, nor truncate to it")
            count = max(-((first - last) // by), 0)
            result = new_range(count, dtype, out)
            words = range_words(result, first, by, count)
            write_range(output_at(result), words, words, 0, count)
            return result

        return count_integers

    def count_floats(start, stop, step, output_type, out=None):
        if not (isfinite(start) and isfinite(stop) and isfinite(step)):
            raise ValueError("fastops.range: numbers must be finite")
        if step == 0:
            raise ValueError("fastops.range: step must not be 0, nor truncate to it")
        first, by = np.float64(start), np.float64(step)
        ratio = (np.float64(stop) - first) / by
        if ratio >= _MOST:
            raise ValueError("fastops.range: step must give a number of elements that memory has")
        count = ceil(ratio) if ratio > 0 else 0
        result = new_range(count, dtype, out)
        words = range_words(result, first, by, count)
        write_range(output_at(result), words, words, 0, count)
        return result

    return count_floats
