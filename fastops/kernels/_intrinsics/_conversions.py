"""Conversions between types of floats, a vector at a time, which give the same bits on every processor.

Intrinsic of conversions: elements of one type as those of another, scaled and shifted, a vector at a time.
"""

# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from itertools import product

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Pointer, as_pointers, emit_loop
from fastops.kernels._intrinsics._types import BYTE, WORD
from fastops.kernels._tables import _conversion as c

INT16, INT32 = ir.IntType(16), ir.IntType(32)
HALF, FLOAT32, FLOAT64 = ir.HalfType(), ir.FloatType(), ir.DoubleType()


def constant(kind, number):
    """A vector of one constant."""
    return ir.Constant(kind, [kind.element(number)] * kind.count)


def splat(builder, value, lanes):
    """A vector of one value."""
    vector = builder.insert_element(ir.Constant(ir.VectorType(value.type, lanes), ir.Undefined), value, INT32(0))
    return builder.shuffle_vector(vector, vector, constant(ir.VectorType(INT32, lanes), 0))


def has_halves(context) -> bool:
    """True if the processor that a context of Numba's compiles for converts between float16 and float32.

    F16C of x86 and any 64-bit ARM do; for another one LLVM would call a function for each element. The processor's
    features are part of the key of Numba's cache.
    """
    triple, _, features = context.codegen().magic_tuple()
    return "+f16c" in features.split(",") or triple.startswith(("aarch64", "arm64"))


def round_to_float16(context, builder, value):
    """Float32 rounded to float16: nearest even, subnormals kept, overflow to infinity, as NumPy converts them."""
    if has_halves(context):
        return builder.bitcast(builder.fptrunc(value, _like(HALF, value)), _like(INT16, value))
    # Every lane computes all cases, and selects: no branches, and comparisons of signed numbers, which SSE2 has.
    kind = _like(INT32, value)
    bits = builder.bitcast(value, kind)
    magnitude = builder.and_(bits, constant(kind, 0x7FFFFFFF))
    sign = builder.and_(builder.lshr(bits, constant(kind, 16)), constant(kind, 0x8000))
    # Normal: add half a unit in the last place, less one bit where the result is even, and rebias the exponent.
    high = builder.lshr(magnitude, constant(kind, 13))
    odd = builder.and_(high, constant(kind, 1))
    normal = builder.add(builder.add(magnitude, odd), constant(kind, 0xFFF - (112 << 23)))
    normal = builder.lshr(normal, constant(kind, 13))
    infinity = constant(kind, 0x7C00)
    normal = builder.select(builder.icmp_signed("<", normal, infinity), normal, infinity)
    # Subnormal: the float32 addition of 0.5 rounds to a multiple of 2^-24, float16's last place, in its low bits.
    small = builder.fadd(builder.bitcast(magnitude, value.type), constant(value.type, 0.5))
    small = builder.sub(builder.bitcast(small, kind), constant(kind, 0x3F000000))
    is_small = builder.icmp_signed("<", magnitude, constant(kind, 113 << 23))
    rounded = builder.select(is_small, small, normal)
    # A NaN keeps the first bits of its payload, and is quiet.
    nan = builder.or_(builder.and_(high, constant(kind, 0x3FF)), constant(kind, 0x7E00))
    rounded = builder.select(builder.icmp_signed(">", magnitude, constant(kind, 0x7F800000)), nan, rounded)
    return builder.trunc(builder.or_(rounded, sign), _like(INT16, value))


def round_to_bfloat16(builder, value):
    """Float32 rounded to bfloat16, nearest even: half a unit is added, less one bit where the result is even.

    A NaN loses its payload, as in ml_dtypes.
    """
    kind = _like(INT32, value)
    bits = builder.bitcast(value, kind)
    odd = builder.and_(builder.lshr(bits, constant(kind, 16)), constant(kind, 1))
    rounded = builder.add(builder.add(bits, constant(kind, 0x7FFF)), odd)
    magnitude = builder.and_(bits, constant(kind, 0x7FFFFFFF))
    nan = builder.or_(builder.and_(bits, constant(kind, -(1 << 31))), constant(kind, 0x7FC00000))
    rounded = builder.select(builder.icmp_signed(">", magnitude, constant(kind, 0x7F800000)), nan, rounded)
    return builder.trunc(builder.lshr(rounded, constant(kind, 16)), _like(INT16, value))


