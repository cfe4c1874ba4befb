"""Vectors of numbers: floats rounded to other types, elements converted and scaled, and the elements of ranges.

All processors compute the same bits. A vector of a range is one cache line, so that it can be streamed from the
registers. LLVM splits vectors that the processor does not have: a line is one register with AVX-512, two with AVX2,
four with SSE or NEON.
"""

# The compiler calls these functions with the builders of llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from itertools import product
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils

from fastops.kernels._intrinsics._access import Variable, emit_loop, emitted, stack_room
from fastops.kernels._intrinsics._outlined import INT32, WORD, byte_pointer, features
from fastops.kernels._intrinsics._vectors import LINE_BYTES, splat
from fastops.kernels._tables import _conversion as c, _range as t

_INT16 = ir.IntType(16)
FLOAT32, FLOAT64 = ir.FloatType(), ir.DoubleType()


def constant(kind, number):
    """Return a vector of one constant."""
    return ir.Constant(kind, [kind.element(number)] * kind.count)


def has_halves() -> bool:
    """Return whether the processor that code is compiled for converts between float16 and float32.

    F16C of x86 and any 64-bit ARM do. For other processors LLVM would call a function for each element.
    """
    return not features().isdisjoint(("f16c", "neon"))


def round_to_float16(builder, value):
    """Return float32 rounded to float16: nearest even, subnormals kept, overflow to infinity, as NumPy converts."""
    if has_halves():
        return builder.bitcast(builder.fptrunc(value, _like(ir.HalfType(), value)), _like(_INT16, value))
    # Every lane computes all cases and selects one, so there are no branches; comparisons are signed, because SSE2 has
    # no unsigned ones.
    kind = _like(INT32, value)
    bits = builder.bitcast(value, kind)
    magnitude = builder.and_(bits, constant(kind, 0x7FFFFFFF))
    sign = builder.and_(builder.lshr(bits, constant(kind, 16)), constant(kind, 0x8000))
    # Normal: add half a unit in the last place, less 1 where the kept bits are even, and rebias the exponent.
    high = builder.lshr(magnitude, constant(kind, 13))
    odd = builder.and_(high, constant(kind, 1))
    normal = builder.add(builder.add(magnitude, odd), constant(kind, 0xFFF - (112 << 23)))
    normal = builder.lshr(normal, constant(kind, 13))
    infinity = constant(kind, 0x7C00)
    normal = builder.select(builder.icmp_signed("<", normal, infinity), normal, infinity)
    # Subnormal: float32 numbers from 0.5 to 1 are multiples of 2^-24, float16's last place, so adding 0.5 rounds to
    # one, and the low bits of the sum count them.
    small = builder.fadd(builder.bitcast(magnitude, value.type), constant(value.type, 0.5))
    small = builder.sub(builder.bitcast(small, kind), constant(kind, 0x3F000000))
    is_small = builder.icmp_signed("<", magnitude, constant(kind, 113 << 23))
    rounded = builder.select(is_small, small, normal)
    # A NaN keeps the first bits of its payload, and is quiet.
    nan = builder.or_(builder.and_(high, constant(kind, 0x3FF)), constant(kind, 0x7E00))
    rounded = builder.select(builder.icmp_signed(">", magnitude, constant(kind, 0x7F800000)), nan, rounded)
    return builder.trunc(builder.or_(rounded, sign), _like(_INT16, value))


def round_to_bfloat16(builder, value):
    """Return float32 rounded to bfloat16, nearest even: half a unit is added, less 1 where the kept bits are even.

    A NaN loses its payload, as in ml_dtypes.
    """
    kind = _like(INT32, value)
    bits = builder.bitcast(value, kind)
    odd = builder.and_(builder.lshr(bits, constant(kind, 16)), constant(kind, 1))
    rounded = builder.add(builder.add(bits, constant(kind, 0x7FFF)), odd)
    magnitude = builder.and_(bits, constant(kind, 0x7FFFFFFF))
    nan = builder.or_(builder.and_(bits, constant(kind, -(1 << 31))), constant(kind, 0x7FC00000))
    rounded = builder.select(builder.icmp_signed(">", magnitude, constant(kind, 0x7F800000)), nan, rounded)
    return builder.trunc(builder.lshr(rounded, constant(kind, 16)), _like(_INT16, value))


