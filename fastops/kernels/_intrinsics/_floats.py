"""Conversions between types of floats, a vector at a time, which give the same bits on every processor."""

# llvmlite carries no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir

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
