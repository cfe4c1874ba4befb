"""Parts: the rows of what one plan writes, and what moves them.

Computes: grains [first, end) of a part, the fill value where an outer axis is outside of the source.
Memory: reads the source and the table, writes each destination byte once, or twice alike where vectors overlap. Lists
of what a row reads lie on the stack.
Fast because what moves the rows is chosen once for all of them, and because all rows of a part read at the same places,
counted from where each begins: one list, if it is long enough, serves them all.
"""


# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._bands import (
    BY_AXIS,
    BY_CELLS,
    BY_RUNS,
    FRAME_WORDS,
    Band,
    Lists,
    fill_rows,
    frame_runs,
    move_framed,
    stage_framed,
    stage_rows,
)
from fastops.kernels._intrinsics._memory import ZERO, copy_listed, load_int, loops, shift, stack_words
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._odometer import (
    LIST_WORDS,
    ODOMETER_WORDS,
    RUN_PITCH,
    RUN_SOURCE,
    Blocks,
    axis_of,
    blocks_type,
    enter_row,
    list_offsets,
    list_runs,
    next_row,
    rows_alike,
    skip_rows,
)
from fastops.kernels._planes import move_planes
from fastops.kernels._rows import move_axis, move_runs
from fastops.kernels._tables import _gather as g
from fastops.kernels._writer import (
    STAGED_ROW_BYTES,
    STAGED_RUN_BYTES,
    Rows,
    Run,
    expect_row_pitch,
    move_rows,
    streams_to,
)

# Cells of rows that are moved by a list.
_LONGEST_LIST = 32

# What moves the rows of a part: its axis, a list of their runs, or a list of their cells, as it is listed; one of these
# three by way of the stage; a frame, or that by way of the stage; its plane; or all rows at once, if their axis is one
# run.
_BY_STAGE, _BY_FRAME, _BY_STAGED_FRAME, _BY_PLANE, _BY_ROWS = 3, 4, 5, 6, 7


@loops
def _is_one_run(axis, count):
    """True for an axis that is read at one pitch from its first output to its last."""
    return load_int(axis, g.KIND) == g.AFFINE and load_int(axis, g.LO) <= 0 and load_int(axis, g.HI) >= count


@loops
def _list_row(axis, block, runs, offsets):
    """List the runs of a row, and maybe the offsets of its cells; return what moves a row, and how many runs it has.

    Rows of a few cells, of several runs, are moved by a list of the cells: a run costs as much as several.
    """
    count = load_int(axis, g.COUNT)
    n_runs, y = list_runs(axis, ZERO, count, runs)
    if y < count:
        return BY_AXIS, 0
    if n_runs > 1 and count <= _LONGEST_LIST and block <= 16 and block & (block - 1) == 0:
        return BY_RUNS + list_offsets(runs, n_runs, offsets), n_runs
    return BY_RUNS, n_runs


@loops
def _is_framed(blocks, lists, frame):
    """Make a frame of rows of one long run with something else on either side, and return True; or return False.

    The table tells if a part may have such rows.
    """
    if lists.way != BY_RUNS or lists.n_runs == 1 or blocks.dst_pitch != blocks.size:
        return False
    if blocks.size > g.LARGEST_FRAMED_BLOCK:
        return False
    return frame_runs(lists.runs, lists.n_runs, blocks.size, blocks.width, frame) != 0


@outlined(
    types.UniTuple(types.intp, 3)(
        *(byte_pointer, byte_pointer, types.intp, blocks_type), *(byte_pointer, byte_pointer, byte_pointer)
    )
)
def choose_mover(writer, axis, grains, blocks, runs, offsets, frame):
    """Return what moves so many grains of a part that has no plane, what is listed for it, and how many runs.

    Writes what that mover needs: the list of runs, the list of offsets, or the frame.
    """
    way, n_runs = BY_AXIS, 0
    count = load_int(axis, g.COUNT)
    if grains > count:
        way, n_runs = _list_row(axis, blocks.size, runs, offsets)
    lists = Lists(way, n_runs, runs, offsets)
    mover = way
    if streams_to(writer, blocks.dst_pitch, blocks.size):
        # Short rows are moved into the stage as a whole, as if it were the output.
        most = STAGED_RUN_BYTES if n_runs == 1 else STAGED_ROW_BYTES
        if count * blocks.size <= most:
            mover = _BY_STAGED_FRAME if _is_framed(blocks, lists, frame) else _BY_STAGE
    elif way == BY_RUNS and n_runs == 1 and load_int(runs, RUN_SOURCE) != g.FILL:
        mover = _BY_ROWS
    elif _is_framed(blocks, lists, frame):
        mover = _BY_FRAME
    return mover, way, n_runs


