"""Parts: the rows of the output of one plan, in row blocks, and the movers of rows.

Computes: work items [first, end) of a part, the fill value where an outer axis is outside of the source. A row block is
rows at equal distances, in the output and in the source. Memory: reads the source and the table, writes each
destination byte once, or twice with the same value where vectors overlap. Lists of the places that a row reads lie
behind the writer. Fast because the mover is chosen once for all rows of a part, and because all rows read at the same
offsets from their first bytes, so one list serves all rows. Rows without gaps are filled, or staged, as one.
"""

# Intrinsics take and return types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from typing import Any, NamedTuple

from numba import types

from fastops.kernels import _axes as ax, _writer as wr
from fastops.kernels._intrinsics._memory import copy_listed, let_kernels_call, shift, words_at
from fastops.kernels._intrinsics._outlined import byte_pointer, numbers_type, outlined
from fastops.kernels._intrinsics._vectors import LINE_BYTES, Rows
from fastops.kernels._padded_rows import PADDED_WORDS, make_padded, move_padded
from fastops.kernels._planes import move_planes
from fastops.kernels._rows import SMALLEST_JOINED, fill_blocks, move_axis, move_runs, stream_blocks
from fastops.kernels._tables import _gather as g

# The most cells of a row that is moved by a list of their offsets.
_LONGEST_LIST = 32

# Words of a mover, which moves the rows of a part: the way, 1 if rows are staged, the number of runs of a row, the
# offsets of cells, the list of runs, and a padded row.
_WAY, _IS_STAGED, _N_RUNS, _OFFSETS = 0, 1, 2, 3
_RUNS = _OFFSETS + _LONGEST_LIST
_PADDED = _RUNS + ax.LIST_WORDS
_MOVER_WORDS = _PADDED + PADDED_WORDS

# The state of the outer iterator lies below the words of a writer. The mover lies behind them, and then a plain writer
# for rows that are staged.
_PLAIN = _MOVER_WORDS
assert ax.ITERATOR_WORDS <= wr.WORDS_BELOW

#: Words of room for a writer and all of these: for a writer that streams, in room that begins at a page; and for a
#: plain writer.
PART_WRITER_WORDS = wr.WRITER_WORDS + _PLAIN + wr.PLAIN_WRITER_WORDS
PLAIN_PART_WRITER_WORDS = ax.ITERATOR_WORDS + wr.PLAIN_WRITER_WORDS + _PLAIN + wr.PLAIN_WRITER_WORDS


def open_plain_writer(room, dst):
    """Return a writer that does not stream, in PLAIN_PART_WRITER_WORDS of room."""
    return wr.open_writer(words_at(room, ax.ITERATOR_WORDS), dst, 0)


# The ways: row by row, by the axis, by the list of runs, or by the offsets of cells; or all rows of a row block at
# once, as one run, as padded rows, or as planes.
_BY_AXIS, _BY_RUNS, _BY_CELLS, _ONE_RUN, _AS_PADDED, _AS_PLANE = 0, 1, 2, 3, 4, 5


class RowBlock(NamedTuple):
    """Outputs [y, y + n) of rows at equal distances."""

    offset: Any  # in the output, of output y of the first row
    rows: Any
    row_pitch: Any
    src_pitch: Any
    y: Any
    n: Any


_ROW_BLOCK = numbers_type(RowBlock)


