"""Intrinsic of conversions: elements of one type as those of another, scaled and shifted, a vector at a time."""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from itertools import product

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Pointer, as_pointers
from fastops.kernels._intrinsics._emit_loop import emit_loop
from fastops.kernels._intrinsics._floats import (
    FLOAT32,
    FLOAT64,
    float32_of_bfloat16,
    float32_of_float16,
    round_to_bfloat16,
    round_to_float16,
    splat,
)
from fastops.kernels._intrinsics._types import BYTE, WORD
from fastops.kernels._tables import _conversion as c

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
