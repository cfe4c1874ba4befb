"""Transposes: planes in which the source is dense along one axis and the output along the other.

Computes: rows x n blocks, the rows of the output from the columns of the source.
Memory: reads the source, writes each destination byte once, or twice alike where squares overlap; a stage of 32 KiB lies on the stack.
Fast because cells are transposed in registers, 16 bytes of 16 / width rows at a time, into a stage in the cache, from
which each row of the output gets whole cache lines: past the caches where it is large.
"""

# Intrinsics take and give types that neither Numba nor llvmlite describe to mypy; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from fastops.kernels._memory import copy_bytes, loops, shift, stack_words
from fastops.kernels._runs import move_run
from fastops.kernels._types import CellPointer, WORD
from fastops.kernels._units import unit
from fastops.kernels._vectors import LINE_BYTES, finish_streams, line_offset, prefetch, stream_line

_VECTOR = 16

#: Outputs of this many bytes are written past the caches, as `_runtime.STREAM_BYTES` has it for others.
STREAM_BYTES = 1 << 24

#: Blocks of up to this many bytes are worth a stage; longer ones are whole lines themselves.
LARGEST_BLOCK = LINE_BYTES

_WIDTHS = (1, 2, 4, 8, 16)

# Of these widths two squares are transposed at once, in the two halves of vectors of 32 bytes: the shuffles of the
# others take less time than their loads and stores.
_PAIRED_WIDTHS = (1, 2)

# What is staged at once: for so many bytes of each row of the output, as many rows as have so many bytes in each column
# of the source, but at least 64 rows. Longer pieces of lines that lie far apart in memory are moved faster: on both
# sides at 64 bytes a third of what parallel streaming copies reach, at 256 half of it; at 512 no more than that.
_STRIP_BYTES = 256
_FEWEST_ROWS = 64

# Strips begin up to a line later than planned, and end one later, or another one at the end of the row.
_SLACK_BYTES = 3 * LINE_BYTES

# Where rows are few, strips are as wide as makes this many bytes of 16 rows, or of as many as there are.
_FEW_ROWS_BYTES = 16384

# Where the whole width of the output is narrower, rows of the stage lie as densely as those of the output, in the
# first-level cache.
_DENSE_BYTES = 28672

# The stage, and what vectors write beyond its last row.
_STAGE_BYTES = _STRIP_BYTES * (_STRIP_BYTES + _SLACK_BYTES)
_STAGE_WORDS = (LINE_BYTES + _STAGE_BYTES + LINE_BYTES) // 8

# Squares that are transposed between two lots of prefetches.
_SQUARES = 16


@intrinsic
def transpose_squares(typingctx, dst, dst_row, src, src_row, columns, squares, groups, block):
    """Transpose squares of 16 / block x 16 / block blocks of 1, 2, 4, 8 or 16 bytes, side by side in the source.

    Each takes 16 bytes of as many rows of the source, src_row bytes apart; where there are fewer than that, the last
    one of `columns` stands for the rest. Each writes 16 bytes of as many rows of the output.
    """

    def codegen(context, builder, signature, args):
        dst, dst_row, src, src_row, columns, squares, groups, block = args
        for width in _WIDTHS:
            with builder.if_then(builder.icmp_signed("==", block, WORD(width))):
                cells = _VECTOR // width
                last = builder.sub(columns, WORD(1))
                rows = []
                for k in range(cells):
                    row = builder.select(builder.icmp_signed("<", WORD(k), last), WORD(k), last)
                    rows.append(builder.mul(row, src_row))
                with cgutils.for_range(builder, groups) as loop:
                    to = builder.gep(dst, [builder.mul(loop.index, WORD(_VECTOR))])
                    source = builder.gep(src, [builder.mul(loop.index, builder.mul(src_row, WORD(cells)))])
                    done = WORD(0)
                    for lanes in (2, 1) if width in _PAIRED_WIDTHS else (1,):
                        end = builder.and_(squares, WORD(-lanes))
                        with cgutils.for_range_slice(builder, done, end, WORD(lanes), inc=True) as (index, _):
                            _move_square(builder, to, dst_row, source, rows, index, width, lanes)
                        done = end
        return context.get_dummy_value()

    kinds = (dst, types.intp, src, types.intp, types.intp, types.intp, types.intp, types.intp)
    return types.void(*kinds), codegen


def _move_square(builder, dst, dst_row, src, rows, index, width, lanes):
    """Transpose square `index`, or as many as there are lanes; `rows` are the offsets of the rows of the source."""
    source = builder.gep(src, [builder.mul(index, WORD(_VECTOR))])
    square = [_load(builder, builder.gep(source, [row]), width, lanes) for row in rows]
    to = builder.gep(dst, [builder.mul(index, builder.mul(dst_row, WORD(len(rows))))])
    # Rows in their order: what one writes beyond its end, the next one overwrites.
    for k, vector in enumerate(_split(builder, _transpose(builder, square, lanes), lanes)):
        place = builder.gep(to, [builder.mul(dst_row, WORD(k))])
        builder.store(vector, builder.bitcast(place, vector.type.as_pointer()), align=1)