@outlined(types.void(*(byte_pointer,) * 3, types.intp, types.boolean, ax.blocks_type))
def choose_mover(writer, mover, axis, items, is_plane, blocks):
    """Choose the mover of `items` work items of a part, and write its words."""
    count, size = axis[g.COUNT], blocks.size
    streams = wr.streams_to(writer, blocks.dst_pitch, size)
    way, n_runs, is_staged, runs = _BY_AXIS, 0, 0, words_at(mover, _RUNS)
    if is_plane:
        way = _AS_PLANE
    elif axis[g.KIND] == g.AFFINE and axis[g.LO] <= 0 and axis[g.HI] >= count and not streams:
        # No runs are listed, and partial rows are moved in the same way.
        way = _ONE_RUN
        runs[ax.RUN_SOURCE], runs[ax.RUN_PITCH] = axis[g.FIRST] - axis[g.LO] * axis[g.SRC_PITCH], axis[g.SRC_PITCH]
    else:
        if items > count:
            n_runs, y = ax.list_runs(axis, 0, count, runs)
            way = _BY_RUNS if y == count else _BY_AXIS
        # Short rows are moved into the staging buffer as a whole, as if it were the output.
        longest = wr.STAGED_RUN_BYTES if n_runs == 1 else wr.STAGED_ROW_BYTES
        is_staged = 1 if streams and count * size <= longest else 0
        if way == _BY_RUNS and n_runs == 1:
            if runs[ax.RUN_SOURCE] != g.FILL and (is_staged or not streams):
                way = _ONE_RUN
        elif way == _BY_RUNS:
            is_short = count <= _LONGEST_LIST and wr.is_cell(size)
            if is_short and ax.list_offsets(runs, n_runs, words_at(mover, _OFFSETS)):
                # A run costs as much as several cells.
                way = _BY_CELLS
            elif (
                size <= g.LARGEST_PADDED_BLOCK
                and blocks.dst_pitch == size
                and (is_staged or not streams)
                and make_padded(runs, n_runs, size, blocks.width, words_at(mover, _PADDED))
            ):
                way = _AS_PADDED
    mover[_WAY], mover[_IS_STAGED], mover[_N_RUNS] = way, is_staged, n_runs


