"""Intrinsics of the range kernel: vectors of elements made from their index, and where single elements go.

A vector is one cache line, so that it can be streamed from the registers. LLVM splits vectors that the processor does
not have: a line is one register with AVX-512, two with AVX2, four with SSE or NEON.
"""

# The compiler calls these functions with the builders of llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils

from fastops.kernels._intrinsics._access import Variable, emitted
from fastops.kernels._intrinsics._conversions import FLOAT32, FLOAT64, constant, round_to_bfloat16, round_to_float16
from fastops.kernels._intrinsics._types import INT32, WORD, byte_pointer
from fastops.kernels._intrinsics._vectors import LINE_BYTES, splat
from fastops.kernels._tables import _range as t

# Bytes of an element of each formula.
_WIDTHS = {t.INT8: 1, t.INT16: 2, t.INT32: 4, t.INT64: 8, t.FLOAT64: 8, t.FLOAT32: 4, t.FLOAT16: 2, t.BFLOAT16: 2}

#: Elements that one call of `write_vectors` may make, without the unused ones of the last vector.
MOST_ELEMENTS = 1 << 22


@emitted(types.void(byte_pointer, byte_pointer, types.intp, types.intp, types.boolean))
def write_vectors(builder, dst, row, first, n, streams):
    """Write n vectors of 64 bytes, the elements from number `first` on, by the formula of the row.

    With ``streams`` they pass the caches by, and dst must be aligned to a cache line. At most `MOST_ELEMENTS` elements
    of them are used. Each formula has a loop of its own for either kind of store.
    """
    done = builder.append_basic_block()
    chosen = builder.switch(_column(row, t.FORMULA), done)
    for formula, width in _WIDTHS.items():
        with builder.goto_block(builder.append_basic_block()):
            chosen.add_case(WORD(formula), builder.block)
            prepare = _integers if formula <= t.INT64 else _floats
            make = prepare(builder, row, formula, LINE_BYTES // width, first)
            for streamed, is_this in enumerate((builder.not_(streams), streams)):
                with builder.if_then(is_this), cgutils.for_range(builder, n) as loop:
                    line = dst.at(builder.mul(loop.index, WORD(LINE_BYTES)))
                    line.store(make(), LINE_BYTES if streamed else 1, streams=streamed)
            builder.branch(done)
    builder.position_at_end(done)


def _integers(builder, row, formula, lanes, first):
    """Return a function that emits the next vector of start + i * step modulo 2^bits.

    One addition for each register makes the next vector; processors have no vector multiplication of bytes.
    """
    cell = ir.IntType(8 * _WIDTHS[formula])
    step = _column(row, t.STEP)
    words = builder.add(_column(row, t.START), builder.mul(first, step)), step, _column(row, t.MASK)
    value, step, mask = [splat(builder, _cut(builder, word, cell), lanes) for word in words]
    values = Variable(builder, builder.add(value, builder.mul(step, _numbers(step.type))))
    step = builder.mul(step, constant(step.type, lanes))

    def make():
        vector = values.get()
        values.set(builder.add(vector, step))
        return builder.and_(vector, mask)

    return make


def _floats(builder, row, formula, lanes, first):
    """Return a function that emits the next vector of start + T(i) * step, rounded to the element's type.

    T(i) comes without a conversion: AVX2 and SSE2 have none from 64-bit integers, and each costs as much as an
    addition. With p = 23 for float32 and 52 for float64, the bits of 2^p plus k are those of the number 2^p + k, for k
    < 2^p. The sum of that and base - 2^p is i = base + k. Both terms are exact, so i is rounded once: in float64 with a
    base of 0, up to i = 2^52; in float32 with a base that is a multiple of MOST_ELEMENTS, up to 2^46, where elements of
    two bytes fill the address space of a process.

    The bits are a variable too: where a vector was made of one number for each line, float16 took a fifth longer.
    """
    kind, bits, places = (FLOAT64, WORD, 52) if formula == t.FLOAT64 else (FLOAT32, INT32, 23)
    base = WORD(0) if kind is FLOAT64 else builder.and_(first, WORD(-MOST_ELEMENTS))
    words = _column(row, t.START), _column(row, t.STEP), builder.sub(first, base)
    start, step, k = [_cut(builder, word, bits) for word in words]
    start, step = (splat(builder, builder.bitcast(number, kind), lanes) for number in (start, step))
    base = splat(builder, builder.fsub(builder.sitofp(base, kind), kind(2.0**places)), lanes)
    first_bits = splat(builder, builder.add(k, kind(2.0**places).bitcast(bits)), lanes)
    numbers = Variable(builder, builder.add(first_bits, _numbers(first_bits.type)))

    def make():
        vector = numbers.get()
        numbers.set(builder.add(vector, constant(vector.type, lanes)))
        index = builder.fadd(builder.bitcast(vector, base.type), base)
        value = builder.fadd(start, builder.fmul(index, step))
        if formula == t.FLOAT16:
            return round_to_float16(builder, value)
        return round_to_bfloat16(builder, value) if formula == t.BFLOAT16 else value

    return make


@emitted(types.void(byte_pointer, types.intp, byte_pointer, types.intp, types.intp, types.boolean))
def scatter(builder, dst, dst_pitch, src, n, width, swap):
    """Copy n contiguous cells of 1, 2, 4 or 8 bytes to every dst_pitch bytes, with ``swap`` their bytes reversed."""
    for size in (1, 2, 4, 8):
        with builder.if_then(builder.icmp_signed("==", width, WORD(size))), cgutils.for_range(builder, n) as loop:
            cell = src.at(builder.mul(loop.index, WORD(size))).load(ir.IntType(8 * size))
            if size > 1:
                cell = builder.select(swap, builder.bswap(cell), cell)
            dst.at(builder.mul(loop.index, dst_pitch)).store(cell)


@emitted(types.float64(types.intp))
def float_of(builder, bits):
    """The float64 with these bits."""
    return builder.bitcast(bits, FLOAT64)


@emitted(types.intp(types.float64))
def bits_of_double(builder, number):
    """The bits of a number as a float64; integers are rounded once."""
    return builder.bitcast(number, WORD)


@emitted(types.intp(types.float32))
def bits_of_single(builder, number):
    """The bits of a number as a float32; integers are rounded once."""
    return builder.zext(builder.bitcast(number, INT32), WORD)


def _column(row, column):
    return row.element(WORD, column).load(WORD, align=8)


def _cut(builder, word, cell):
    """Return the low bits of a word that a type has."""
    return word if cell == WORD else builder.trunc(word, cell)


def _numbers(kind):
    """Return the vector 0, 1, 2 and so on."""
    return ir.Constant(kind, [kind.element(lane) for lane in range(kind.count)])