def float32_of_float16(context, builder, bits):
    """The float32 that float16 of these bits are."""
    kind = _like(FLOAT32, bits)
    if has_halves(context):
        return builder.fpext(builder.bitcast(bits, _like(HALF, bits)), kind)
    wide = builder.zext(bits, _like(INT32, bits))
    magnitude = builder.and_(wide, constant(wide.type, 0x7FFF))
    sign = builder.shl(builder.and_(wide, constant(wide.type, 0x8000)), constant(wide.type, 16))
    shifted = builder.shl(magnitude, constant(wide.type, 13))
    normal = builder.add(shifted, constant(wide.type, 112 << 23))
    # Infinities and NaNs, which are quiet, have the largest exponent in either type.
    special = builder.or_(shifted, constant(wide.type, 0xFF << 23))
    quiet = builder.or_(special, constant(wide.type, 1 << 22))
    special = builder.select(builder.icmp_signed(">", magnitude, constant(wide.type, 0x7C00)), quiet, special)
    # Subnormal: what the bits add to 2^-14, of which no step is a subnormal float32.
    least = constant(wide.type, 113 << 23)
    small = builder.fsub(builder.bitcast(builder.add(shifted, least), kind), builder.bitcast(least, kind))
    small = builder.bitcast(small, wide.type)
    found = builder.select(builder.icmp_signed("<", magnitude, constant(wide.type, 0x400)), small, normal)
    found = builder.select(builder.icmp_signed(">", magnitude, constant(wide.type, 0x7BFF)), special, found)
    return builder.bitcast(builder.or_(found, sign), kind)


def float32_of_bfloat16(builder, bits):
    """The float32 that bfloat16 of these bits are."""
    wide = builder.shl(builder.zext(bits, _like(INT32, bits)), constant(_like(INT32, bits), 16))
    return builder.bitcast(wide, _like(FLOAT32, bits))


def _like(element, vector):
    """The type of vectors of an element, of as many as another one has."""
    return ir.VectorType(element, vector.type.count)


# Elements of a vector: float32 of AVX2.
_VECTOR = 8


