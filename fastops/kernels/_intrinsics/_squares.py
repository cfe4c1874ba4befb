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


@intrinsic
def transpose_squares(typingctx, dst, dst_pitch, src, src_pitch, columns, squares, groups, block, ahead):
    """Transpose squares of 16 / block x 16 / block blocks, of 1, 2, 4, 8 or 16 bytes each.

    A group of squares lies side by side in the source: 16 bytes of each row for each square. Rows lie src_pitch bytes
    apart, and where there are fewer than a square has, the last of `columns` stands for the rest. In the output its
    squares lie one below the other, in rows that lie dst_pitch bytes apart. The next group reads the next rows of the
    source, and writes the next 16 bytes of the same rows of the output. Meanwhile what lies likewise at `ahead` is
    prefetched.
    """

    def codegen(context, builder, signature, args):
        dst, dst_pitch, src, src_pitch, columns, squares, groups, block, ahead = as_pointers(builder, signature, args)
        for size in CELL_BYTES:
            with builder.if_then(builder.icmp_signed("==", block, WORD(size))):
                cells = SQUARE_BYTES // size
                last = builder.sub(columns, WORD(1))
                rows = []
                for k in range(cells):
                    row = builder.select(builder.icmp_signed("<", WORD(k), last), WORD(k), last)
                    rows.append(builder.mul(row, src_pitch))
                with emit_loop(builder, groups) as group:
                    across = builder.mul(group, builder.mul(src_pitch, WORD(cells)))
                    to = dst.at(builder.mul(group, WORD(SQUARE_BYTES)))
                    source, near = (pointer.at(across) for pointer in (src, ahead))
                    with emit_loop(builder, squares) as i:
                        _prefetch_share(builder, near, src_pitch, i, cells)
                        _move_square(builder, to, dst_pitch, source, rows, i, size)
        return context.get_dummy_value()

    kinds = (dst, types.intp, src, types.intp, types.intp, types.intp, types.intp, types.intp, ahead)
    return types.void(*kinds), codegen


def _move_square(builder, dst, dst_pitch, src, rows, index, size):
    """Transpose square `index`; `rows` are the offsets of the rows of the source."""
    source = src.at(builder.mul(index, WORD(SQUARE_BYTES)))
    lane = ir.IntType(8 * min(size, 8))
    kind = ir.VectorType(lane, 8 * SQUARE_BYTES // lane.width)
    square = [source.at(row).load(kind) for row in rows]
    to = dst.at(builder.mul(index, builder.mul(dst_pitch, WORD(len(rows)))))
    # Rows in their order: what one writes beyond its end, the next one overwrites.
    for k, vector in enumerate(_interleave(builder, square)):
        to.at(builder.mul(dst_pitch, WORD(k))).store(vector)


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


def _prefetch_share(builder, ahead, src_pitch, index, cells):
    """Prefetch as much as a square reads: a quarter of the lines that four squares have, or one line twice."""
    share = max(cells // 4, 1)
    line = builder.and_(builder.mul(index, WORD(SQUARE_BYTES)), WORD(-LINE_BYTES))
    first = builder.and_(builder.mul(index, WORD(share)), WORD(cells - 1))
    for k in range(share):
        row = builder.mul(builder.add(first, WORD(k)), src_pitch)
        ahead.at(builder.add(line, row)).prefetch()