def float32_of_float16(builder, bits):
    """Return the float32 values of float16 with these bits."""
    kind = _like(FLOAT32, bits)
    if has_halves():
        return builder.fpext(builder.bitcast(bits, _like(ir.HalfType(), bits)), kind)
    wide = builder.zext(bits, _like(INT32, bits))
    magnitude = builder.and_(wide, constant(wide.type, 0x7FFF))
    sign = builder.shl(builder.and_(wide, constant(wide.type, 0x8000)), constant(wide.type, 16))
    # Normal, infinite or NaN: float16's largest exponent becomes float32's; a multiplication rebiases the finite ones.
    shifted = builder.add(builder.shl(magnitude, constant(wide.type, 13)), constant(wide.type, 0xE0 << 23))
    normal = builder.fmul(builder.bitcast(shifted, kind), constant(kind, 2.0**-112))
    # Subnormal: the bits become the last ones of 0.5 as float32, and 0.5 is subtracted. No intermediate number is a
    # subnormal float32, because threads may flush those to zero.
    half = constant(kind, 0.5)
    small = builder.fsub(builder.bitcast(builder.or_(magnitude, builder.bitcast(half, wide.type)), kind), half)
    is_small = builder.icmp_signed("<", magnitude, constant(wide.type, 0x400))
    found = builder.bitcast(builder.select(is_small, small, normal), wide.type)
    return builder.bitcast(builder.or_(found, sign), kind)


def float32_of_bfloat16(builder, bits):
    """Return the float32 values of bfloat16 with these bits."""
    wide = builder.shl(builder.zext(bits, _like(INT32, bits)), constant(_like(INT32, bits), 16))
    return builder.bitcast(wide, _like(FLOAT32, bits))


def _like(element, vector):
    """Return the type of vectors of an element, with as many lanes as another vector."""
    return ir.VectorType(element, vector.type.count)


# Elements of a vector: float32 of AVX2.
_VECTOR = 8


@emitted(types.void(byte_pointer, byte_pointer, types.intp, byte_pointer, byte_pointer, *(types.intp,) * 3))
def convert_elements(builder, dst, src, n, scales, shifts, period, source, result):
    """Write n contiguous elements of the type `result`: elements of the type `source`, scaled and shifted.

    Each element has its own numbers at scales and shifts, which repeat after a period; with a period of 1, all elements
    have the first numbers. The last step may read numbers beyond the last one, at most as many as a step uses. Each
    pair of types has two loops: one keeps numbers that repeat within a step in registers, which is faster by a sixth.
    """
    done = builder.append_basic_block()
    last, rest = [stack_room(builder, 8 * c.LANES) for _ in range(2)]
    is_one = builder.icmp_signed("==", period, WORD(1))
    takes_own = builder.icmp_signed("!=", builder.srem(WORD(c.KEPT_NUMBERS), period), WORD(0))
    groups = builder.sdiv(n, WORD(c.LANES))
    left = builder.sub(n, builder.mul(groups, WORD(c.LANES)))
    of_own = builder.select(takes_own, groups, WORD(0))
    chosen = builder.switch(builder.add(builder.mul(source, WORD(len(c.RESULT_WIDTHS))), result), done)
    for source_type, to in product(range(len(c.SOURCE_WIDTHS)), range(len(c.RESULT_WIDTHS))):
        with builder.goto_block(builder.append_basic_block()):
            chosen.add_case(WORD(source_type * len(c.RESULT_WIDTHS) + to), builder.block)
            pair = _Pair(builder, source_type, to)
            kept = pair.kept((scales, shifts), is_one)
            with emit_loop(builder, builder.sub(groups, of_own)) as i:
                pair.convert(src, dst, i, kept)
            with emit_loop(builder, of_own) as i:
                pair.convert(src, dst, i, pair.loaded((scales, shifts), i))
            with builder.if_then(builder.icmp_signed(">", left, WORD(0))):
                place, to_place = pair.places(src, dst, groups)
                last.copy_from(place, builder.mul(left, WORD(c.SOURCE_WIDTHS[source_type])), is_short=True)
                own = pair.loaded((scales, shifts), of_own)
                pair.convert(last, rest, WORD(0), pair.selected(takes_own, own, kept))
                to_place.copy_from(rest, builder.mul(left, WORD(c.RESULT_WIDTHS[to])), is_short=True)
            builder.branch(done)
    builder.position_at_end(done)


