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


@intrinsic
def convert_elements(typingctx, dst, src, n, scales, shifts, is_pattern, source, result):
    """Write n contiguous elements of a type of results: those of a type of sources, times a number, plus another one.

    With is_pattern each element has numbers of its own at scales and shifts, otherwise all have the first ones. Up to
    16 elements behind the last one are read too, and so many numbers. Each pair of types has a loop of its own.
    """

    def codegen(context, builder, signature, args):
        dst, src, n, scales, shifts, is_pattern, source, result = as_pointers(builder, signature, args)
        done = builder.append_basic_block()
        pair = builder.add(builder.mul(source, WORD(len(c.RESULT_WIDTHS))), result)
        rest, *firsts = [_room(builder, 8 * c.LANES) for _ in range(3)]
        takes_pattern = builder.icmp_signed("!=", is_pattern, WORD(0))
        step = builder.select(takes_pattern, WORD(c.LANES), WORD(0))
        chosen = builder.switch(pair, done)
        for own, to in product(range(len(c.SOURCE_WIDTHS)), range(len(c.RESULT_WIDTHS))):
            with builder.goto_block(builder.append_basic_block()):
                chosen.add_case(WORD(own * len(c.RESULT_WIDTHS) + to), builder.block)
                kind = FLOAT64 if to == c.TO_FLOAT64 else FLOAT32
                pairs = zip((scales, shifts), firsts, strict=True)
                numbers = [_numbers(builder, pointer, first, kind, takes_pattern) for pointer, first in pairs]

                def convert(i, place, own=own, to=to, kind=kind, numbers=numbers):
                    source = src.at(builder.mul(i, WORD(c.LANES * c.SOURCE_WIDTHS[own])))
                    scale, shift = (
                        pointer.element(kind, builder.mul(i, step)).load(ir.VectorType(kind, c.LANES))
                        for pointer in numbers
                    )
                    value = _load(context, builder, source, own)
                    value = value if kind is FLOAT32 else builder.fpext(value, ir.VectorType(kind, c.LANES))
                    place.store(_rounded(context, builder, builder.fadd(builder.fmul(value, scale), shift), to))

                vectors = builder.sdiv(n, WORD(c.LANES))
                size = WORD(c.LANES * c.RESULT_WIDTHS[to])
                with emit_loop(builder, vectors) as i:
                    convert(i, dst.at(builder.mul(i, size)))
                left = builder.sub(n, builder.mul(vectors, WORD(c.LANES)))
                with builder.if_then(builder.icmp_signed(">", left, WORD(0))):
                    convert(vectors, rest)
                    left = builder.mul(left, WORD(c.RESULT_WIDTHS[to]))
                    dst.at(builder.mul(vectors, size)).copy_from(rest, left, is_short=True)
                builder.branch(done)
        builder.position_at_end(done)
        return context.get_dummy_value()

    integers = (types.intp, scales, shifts, types.intp, types.intp, types.intp)
    return types.void(dst, src, *integers), codegen


def _room(builder, n):
    """The pointer to n bytes on the stack."""
    place = builder.bitcast(cgutils.alloca_once(builder, WORD, size=n // 8), BYTE.as_pointer())
    return Pointer.to_buffer(builder, place, builder.ptrtoint(place, WORD), WORD(n), is_writable=True)


def _numbers(builder, pointer, first, kind, takes_pattern):
    """The pointer to the numbers of the first vector: those there, or in another place a vector of the first one."""
    first.store(splat(builder, pointer.load(kind), c.LANES))
    place, *bounds = [
        builder.select(takes_pattern, own, other)
        for own, other in zip(
            (pointer.place, *(pointer.bounds or ())), (first.place, *(first.bounds or ())), strict=True
        )
    ]
    return Pointer(builder, place, bounds or None)


def _load(context, builder, place, source):
    """The next elements of a source, as float32, which has all of their values."""
    width = c.SOURCE_WIDTHS[source]
    bits = place.load(ir.VectorType(ir.IntType(8 * width), c.LANES))
    kind = ir.VectorType(FLOAT32, c.LANES)
    if source == c.FLOAT16:
        return float32_of_float16(context, builder, bits)
    if source == c.BFLOAT16:
        return float32_of_bfloat16(builder, bits)
    if source == c.FLOAT32:
        return builder.bitcast(bits, kind)
    extend = builder.sext if source in (c.INT8, c.INT16) else builder.zext
    return builder.sitofp(extend(bits, ir.VectorType(ir.IntType(32), c.LANES)), kind)


def _rounded(context, builder, value, result):
    """A vector as one of the elements of results."""
    if result == c.TO_FLOAT16:
        return round_to_float16(context, builder, value)
    return round_to_bfloat16(builder, value) if result == c.TO_BFLOAT16 else value
