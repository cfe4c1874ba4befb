"""Intrinsics for vectors: constant shuffles, streaming stores, prefetches, and register tiles that are transposed.

LLVM splits vectors that the processor does not have: 64 bytes are one register with AVX-512, two with AVX2, four with
SSE or NEON. The code is right on each of them, and slower on those with short registers.
"""

# The compiler calls these functions with the builders of llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from typing import Any, NamedTuple

from llvmlite import ir
from numba import types

from fastops.kernels._intrinsics._access import Variable, emit_loop, emitted
from fastops.kernels._intrinsics._memory import CELL_BYTES
from fastops.kernels._intrinsics._outlined import BYTE, INT32, WORD, byte_pointer, numbers_type

#: Bytes of a cache line, and of a vector of constant shuffles.
LINE_BYTES = 64

#: Vectors of this many bytes move the rest of a run: they fit one register of every processor.
SHORTEST_VECTOR = 16

_LINE = ir.VectorType(INT32, LINE_BYTES // 4)
_BYTES = ir.VectorType(BYTE, SHORTEST_VECTOR)


class Rows(NamedTuple):
    """Rows at equal distances."""

    count: Any
    dst_pitch: Any
    src_pitch: Any


rows_type = numbers_type(Rows)

# The distances between cells of the source, in cells, for which there is a constant shuffle: reversed, repeated, every
# second cell.
_DISTANCES = (-1, 0, 2)


@emitted(types.intp(byte_pointer, byte_pointer, rows_type, *(types.intp,) * 3, byte_pointer))
def move_vectors(builder, dst, src, rows, n, cell, src_pitch, ahead):
    """Copy by vectors, in each row, the first ones of n cells of `cell` bytes, read every `src_pitch` bytes.

    Returns how many cells of each row were copied: 0 if the size is not in `CELL_BYTES` or the pitch not in
    `_DISTANCES`. One or two vectors are loaded whole, and one constant shuffle takes the cells. Nothing is read beyond
    the last cell: with a pitch of 2 cells the last vector is left out, because its loads would read beyond. Otherwise
    the last vector overlaps the one before it, so all cells are copied if they fill at least one vector of 16 bytes.
    Prefetches from `ahead` on as much as is read.
    """
    count, dst_row_pitch, src_row_pitch = [builder.extract_value(rows, i) for i in range(3)]
    moved = Variable(builder, WORD(0))
    for run in _each_run(builder, dst, src, cell, src_pitch, ahead, dict.fromkeys(CELL_BYTES, _DISTANCES)):
        with emit_loop(builder, count) as i:
            moved.set(_move_run(builder, run.moved_on(i, dst_row_pitch, src_row_pitch), n))
    return moved.get()


@emitted(types.void(byte_pointer, byte_pointer, types.intp, types.intp, types.intp, byte_pointer))
def stream_vectors(builder, dst, src, n, cell, src_pitch, ahead):
    """Stream n cache lines of cells of `cell` bytes, read every `src_pitch` bytes, to the start of a line.

    With a pitch of 2 cells, one cell more is read than the lines hold. Does nothing for a size or pitch that
    `move_vectors` does not move; contiguous bytes are moved too. Prefetches from `ahead` on as much as is read.

    The source is always read upwards, so lines of reversed cells are written from the last line to the first. Reading
    downwards reached 0.85 of the speed of a copy instead of 1.0 (prototype in C).
    """
    listed = dict.fromkeys(CELL_BYTES, _DISTANCES) | {1: (*_DISTANCES, 1)}
    for run in _each_run(builder, dst, src, cell, src_pitch, ahead, listed):
        lanes = WORD(LINE_BYTES // run.size)
        with emit_loop(builder, n) as i:
            line = i if run.distance >= 0 else builder.sub(builder.sub(n, WORD(1)), i)
            run.prefetch(builder.mul(i, WORD(LINE_BYTES * abs(run.distance))))
            run.move_vector(builder.mul(line, lanes), LINE_BYTES, streams=True)


def _each_run(builder, dst, src, cell, src_pitch, ahead, listed):
    """Yield the run of each listed size and distance, in the branch where `cell` and `src_pitch` are those."""
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
        """Return the same run in the i-th row from this one on."""
        to, source = self.builder.mul(i, dst_pitch), self.builder.mul(i, src_pitch)
        return self._replace(dst=self.dst.at(to), src=self.src.at(source), ahead=self.ahead.at(source))

    def prefetch(self, offset):
        """Prefetch as much as a vector of 64 bytes reads, at an offset from `ahead`."""
        for i in range(abs(self.distance)):
            self.ahead.at(offset).at(LINE_BYTES * i).prefetch()

    def move_vector(self, first, vector_bytes, streams=False):
        """Copy the vector that begins with cell `first`, past the caches if it streams."""
        builder, kind, lanes = self.builder, ir.IntType(8 * self.size), vector_bytes // self.size
        to = self.dst.at(builder.mul(first, WORD(self.size)))
        source = self.src.at(builder.mul(first, WORD(self.size * self.distance)))
        if self.distance == 0:
            vector = splat(builder, source.load(kind), lanes)
        elif self.distance < 0:
            loaded = source.at(self.size - vector_bytes).load(ir.VectorType(kind, lanes))
            vector = pick_lanes(builder, range(lanes - 1, -1, -1), loaded)
        else:
            loaded = source.load(ir.VectorType(kind, lanes * self.distance))
            vector = pick_lanes(builder, range(0, lanes * self.distance, self.distance), loaded)
        to.store(vector, LINE_BYTES if streams else 1, streams=streams)


def _move_run(builder, run, n):
    """Copy cells of a run by vectors of 64 bytes, then of 16; return how many."""
    safe = builder.sub(n, WORD(1)) if run.distance > 1 else n
    done = WORD(0)
    for vector_bytes in (LINE_BYTES, SHORTEST_VECTOR):
        lanes = WORD(vector_bytes // run.size)
        vectors = builder.sdiv(builder.sub(safe, done), lanes)
        with emit_loop(builder, vectors) as i:
            first = builder.add(done, builder.mul(i, lanes))
            if vector_bytes == LINE_BYTES:
                run.prefetch(builder.mul(first, WORD(run.size * run.distance)))
            run.move_vector(first, vector_bytes)
        done = builder.add(done, builder.mul(vectors, lanes))
    if run.distance > 1:
        return done
    moved = Variable(builder, done)
    with builder.if_then(builder.and_(builder.icmp_signed("<", done, n), builder.icmp_signed(">=", n, lanes))):
        run.move_vector(builder.sub(n, lanes), SHORTEST_VECTOR)
        moved.set(n)
    return moved.get()


def pick_lanes(builder, lanes, vector, other=None):
    """Return the constant shuffle that picks lanes of a vector, or of two."""
    mask = ir.Constant(ir.VectorType(INT32, len(lanes)), list(lanes))
    return builder.shuffle_vector(vector, vector if other is None else other, mask)


def splat(builder, value, lanes):
    """Return a vector of one value."""
    one = builder.insert_element(ir.Constant(ir.VectorType(value.type, lanes), ir.Undefined), value, INT32(0))
    return pick_lanes(builder, [0] * lanes, one)


@emitted(types.intp(byte_pointer))
def line_offset(builder, pointer):
    """The number of bytes from the start of its cache line to ``pointer``."""
    return builder.and_(pointer.address, WORD(LINE_BYTES - 1))


@emitted(types.void(byte_pointer, byte_pointer))
def stream_line(builder, dst, src):
    """Copy a cache line to the start of one at ``dst``, past the caches: the line is written without being read first.

    `finish_streams` must follow before another thread may read the line.
    """
    dst.store(src.load(_LINE), LINE_BYTES, streams=True)


@emitted(types.void())
def finish_streams(builder):
    """Wait for streaming stores: LLVM orders them with nothing else."""
    builder.fence("seq_cst")


@emitted(types.void(byte_pointer))
def prefetch(builder, pointer):
    """Prefetch the cache line at ``pointer``, which may lie anywhere: a prefetch never faults."""
    pointer.prefetch()


#: Bytes of a side of a register tile: one register of every processor.
TILE_BYTES = 16

#: Bytes of the cells of a register tile, by the bytes of a block: pixels of 3 channels are spread to 4 first, and
#: packed again before they are stored.
CELL_OF_BLOCK = {**{size: size for size in CELL_BYTES}, 3: 4, 6: 8}


@emitted(types.void(byte_pointer, types.intp, byte_pointer, *(types.intp,) * 5, byte_pointer))
def transpose_tiles(builder, dst, dst_pitch, src, src_pitch, columns, tiles, groups, block, ahead):
    """Transpose register tiles with as many blocks a side as there are cells in 16 bytes; see `CELL_OF_BLOCK`.

    The tiles of a group lie side by side in the source: each row has one side's blocks for each tile. Rows lie
    src_pitch bytes apart; where there are fewer rows than a tile has, the last of `columns` rows stands for the rest.
    In the output the tiles lie one below the other, in rows that lie dst_pitch bytes apart. The next group reads the
    next rows of the source, and writes the next blocks of the same rows of the output. Rows are read and written 16
    bytes at once, even if a side has fewer bytes. Prefetches the tiles at the same places from `ahead` on.
    """
    for size, cell in CELL_OF_BLOCK.items():
        with builder.if_then(builder.icmp_signed("==", block, WORD(size))):
            cells = TILE_BYTES // cell
            last = builder.sub(columns, WORD(1))
            rows = []
            for k in range(cells):
                row = builder.select(builder.icmp_signed("<", WORD(k), last), WORD(k), last)
                rows.append(builder.mul(row, src_pitch))
            with emit_loop(builder, groups) as group:
                across = builder.mul(group, builder.mul(src_pitch, WORD(cells)))
                to = dst.at(builder.mul(group, WORD(cells * size)))
                source, near = (pointer.at(across) for pointer in (src, ahead))
                with emit_loop(builder, tiles) as i:
                    offset = builder.mul(i, WORD(cells * size))
                    line = near.at(builder.and_(offset, WORD(-LINE_BYTES)))
                    _prefetch_share(builder, line, src_pitch, i, cells)
                    below = to.at(builder.mul(i, builder.mul(dst_pitch, WORD(cells))))
                    _transpose_tile(builder, below, dst_pitch, source.at(offset), rows, size, cell)


def _transpose_tile(builder, dst, dst_pitch, src, rows, size, cell):
    """Transpose a tile of blocks of `size` bytes in cells of `cell`; `rows` are the offsets of the source's rows."""
    lane = ir.IntType(8 * min(cell, 8))
    kind = ir.VectorType(lane, 8 * TILE_BYTES // lane.width)
    tile = [_spread(builder, src.at(row), kind, size, cell) for row in rows]
    # Rows in their order: the next row overwrites the bytes beyond the end of this one.
    for k, vector in enumerate(_interleave(builder, tile)):
        dst.at(builder.mul(dst_pitch, WORD(k))).store(_pack(builder, vector, size, cell))


def _spread(builder, pointer, kind, size, cell):
    """Return the vector at a pointer, whose blocks of `size` bytes become the first bytes of cells."""
    if size == cell:
        return pointer.load(kind)
    # The last bytes of a cell may be any.
    places = [i // cell * size + min(i % cell, size - 1) for i in range(TILE_BYTES)]
    return builder.bitcast(pick_lanes(builder, places, pointer.load(_BYTES)), kind)


def _pack(builder, vector, size, cell):
    """Return a vector of cells with their first `size` bytes side by side; the bytes behind these may be any."""
    if size == cell:
        return vector
    places = [i // size * cell + i % size if i < TILE_BYTES // cell * size else 0 for i in range(TILE_BYTES)]
    return pick_lanes(builder, places, builder.bitcast(vector, _BYTES))


def _interleave(builder, tile):
    """Return the columns of a tile of vectors.

    A cell's index is the bits of its row, then those of its column. To interleave the first half of the vectors with
    the second half rotates these bits by one. As many rotations as a row index has bits exchange rows and columns.
    """
    cells = len(tile)
    half = cells // 2
    for _ in range(cells.bit_length() - 1):
        tile = [
            pick_lanes(builder, [lane for k in range(first, first + half) for lane in (k, cells + k)], one, other)
            for one, other in zip(tile[:half], tile[half:], strict=True)
            for first in (0, half)
        ]
    return tile


def _prefetch_share(builder, line, src_pitch, index, cells):
    """Prefetch as much as a tile reads: a quarter of the lines of four tiles, or one line twice."""
    share = max(cells // 4, 1)
    first = builder.and_(builder.mul(index, WORD(share)), WORD(cells - 1))
    for k in range(share):
        line.at(builder.mul(builder.add(first, WORD(k)), src_pitch)).prefetch()
