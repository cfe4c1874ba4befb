"""Intrinsics of the range kernel: vectors of elements made from their index, and where single elements go.

A vector is one cache line, so that it can be streamed from the registers. LLVM splits what the CPU does not have: a
line is one register with AVX-512, two with AVX2, four with SSE or NEON.
"""


# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Variable, as_pointers
from fastops.kernels._intrinsics._conversions import constant, round_to_bfloat16, round_to_float16, splat
from fastops.kernels._intrinsics._types import WORD
from fastops.kernels._intrinsics._vectors import LINE_BYTES
from fastops.kernels._tables import _range as t

_INT32 = ir.IntType(32)
_FLOAT32, _FLOAT64 = ir.FloatType(), ir.DoubleType()

_INTEGER_WIDTHS = {t.INT8: 1, t.INT16: 2, t.INT32: 4, t.INT64: 8}
_FLOAT_WIDTHS = {t.FLOAT64: 8, t.FLOAT32: 4, t.FLOAT16: 2, t.BFLOAT16: 2}

#: Elements that one call of `write_vectors` may make; those of the last vector that nobody wants do not count.
MOST_ELEMENTS = 1 << 22


@intrinsic
def write_vectors(typingctx, dst, table, i, n, streams):
    """Write n vectors of 64 bytes, the elements from number i on, by the formula of the table; any alignment.

    With ``streams`` they pass the caches by, and dst must be aligned to a cache line. At most `MOST_ELEMENTS` elements
    are wanted of them. Each formula has a loop of its own for either kind of store.
    """

    def codegen(context, builder, signature, args):
        dst, row, first, n, streams = as_pointers(builder, signature, args)
        done = builder.append_basic_block()
        chosen = builder.switch(_column(row, t.FORMULA), done)
        for formula in (*_INTEGER_WIDTHS, *_FLOAT_WIDTHS):
            with builder.goto_block(builder.append_basic_block()):
                chosen.add_case(WORD(formula), builder.block)
                if formula in _INTEGER_WIDTHS:
                    vectors = _Integers.prepare(builder, row, _INTEGER_WIDTHS[formula], first)
                else:
                    vectors = _Floats.prepare(builder, row, formula, first, _rounding(context, formula))
                for streamed, branch in enumerate(_branches(builder, streams)):
                    with branch, cgutils.for_range(builder, n) as loop:
                        line = dst.at(builder.mul(loop.index, WORD(LINE_BYTES)))
                        line.store(vectors.make(builder), LINE_BYTES if streamed else 1, streams=streamed)
                builder.branch(done)
        builder.position_at_end(done)
        return context.get_dummy_value()

    return types.void(dst, table, types.intp, types.intp, types.intp), codegen


def _branches(builder, condition):
    """The blocks that run if a condition is 0, and if it is not."""
    is_zero = builder.icmp_signed("==", condition, WORD(0))
    yield builder.if_then(is_zero)
    yield builder.if_then(builder.not_(is_zero))


class _Integers(NamedTuple):
    """Vectors of start + i * step modulo 2^bits: a variable that holds the next one, and what is added to it."""

    values: Any
    step: Any
    mask: Any

    @classmethod
    def prepare(cls, builder, row, width, first):
        """Return the vectors from element ``first`` on."""
        cell, lanes = ir.IntType(8 * width), LINE_BYTES // width
        step = _column(row, t.STEP)
        value = builder.add(_column(row, t.START), builder.mul(first, step))
        value, step, mask = (
            splat(builder, word if width == 8 else builder.trunc(word, cell), lanes)
            for word in (value, step, _column(row, t.MASK))
        )
        # One addition for each register makes the next vector; CPUs have no vector multiplication of bytes.
        values = Variable(builder, builder.add(value, builder.mul(step, _numbers(step.type))))
        return cls(values, builder.mul(step, constant(step.type, lanes)), mask)

    def make(self, builder):
        """The next vector."""
        vector = self.values.get()
        self.values.set(builder.add(vector, self.step))
        return builder.and_(vector, self.mask)


