"""Rows: outputs of an axis, moved run by run.

Computes: outputs [y0, y1) of an axis of any mode, at an offset of the output.
Memory: reads the source and the table, writes each destination byte once, or twice alike where vectors overlap. The
list of runs lies on the stack.
Fast because all rows of a part read at the same places, counted from where each begins, so that one list serves them;
and because a walk that repeats itself is made once and copied from there.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._axes import LIST_WORDS, RUN_COUNT, RUN_PITCH, RUN_SOURCE, RUN_WORDS, blocks_type, list_runs
from fastops.kernels._intrinsics._memory import copy_block, copy_blocks, load_int, shift, stack_words
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._runs import fill_run, move_row, replicate
from fastops.kernels._streams import stream_fill, stream_run
from fastops.kernels._tables._gather import ADVANCE, CYCLE, FILL, KIND, TOP, WALK
from fastops.kernels._writer import (
    PATTERN_BYTES,
    PLAIN_WRITER_WORDS,
    PORTION_BYTES,
    cycles_of,
    expected_row_pitch,
    open_writer,
    reserve,
    settle,
    streams_to,
)

# Runs of fewer outputs are not worth a call.
_SHORTEST_RUN = 8

# Walks that turn more often than every so many bytes are staged portion by portion, not run by run.
_SHORTEST_TURN = 256


@outlined(
    types.void(byte_pointer, byte_pointer, types.intp, byte_pointer, byte_pointer, types.intp, blocks_type),
)
def move_runs(writer, dst, offset, src, runs, n_runs, blocks):
    """Write the runs of a list, one behind the other, from an offset of the output on."""
    dst_pitch, block = blocks.dst_pitch, blocks.size
    streams = streams_to(writer, dst_pitch, block)
    row_pitch = expected_row_pitch(writer)
    for i in range(n_runs):
        run = shift(runs, 8 * RUN_WORDS * i)
        src_offset = load_int(run, RUN_SOURCE)
        src_pitch = load_int(run, RUN_PITCH)
        n = load_int(run, RUN_COUNT)
        source = shift(src, src_offset)
        to = shift(dst, offset)
        if streams and src_offset == FILL:
            stream_fill(writer, dst, offset, n * block, blocks.fill, blocks.width)
        elif streams:
            stream_run(writer, dst, offset, source, src_pitch, n, block)
        elif src_offset == FILL and block == blocks.width:
            move_row(to, dst_pitch, blocks.fill, 0, n, block, blocks.fill)
        elif src_offset == FILL:
            fill_run(to, dst_pitch, n, block, blocks.fill, blocks.width)
        elif src_pitch == block and dst_pitch == block:
            copy_block(to, source, n * block)
        elif n < _SHORTEST_RUN:
            copy_blocks(to, dst_pitch, source, src_pitch, n, block)
        else:
            move_row(to, dst_pitch, source, src_pitch, n, block, shift(source, row_pitch))
        offset += n * dst_pitch


@outlined(
    types.void(
        *(byte_pointer, byte_pointer, types.intp, byte_pointer),
        *(byte_pointer, types.intp, types.intp, blocks_type),
    )
)
def move_axis(writer, dst, offset, src, axis, y0, y1, blocks):
    """Write outputs [y0, y1) of an axis: its runs, or one cycle of them and copies of that."""
    dst_pitch, block = blocks.dst_pitch, blocks.size
    n = y1 - y0
    streams = streams_to(writer, dst_pitch, block)
    cycle, turn = n, _SHORTEST_TURN
    if load_int(axis, KIND) == WALK and dst_pitch == block:
        cycle = load_int(axis, CYCLE)
        turn = (load_int(axis, TOP) // abs(load_int(axis, ADVANCE)) + 1) * block
    # Where the output is streamed, the cycle is copied from a scratch, because the output itself is not in a cache.
    repeats = cycle < n // 2 and not streams
    is_patterned = streams and cycle * block <= PATTERN_BYTES // 2 and n * block >= 2 * PATTERN_BYTES
    is_staged = streams and turn < _SHORTEST_TURN and not is_patterned
    runs = stack_words(LIST_WORDS)
    plain = open_writer(stack_words(PLAIN_WRITER_WORDS), dst, 0)
    scratch = cycles_of(writer) if is_patterned else dst
    end = y0 + cycle if repeats or is_patterned else y1
    at = offset
    while y0 < end:
        most = max(PORTION_BYTES // block, 1) if is_staged else end
        n_runs, y = list_runs(axis, y0, min(y0 + most, end), runs)
        if is_patterned:
            move_runs(plain, scratch, at - offset, src, runs, n_runs, blocks)
        elif is_staged:
            to = reserve(writer, dst, at, (y - y0) * block)
            move_runs(plain, to, 0, src, runs, n_runs, blocks)
            settle(writer, dst, src, 0)
        else:
            move_runs(writer, dst, at, src, runs, n_runs, blocks)
        at += (y - y0) * dst_pitch
        y0 = y
    if repeats:
        replicate(shift(dst, offset), cycle * block, n * block)
    elif is_patterned:
        most = PATTERN_BYTES // (cycle * block) * cycle
        replicate(scratch, cycle * block, most * block)
        for i in range(0, n, most):
            stream_run(writer, dst, offset + i * block, scratch, block, min(n - i, most), block)
