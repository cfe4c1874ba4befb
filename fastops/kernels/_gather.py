"""The gather kernel: runs every slice plan, of any width, mode and number of parts.

Computes: for each part and output coordinate, destination bytes = source bytes at the offset that the table gives,
or the fill value.
Memory: owns none. Reads the source and the table, writes each destination byte once, or twice alike where vectors
overlap, keeps its counters on the stack.
Fast because the mode is gone before the inner loops: an axis is a few affine runs, and a run is a memcpy, a reversed,
strided or repeated copy, or a constant, for one size of cells known at compile time.

`docs/design/gather.md` tells how a table comes about.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import prange, types

from fastops.kernels._axes import LIST_WORDS, list_offsets, list_runs
from fastops.kernels._chunks import chunk_start
from fastops.kernels._frames import FRAME_WORDS, frame_runs, move_framed
from fastops.kernels._intrinsics._memory import copy_listed, load_int, loops, shift, stack_words
from fastops.kernels._intrinsics._objects import address_of, bytes_at, output_at
from fastops.kernels._intrinsics._types import array_address, array_addresses
from fastops.kernels._intrinsics._units import unit
from fastops.kernels._intrinsics._vectors import LINE_BYTES, finish_streams
from fastops.kernels._odometer import ODOMETER_WORDS, enter_row, next_row, rows_alike, skip_rows
from fastops.kernels._planes import move_pixels, move_plane, move_tiles, shuffle_groups
from fastops.kernels._rows import move_axis, move_runs
from fastops.kernels._runs import fill_run, move_run
from fastops.kernels._tables._gather import (
    AXES,
    AXIS_COLUMNS,
    BLOCK,
    COUNT,
    CROSSED,
    DST_INDEX,
    DST_PITCH,
    FILL_OFFSET,
    FIRST_AXIS,
    GRAIN_BYTES,
    GRAINS,
    HEADER_COLUMNS,
    NO_PLANE,
    PART_COLUMNS,
    PARTS,
    PLANE,
    STREAMS,
    TILES,
    TOTAL_BYTES,
    WIDTH,
)
from fastops.kernels._transpose import fill_stage, move_crossed
from fastops.kernels._writer import (
    PLAIN_WRITER_WORDS,
    STAGED_ROW_BYTES,
    STAGED_RUN_BYTES,
    WRITER_WORDS,
    emit_fill,
    expect_row_pitch,
    finish_writer,
    flush,
    open_writer,
    reserve,
    settle,
    stream_cells,
    stream_fill,
    stream_run,
    streams_to,
)

# Output 0 and chunk 0, as arguments that are no literals, for each of which Numba would compile anew.
_ORIGIN = np.intp(0)


# Bytes of a round, in which each part gets some. What is read for it should stay in the second-level cache until all
# parts have it. A split of rows of 12 KiB in three gained a tenth by it (in C, from 0.75 of a streaming copy to 0.95).
_ROUND_BYTES = 1 << 17


# Cells of rows that are moved by a list.
_LONGEST_LIST = 32


@loops
def _fill_grains(writer, dst, offset, table, part, last, n, fill):
    """Write the fill value over n outputs of the last axis, all of the inner one in each if they are a plane."""
    block = load_int(table, part + BLOCK)
    width = load_int(table, part + WIDTH)
    dst_pitch = load_int(table, last + DST_PITCH)
    grain_bytes = load_int(table, part + GRAIN_BYTES)
    plane = load_int(table, part + PLANE)
    if plane != TILES and plane != CROSSED:
        emit_fill(writer, dst, offset, dst_pitch, n, grain_bytes, fill, width)
        return
    inner = last - AXIS_COLUMNS
    for i in range(grain_bytes // block):
        emit_fill(writer, dst, offset + i * load_int(table, inner + DST_PITCH), dst_pitch, n, block, fill, width)


@loops
def _list_rows(table, last, count, block, is_whole, runs, offsets):
    """List the runs of a row, and the offsets of its cells; return how many runs, and if there are offsets.

    All rows of a part read at the same places, counted from where each begins: one list, if it is long enough, serves
    them all. Rows of a few cells, of several runs, are moved by a list of the cells: a run costs as much as several.
    """
    n_runs = 0
    if is_whole:
        n_runs, y = list_runs(table, last, _ORIGIN, count, runs)
        if y < count:
            n_runs = 0
    if n_runs > 1 and count <= _LONGEST_LIST and block <= 16 and block & (block - 1) == 0:
        return n_runs, list_offsets(runs, n_runs, offsets)
    return n_runs, 0


@loops
def _run_part(writer, dst, src, table, part, first, end, fill):
    """Write grains [first, end) of a part."""
    block = load_int(table, part + BLOCK)
    width = load_int(table, part + WIDTH)
    plane = load_int(table, part + PLANE)
    n_outer = load_int(table, part + AXES) - (1 if plane == NO_PLANE else 2)
    last = load_int(table, part + FIRST_AXIS) + (load_int(table, part + AXES) - 1) * AXIS_COLUMNS
    count = load_int(table, last + COUNT)
    dst_pitch = load_int(table, last + DST_PITCH)

    runs = stack_words(LIST_WORDS)
    offsets = stack_words(_LONGEST_LIST)
    n_runs, is_listed = _list_rows(table, last, count, block, plane == NO_PLANE and end - first > count, runs, offsets)

    # Rows of one long run with a few cells on either side are moved by a frame, all that are alike at once.
    frame = stack_words(FRAME_WORDS)
    is_framed = 0
    if n_runs > 1 and not is_listed and dst_pitch == block and not streams_to(writer, dst_pitch, block):
        is_framed = frame_runs(runs, n_runs, block, width, frame)

    # Short rows are moved into the stage as a whole, as if it were the output.
    is_staged = streams_to(writer, dst_pitch, block) and plane == NO_PLANE and count * block <= STAGED_ROW_BYTES
    if n_runs == 1:
        is_staged = is_staged and count * block <= STAGED_RUN_BYTES
    plain = open_writer(stack_words(PLAIN_WRITER_WORDS), dst, 0)

    states = stack_words(ODOMETER_WORDS)
    row = first // count if first else 0
    y = first - row * count
    dst_offset, src_offset, outside = enter_row(table, part, n_outer, states, row)
    row_axis = load_int(table, part + FIRST_AXIS) + (n_outer - 1) * AXIS_COLUMNS
    row_pitch = load_int(table, row_axis + DST_PITCH) if n_outer else 0
    left = end - first
    while True:
        n = min(count - y, left)
        more = src_pitch = 0
        if n < left and y == 0:
            more, src_pitch = rows_alike(table, part, n_outer, states)
            more = min(more, left // count - 1)
            expect_row_pitch(writer, src_pitch)
        if outside and plane == NO_PLANE and row_pitch == count * dst_pitch:
            # Rows without gaps are filled as one.
            _fill_grains(writer, dst, dst_offset + y * dst_pitch, table, part, last, n + more * count, fill)
        elif is_framed and n == count and not outside:
            source = shift(src, src_offset)
            move_framed(shift(dst, dst_offset), row_pitch, source, src_pitch, more + 1, frame, fill, width)
        else:
            for i in range(more + 1):
                offset = dst_offset + i * row_pitch + y * dst_pitch
                src_row = src_offset + i * src_pitch
                source = shift(src, src_row)
                if outside:
                    _fill_grains(writer, dst, offset, table, part, last, n, fill)
                elif plane != NO_PLANE:
                    move_plane(writer, dst, offset, src, src_row, table, part, last, y, y + n)
                else:
                    through, to, at = writer, dst, offset
                    if is_staged:
                        through, to, at = plain, reserve(writer, dst, offset, n * block), 0
                    if is_listed:
                        copy_listed(shift(to, at), dst_pitch, source, shift(offsets, 8 * y), n, block)
                    elif n_runs and n == count:
                        move_runs(through, to, at, dst_pitch, source, runs, n_runs, block, fill, width)
                    else:
                        move_axis(through, to, at, source, table, last, y, y + n, block, fill, width)
                    if is_staged:
                        settle(writer, dst, shift(source, src_pitch), LINE_BYTES)
        left -= n + more * count
        if left <= 0:
            break
        y = 0
        if more:
            skip_rows(table, part, n_outer, states, more, src_pitch)
            dst_offset += more * row_pitch
            src_offset += more * src_pitch
        dst_offset, src_offset, outside = next_row(table, part, n_outer, states, dst_offset, src_offset, outside)


@unit(types.void(array_addresses, array_address, array_address, array_address, types.intp, types.intp))
def gather_chunk(dsts, src_address, table_address, fill_address, chunk, chunks):
    """Write one of `chunks` equal shares of the grains of each part, in rounds through all parts.

    Parts of a split along an inner axis read the same rows. One part after the other, each would fetch what lies
    between its rows too, as far as the hardware reads ahead, and have it thrown away.
    """
    src = bytes_at(src_address)
    table = bytes_at(table_address)
    fill = bytes_at(fill_address)
    parts = load_int(table, PARTS)
    rounds = max(load_int(table, TOTAL_BYTES) // chunks // _ROUND_BYTES, 1) if parts > 1 else 1
    streamed = 0
    for i in range(chunk * rounds, (chunk + 1) * rounds):
        for p in range(parts):
            part = HEADER_COLUMNS + p * PART_COLUMNS
            grains = load_int(table, part + GRAINS)
            first = chunk_start(grains, i, chunks * rounds)
            end = chunk_start(grains, i + 1, chunks * rounds)
            if first < end:
                dst = output_at(address_of(dsts, load_int(table, part + DST_INDEX)))
                streams = load_int(table, part + STREAMS)
                writer = open_writer(stack_words(WRITER_WORDS), dst, streams)
                own_fill = shift(fill, load_int(table, part + FILL_OFFSET))
                _run_part(writer, dst, src, table, part, first, end, own_fill)
                if streams:
                    finish_writer(writer, dst)
                    streamed = 1
    if streamed:
        finish_streams()


# Units that every table needs, and those that tables need whose NEEDS have 1, 2, 4, 8 and 16.
UNITS = (
    (move_run, fill_run, move_runs, move_axis, gather_chunk),
    (reserve, settle, flush, finish_writer, stream_cells, stream_run, stream_fill),
    (move_tiles, move_plane),
    (fill_stage, move_crossed),
    (shuffle_groups, move_pixels),
    (move_framed,),
)
OPTIONS = {"parallel": True, "nogil": True, "error_model": "numpy"}
SIGNATURE = types.void(array_addresses, array_address, array_address, array_address, types.intp)


def gather(dsts, src, table, fill, workers):
    """Run a table: write every part's destination from the source, with `workers` threads, or serially for 1.

    dsts is a tuple of the destination arrays, src the source array, table an int64 array as `_tables._gather` lays it
    out, fill an array whose elements are the fill values in the source's dtype. The serial branch lies inside the
    same compiled function, so tiny work pays for no launch.
    """
    if workers == 1:
        gather_chunk(dsts, src, table, fill, _ORIGIN, workers)
    else:
        for chunk in prange(workers):
            gather_chunk(dsts, src, table, fill, chunk, workers)
