"""Frames: rows of one long contiguous run with something else on either side, as rows of a padded image.

Computes: rows that read alike, each a side, a run and a side; a side is a few cells, or one run, or the fill value.
Memory: reads the source, the fill value and the frame, writes each destination byte once, or twice alike where vectors
overlap.
Fast because a row costs no call and no choice: what its cells read is listed once, and the run is moved by vectors.

Bands: rows that lie each as far from the one before, which are filled, or leave by way of the stage.

Computes: the rows of a band, each from its output y on.
Memory: reads the source and what is listed of a row, writes each destination byte once.
Fast because rows without gaps are filled, or staged, as one; and because whole cache lines of the stage leave at once.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._intrinsics._framed_rows import (
    BY_LIST,
    COPIED,
    FRAME_SIDES,
    FRAME_SOURCE,
    FRAME_SPAN,
    LISTED_CELLS,
    PIXEL_CELL_BYTES,
    PIXEL_CELLS,
    PIXEL_REPEATED,
    PIXELS_REVERSED,
    REPEATED,
    REVERSED,
    SIDE_BYTES,
    SIDE_CELLS,
    SIDE_SOURCE,
    SIDE_WAY,
    SIDE_WORDS,
    copy_framed,
)
from fastops.kernels._intrinsics._memory import ZERO, copy_listed, load_int, loops, shift, stack_words, store_int
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._vectors import LINE_BYTES, SHORTEST_VECTOR
from fastops.kernels._odometer import RUN_COUNT, RUN_PITCH, RUN_SOURCE, RUN_WORDS, blocks_type
from fastops.kernels._rows import SMALLEST_JOINED, emit_fill, move_axis, move_runs, stream_blocks
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables._gather import FILL
from fastops.kernels._writer import (
    PLAIN_WRITER_WORDS,
    PORTION_BYTES,
    Rows,
    Run,
    move_rows,
    open_writer,
    reserve,
    settle,
)

# Behind what `copy_framed` reads: whether each side is the fill value, and the bytes of a cell.
_FILLS = FRAME_SIDES + 2 * SIDE_WORDS
_CELL = _FILLS + 2
FRAME_WORDS = _CELL + 1

_LARGEST_PIXEL_CELL = max(PIXEL_CELL_BYTES)


@loops
def _is_cell(n):
    return n <= 16 and n & (n - 1) == 0


@loops
def _list_cells(runs, first, end, block, width, cell, side):
    """List the cells of runs [first, end) of a side; return how many of them are fill values, -1 for too many."""
    listed = filled = 0
    for i in range(first, end):
        run = shift(runs, 8 * RUN_WORDS * i)
        offset = load_int(run, RUN_SOURCE)
        n = load_int(run, RUN_COUNT)
        if (listed + n * (block // cell)) > LISTED_CELLS:
            return -1
        fills = offset == FILL
        for _ in range(n):
            for at in range(0, block, cell):
                store_int(side, SIDE_CELLS + listed, at % width if fills else offset + at)
                listed += 1
                filled += 1 if fills else 0
            offset += 0 if fills else load_int(run, RUN_PITCH)
    store_int(side, SIDE_BYTES, listed * cell)
    return filled if filled in (0, listed) else -1


@loops
def _way_of(run, block, width, cell):
    """How vectors move a run: BY_LIST if they do not."""
    pitch = load_int(run, RUN_PITCH)
    if load_int(run, RUN_COUNT) * block < SHORTEST_VECTOR:
        return BY_LIST
    if load_int(run, RUN_SOURCE) == FILL:
        return REPEATED if width == cell else PIXEL_REPEATED
    if pitch == block:
        return COPIED
    if pitch != 0 and pitch != -block:
        return BY_LIST
    if block == cell:
        return REVERSED if pitch else REPEATED
    if block == PIXEL_CELLS * cell and cell <= _LARGEST_PIXEL_CELL:
        return PIXELS_REVERSED if pitch else PIXEL_REPEATED
    return BY_LIST


@loops
def _make_side(runs, first, end, block, width, cell, frame, k):
    """Make side k, 0 before the span and 1 behind it, of runs [first, end); return 0 if that cannot be."""
    side = shift(frame, 8 * (FRAME_SIDES + k * SIDE_WORDS))
    way = fills = 0
    if end - first == 1:
        run = shift(runs, 8 * RUN_WORDS * first)
        way = _way_of(run, block, width, cell)
        fills = load_int(run, RUN_SOURCE) == FILL
        store_int(side, SIDE_SOURCE, 0 if fills else load_int(run, RUN_SOURCE))
        store_int(side, SIDE_BYTES, load_int(run, RUN_COUNT) * block)
    if way == BY_LIST:
        filled = _list_cells(runs, first, end, block, width, cell, side)
        if filled < 0:
            return 0
        fills = filled > 0
    store_int(side, SIDE_WAY, way)
    store_int(frame, _FILLS + k, 1 if fills else 0)
    return 1


@outlined(types.intp(byte_pointer, types.intp, types.intp, types.intp, byte_pointer))
def frame_runs(runs, n_runs, block, width, frame):
    """Make a frame of a list of runs of blocks of elements; return 0 if they are none, 1 otherwise."""
    middle = ZERO
    longest = 0
    has_fill = False
    for i in range(n_runs):
        run = shift(runs, 8 * RUN_WORDS * i)
        n = load_int(run, RUN_COUNT)
        if load_int(run, RUN_SOURCE) == FILL:
            has_fill = True
        elif n > longest and load_int(run, RUN_PITCH) == block:
            middle = i
            longest = n
    if longest * block < SHORTEST_VECTOR:
        return 0
    # Blocks are cells as a rule. The fill value is of one element, and pixels are of several cells.
    cell = width if has_fill or not _is_cell(block) else block
    if has_fill and width % PIXEL_CELLS == 0:
        # The element is a pixel itself, where each channel is filled with a value of its own.
        cell = width // PIXEL_CELLS
        if cell > _LARGEST_PIXEL_CELL:
            return 0
    if not _is_cell(cell):
        return 0
    store_int(frame, _CELL, cell)
    store_int(frame, FRAME_SOURCE, load_int(shift(runs, 8 * RUN_WORDS * middle), RUN_SOURCE))
    store_int(frame, FRAME_SPAN, longest * block)
    made = 1
    for k in range(2):
        first, end = (ZERO, middle) if k == 0 else (middle + 1, n_runs)
        made &= _make_side(runs, first, end, block, width, cell, frame, k)
    return made


@outlined(
    types.void(
        *(byte_pointer, types.intp, byte_pointer, types.intp, types.intp),
        *(byte_pointer, byte_pointer),
    )
)
def move_framed(dst, dst_pitch, src, src_pitch, rows, frame, fill):
    """Write rows that lie dst_pitch bytes apart, each read src_pitch bytes from the one before, by a frame."""
    before = fill if load_int(frame, _FILLS) else src
    behind = fill if load_int(frame, _FILLS + 1) else src
    copy_framed(dst, dst_pitch, src, src_pitch, rows, frame, before, behind, load_int(frame, _CELL))


# How the rows of a part are listed, for all of them: by nothing, by their runs, or by the offsets of their cells.
BY_AXIS, BY_RUNS, BY_CELLS = 0, 1, 2


class Lists(NamedTuple):
    """What is listed once for all rows of a part: their runs, and the offsets of their cells."""

    way: Any  # BY_CELLS, BY_RUNS, or BY_AXIS if nothing is
    n_runs: Any
    runs: Any
    offsets: Any


class Band(NamedTuple):
    """A band: outputs [y, y + n) of rows that lie each as far from the one before, in the output and in the source."""

    offset: Any  # in the output, of the first row's output y
    rows: Any
    row_pitch: Any
    src_pitch: Any
    y: Any
    n: Any


@outlined(
    types.void(
        *(byte_pointer, byte_pointer, types.NamedUniTuple(types.intp, len(Band._fields), Band)),
        *(byte_pointer, types.intp, byte_pointer, blocks_type),
    )
)
def fill_rows(writer, dst, band, table, part, axis, blocks):
    """Write the fill value over the rows of a band, whose n counts grains."""
    plane = load_int(table, part + g.PLANE)
    grain_bytes = load_int(table, part + g.GRAIN_BYTES)
    size = inner_pitch = grain_bytes
    rows, n = band.rows, band.n
    if plane == g.NO_PLANE and band.row_pitch == n * blocks.dst_pitch:
        # Rows without gaps are filled as one.
        rows, n = 1, n * rows
    elif plane != g.NO_PLANE:
        inner_dst_pitch = load_int(axis, g.DST_PITCH - g.AXIS_COLUMNS)
        if inner_dst_pitch != blocks.size or blocks.dst_pitch != grain_bytes:
            size, inner_pitch = blocks.size, inner_dst_pitch
    for i in range(rows):
        for j in range(grain_bytes // size):
            to = band.offset + i * band.row_pitch + j * inner_pitch
            emit_fill(writer, dst, to, blocks.dst_pitch, n, size, blocks.fill, blocks.width)


@outlined(
    types.void(
        *(byte_pointer, byte_pointer, byte_pointer, types.NamedUniTuple(types.intp, len(Band._fields), Band)),
        *(byte_pointer, blocks_type, types.NamedTuple((types.intp, types.intp, byte_pointer, byte_pointer), Lists)),
    )
)
def stage_rows(writer, dst, src, band, axis, blocks, lists):
    """Write the rows of a band into the stage, as if it were the output, from which it leaves."""
    is_whole = band.n == load_int(axis, g.COUNT)
    if lists.way == BY_RUNS and lists.n_runs == 1 and is_whole and load_int(lists.runs, RUN_SOURCE) != g.FILL:
        run = Run(band.n, blocks.size, blocks.dst_pitch, load_int(lists.runs, RUN_PITCH))
        if run.src_pitch != run.block and run.block >= SMALLEST_JOINED and band.row_pitch == run.n * run.block:
            every = Rows(band.rows, band.row_pitch, band.src_pitch)
            stream_blocks(writer, dst, band.offset, shift(src, load_int(lists.runs, RUN_SOURCE)), every, run)
            return
        most = _rows_at_once(band, band.n * blocks.size)
        for i in range(0, band.rows, most):
            rows = min(most, band.rows - i)
            row = shift(src, i * band.src_pitch)
            to = reserve(writer, dst, band.offset + i * band.row_pitch, rows * band.n * blocks.size)
            following = shift(row, rows * band.src_pitch)
            every = Rows(rows, band.n * blocks.size, band.src_pitch)
            move_rows(to, shift(row, load_int(lists.runs, RUN_SOURCE)), every, run, following)
            settle(writer, dst, following, LINE_BYTES)
        return
    plain = open_writer(stack_words(PLAIN_WRITER_WORDS), dst, 0)
    for i in range(band.rows):
        row = shift(src, i * band.src_pitch)
        to = reserve(writer, dst, band.offset + i * band.row_pitch, band.n * blocks.size)
        if lists.way == BY_CELLS:
            copy_listed(to, blocks.dst_pitch, row, shift(lists.offsets, 8 * band.y), band.n, blocks.size)
        elif lists.way == BY_RUNS and is_whole:
            move_runs(plain, to, 0, row, lists.runs, lists.n_runs, blocks)
        else:
            move_axis(plain, to, 0, row, axis, band.y, band.y + band.n, blocks)
        settle(writer, dst, shift(row, band.src_pitch), LINE_BYTES)


@loops
def _rows_at_once(band, row_bytes):
    """How many rows of a band are staged at a time: several where no gaps lie between them in the output."""
    return max(PORTION_BYTES // row_bytes, 1) if band.row_pitch == row_bytes else 1


@outlined(
    types.void(
        *(byte_pointer, byte_pointer, byte_pointer, types.NamedUniTuple(types.intp, len(Band._fields), Band)),
        *(types.intp, byte_pointer, byte_pointer),
    )
)
def stage_framed(writer, dst, src, band, row_bytes, frame, fill):
    """Write the whole rows of a band into the stage by a frame."""
    most = _rows_at_once(band, row_bytes)
    for i in range(0, band.rows, most):
        rows = min(most, band.rows - i)
        row = shift(src, i * band.src_pitch)
        to = reserve(writer, dst, band.offset + i * band.row_pitch, rows * row_bytes)
        move_framed(to, row_bytes, row, band.src_pitch, rows, frame, fill)
        settle(writer, dst, shift(row, rows * band.src_pitch), LINE_BYTES)