@outlined(types.void(byte_pointer, byte_pointer, _ROW_BLOCK, byte_pointer, types.intp, byte_pointer, ax.blocks_type))
def fill_rows(writer, dst, rows, table, part, axis, blocks):
    """Write the fill value over a row block, whose n counts work items."""
    item_bytes = table[part + g.ITEM_BYTES]
    size = inner_pitch = item_bytes
    n_rows, n = rows.rows, rows.n
    if table[part + g.PLANE] == g.NO_PLANE and rows.row_pitch == n * blocks.dst_pitch:
        # Rows without gaps are filled as one.
        n_rows, n = 1, n * n_rows
    elif table[part + g.PLANE] != g.NO_PLANE:
        inner_dst_pitch = axis[g.DST_PITCH - g.AXIS_COLUMNS]
        if inner_dst_pitch != blocks.size or blocks.dst_pitch != item_bytes:
            size, inner_pitch = blocks.size, inner_dst_pitch
    filled = ax.Blocks(blocks.dst_pitch, size, blocks.width, blocks.fill)
    for i in range(n_rows):
        for j in range(item_bytes // size):
            fill_blocks(writer, dst, rows.offset + i * rows.row_pitch + j * inner_pitch, n, filled)


@outlined(types.void(*(byte_pointer,) * 3, _ROW_BLOCK, byte_pointer, ax.blocks_type, *(byte_pointer,) * 2))
def move_block(writer, dst, src, rows, axis, blocks, mover, ahead):
    """Write a row block by the mover of its part; prefetch from `ahead` on."""
    way, runs, size, is_whole = mover[_WAY], words_at(mover, _RUNS), blocks.size, rows.n == axis[g.COUNT]
    each, to = Rows(rows.rows, rows.row_pitch, rows.src_pitch), shift(dst, rows.offset)
    if way == _ONE_RUN:
        run = wr.Run(rows.n, size, blocks.dst_pitch, runs[ax.RUN_PITCH])
        first = runs[ax.RUN_SOURCE] + rows.y * run.src_pitch
        wr.move_rows(to, shift(src, first), each, run, shift(ahead, first))
    elif way == _AS_PADDED and is_whole:
        move_padded(to, src, each, words_at(mover, _PADDED), blocks.fill)
    else:
        for i in range(rows.rows):
            offset, source = rows.offset + i * rows.row_pitch, shift(src, i * rows.src_pitch)
            if way == _BY_CELLS:
                offsets = words_at(mover, _OFFSETS + rows.y)
                copy_listed(shift(dst, offset), blocks.dst_pitch, source, offsets, rows.n, size)
            elif way == _BY_RUNS and is_whole:
                move_runs(writer, dst, offset, source, runs, mover[_N_RUNS], blocks)
            else:
                move_axis(writer, dst, offset, source, axis, rows.y, rows.y + rows.n, blocks)


@outlined(types.void(*(byte_pointer,) * 4, _ROW_BLOCK, byte_pointer, ax.blocks_type, byte_pointer))
def stage_rows(writer, plain, dst, src, rows, axis, blocks, mover):
    """Write a row block through the staging buffer, as if that were the output; stream long blocks from the source.

    ``plain`` is a writer that does not stream.
    """
    row_bytes, runs = rows.n * blocks.size, words_at(mover, _RUNS)
    are_joined = rows.row_pitch == row_bytes
    if mover[_WAY] == _ONE_RUN and runs[ax.RUN_PITCH] != blocks.size >= SMALLEST_JOINED and are_joined:
        first_read = runs[ax.RUN_SOURCE] + rows.y * runs[ax.RUN_PITCH]
        run = wr.Run(rows.n, blocks.size, blocks.dst_pitch, runs[ax.RUN_PITCH])
        each = Rows(rows.rows, rows.row_pitch, rows.src_pitch)
        stream_blocks(writer, dst, rows.offset, shift(src, first_read), each, run)
        return
    # Several rows at a time where no gaps lie between them in the output.
    most = max(wr.STAGED_BYTES // row_bytes, 1) if are_joined else 1
    for i in range(0, rows.rows, most):
        count = min(most, rows.rows - i)
        following = shift(src, (i + count) * rows.src_pitch)
        to = wr.reserve(writer, dst, rows.offset + i * rows.row_pitch, count * row_bytes)
        each = RowBlock(0, count, row_bytes, rows.src_pitch, rows.y, rows.n)
        move_block(plain, to, shift(src, i * rows.src_pitch), each, axis, blocks, mover, following)
        wr.settle(writer, dst, following, LINE_BYTES)


@outlined(types.void(*(byte_pointer,) * 4, *(types.intp,) * 3, byte_pointer))
def run_part(writer, dst, src, table, part, first, end, fill):
    """Write work items [first, end) of a part, row block by row block, by the mover that is chosen for all of them.

    The writer has room for the mover and the outer iterator.
    """
    plane, n_axes = table[part + g.PLANE], table[part + g.AXES]
    axis = ax.axis_of(table, part, n_axes - 1)
    count, dst_pitch, block = axis[g.COUNT], axis[g.DST_PITCH], table[part + g.BLOCK]
    blocks = ax.Blocks(dst_pitch, block, table[part + g.WIDTH], fill)
    mover, states = wr.words_behind(writer), words_at(writer, -ax.ITERATOR_WORDS)
    plain = wr.open_writer(words_at(mover, _PLAIN), dst, 0)
    choose_mover(writer, mover, axis, end - first, plane != g.NO_PLANE, blocks)

    outer = n_axes - (1 if plane == g.NO_PLANE else 2)
    row = first // count if first else 0
    y = first - row * count
    dst_offset, src_offset, outside = ax.enter_row(table, part, outer, states, row)
    row_pitch = ax.axis_of(table, part, outer - 1)[g.DST_PITCH] if outer else 0
    left = end - first
    while True:
        n = min(count - y, left)
        rows, src_pitch = 1, 0
        if n < left and y == 0:
            more, src_pitch = ax.rows_alike(outer, states)
            rows = min(more, left // count - 1) + 1
            writer[wr.ROW_PITCH] = src_pitch
        offset, source = dst_offset + y * dst_pitch, shift(src, src_offset)
        each = RowBlock(offset, rows, row_pitch, src_pitch, y, n)
        if outside:
            fill_rows(writer, dst, each, table, part, axis, blocks)
        elif plane != g.NO_PLANE:
            alike = Rows(rows, row_pitch, src_pitch)
            move_planes(writer, dst, offset, src, src_offset, table, part, axis, y, y + n, alike)
        elif mover[_IS_STAGED]:
            stage_rows(writer, plain, dst, source, each, axis, blocks, mover)
        else:
            move_block(writer, dst, source, each, axis, blocks, mover, shift(source, src_pitch))
        left -= n * rows
        if left <= 0:
            return
        y = 0
        dst_offset, src_offset, outside = ax.next_row(table, part, outer, states, rows, dst_offset, src_offset, outside)


let_kernels_call(__name__)
