"""Permutes: cache lines made of one or two lines of the source, on processors that permute single bytes.

One instruction of AVX-512 VBMI does what takes a shuffle and an OR for each window of 16 bytes (`_shuffles`). Source
and output are loaded and stored by masks, so that nothing else is touched. Compiled for other processors, there is no
trace of this.
"""


# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import as_pointers
from fastops.kernels._intrinsics._shuffles import emitted_groups
from fastops.kernels._intrinsics._types import BYTE, WORD, has_shuffle
from fastops.kernels._intrinsics._vectors import LINE_BYTES

#: Bytes that one permute can read: two lines.
PERMUTED_BYTES = 2 * LINE_BYTES

#: Vectors of a group that lie apart from each other, of which one permute makes so many.
MOST_APART = LINE_BYTES // 16

_INT32 = ir.IntType(32)
_LANES = ir.VectorType(BYTE, 16)
_LINE = ir.VectorType(BYTE, LINE_BYTES)


def has_permutes(context) -> bool:
    """Return whether the processor that code is compiled for permutes the bytes of a line."""
    return has_shuffle(context, "permb", LINE_BYTES)


def permute_line(builder, line, lanes):
    """The bytes of a line that the low 6 bits of each lane say."""
    function = ir.FunctionType(_LINE, [_LINE, _LINE])
    return builder.call(builder.module.declare_intrinsic("llvm.x86.avx512.permvar.qi.512", (), function), [line, lanes])


def permute_lines(builder, low, high, lanes):
    """The bytes of two lines that the low 7 bits of each lane say."""
    function = ir.FunctionType(_LINE, [_LINE, _LINE, _LINE])
    name = "llvm.x86.avx512.vpermi2var.qi.512"
    return builder.call(builder.module.declare_intrinsic(name, (), function), [low, lanes, high])


@intrinsic
def can_permute(typingctx):
    """True where the processor permutes the bytes of a line: a constant, by which LLVM drops what is not needed."""

    def codegen(context, builder, signature, args):
        return ir.Constant(ir.IntType(1), int(has_permutes(context)))

    return types.boolean(), codegen


@intrinsic
def add_lanes(typingctx, to, lanes, offset):
    """Write 16 lanes of a window (`_tables._gather.PROGRAM_ENTRIES`) that lies at an offset; leave those it has not."""

    def codegen(context, builder, signature, args):
        to, lanes, offset = as_pointers(builder, signature, args)
        lanes = lanes.load(_LANES)
        has = builder.icmp_signed(">=", lanes, ir.Constant(_LANES, None))
        moved = builder.add(lanes, _repeated(builder, offset, 16))
        to.store(builder.select(has, moved, to.load(_LANES)))
        return context.get_dummy_value()

    return types.void(to, lanes, types.intp), codegen


@intrinsic
def permute_groups(typingctx, dst, size, src, groups, lanes, span, ahead):
    """Write groups of `size` bytes, up to a line, from `span` bytes of the source, up to two lines.

    lanes points at the offset of each byte of a group in its source. Meanwhile as much is prefetched from `ahead` on as
    the source moves on. Only where it `can_permute`.
    """

    def codegen(context, builder, signature, args):
        if not has_permutes(context):
            return context.get_dummy_value()
        dst, size, src, groups, lanes, span, ahead = as_pointers(builder, signature, args)
        written = _first(builder, size)
        for to, made in _emit_permutes(builder, src, emitted_groups(builder, groups), lanes, span, ahead):
            dst.at(to).store_first(made, size, written)
        return context.get_dummy_value()

    return types.void(dst, types.intp, src, groups, lanes, types.intp, ahead), codegen


@intrinsic
def permute_apart(typingctx, dst, offsets, vectors, src, groups, lanes, span, ahead):
    """Write groups of 2 to 4 vectors that lie apart from each other, as permute_groups does those without gaps.

    offsets points at the offset of each vector of a group in the output.
    """

    def codegen(context, builder, signature, args):
        if not has_permutes(context):
            return context.get_dummy_value()
        dst, offsets, vectors, src, groups, lanes, span, ahead = as_pointers(builder, signature, args)
        places = [dst.at(offsets.at(8 * k).load(WORD, align=8)) for k in range(MOST_APART)]
        for to, made in _emit_permutes(builder, src, emitted_groups(builder, groups), lanes, span, ahead):
            for k, place in enumerate(places):
                numbers = ir.Constant(ir.VectorType(_INT32, 16), [16 * k + i for i in range(16)])
                with builder.if_then(builder.icmp_signed(">", vectors, WORD(k))):
                    place.at(to).store(builder.shuffle_vector(made, made, numbers))
        return context.get_dummy_value()

    return types.void(dst, offsets, types.intp, src, groups, lanes, types.intp, ahead), codegen


def _emit_permutes(builder, src, groups, lanes, span, ahead):
    """Emit what the body of a loop over this makes of each group: give its offset in the output, and its bytes."""
    lanes = lanes.load(_LINE)
    for lines in (1, 2):
        # Bytes of the last line that is read, and those before it.
        before = LINE_BYTES * (lines - 1)
        rest = builder.sub(span, WORD(before))
        is_this = builder.icmp_signed("<=", span, WORD(LINE_BYTES))
        with builder.if_then(is_this if lines == 1 else builder.not_(is_this)):
            read = _first(builder, rest)
            with groups.emit_each(builder) as (to, offset):
                for line in range(lines):
                    ahead.at(offset).at(LINE_BYTES * line).prefetch()
                source = src.at(offset)
                last = source.at(before).load_first(_LINE, rest, read)
                made = (
                    permute_line(builder, last, lanes)
                    if lines == 1
                    else permute_lines(builder, source.load(_LINE), last, lanes)
                )
                yield to, made


def _first(builder, n):
    """The mask of the first n bytes of a line."""
    numbers = ir.Constant(_LINE, [BYTE(i) for i in range(LINE_BYTES)])
    return builder.icmp_unsigned("<", numbers, _repeated(builder, n, LINE_BYTES))


def _repeated(builder, word, lanes):
    """The vector of the lowest byte of a word, repeated."""
    kind = ir.VectorType(BYTE, lanes)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), builder.trunc(word, BYTE), _INT32(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_INT32, lanes), None))
