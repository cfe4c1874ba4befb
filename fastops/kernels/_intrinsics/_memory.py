"""Intrinsics for raw memory: how kernels read tables, and copy cells and bytes.

An address becomes a ``byte_pointer`` once, at the entry of a kernel (`_objects`); after that it only moves by GEP, so
that LLVM keeps its provenance. Cells are opaque integers of 1, 2, 4, 8 or 16 bytes: a NaN payload cannot change on the
way, because nothing treats a cell as a float. What moves by vectors is in `_vectors`, how memory is accessed in
`_access`.
"""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call, call-arg"

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import cgutils, types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Pointer, as_pointers
from fastops.kernels._intrinsics._emit_loop import emit_loop
from fastops.kernels._intrinsics._outlined import OPTIONS, emit_call, outlined, outlined_by
from fastops.kernels._intrinsics._types import BYTE, WORD, byte_pointer

_BYTES = BYTE.as_pointer()

#: Bytes of a cell, which one load and one store move.
CELL_BYTES = (1, 2, 4, 8, 16)

#: Numbers as arguments that are no literals: for each literal, Numba would compile a function anew.
ZERO, ONE = np.intp(0), np.intp(1)

#: Decorates the functions that kernels are made of.
loops = njit(**OPTIONS)


@intrinsic
def shift(typingctx, pointer, offset):
    """``pointer`` moved by ``offset`` bytes, which may be negative."""

    def codegen(context, builder, signature, args):
        pointer, offset = as_pointers(builder, signature, args)
        return pointer.at(offset).value

    return pointer(pointer, types.intp), codegen


@intrinsic
def narrow(typingctx, pointer, offset, n):
    """``pointer`` moved by ``offset`` bytes, to n bytes that are a buffer of their own."""

    def codegen(context, builder, signature, args):
        pointer, offset, n = as_pointers(builder, signature, args)
        return pointer.at(offset).narrowed(n).value

    return pointer(pointer, types.intp, types.intp), codegen


@intrinsic
def load_int(typingctx, pointer, i):
    """The signed 64-bit integer ``i`` of a table at ``pointer``."""

    def codegen(context, builder, signature, args):
        pointer, i = as_pointers(builder, signature, args)
        return pointer.element(WORD, i).load(WORD, align=8)

    return types.intp(pointer, types.intp), codegen


@intrinsic
def store_int(typingctx, pointer, i, value):
    """Write a signed 64-bit integer as number ``i`` of a table at ``pointer``."""

    def codegen(context, builder, signature, args):
        pointer, i, value = as_pointers(builder, signature, args)
        pointer.element(WORD, i).store(value, align=8)
        return context.get_dummy_value()

    return types.void(pointer, types.intp, types.intp), codegen


@intrinsic(prefer_literal=True)
def stack_words(typingctx, n):
    """Room for ``n`` (a literal) 64-bit integers on the stack of the caller: no allocator on the hot path."""
    count = n.literal_value

    def codegen(context, builder, signature, args):
        room = builder.bitcast(cgutils.alloca_once(builder, WORD, size=count), BYTE.as_pointer())
        return Pointer.to_buffer(builder, room, builder.ptrtoint(room, WORD), WORD(8 * count), is_writable=True).value

    return byte_pointer(n), codegen


@intrinsic
def heap_bytes(typingctx, n):
    """Room for ``n`` bytes on the heap, until `free_bytes`; where there is none, a pointer that `is_null`."""

    def codegen(context, builder, signature, args):
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_BYTES, [WORD]), "malloc")
        room = builder.call(function, args)
        return Pointer.to_buffer(builder, room, builder.ptrtoint(room, WORD), args[0], is_writable=True).value

    return byte_pointer(types.intp), codegen


@intrinsic
def is_null(typingctx, pointer):
    """True for a pointer to nothing."""

    def codegen(context, builder, signature, args):
        (pointer,) = as_pointers(builder, signature, args)
        return builder.icmp_unsigned("==", pointer.address, WORD(0))

    return types.boolean(pointer), codegen


@intrinsic
def is_same(typingctx, pointer, other):
    """True for two pointers to one place."""

    def codegen(context, builder, signature, args):
        pointer, other = as_pointers(builder, signature, args)
        return builder.icmp_unsigned("==", pointer.address, other.address)

    return types.boolean(pointer, other), codegen


@intrinsic
def free_bytes(typingctx, pointer):
    """Give back what `heap_bytes` gave; a pointer to nothing is nothing to give."""

    def codegen(context, builder, signature, args):
        (pointer,) = as_pointers(builder, signature, args)
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), [_BYTES]), "free")
        builder.call(function, [pointer.place])
        return context.get_dummy_value()

    return types.void(pointer), codegen


@intrinsic
def copy_bytes(typingctx, dst, src, n):
    """Copy ``n`` bytes between places that do not overlap: LLVM's memcpy, which becomes the C library's."""

    def codegen(context, builder, signature, args):
        dst, src, n = as_pointers(builder, signature, args)
        dst.copy_from(src, n)
        return context.get_dummy_value()

    return types.void(dst, src, types.intp), codegen