class _Pair(NamedTuple):
    """A type of sources and a type of results."""

    builder: Any
    source: int
    result: int

    @property
    def kind(self):
        """The type of vectors that the numbers have."""
        return ir.VectorType(FLOAT64 if self.result == c.TO_FLOAT64 else FLOAT32, _VECTOR)

    def places(self, src, dst, i):
        """Return where step i reads and writes."""
        widths = c.SOURCE_WIDTHS[self.source], c.RESULT_WIDTHS[self.result]
        sizes = [WORD(c.LANES * width) for width in widths]
        return [place.at(self.builder.mul(i, size)) for place, size in zip((src, dst), sizes, strict=True)]

    def loaded(self, pointers, i):
        """Return a function that loads the numbers of a vector of step i."""
        starts = [pointer.element(self.kind.element, self.builder.mul(i, WORD(c.LANES))) for pointer in pointers]
        return lambda k: [start.element(self.kind, k).load(self.kind) for start in starts]

    def kept(self, pointers, is_one):
        """Return a function that gives the numbers of a vector of any step, which are loaded here."""
        vectors = [_kept(self.builder, pointer, self.kind, is_one) for pointer in pointers]
        return lambda k: [own[k % len(own)] for own in vectors]

    def selected(self, condition, one, other):
        """Return a function that gives the numbers of one function or of another."""
        return lambda k: [self.builder.select(condition, *pair) for pair in zip(one(k), other(k), strict=True)]

    def convert(self, src, dst, i, numbers):
        """Convert the elements of step i, each vector by its two numbers."""
        builder, (src, dst) = self.builder, self.places(src, dst, i)
        for k in range(c.LANES // _VECTOR):
            value = _load(builder, src.at(k * _VECTOR * c.SOURCE_WIDTHS[self.source]), self.source)
            value = value if value.type == self.kind else builder.fpext(value, self.kind)
            scale, shift = numbers(k)
            value = builder.fadd(builder.fmul(value, scale), shift)
            value = _rounded(builder, value, self.result == c.TO_FLOAT16, self.result == c.TO_BFLOAT16)
            dst.at(k * _VECTOR * c.RESULT_WIDTHS[self.result]).store(value)


def _kept(builder, pointer, kind, is_one):
    """Return the numbers of the elements of a step: the numbers at the pointer, or copies of the first one."""
    one = splat(builder, pointer.load(kind.element), _VECTOR)
    vectors = [pointer.element(kind, k).load(kind) for k in range(c.KEPT_NUMBERS // _VECTOR)]
    return [builder.select(is_one, one, vector) for vector in vectors]


def _load(builder, place, source):
    """Return the next elements of a source as float32, which holds each of their values exactly."""
    bits = place.load(ir.VectorType(ir.IntType(8 * c.SOURCE_WIDTHS[source]), _VECTOR))
    if source == c.FLOAT16:
        return float32_of_float16(builder, bits)
    if source == c.BFLOAT16:
        return float32_of_bfloat16(builder, bits)
    kind = ir.VectorType(FLOAT32, _VECTOR)
    if source == c.FLOAT32:
        return builder.bitcast(bits, kind)
    extend = builder.sext if source in (c.INT8, c.INT16) else builder.zext
    return builder.sitofp(extend(bits, ir.VectorType(INT32, _VECTOR)), kind)


def _rounded(builder, value, is_float16, is_bfloat16):
    """Return a vector as elements of another type, if it is one of these two."""
    if is_float16:
        return round_to_float16(builder, value)
    return round_to_bfloat16(builder, value) if is_bfloat16 else value


# Bytes of an element of each formula.
_WIDTHS = {t.INT8: 1, t.INT16: 2, t.INT32: 4, t.INT64: 8, t.FLOAT64: 8, t.FLOAT32: 4, t.FLOAT16: 2, t.BFLOAT16: 2}

#: Elements that one call of `write_vectors` may make, not counting unused ones of the last vector.
MOST_ELEMENTS = 1 << 22


@emitted(types.void(byte_pointer, byte_pointer, types.intp, types.intp, types.boolean))
def write_vectors(builder, dst, row, first, n, streams):
    """Write n vectors of 64 bytes, the elements from number `first` on, by the formula of the row.

    With ``streams`` they are written past the caches, and dst must be aligned to a cache line. The caller uses at most
    `MOST_ELEMENTS` elements of them. Each formula has a loop for either kind of store.
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
    values = Variable(builder, builder.add(value, builder.mul(step, _counted(step.type))))
    step = builder.mul(step, constant(step.type, lanes))

    def make():
        vector = values.get()
        values.set(builder.add(vector, step))
        return builder.and_(vector, mask)

    return make


def _floats(builder, row, formula, lanes, first):
    """Return a function that emits the next vector of start + T(i) * step, rounded to the element's type.

    T(i) needs no conversion: AVX2 and SSE2 have none from 64-bit integers, and a conversion costs as much as an
    addition. Let p be 23 for float32 and 52 for float64. For k < 2^p, the bits of the number 2^p, plus k, are the bits
    of the number 2^p + k. That number plus base - 2^p is i = base + k. Both terms are exact, so i is rounded once: in
    float64 with a base of 0, up to i = 2^52; in float32 with a base that is a multiple of MOST_ELEMENTS, up to 2^46,
    where elements of two bytes fill the address space of a process.

    The bits are kept in a variable: when each vector was made anew from its first number, float16 took a fifth longer.
    """
    kind, bits, places = (FLOAT64, WORD, 52) if formula == t.FLOAT64 else (FLOAT32, INT32, 23)
    base = WORD(0) if kind is FLOAT64 else builder.and_(first, WORD(-MOST_ELEMENTS))
    words = _column(row, t.START), _column(row, t.STEP), builder.sub(first, base)
    start, step, k = [_cut(builder, word, bits) for word in words]
    start, step = (splat(builder, builder.bitcast(number, kind), lanes) for number in (start, step))
    base = splat(builder, builder.fsub(builder.sitofp(base, kind), kind(2.0**places)), lanes)
    first_bits = splat(builder, builder.add(k, kind(2.0**places).bitcast(bits)), lanes)
    numbers = Variable(builder, builder.add(first_bits, _counted(first_bits.type)))

    def make():
        vector = numbers.get()
        numbers.set(builder.add(vector, constant(vector.type, lanes)))
        index = builder.fadd(builder.bitcast(vector, base.type), base)
        value = builder.fadd(start, builder.fmul(index, step))
        return _rounded(builder, value, formula == t.FLOAT16, formula == t.BFLOAT16)

    return make


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
    """Return the low bits of a word, as many as a type has."""
    return word if cell == WORD else builder.trunc(word, cell)


def _counted(kind):
    """Return the vector 0, 1, 2 and so on."""
    return ir.Constant(kind, [kind.element(lane) for lane in range(kind.count)])
