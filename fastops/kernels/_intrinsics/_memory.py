"""Intrinsics for raw memory: how kernels read tables, and copy cells and bytes.

An address becomes a ``byte_pointer`` once, at the entry of a kernel (`_objects`); after that it only moves by GEP, so
that LLVM keeps its provenance. Cells are opaque integers of 1, 2, 4, 8 or 16 bytes: a NaN payload cannot change on the
way, because nothing treats a cell as a float. What moves by vectors is in `_vectors`, how memory is accessed in
`_access`.

Intrinsics for parallel regions: how many threads those of the calling thread have, and what is kept of them.

Numba's own functions for compiled code hold the address of a function of this process, so that Numba would not cache
their callers. The names are those that its lowering of a parallel loop calls.

The clock that launches are timed with: a counter of the processor, of which only differences mean anything.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from llvmlite import binding, ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Pointer, as_pointers, emit_loop
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


_INT32 = ir.IntType(32)

#: Four words for work of each power of two of bytes (`fastops.kernels._parallel`), in all threads of the process: the
#: symbol and the number of them. They are in the object.
HISTORIES, HISTORY_WORDS = "fastops.launch_histories", 4 * 64


@intrinsic
def histories(typingctx):
    """What is kept of launches, for reading and writing."""

    def codegen(context, builder, signature, args):
        kind = ir.ArrayType(WORD, HISTORY_WORDS)
        place = builder.module.globals.get(HISTORIES) or ir.GlobalVariable(builder.module, kind, HISTORIES)
        place = builder.bitcast(place, BYTE.as_pointer())
        return Pointer.to_buffer(
            builder, place, builder.ptrtoint(place, WORD), WORD(8 * HISTORY_WORDS), is_writable=True
        ).value

    return byte_pointer(), codegen


@intrinsic
def region_threads(typingctx):
    """How many threads a region has."""

    def codegen(context, builder, signature, args):
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(WORD, ()), "get_num_threads")
        # It returns a C int; Numba's lowering declares it as it is here.
        return builder.sext(builder.trunc(builder.call(function, ()), _INT32), WORD)

    return types.intp(), codegen


@intrinsic
def set_region_threads(typingctx, count):
    """Set how many threads a region has."""

    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(ir.VoidType(), (_INT32,))
        function = cgutils.get_or_insert_function(builder.module, kind, "set_num_threads")
        builder.call(function, (builder.trunc(args[0], _INT32),))
        return context.get_dummy_value()

    return types.void(types.intp), codegen


# Processors with a counter that user code may read, and that ticks at one rate whatever the processor does: the TSC of
# x86, CNTVCT_EL0 of ARM, the time base of POWER. Slow ones tick 20 million times a second. On other processors, LLVM's
# counter may be the constant 0, or end the process.
_COUNTING = ("x86_64", "aarch64", "arm64", "powerpc64le")

_PROCESSOR = binding.get_default_triple().partition("-")[0]

#: True where launches are timed. Elsewhere all of them take no ticks, so that none is seen to lose time.
HAS_CLOCK = _PROCESSOR in _COUNTING

#: The chunks of a launch that are timed, and room for their times.
CLOCK_WORDS = 64


@intrinsic
def ticks(typingctx):
    """The processor's clock; always 0 where launches are not timed."""

    def codegen(context, builder, signature, args):
        return emit_ticks(builder, _PROCESSOR)

    return types.intp(), codegen


def emit_ticks(builder, processor):
    """Emit a reading of the clock of a processor, the first part of LLVM's name of a target."""
    if processor not in _COUNTING:
        return WORD(0)
    counter = builder.module.declare_intrinsic("llvm.readcyclecounter", (), ir.FunctionType(WORD, ()))
    return builder.call(counter, ())


@loops
def note_chunk(times, chunk, begun):
    """Note how long a chunk has taken that began at a tick; chunks beyond the room are not timed."""
    if chunk < CLOCK_WORDS:
        store_int(times, chunk, ticks() - begun)


@loops
def lost_ticks(times, chunks, begun):
    """Return how much longer a launch has taken than one thread would have; below 0 if it was not clearly longer.

    One thread would have taken about as long for each of the equal chunks as the fastest one took. What is longer by
    less than a quarter may as well be shorter: the other chunks may have had more to do. The quarter also covers the
    rounding to whole ticks, if a chunk takes five or more: 0.25 us on a slow clock.
    """
    fastest = load_int(times, 0)
    for chunk in range(1, min(chunks, CLOCK_WORDS)):
        fastest = min(fastest, load_int(times, chunk))
    serial = chunks * fastest
    return ticks() - begun - serial - serial // 4