@intrinsic
def copy_block(typingctx, dst, src, n):
    """Copy n bytes between places that do not overlap: for short blocks one load and store, or two that overlap."""

    def codegen(context, builder, signature, args):
        dst, src, n = as_pointers(builder, signature, args)
        done = builder.append_basic_block()
        longer = builder.append_basic_block()
        chosen = builder.switch(n, longer)
        chosen.add_case(WORD(0), done)
        for size in CELL_BYTES:
            with builder.goto_block(builder.append_basic_block()):
                chosen.add_case(WORD(size), builder.block)
                _copy_cell(dst, src, size)
                builder.branch(done)
        builder.position_at_end(longer)
        for size in (2, 4, 8, 16):
            with builder.if_then(builder.icmp_signed("<", n, WORD(2 * size))):
                _copy_cell(dst, src, size)
                last = builder.sub(n, WORD(size))
                _copy_cell(dst.at(last), src.at(last), size)
                builder.branch(done)
        dst.copy_from(src, n)
        builder.branch(done)
        builder.position_at_end(done)
        return context.get_dummy_value()

    return types.void(dst, src, types.intp), codegen


#: How up to so many bytes are copied, at least 16: the number of vectors, and their bytes. Beyond, a call of memcpy is
#: no slower.
SPANS = ((2, 16), (2, 32), (4, 32), (8, 32))


def copy_span(dst, src, n, vectors, size):
    """Emit the copy of n bytes between places that do not overlap: vectors from both ends, which meet.

    All are loaded before the first is stored, as memcpy does it, whose call takes as long as 64 bytes do. A loop over
    vectors of 32 bytes took longer than memcpy.
    """
    builder, kind = dst.builder, ir.VectorType(ir.IntType(32), size // 4)
    near = [WORD(k * size) for k in range(vectors // 2)]
    far = [builder.sub(n, WORD((k + 1) * size)) for k in range(vectors // 2)]
    loaded = [(offset, src.at(offset).load(kind)) for offset in (*near, *far)]
    for offset, vector in loaded:
        dst.at(offset).store(vector)


def _copy_cell(dst, src, size):
    dst.store(src.load(ir.IntType(8 * size)))


@outlined(types.void(byte_pointer, types.intp, byte_pointer, types.intp, types.intp, types.intp))
def copy_long_blocks(dst, dst_pitch, src, src_pitch, n, block):
    """Do what `copy_blocks` does for blocks that are copied by memcpy, whose address takes a register."""
    for i in range(n):
        copy_bytes(shift(dst, i * dst_pitch), shift(src, i * src_pitch), block)


@intrinsic
def copy_blocks(typingctx, dst, dst_pitch, src, src_pitch, n, block):
    """Copy n blocks of `block` bytes, read every src_pitch and written every dst_pitch bytes.

    One loop for each way of copying a block, of one byte or more: by one load and store, by two, four or eight that
    overlap, by memcpy in a function of its own: within others, loops of 10 bytes took 1.45 times as long, for want of a
    register.
    """

    def codegen(context, builder, signature, args):
        dst, dst_pitch, src, src_pitch, n, block = as_pointers(builder, signature, args)
        done = builder.append_basic_block()

        def emit_copies(copy):
            with emit_loop(builder, n) as i:
                copy(dst.at(builder.mul(i, dst_pitch)), src.at(builder.mul(i, src_pitch)))
            builder.branch(done)

        def copy_cells(size, offsets):
            def copy(to, source):
                # All loads come before the stores, which might overwrite what another load needs.
                cells = [source.at(offset).load(ir.IntType(8 * size)) for offset in offsets]
                for cell, offset in zip(cells, offsets, strict=True):
                    to.at(offset).store(cell)

            return copy

        longer = builder.append_basic_block()
        chosen = builder.switch(block, longer)
        for size in CELL_BYTES:
            with builder.goto_block(builder.append_basic_block()):
                chosen.add_case(WORD(size), builder.block)
                emit_copies(copy_cells(size, [WORD(0)]))
        builder.position_at_end(longer)
        for size in (2, 4, 8):
            with builder.if_then(builder.icmp_signed("<", block, WORD(2 * size))):
                emit_copies(copy_cells(size, [WORD(0), builder.sub(block, WORD(size))]))
        for vectors, size in SPANS:
            with builder.if_then(builder.icmp_signed("<=", block, WORD(vectors * size))):
                emit_copies(lambda to, source, way=(vectors, size): copy_span(to, source, block, *way))
        emit_call(context, builder, outlined_by(copy_long_blocks), args)
        builder.branch(done)
        builder.position_at_end(done)
        return context.get_dummy_value()

    return types.void(dst, types.intp, src, types.intp, types.intp, types.intp), codegen


@intrinsic
def copy_listed(typingctx, dst, dst_pitch, src, offsets, n, cell):
    """Copy n cells of `cell` bytes, 1, 2, 4, 8 or 16, read at the offsets of a table, written every dst_pitch bytes."""

    def codegen(context, builder, signature, args):
        dst, dst_pitch, src, offsets, n, cell = as_pointers(builder, signature, args)
        for size in CELL_BYTES:
            with builder.if_then(builder.icmp_signed("==", cell, WORD(size))), emit_loop(builder, n) as i:
                source = src.at(offsets.element(WORD, i).load(WORD, align=8))
                _copy_cell(dst.at(builder.mul(i, dst_pitch)), source, size)
        return context.get_dummy_value()

    return types.void(dst, types.intp, src, offsets, types.intp, types.intp), codegen
