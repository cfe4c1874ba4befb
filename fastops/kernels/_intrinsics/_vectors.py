"""Intrinsics for vectors: constant shuffles, streaming stores, prefetches.

LLVM splits what the CPU does not have: a vector of 64 bytes is one register with AVX-512, two with AVX2, four with SSE
or NEON. The same code is right, if not as fast, on each of them.

Squares of cells, transposed in registers: 16 bytes of each row become 16 bytes of each column.
"""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Variable, as_pointers, emit_loop
from fastops.kernels._intrinsics._memory import CELL_BYTES
from fastops.kernels._intrinsics._types import WORD

# Constant shuffles move a cache line at once.
VECTOR_BYTES = LINE_BYTES = 64

#: What is left of a run is moved by vectors of these bytes, which every CPU has in one register.
SHORTEST_VECTOR = 16

_INT32 = ir.IntType(32)
_LINE = ir.VectorType(_INT32, LINE_BYTES // 4)


# From one cell to the next in the source, in cells of each size: what constant shuffles move. Reversed, repeated, every
# second one.
_SHUFFLED = dict.fromkeys(CELL_BYTES, (-1, 0, 2))

# The same for runs that are streamed: contiguous ones too, as bytes.
_STREAMED = dict.fromkeys(CELL_BYTES, (-1, 0, 2)) | {1: (-1, 0, 1, 2)}


@intrinsic
def move_vectors(typingctx, dst, dst_row_pitch, src, src_row_pitch, rows, n, cell, src_pitch, ahead):
    """Copy, in each row, the first of n contiguous cells of `cell` bytes, read every `src_pitch` bytes, by vectors.

    Rows lie dst_row_pitch and src_row_pitch bytes apart. Return how many cells of each: as many as make vectors, none
    for a size or pitch that is not listed above. A vector is loaded whole, or several of them, and one constant shuffle
    takes what it needs. Nothing is read that lies beyond the last cell: with a pitch of 2 cells the last vector is left
    out, because its loads would. Otherwise the last one overlaps the one before it, so that all cells are moved if they
    make a vector of 16 bytes at all. Meanwhile as much is prefetched from `ahead` on as is read from src on.
    """

    def codegen(context, builder, signature, args):
        dst, dst_row_pitch, src, src_row_pitch, rows, n, cell, src_pitch, ahead = as_pointers(builder, signature, args)
        moved = Variable(builder, WORD(0))
        for run in _each_run(builder, dst, src, cell, src_pitch, ahead, _SHUFFLED):
            with emit_loop(builder, rows) as i:
                moved.set(_move_run(builder, run.moved_on(i, dst_row_pitch, src_row_pitch), n))
        return moved.get()

    places = (dst, types.intp, src, types.intp)
    return types.intp(*places, types.intp, types.intp, types.intp, types.intp, ahead), codegen


@intrinsic
def stream_vectors(typingctx, dst, src, n, cell, src_pitch, ahead):
    """Stream n cache lines of cells of `cell` bytes, read every `src_pitch` bytes, to where a line begins.

    With a pitch of 2 cells, one cell more is read than the lines hold. Nothing is done for a size or pitch that is not
    listed above. Meanwhile as much is prefetched from `ahead` on as is read.

    The source is read upwards whatever the pitch is, so lines of reversed cells are written from the last one on: read
    downwards, they reached 0.85 of the speed of a copy instead of 1.0 (prototype in C).
    """

    def codegen(context, builder, signature, args):
        dst, src, n, cell, src_pitch, ahead = as_pointers(builder, signature, args)
        for run in _each_run(builder, dst, src, cell, src_pitch, ahead, _STREAMED):
            lanes = WORD(LINE_BYTES // run.size)
            with emit_loop(builder, n) as i:
                line = i if run.distance >= 0 else builder.sub(builder.sub(n, WORD(1)), i)
                run.prefetch(builder.mul(i, WORD(LINE_BYTES * abs(run.distance))))
                run.move_vector(builder.mul(line, lanes), LINE_BYTES, streams=True)
        return context.get_dummy_value()

    return types.void(dst, src, types.intp, types.intp, types.intp, ahead), codegen


def _each_run(builder, dst, src, cell, src_pitch, ahead, listed):
    """The runs of each size and pitch in a list, in the branch where `cell` and `src_pitch` are those."""
    for size, distances in listed.items():
        with builder.if_then(builder.icmp_signed("==", cell, WORD(size))):
            for distance in distances:
                with builder.if_then(builder.icmp_signed("==", src_pitch, WORD(distance * size))):
                    yield CellRun(builder, dst, src, size, distance, ahead)


class CellRun(NamedTuple):
    """Cells of `size` bytes at dst, read every `distance` cells from src on."""

    builder: Any
    dst: Any
    src: Any
    size: int
    distance: int
    ahead: Any

    def moved_on(self, i, dst_pitch, src_pitch):
        """The same run in the i-th row from this one on."""
        to_source = self.builder.mul(i, src_pitch)
        return self._replace(
            dst=self.dst.at(self.builder.mul(i, dst_pitch)),
            src=self.src.at(to_source),
            ahead=self.ahead.at(to_source),
        )

    def prefetch(self, offset):
        """Prefetch as much as a vector of 64 bytes reads, at an offset from `ahead`."""
        line = self.ahead.at(offset)
        for i in range(abs(self.distance)):
            line.at(LINE_BYTES * i).prefetch()

    def move_vector(self, first, vector_bytes, streams=False):
        """Copy the vector that begins with cell `first`, past the caches if it streams."""
        builder, kind, lanes = self.builder, ir.IntType(8 * self.size), vector_bytes // self.size
        to = self.dst.at(builder.mul(first, WORD(self.size)))
        source = self.src.at(builder.mul(first, WORD(self.size * self.distance)))
        if self.distance == 0:
            one = source.load(kind)
            loaded = builder.insert_element(ir.Constant(ir.VectorType(kind, lanes), ir.Undefined), one, _INT32(0))
            picked = [0] * lanes
        elif self.distance < 0:
            loaded = source.at(self.size - vector_bytes).load(ir.VectorType(kind, lanes))
            picked = list(range(lanes - 1, -1, -1))
        else:
            loaded = source.load(ir.VectorType(kind, lanes * self.distance))
            picked = list(range(0, lanes * self.distance, self.distance))
        vector = pick_lanes(builder, loaded, picked)
        to.store(vector, LINE_BYTES if streams else 1, streams=streams)


def _move_run(builder, run, n):
    """Copy cells of a run by vectors of 64 bytes, then of 16; return how many."""
    safe = builder.sub(n, WORD(1)) if run.distance > 1 else n
    done = WORD(0)
    for vector_bytes in (VECTOR_BYTES, SHORTEST_VECTOR):
        lanes = WORD(vector_bytes // run.size)
        vectors = builder.sdiv(builder.sub(safe, done), lanes)
        with emit_loop(builder, vectors) as i:
            first = builder.add(done, builder.mul(i, lanes))
            if vector_bytes == VECTOR_BYTES:
                run.prefetch(builder.mul(first, WORD(run.size * run.distance)))
            run.move_vector(first, vector_bytes)
        done = builder.add(done, builder.mul(vectors, lanes))
    if run.distance > 1:
        return done
    moved = Variable(builder, WORD(0))
    moved.set(done)
    rest = builder.and_(builder.icmp_signed("<", done, n), builder.icmp_signed(">=", n, lanes))
    with builder.if_then(rest):
        run.move_vector(builder.sub(n, lanes), SHORTEST_VECTOR)
        moved.set(n)
    return moved.get()


def pick_lanes(builder, vector, lanes):
    """The constant shuffle that picks ``lanes`` of a vector."""
    mask = ir.Constant(ir.VectorType(_INT32, len(lanes)), [_INT32(lane) for lane in lanes])
    return builder.shuffle_vector(vector, vector, mask)


@intrinsic
def line_offset(typingctx, pointer):
    """Bytes from the start of its cache line to ``pointer``."""

    def codegen(context, builder, signature, args):
        (pointer,) = as_pointers(builder, signature, args)
        return builder.and_(pointer.address, WORD(LINE_BYTES - 1))

    return types.intp(pointer), codegen


@intrinsic
def stream_line(typingctx, dst, src):
    """Copy a cache line to ``dst``, which must be aligned to one, past the caches: a streaming store.

    The line is written without being read first. `finish_streams` must follow before another thread may look.
    """

    def codegen(context, builder, signature, args):
        dst, src = as_pointers(builder, signature, args)
        dst.store(src.load(_LINE), LINE_BYTES, streams=True)
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
        (pointer,) = as_pointers(builder, signature, args)
        pointer.prefetch()
        return context.get_dummy_value()

    return types.void(pointer), codegen


#: Bytes of a side of a square: of a vector that every CPU has in one register.
SQUARE_BYTES = 16

#: Bytes of the cells that blocks of so many bytes lie in while they are transposed: pixels of 3 channels are spread
#: to 4 first, and packed again before they are stored.
CELL_OF_BLOCK = {**{size: size for size in CELL_BYTES}, 3: 4, 6: 8}


@intrinsic
def transpose_squares(typingctx, dst, dst_pitch, src, src_pitch, columns, squares, groups, block, ahead):
    """Transpose squares of as many blocks a side as there are cells in 16 bytes; see `CELL_OF_BLOCK`.

    A group of squares lies side by side in the source: one side's blocks of each row for each square. Rows lie
    src_pitch bytes apart, and where there are fewer than a square has, the last of `columns` stands for the rest. In
    the output its squares lie one below the other, in rows that lie dst_pitch bytes apart. The next group reads the
    next rows of the source, and writes the next blocks of the same rows of the output. Meanwhile what lies likewise at
    `ahead` is prefetched. Rows are read and written 16 bytes at once, whatever the blocks of a side have.
    """

    def codegen(context, builder, signature, args):
        dst, dst_pitch, src, src_pitch, columns, squares, groups, block, ahead = as_pointers(builder, signature, args)
        for size, cell in CELL_OF_BLOCK.items():
            with builder.if_then(builder.icmp_signed("==", block, WORD(size))):
                cells = SQUARE_BYTES // cell
                last = builder.sub(columns, WORD(1))
                rows = []
                for k in range(cells):
                    row = builder.select(builder.icmp_signed("<", WORD(k), last), WORD(k), last)
                    rows.append(builder.mul(row, src_pitch))
                with emit_loop(builder, groups) as group:
                    across = builder.mul(group, builder.mul(src_pitch, WORD(cells)))
                    to = dst.at(builder.mul(group, WORD(cells * size)))
                    source, near = (pointer.at(across) for pointer in (src, ahead))
                    with emit_loop(builder, squares) as i:
                        offset = builder.mul(i, WORD(cells * size))
                        _prefetch_share(builder, near.at(_line_of(builder, offset)), src_pitch, i, cells)
                        below = to.at(builder.mul(i, builder.mul(dst_pitch, WORD(cells))))
                        _move_square(builder, below, dst_pitch, source.at(offset), rows, size, cell)
        return context.get_dummy_value()

    kinds = (dst, types.intp, src, types.intp, types.intp, types.intp, types.intp, types.intp, ahead)
    return types.void(*kinds), codegen


def _move_square(builder, dst, dst_pitch, src, rows, size, cell):
    """Transpose a square of blocks of `size` bytes in cells of `cell`; `rows` are the offsets of the source's rows."""
    lane = ir.IntType(8 * min(cell, 8))
    kind = ir.VectorType(lane, 8 * SQUARE_BYTES // lane.width)
    square = [_spread(builder, src.at(row), kind, size, cell) for row in rows]
    # Rows in their order: what one writes beyond its end, the next one overwrites.
    for k, vector in enumerate(_interleave(builder, square)):
        dst.at(builder.mul(dst_pitch, WORD(k))).store(_pack(builder, vector, size, cell))


_BYTES = ir.VectorType(ir.IntType(8), SQUARE_BYTES)


def _spread(builder, pointer, kind, size, cell):
    """The vector at a pointer, whose blocks of `size` bytes become the first bytes of cells."""
    if size == cell:
        return pointer.load(kind)
    # The last bytes of a cell may be any.
    places = [i // cell * size + min(i % cell, size - 1) for i in range(SQUARE_BYTES)]
    return builder.bitcast(_pick(builder, pointer.load(_BYTES), places), kind)


def _pack(builder, vector, size, cell):
    """A vector of cells with their first `size` bytes side by side; what is behind them may be any."""
    if size == cell:
        return vector
    places = [i // size * cell + i % size if i < SQUARE_BYTES // cell * size else 0 for i in range(SQUARE_BYTES)]
    return _pick(builder, builder.bitcast(vector, _BYTES), places)


def _pick(builder, vector, places):
    """The bytes of a vector at these places."""
    int32 = ir.IntType(32)
    mask = ir.Constant(ir.VectorType(int32, len(places)), [int32(place) for place in places])
    return builder.shuffle_vector(vector, vector, mask)


def _line_of(builder, offset):
    """Where the line of an offset begins, counted as if lines began at 0."""
    return builder.and_(offset, WORD(-LINE_BYTES))


def _interleave(builder, square):
    """The columns of a square of vectors.

    To interleave the first half of the vectors with the second turns the bits of a cell's place, row and column
    together, around by one: after as many times as a row has bits, rows and columns have changed places.
    """
    cells = len(square)
    half = cells // 2
    int32 = ir.IntType(32)
    for _ in range(cells.bit_length() - 1):
        turned = []
        for i in range(half):
            for first in (0, half):
                picked = [lane for k in range(first, first + half) for lane in (k, cells + k)]
                mask = ir.Constant(ir.VectorType(int32, cells), [int32(lane) for lane in picked])
                turned.append(builder.shuffle_vector(square[i], square[i + half], mask))
        square = turned
    return square


def _prefetch_share(builder, line, src_pitch, index, cells):
    """Prefetch as much as a square reads: a quarter of the lines that four squares have, or one line twice."""
    share = max(cells // 4, 1)
    first = builder.and_(builder.mul(index, WORD(share)), WORD(cells - 1))
    for k in range(share):
        line.at(builder.mul(builder.add(first, WORD(k)), src_pitch)).prefetch()
