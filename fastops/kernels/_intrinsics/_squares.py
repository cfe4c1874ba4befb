"""Squares of cells, transposed in registers: 16 bytes of each row become 16 bytes of each column."""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import as_pointers
from fastops.kernels._intrinsics._emit_loop import emit_loop
from fastops.kernels._intrinsics._memory import CELL_BYTES
from fastops.kernels._intrinsics._types import WORD
from fastops.kernels._intrinsics._vectors import LINE_BYTES

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