@intrinsic
def convert_elements(typingctx, dst, src, n, scales, shifts, period, source, result):
    """Write n contiguous elements of a type of results: those of a type of sources, times a number, plus another one.

    The numbers at scales and shifts are those of each element, which repeat after a period; for a period of 1, the
    first ones are those of all. As many numbers as one step of a loop takes may be read behind the last one. Each pair
    of types has two loops of its own: numbers that repeat within a step stay in registers, which is faster by a sixth.
    """

    def codegen(context, builder, signature, args):
        dst, src, n, scales, shifts, period, source, result = as_pointers(builder, signature, args)
        done = builder.append_basic_block()
        pair = builder.add(builder.mul(source, WORD(len(c.RESULT_WIDTHS))), result)
        last, rest, *firsts = [_room(builder, 8 * c.LANES) for _ in range(4)]
        is_one = builder.icmp_signed("==", period, WORD(1))
        takes_own = builder.icmp_signed("!=", builder.srem(WORD(c.KEPT_NUMBERS), period), WORD(0))
        groups = builder.sdiv(n, WORD(c.LANES))
        left = builder.sub(n, builder.mul(groups, WORD(c.LANES)))
        of_own = builder.select(takes_own, groups, WORD(0))
        first_own = builder.mul(of_own, WORD(c.LANES))
        chosen = builder.switch(pair, done)
        for source_type, to in product(range(len(c.SOURCE_WIDTHS)), range(len(c.RESULT_WIDTHS))):
            with builder.goto_block(builder.append_basic_block()):
                chosen.add_case(WORD(source_type * len(c.RESULT_WIDTHS) + to), builder.block)
                kind = FLOAT64 if to == c.TO_FLOAT64 else FLOAT32
                kept = [_kept(builder, pointer, kind, is_one) for pointer in (scales, shifts)]

                def source_at(i, width=c.SOURCE_WIDTHS[source_type]):
                    return src.at(builder.mul(i, WORD(c.LANES * width)))

                def convert(from_here, place, numbers, source_type=source_type, to=to, kind=kind):
                    for k in range(c.LANES // _VECTOR):
                        value = from_here.at(k * _VECTOR * c.SOURCE_WIDTHS[source_type])
                        value = _load(context, builder, value, source_type)
                        value = value if kind is FLOAT32 else builder.fpext(value, ir.VectorType(kind, _VECTOR))
                        scale, shift = numbers(k)
                        value = _rounded(context, builder, builder.fadd(builder.fmul(value, scale), shift), to)
                        place.at(k * _VECTOR * c.RESULT_WIDTHS[to]).store(value)

                def own_at(at, pointers, kind=kind):
                    places = [pointer.element(kind, at) for pointer in pointers]
                    width = _VECTOR * (8 if kind is FLOAT64 else 4)
                    return lambda k: [place.at(k * width).load(ir.VectorType(kind, _VECTOR)) for place in places]

                size = WORD(c.LANES * c.RESULT_WIDTHS[to])
                with emit_loop(builder, builder.sub(groups, of_own)) as i:
                    place = dst.at(builder.mul(i, size))
                    convert(source_at(i), place, lambda k, kept=kept: [vectors[k % len(vectors)] for vectors in kept])
                with emit_loop(builder, of_own) as i:
                    own = own_at(builder.mul(i, WORD(c.LANES)), (scales, shifts))
                    convert(source_at(i), dst.at(builder.mul(i, size)), own)
                with builder.if_then(builder.icmp_signed(">", left, WORD(0))):
                    both = zip((scales, shifts), firsts, kept, strict=True)
                    pointers = [_numbers(builder, *each, takes_own) for each in both]
                    of_left = builder.mul(left, WORD(c.SOURCE_WIDTHS[source_type]))
                    last.copy_from(source_at(groups), of_left, is_short=True)
                    convert(last, rest, own_at(first_own, pointers))
                    of_left = builder.mul(left, WORD(c.RESULT_WIDTHS[to]))
                    dst.at(builder.mul(groups, size)).copy_from(rest, of_left, is_short=True)
                builder.branch(done)
        builder.position_at_end(done)
        return context.get_dummy_value()

    integers = (types.intp, scales, shifts, types.intp, types.intp, types.intp)
    return types.void(dst, src, *integers), codegen


def _room(builder, n):
    """The pointer to n bytes on the stack."""
    place = builder.bitcast(cgutils.alloca_once(builder, WORD, size=n // 8), BYTE.as_pointer())
    return Pointer.to_buffer(builder, place, builder.ptrtoint(place, WORD), WORD(n), is_writable=True)


def _kept(builder, pointer, kind, is_one):
    """The numbers of the elements of a step: those there, or as many copies of the first one."""
    one = splat(builder, pointer.load(kind), _VECTOR)
    vectors = [pointer.element(kind, WORD(_VECTOR * k)).load(one.type) for k in range(c.KEPT_NUMBERS // _VECTOR)]
    return [builder.select(is_one, one, vector) for vector in vectors]


def _numbers(builder, pointer, room, kept, takes_own):
    """The pointer to numbers of elements: those there, or in a room those that are kept."""
    for k in range(c.LANES // _VECTOR):
        vector = kept[k % len(kept)]
        room.element(vector.type, k).store(vector)
    pairs = zip((pointer.place, *(pointer.bounds or ())), (room.place, *(room.bounds or ())), strict=True)
    place, *bounds = [builder.select(takes_own, own, other) for own, other in pairs]
    return Pointer(builder, place, bounds or None)


def _load(context, builder, place, source):
    """The next elements of a source, as float32, which has all of their values."""
    width = c.SOURCE_WIDTHS[source]
    bits = place.load(ir.VectorType(ir.IntType(8 * width), _VECTOR))
    kind = ir.VectorType(FLOAT32, _VECTOR)
    if source == c.FLOAT16:
        return float32_of_float16(context, builder, bits)
    if source == c.BFLOAT16:
        return float32_of_bfloat16(builder, bits)
    if source == c.FLOAT32:
        return builder.bitcast(bits, kind)
    extend = builder.sext if source in (c.INT8, c.INT16) else builder.zext
    return builder.sitofp(extend(bits, ir.VectorType(ir.IntType(32), _VECTOR)), kind)


def _rounded(context, builder, value, result):
    """A vector as one of the elements of results."""
    if result == c.TO_FLOAT16:
        return round_to_float16(context, builder, value)
    return round_to_bfloat16(builder, value) if result == c.TO_BFLOAT16 else value
