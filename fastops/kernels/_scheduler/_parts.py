"""Parts: rows that are moved together, in the order and the form in which movers take them.

`write_part` drops axes of one output, coalesces neighbours where both memories allow it, makes the innermost contiguous
axes one wider block, and pairs the last two axes into a plane where rows are short or transposed (`_planes`).
"""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

from typing import Any, NamedTuple

from fastops.kernels._intrinsics._memory import let_kernels_call, words_at
from fastops.kernels._scheduler import _rows as rows
from fastops.kernels._scheduler._planes import pair_axes
from fastops.kernels._scheduler._programs import MOST_PROGRAM_WORDS
from fastops.kernels._tables import _gather as g


class Piece(NamedTuple):
    """A piece of words, and what its parts need."""

    words: Any
    n: Any  # axes
    scratch: Any  # a `Scratch`
    table: Any
    room: Any  # words of the table
    width: Any  # bytes of an element
    options: Any  # the `Options` of the schedule


def write_part(piece, spans, edge, at):
    """Write the part that has some outputs of each axis; return where it ends in the table, -1 without room.

    `write_schedule` writes the columns that all parts of a piece share.
    """
    words, n, table, room = piece.words, piece.n, piece.table, piece.room
    # A shuffle adds an axis, and `move_behind` needs one more row. The program is written behind all of them.
    most = (n + 2) * g.AXIS_COLUMNS
    if at < 0 or room - at < g.PART_COLUMNS + most + MOST_PROGRAM_WORDS:
        return -1
    part = words_at(table, at)
    axes, made = words_at(part, g.PART_COLUMNS), words_at(part, g.PART_COLUMNS + most)
    size, fills, dst_offset = piece.width, False, 0
    for k in range(n):
        row, to = rows.row_of(piece.scratch.axes, k), rows.row_of(axes, k)
        rows.cut(words, row, spans[2 * k], spans[2 * k + 1], to)
        dst_offset += spans[2 * k] * row[g.DST_PITCH]
        size *= to[g.COUNT]
        fills = fills or rows.is_fill(to)
    left, own_offset, part[g.SRC_OFFSET] = _take_axes(axes, n, fills)
    part[g.DST_OFFSET] = dst_offset + own_offset
    left, block = _widen_block(axes, left, piece.width)
    for k in range(left if fills else 0):
        row = rows.row_of(axes, k)
        rows.write_fill(row, row[g.COUNT], row[g.DST_PITCH])
    left, block, plane, length = pair_axes(words, piece.scratch, made, axes, left, block, edge, size)
    item_bytes = block if plane == g.NO_PLANE else block * rows.row_of(axes, left - 2)[g.COUNT]
    part[g.BLOCK], part[g.PLANE], part[g.AXES] = block, plane, left
    part[g.ITEM_BYTES], part[g.ITEMS] = item_bytes, size // item_bytes
    part[g.STREAMS] = 1 if piece.options.streams and _can_stream(axes, left, plane, item_bytes) else 0
    program = words_at(axes, left * g.AXIS_COLUMNS)
    for i in range(length):
        program[i] = made[i]
    end = at + g.PART_COLUMNS + left * g.AXIS_COLUMNS + length
    for k in range(left):
        row = rows.row_of(axes, k)
        if row[g.KIND] == g.PIECEWISE:
            end = _write_list(words, row, at + g.PART_COLUMNS + k * g.AXIS_COLUMNS, table, end, room)
            if end < 0:
                return -1
    part[g.LENGTH] = end - at
    return end


def _take_axes(axes, n, fills):
    """Drop and coalesce axes; return how many of n rows are left, and the offsets in the output and the source.

    Plain axes are turned so that their pitch in the output is positive, and joined with the axis outside them if both
    move through both memories as one axis does. If all outputs are the fill value, only the output's memory matters, so
    all axes are plain, and their source pitches equal their output pitches.
    """
    left, dst_offset, src_offset = 0, 0, 0
    for k in range(n):
        row, to = rows.row_of(axes, k), rows.row_of(axes, left)
        count, dst_pitch = row[g.COUNT], row[g.DST_PITCH]
        if fills or rows.is_plain(row):
            src_offset += 0 if fills else row[g.FIRST]
            if count == 1:
                continue
            pitch = dst_pitch if fills else row[g.SRC_PITCH]
            if dst_pitch < 0:
                dst_offset += (count - 1) * dst_pitch
                src_offset += (count - 1) * pitch
                dst_pitch, pitch = -dst_pitch, -pitch
            outer = rows.row_of(axes, left - 1)
            is_joined = left > 0 and rows.is_plain(outer) and outer[g.DST_PITCH] == dst_pitch * count
            if is_joined and outer[g.SRC_PITCH] == pitch * count:
                count, to = count * outer[g.COUNT], outer
            else:
                left += 1
            rows.write_plain(to, count, dst_pitch, 0, pitch)
        else:
            rows.copy_row(to, row)
            left += 1
    if left == 0:
        rows.write_plain(axes, 1, 0, 0, 0)
        left = 1
    return left, dst_offset, src_offset


def _write_list(words, row, first_word, table, at, room):
    """Write the list of a piecewise axis, and its row in the table's form; return where the list ends, or -1."""
    first = rows.find_run(words, row, 0)
    runs = rows.find_run(words, row, row[g.COUNT] - 1) - first + 1
    if room - at < (runs + 1) * g.RUN_COLUMNS:
        return -1
    for i in range(runs):
        listed = words_at(table, at + i * g.RUN_COLUMNS)
        listed[g.RUN_BEGIN], _, listed[g.RUN_FIRST], listed[g.RUN_SRC_PITCH] = rows.run_of(words, row, first + i)
    listed = words_at(table, at + runs * g.RUN_COLUMNS)
    listed[g.RUN_BEGIN], listed[g.RUN_FIRST], listed[g.RUN_SRC_PITCH] = row[g.COUNT], g.FILL, 0
    row[g.RUNS], row[g.LIST] = runs, at - first_word
    return at + (runs + 1) * g.RUN_COLUMNS


def _widen_block(axes, n, width):
    """Make one block of the contiguous inner rows; return how many rows are left, and the bytes of the block."""
    block = width
    while n > 1:
        inner = rows.row_of(axes, n - 1)
        size = inner[g.COUNT] * block
        is_dense = inner[g.DST_PITCH] == block and inner[g.SRC_PITCH] == block
        if size > g.LARGEST_BLOCK or not is_dense or not rows.is_plain(inner):
            break
        block = size
        n -= 1
    return n, block


def _can_stream(axes, n, plane, item_bytes):
    """True if a part can be written past the caches: work items are dense in the output, and rows are dense or long.

    Transposes write whole lines, so they can; tiles cannot.
    """
    if plane == g.TILES or plane == g.TRANSPOSED:
        return plane == g.TRANSPOSED
    last = rows.row_of(axes, n - 1)
    if last[g.DST_PITCH] != item_bytes:
        return False
    span = item_bytes
    for k in range(n - 1, -1, -1):
        if plane == g.NO_PLANE or k != n - 2:
            row = rows.row_of(axes, k)
            if row[g.DST_PITCH] != span and row[g.COUNT] > 1:
                return last[g.COUNT] * item_bytes >= g.SHORTEST_STREAMED_ROW
            span *= row[g.COUNT]
    return True


let_kernels_call(__name__)
