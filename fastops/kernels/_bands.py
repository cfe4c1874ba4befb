"""Bands: rows that lie each as far from the one before, which are filled, or leave by way of the stage.

Computes: the rows of a band, each from its output y on.
Memory: reads the source and what is listed of a row, writes each destination byte once.
Fast because rows without gaps are filled, or staged, as one; and because whole cache lines of the stage leave at once.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._axes import RUN_PITCH, RUN_SOURCE, blocks_type
from fastops.kernels._frames import move_framed
from fastops.kernels._intrinsics._memory import copy_listed, load_int, loops, shift, stack_words
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._vectors import LINE_BYTES
from fastops.kernels._rows import move_axis, move_runs
from fastops.kernels._runs import Rows, Run, move_rows
from fastops.kernels._streams import SMALLEST_JOINED, emit_fill, stream_blocks
from fastops.kernels._tables import _gather as g
from fastops.kernels._writer import PLAIN_WRITER_WORDS, PORTION_BYTES, open_writer, reserve, settle

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