class _Floats(NamedTuple):
    """Vectors of start + T(i) * step, rounded to the element's type.

    T(i) comes without a conversion: AVX2 and SSE2 have none from 64-bit integers, and each costs as much as an
    addition. With p = 23 for float32 and 52 for float64, the bits of 2^p plus k are those of the number 2^p + k, for
    k < 2^p. What is left to add is base - 2^p, for i = base + k. Both terms are exact, so that their sum is i, rounded
    once: in float64 with a base of 0, up to i = 2^52; in float32 with a base that is a multiple of MOST_ELEMENTS, up to
    2^46, where elements of two bytes fill the address space of a process.

    The bits are a variable, too: making a vector of one number for each line took a fifth of the time of float16.
    """

    start: Any
    step: Any
    base: Any
    numbers: Any
    as_element: Callable[..., Any]

    @classmethod
    def prepare(cls, builder, row, formula, first, as_element):
        """Return the vectors from element ``first`` on."""
        lanes = LINE_BYTES // _FLOAT_WIDTHS[formula]
        kind, bits, places = (_FLOAT64, WORD, 52) if formula == t.FLOAT64 else (_FLOAT32, _INT32, 23)
        base = WORD(0) if kind is _FLOAT64 else builder.and_(first, WORD(-MOST_ELEMENTS))
        words = [_column(row, t.START), _column(row, t.STEP), builder.sub(first, base)]
        start, step, k = words if bits is WORD else [builder.trunc(word, bits) for word in words]
        start, step = (splat(builder, builder.bitcast(number, kind), lanes) for number in (start, step))
        base = splat(builder, builder.fsub(builder.sitofp(base, kind), kind(2.0**places)), lanes)
        numbers = splat(builder, builder.add(k, kind(2.0**places).bitcast(bits)), lanes)
        numbers = Variable(builder, builder.add(numbers, _numbers(numbers.type)))
        return cls(start, step, base, numbers, as_element)

    def make(self, builder):
        """The next vector."""
        numbers = self.numbers.get()
        self.numbers.set(builder.add(numbers, constant(numbers.type, numbers.type.count)))
        index = builder.fadd(builder.bitcast(numbers, self.base.type), self.base)
        return self.as_element(builder, builder.fadd(self.start, builder.fmul(index, self.step)))


def _rounding(context, formula):
    """The function that emits how a vector is rounded to the element's type of a formula."""
    if formula == t.FLOAT16:
        return partial(round_to_float16, context)
    return round_to_bfloat16 if formula == t.BFLOAT16 else lambda _builder, value: value


@intrinsic
def scatter(typingctx, dst, dst_pitch, src, n, width, swap):
    """Copy n contiguous cells of 1, 2, 4 or 8 bytes to every dst_pitch bytes, with ``swap`` their bytes reversed."""

    def codegen(context, builder, signature, args):
        dst, dst_pitch, src, n, width, swap = as_pointers(builder, signature, args)
        is_swapped = builder.icmp_signed("!=", swap, WORD(0))
        for cell_bytes in _INTEGER_WIDTHS.values():
            with (
                builder.if_then(builder.icmp_signed("==", width, WORD(cell_bytes))),
                cgutils.for_range(builder, n) as loop,
            ):
                cell = src.at(builder.mul(loop.index, WORD(cell_bytes))).load(ir.IntType(8 * cell_bytes))
                if cell_bytes > 1:
                    cell = builder.select(is_swapped, builder.bswap(cell), cell)
                dst.at(builder.mul(loop.index, dst_pitch)).store(cell)
        return context.get_dummy_value()

    return types.void(dst, types.intp, src, types.intp, types.intp, types.intp), codegen


@intrinsic
def ordered_bits(typingctx, floats, i):
    """The bits of float32 number i at a pointer, as an integer that sorts as the values do: see `_rounding`."""

    def codegen(context, builder, signature, args):
        floats, i = as_pointers(builder, signature, args)
        bits = builder.sext(floats.element(_INT32, i).load(_INT32), WORD)
        reflected = builder.sub(WORD(-(2**31) - 1), bits)
        return builder.select(builder.icmp_signed("<", bits, WORD(0)), reflected, bits)

    return types.intp(floats, types.intp), codegen


@intrinsic
def float_of(typingctx, bits):
    """The float64 of these bits."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], _FLOAT64)

    return types.float64(types.intp), codegen


@intrinsic
def bits_of_double(typingctx, number):
    """The bits of an integer or a float64 as a float64."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(context.cast(builder, args[0], number, types.float64), WORD)

    return types.intp(number), codegen


@intrinsic
def bits_of_single(typingctx, number):
    """The bits of the float32 nearest to an integer or a float64, rounded once."""

    def codegen(context, builder, signature, args):
        value = context.cast(builder, args[0], number, types.float32)
        return builder.zext(builder.bitcast(value, _INT32), WORD)

    return types.intp(number), codegen


@intrinsic
def store_byte(typingctx, pointer, i, value):
    """Write the low byte of an integer as byte i at a pointer."""

    def codegen(context, builder, signature, args):
        pointer, i, value = as_pointers(builder, signature, args)
        pointer.at(i).store(builder.trunc(value, ir.IntType(8)))
        return context.get_dummy_value()

    return types.void(pointer, types.intp, types.intp), codegen


def _column(row, column):
    return row.element(WORD, column).load(WORD, align=8)


def _numbers(kind):
    """The vector 0, 1, 2 and so on."""
    return ir.Constant(kind, [kind.element(lane) for lane in range(kind.count)])
