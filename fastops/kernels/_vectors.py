"""Intrinsics for vectors: constant and variable shuffles, streaming stores, prefetches.

LLVM splits what the CPU does not have: a vector of 64 bytes is one register with AVX-512, two with AVX2, four with SSE
or NEON. The same code is right, if not as fast, on each of them.
"""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from fastops.kernels._gather_table import MOST_WINDOWS, WINDOW_COLUMNS
from fastops.kernels._types import BYTE, WORD

# Constant shuffles move a cache line at once.
VECTOR_BYTES = LINE_BYTES = 64

_INT32 = ir.IntType(32)
_LINE = ir.VectorType(_INT32, LINE_BYTES // 4)
_BYTES = ir.VectorType(BYTE, 16)


#: Steps of runs, in cells, that constant shuffles move: reversed, repeated, every second one.
SHUFFLED_STEPS = (-1, 0, 2)

#: Bytes of the cells that they move.
CELL_WIDTHS = (1, 2, 4, 8, 16)


@intrinsic
def move_vectors(typingctx, dst, src, n, width, step):
    """Copy the first of n contiguous cells of `width` bytes, read every `step` bytes, by whole vectors.

    Return how many cells: as many as make whole vectors, none for a width or step that is not listed above. A vector
    is loaded whole, or `step` of them, and one constant shuffle takes what it needs. Nothing is read that lies beyond
    the last cell: with a step of 2 or more the last vector is left out, because its loads would.
    """

    def codegen(context, builder, signature, args):
        dst, src, n, width, step = args
        moved = cgutils.alloca_once_value(builder, WORD(0))
        for cell_bytes in CELL_WIDTHS:
            with builder.if_then(builder.icmp_signed("==", width, WORD(cell_bytes))):
                for cells in SHUFFLED_STEPS:
                    with builder.if_then(builder.icmp_signed("==", step, WORD(cells * cell_bytes))):
                        lanes = WORD(VECTOR_BYTES // cell_bytes)
                        vectors = builder.sdiv(builder.sub(n, WORD(int(cells > 1))), lanes)
                        with cgutils.for_range(builder, vectors) as loop:
                            _move_vector(builder, dst, src, loop.index, cell_bytes, cells)
                        builder.store(builder.mul(vectors, lanes), moved)
        return builder.load(moved)

    return types.intp(dst, src, types.intp, types.intp, types.intp), codegen


def _move_vector(builder, dst, src, i, width, step):
    """Copy vector i of a run of cells of `width` bytes, read every `step` cells."""
    cell, lanes = ir.IntType(8 * width), VECTOR_BYTES // width
    to = builder.gep(dst, [builder.mul(i, WORD(VECTOR_BYTES))])
    source = builder.gep(src, [builder.mul(i, WORD(VECTOR_BYTES * step))])
    if step == 0:
        one = builder.load(builder.bitcast(source, cell.as_pointer()), align=1)
        loaded = builder.insert_element(ir.Constant(ir.VectorType(cell, lanes), ir.Undefined), one, _INT32(0))
        picked = [0] * lanes
    elif step < 0:
        source = builder.gep(source, [WORD(width - VECTOR_BYTES)])
        loaded = builder.load(builder.bitcast(source, ir.VectorType(cell, lanes).as_pointer()), align=1)
        picked = list(range(lanes - 1, -1, -1))
    else:
        wide = ir.VectorType(cell, lanes * step)
        loaded = builder.load(builder.bitcast(source, wide.as_pointer()), align=1)
        picked = list(range(0, lanes * step, step))
    vector = _shuffle(builder, loaded, picked)
    builder.store(vector, builder.bitcast(to, vector.type.as_pointer()), align=1)


def _shuffle(builder, vector, lanes):
    """The constant shuffle that picks ``lanes`` of a vector."""
    mask = list(lanes)
    return builder.shuffle_vector(vector, vector, ir.Constant(ir.VectorType(_INT32, len(mask)), [_INT32(i) for i in mask]))


@intrinsic
def shuffle_vectors(typingctx, dst, dst_step, src, src_step, n, entry, windows):
    """Write n vectors of 16 bytes, every dst_step bytes, each shuffled from 1 to 4 windows of 16 bytes of the source.

    entry points at the windows in the table (`_gather_table.WINDOW_COLUMNS`): each an offset in the source, which
    grows by src_step from vector to vector, 16 lanes of 0..15, and a mask of the bytes that it has.

    LLVM has no shuffle with variable lanes, but it makes one PSHUFB of extracts and inserts where the CPU has it;
    elsewhere they go through memory. The lanes are loaded anew for each vector, so that LLVM cannot move the extracts out
    of the loop, where it would not know them again: that was five times as slow.
    """

    def codegen(context, builder, signature, args):
        dst, dst_step, src, src_step, n, entry, windows = args
        columns = [builder.gep(entry, [WORD(8 * WINDOW_COLUMNS * window)]) for window in range(MOST_WINDOWS)]
        for count in range(1, MOST_WINDOWS + 1):
            with builder.if_then(builder.icmp_signed("==", windows, WORD(count))):
                sources, masks = zip(*(_window(builder, src, column) for column in columns[:count]), strict=True)
                with cgutils.for_range(builder, n) as loop:
                    offset = builder.mul(loop.index, src_step)
                    parts = [
                        _shuffle_variable(builder, builder.gep(source, [offset]), builder.gep(column, [WORD(8)]))
                        for source, column in zip(sources, columns, strict=False)
                    ]
                    # One window has all the bytes that anyone will look at.
                    vector = parts[0] if count == 1 else _union(builder, parts, masks)
                    to = builder.gep(dst, [builder.mul(loop.index, dst_step)])
                    builder.store(vector, builder.bitcast(to, _BYTES.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(dst, types.intp, src, types.intp, types.intp, entry, types.intp), codegen


def _window(builder, src, window):
    """The address and the mask of a window."""
    offset = builder.load(builder.bitcast(window, WORD.as_pointer()), align=8)
    return builder.gep(src, [offset]), _load_bytes(builder, builder.gep(window, [WORD(24)]))


def _shuffle_variable(builder, source, lanes):
    """The 16 bytes at ``source`` that the 16 bytes at ``lanes`` name."""
    source, lanes = _load_bytes(builder, source), _load_bytes(builder, lanes)
    picked = ir.Constant(_BYTES, ir.Undefined)
    for i in range(16):
        lane = builder.zext(builder.extract_element(lanes, _INT32(i)), _INT32)
        picked = builder.insert_element(picked, builder.extract_element(source, lane), _INT32(i))
    return picked


def _union(builder, parts, masks):
    result = ir.Constant(_BYTES, [BYTE(0)] * 16)
    for part, mask in zip(parts, masks, strict=True):
        result = builder.or_(result, builder.and_(part, mask))
    return result


def _load_bytes(builder, pointer):
    return builder.load(builder.bitcast(pointer, _BYTES.as_pointer()), align=1)


@intrinsic
def line_offset(typingctx, pointer):
    """Bytes from the start of its cache line to ``pointer``."""

    def codegen(context, builder, signature, args):
        return builder.and_(builder.ptrtoint(args[0], WORD), WORD(LINE_BYTES - 1))

    return types.intp(pointer), codegen


@intrinsic
def stream_line(typingctx, dst, src):
    """Copy a cache line to ``dst``, which must be aligned to one, past the caches: a streaming store.

    The line is written without being read first. `finish_streams` must follow before another thread may look.
    """

    def codegen(context, builder, signature, args):
        line = builder.load(builder.bitcast(args[1], _LINE.as_pointer()), align=1)
        stored = builder.store(line, builder.bitcast(args[0], _LINE.as_pointer()), align=LINE_BYTES)
        stored.set_metadata("nontemporal", builder.module.add_metadata([_INT32(1)]))
        return context.get_dummy_value()

    return types.void(dst, src), codegen


@intrinsic
def finish_streams(typingctx):
    """Wait for streaming stores: LLVM orders them with nothing else."""

    def codegen(context, builder, signature, args):
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def prefetch(typingctx, pointer):
    """Ask for the cache line at ``pointer``, which may lie anywhere: a prefetch never faults."""

    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(ir.VoidType(), [args[0].type, _INT32, _INT32, _INT32])
        function = builder.module.declare_intrinsic("llvm.prefetch", [args[0].type], kind)
        builder.call(function, [args[0], _INT32(0), _INT32(3), _INT32(1)])
        return context.get_dummy_value()

    return types.void(pointer), codegen
