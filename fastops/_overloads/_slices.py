"""Stubs of `fastops.slice` and `fastops.strided_slice` for users' compiled code.

Stubs of `fastops.numpy.split` and `array_split` for users' compiled code.

The stub of `fastops.range` for users' compiled code.
"""

# Numba's overloads carry no types.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import types
from numba.core.errors import NumbaError
from numba.extending import intrinsic, overload, register_jitable
from numba.np.numpy_support import from_dtype

from fastops._arrays._dtypes import as_output_type
from fastops._errors import FastopsError
from fastops._overloads._arguments import argument_of, may_overlap, output_at
from fastops._overloads._calls import check_out, copy_array, is_none, lowered_by, rule_of, write
from fastops._overloads._link import lower_range, write_range
from fastops._overloads._stubs import OPTIONS, CallError, raise_status, stub
from fastops.kernels._intrinsics._memory import load_int, stack_words, store_int
from fastops.kernels._intrinsics._range_vectors import bits_of_double
from fastops.kernels._intrinsics._types import WORD
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _range as t
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables._range import COLUMNS, NUMBERS_WORDS
from fastops.ops._range import range as fastops_range
from fastops.ops._slices import slice as fastops_slice
from fastops.ops._slices import strided_slice
from fastops.ops.numpy._parts import array_split, split

_lower_slice, _lower_strided_slice = lowered_by(*rule_of(fastops_slice)), lowered_by(*rule_of(strided_slice))


@stub(fastops_slice, "fastops.slice")
def _slice(data, start, size, stride=None, axes=None, mode="strict_bounds", fill_value=None, out=None):
    def impl(data, start, size, stride=None, axes=None, mode="strict_bounds", fill_value=None, out=None):
        lowered = _lower_slice(data, fill_value, (start, size, stride, axes, mode))
        return write("fastops.slice", lowered, data, out)

    return impl


@stub(strided_slice, "fastops.strided_slice", prefer_literal=True)
def _strided_slice(
    data,
    begin,
    end,
    strides=None,
    begin_mask=(),
    end_mask=(),
    new_axis_mask=(),
    shrink_axis_mask=(),
    ellipsis_mask=(),
    out=None,
):
    def impl(
        data,
        begin,
        end,
        strides=None,
        begin_mask=(),
        end_mask=(),
        new_axis_mask=(),
        shrink_axis_mask=(),
        ellipsis_mask=(),
        out=None,
    ):
        attributes = begin, end, strides, begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask
        return write("fastops.strided_slice", _lower_strided_slice(data, None, attributes), data, out)

    return impl


_SECTIONS = "indices_or_sections"


def read(sections):
    """A number of parts, a tuple of indices between them, or an array of such indices that nobody else writes to."""


@overload(read, jit_options=OPTIONS)
def _read(sections):
    if isinstance(sections, types.Integer | types.BaseTuple):
        return lambda sections: sections

    def impl(sections):
        numbers = np.empty(len(sections), np.int64)
        for i in range(len(sections)):
            numbers[i] = sections[i]
        return numbers

    return impl


def around(sections, i):
    """What says where part i is, and its number among the parts of that: of an array, the indices beside it."""


@overload(around, jit_options=OPTIONS)
def _around(sections, i):
    if isinstance(sections, types.Array):
        return lambda sections, i: (sections[max(i - 1, 0) : i + 1], min(i, 1))
    return lambda sections, i: (sections, i)


def count(sections):
    """The number of parts, which may be one that is wrong."""


@overload(count, jit_options=OPTIONS)
def _count(sections):
    if isinstance(sections, types.Integer):
        return lambda sections: np.int64(sections)
    return lambda sections: len(sections) + 1


@intrinsic(prefer_literal=True)
def as_tuple(typingctx, parts, n):
    """The items of a list, of which a literal says how many there are."""
    result = types.UniTuple(parts.dtype, n.literal_value)

    def codegen(context, builder, signature, args):
        item = parts.dtype(parts, types.intp)
        items = [
            context.compile_internal(builder, lambda parts, i: parts[i], item, [args[0], WORD(i)])
            for i in range(n.literal_value)
        ]
        return context.make_tuple(builder, result, items)

    return result(parts, n), codegen


def _known_parts(name, sections):
    """Return the number of parts, if the type of what splits an axis says it."""
    if argument_of(f"{name}: {_SECTIONS}", sections, None).kind not in (r.INTEGER, r.LIST):
        raise CallError(f"{name}: {_SECTIONS} must be an integer or a list of integers, got {sections}")
    if isinstance(sections, types.BaseTuple):
        return len(sections) + 1
    if not isinstance(sections, types.IntegerLiteral):
        return None
    if not 1 <= sections.literal_value <= r.MOST_PARTS:
        raise CallError(f"{name}: {_SECTIONS} must be in 1..{r.MOST_PARTS}, got {sections.literal_value}")
    return sections.literal_value


def _stub_of(function):
    """Make the stub of a function that splits an array."""
    op, rule, names = rule_of(function)
    name = f"fastops.{op}"
    lower_part = lowered_by(op, rule, (*names, "part"), r.PART)

    @register_jitable(**OPTIONS)
    def fresh(ary, indices_or_sections, axis, out):
        sections = read(indices_or_sections)
        near, k = around(sections, 0)
        parts = [write(name, lower_part(ary, None, (near, axis, k)), ary, None)]
        for i in range(1, count(sections)):
            near, k = around(sections, i)
            parts.append(write(name, lower_part(ary, None, (near, axis, k)), ary, None))
        return parts

    @register_jitable(**OPTIONS)
    def into(ary, indices_or_sections, axis, out):
        sections, source = read(indices_or_sections), ary
        n = count(sections)
        for i in range(max(n, 1)):
            near, k = around(sections, i)
            _, status, shape = lower_part(ary, None, (near, axis, k))
            raise_status(name, status)
            if len(out) != n or out[i].shape != shape:
                raise_status(name, a.OTHER_SHAPE)
        for i in range(n):
            if may_overlap(out[i], ary):
                source = np.empty(ary.shape, ary.dtype)
                raise_status(name, copy_array(ary, source))
                break
        for i in range(n):
            near, k = around(sections, i)
            write(name, lower_part(source, None, (near, axis, k)), source, out[i])
        return out

    def body(ary, indices_or_sections, axis=0, out=None):
        n = _known_parts(name, indices_or_sections)
        if is_none(out):
            if n is None:
                return lambda ary, indices_or_sections, axis=0, out=None: fresh(ary, indices_or_sections, axis, out)
            return lambda ary, indices_or_sections, axis=0, out=None: as_tuple(
                fresh(ary, indices_or_sections, axis, out), n
            )
        if not isinstance(out, types.UniTuple | types.List | types.ListType):
            raise CallError(f"{name}: out must be a list of arrays, or a tuple of arrays of one type, got {out}")
        check_out(name, out.dtype, ary, ary.ndim)
        return lambda ary, indices_or_sections, axis=0, out=None: into(ary, indices_or_sections, axis, out)

    stub(function, name, prefer_literal=True)(body)


_stub_of(split)
_stub_of(array_split)


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