@outlined(
    types.void(
        *(byte_pointer, byte_pointer, byte_pointer, byte_pointer), *(types.intp, types.intp, types.intp, byte_pointer)
    )
)
def run_part(writer, dst, src, table, part, first, end, fill):
    """Write grains [first, end) of a part, band by band, by the mover that is chosen for all of them.

    The loops of the movers stand here, and not in functions of their own: each level of calls is optimised once more,
    and three levels that were given the band took 15 % more of the time of compiling the kernel.
    """
    plane = load_int(table, part + g.PLANE)
    n_axes = load_int(table, part + g.AXES)
    axis = axis_of(table, part, n_axes - 1)
    count, dst_pitch, block = load_int(axis, g.COUNT), load_int(axis, g.DST_PITCH), load_int(table, part + g.BLOCK)
    blocks = Blocks(dst_pitch, block, load_int(table, part + g.WIDTH), fill)
    mover, way, n_runs, run_source, run_pitch = _BY_PLANE, BY_AXIS, 0, 0, 0
    runs, offsets, frame = stack_words(LIST_WORDS), stack_words(_LONGEST_LIST), stack_words(FRAME_WORDS)
    if plane == g.NO_PLANE and _is_one_run(axis, count) and not streams_to(writer, dst_pitch, block):
        # Nothing is listed, and partial rows are moved alike.
        mover, run_pitch = _BY_ROWS, load_int(axis, g.SRC_PITCH)
        run_source = load_int(axis, g.FIRST) - load_int(axis, g.LO) * run_pitch
    elif plane == g.NO_PLANE:
        mover, way, n_runs = choose_mover(writer, axis, end - first, blocks, runs, offsets, frame)
        if mover == _BY_ROWS:
            run_source, run_pitch = load_int(runs, RUN_SOURCE), load_int(runs, RUN_PITCH)
    lists = Lists(way, n_runs, runs, offsets)

    states = stack_words(ODOMETER_WORDS)
    n_outer = n_axes - (1 if plane == g.NO_PLANE else 2)
    row = first // count if first else 0
    y = first - row * count
    dst_offset, src_offset, outside = enter_row(table, part, n_outer, states, row)
    row_pitch = load_int(axis_of(table, part, n_outer - 1), g.DST_PITCH) if n_outer else 0
    left = end - first
    while True:
        n = min(count - y, left)
        rows, src_pitch = 1, 0
        if n < left and y == 0:
            more, src_pitch = rows_alike(table, part, n_outer, states)
            rows = min(more, left // count - 1) + 1
            expect_row_pitch(writer, src_pitch)
        offset, source = dst_offset + y * dst_pitch, shift(src, src_offset)
        band = Band(offset, rows, row_pitch, src_pitch, y, n)
        if outside:
            fill_rows(writer, dst, band, table, part, axis, blocks)
        elif mover == _BY_ROWS:
            first_read = shift(source, run_source + y * run_pitch)
            run = Run(n, block, dst_pitch, run_pitch)
            ahead = shift(first_read, src_pitch)
            move_rows(shift(dst, offset), first_read, Rows(rows, row_pitch, src_pitch), run, ahead)
        elif mover == _BY_PLANE:
            every = Rows(rows, row_pitch, src_pitch)
            move_planes(writer, dst, offset, src, src_offset, table, part, axis, y, y + n, every)
        elif mover == _BY_STAGED_FRAME and n == count:
            stage_framed(writer, dst, source, band, n * block, frame, fill)
        elif mover == _BY_STAGE or mover == _BY_STAGED_FRAME:  # noqa: SIM109, a tuple would be compiled
            stage_rows(writer, dst, source, band, axis, blocks, lists)
        elif mover == BY_CELLS:
            for i in range(rows):
                to = shift(dst, offset + i * row_pitch)
                copy_listed(to, dst_pitch, shift(source, i * src_pitch), shift(offsets, 8 * y), n, block)
        elif mover == BY_AXIS or n < count:
            for i in range(rows):
                move_axis(writer, dst, offset + i * row_pitch, shift(source, i * src_pitch), axis, y, y + n, blocks)
        elif mover == _BY_FRAME:
            move_framed(shift(dst, offset), row_pitch, source, src_pitch, rows, frame, fill)
        else:
            for i in range(rows):
                move_runs(writer, dst, offset + i * row_pitch, shift(source, i * src_pitch), runs, n_runs, blocks)
        left -= n * rows
        if left <= 0:
            return
        y = 0
        if rows > 1:
            skip_rows(table, part, n_outer, states, rows - 1, src_pitch)
            dst_offset += (rows - 1) * row_pitch
            src_offset += (rows - 1) * src_pitch
        dst_offset, src_offset, outside = next_row(table, part, n_outer, states, dst_offset, src_offset, outside)