def _load(builder, pointer, width, lanes):
    """As many times 16 bytes as there are lanes, as cells of a width."""
    cell = ir.IntType(8 * min(width, 8))
    kind = ir.VectorType(cell, 8 * _VECTOR * lanes // cell.width)
    return builder.load(builder.bitcast(pointer, kind.as_pointer()), align=1)


def _transpose(builder, square, lanes):
    """The columns of a square of vectors, in each lane of 16 bytes.

    To interleave the first half of the vectors with the second turns the bits of a cell's place, row and column
    together, around by one: after as many times as a row has bits, rows and columns have changed places.
    """
    cells = len(square)
    half = cells // 2
    for _ in range(cells.bit_length() - 1):
        turned = []
        for i in range(half):
            for first in (0, half):
                pairs = [(k, lanes * cells + k) for lane in range(lanes) for k in _span(lane * cells + first, half)]
                turned.append(_shuffle(builder, square[i], square[i + half], [k for pair in pairs for k in pair]))
        square = turned
    return square


def _split(builder, square, lanes):
    """The vectors of each lane of a square, lane by lane."""
    if lanes == 1:
        return square
    cells = len(square)
    return [_shuffle(builder, row, row, _span(lane * cells, cells)) for lane in range(lanes) for row in square]


def _span(first, n):
    return range(first, first + n)


def _shuffle(builder, a, b, picked):
    """The constant shuffle that picks cells of two vectors."""
    int32 = ir.IntType(32)
    mask = ir.Constant(ir.VectorType(int32, len(picked)), [int32(k) for k in picked])
    return builder.shuffle_vector(a, b, mask)


@unit(
    types.void(
        *(CellPointer(1), types.intp, CellPointer(1), types.intp, types.intp),
        *(types.intp, types.intp, types.intp, CellPointer(1)),
    )
)
def fill_stage(stage, pitch, src, src_row, src_step, rows, n, block, ahead):
    """Write rows x n blocks into the stage, whose rows lie `pitch` bytes apart.

    Up to a vector beyond them may be written.
    """
    cells = _VECTOR // block if src_step == block and block <= _VECTOR and block & (block - 1) == 0 else 0
    first, end = 0, n if cells else 0
    if rows < cells:
        # Vectors reach beyond the rows that are narrower: only those are loaded after which others follow.
        beyond = (_VECTOR - rows * block - 1) // max(abs(src_row), 1) + 1
        first, end = (beyond, n) if src_row < 0 else (0, n - beyond)
        if end - first < cells:
            first, end = 0, 0
    for j in range(n):
        if j < first or j >= end:
            move_run(shift(stage, j * block), pitch, shift(src, j * src_row), src_step, rows, block, src)
    columns = min(cells, end - first)
    most = max(_SQUARES * cells // rows, 1)
    j = first
    while j < end:
        # The last group overlaps the one before it, and so does the last square.
        j = min(j, end - columns)
        groups = min(most, (end - j) // columns)
        if rows * block >= LINE_BYTES:
            for k in range(j, j + groups * columns):
                for i in range(0, rows * block, LINE_BYTES):
                    prefetch(shift(ahead, k * src_row + i))
        done = 0
        while done < rows:
            i = max(min(done, rows - cells), 0)
            squares = max((rows - i) // cells, 1)
            to = shift(stage, i * pitch + j * block)
            source = shift(src, j * src_row + i * block)
            transpose_squares(to, pitch, source, src_row, columns, squares, groups, block)
            done = i + squares * cells
        j += groups * columns


@loops
def _write(dst, src, n, streams):
    """Copy n bytes from the stage, whole lines of the output past the caches if it streams."""
    if streams:
        head = min(-line_offset(dst) & (LINE_BYTES - 1), n)
        end = head + ((n - head) & -LINE_BYTES)
        if head:
            copy_bytes(dst, src, head)
        for i in range(head, end, LINE_BYTES):
            stream_line(shift(dst, i), shift(src, i))
        if end < n:
            copy_bytes(shift(dst, end), shift(src, end), n - end)
    else:
        copy_bytes(dst, src, n)


@unit(
    types.void(
        *(CellPointer(1), types.intp, CellPointer(1), types.intp, types.intp),
        *(types.intp, types.intp, types.intp, types.boolean),
    )
)
def transpose(dst, dst_row, src, src_row, src_step, rows, n, block, streams):
    """Write rows of n blocks, dst_row bytes apart, of which one lies src_step and one block src_row bytes on."""
    if src_step == -block:
        dst, dst_row = shift(dst, (rows - 1) * dst_row), -dst_row
        src, src_step = shift(src, (rows - 1) * src_step), block
    stage = stack_words(_STAGE_WORDS)
    stage = shift(stage, -line_offset(stage) & (LINE_BYTES - 1))
    width = n * block
    dense = dst_row == width <= _STRIP_BYTES
    strip = max(_STRIP_BYTES, _FEW_ROWS_BYTES // max(rows, _VECTOR) & -LINE_BYTES)
    pitch = width if dense else strip + _SLACK_BYTES
    most = (_DENSE_BYTES // pitch) & -_FEWEST_ROWS if dense else max(_STRIP_BYTES // block, _FEWEST_ROWS)
    # Strips end with a line of the output; where rows begin at other places of a line, up to a line later than the first row.
    skew = LINE_BYTES if streams and dst_row & (LINE_BYTES - 1) else 0
    edge = -line_offset(dst) & (LINE_BYTES - 1) if streams else 0
    at = begin = 0
    while begin < width:
        edge += strip
        end = width if edge + LINE_BYTES >= width else edge
        m = n - at if end == width else (end + skew + block - 1) // block - at
        column = shift(src, at * src_row)
        for y in range(0, rows, most):
            r = min(most, rows - y)
            ahead = shift(column, (y + r) * src_step) if y + r < rows else shift(src, end // block * src_row)
            fill_stage(stage, pitch, shift(column, y * src_step), src_row, src_step, r, m, block, ahead)
            for i in range(1 if dense else r):
                later = -((y + i) * dst_row) & (LINE_BYTES - 1) if skew else 0
                first = begin + later if begin else 0
                last = r * width if dense else width if end == width else end + later
                row = shift(dst, (y + i) * dst_row + first)
                _write(row, shift(stage, i * pitch + first - at * block), last - first, streams)
        begin = end
        at = end // block
    if streams:
        finish_streams()
