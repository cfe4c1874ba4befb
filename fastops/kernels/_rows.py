"""Streams: runs that leave past the caches, from the source itself as far as they have whole cache lines.

Computes: copies, constant shuffles, strided copies and fills of runs that are dense in the output.
Memory: reads what it is pointed at; writes the output in order, by way of the writer's stage where no line is whole.
Fast because a line that is streamed is neither read first nor staged, and the lines that two blocks share are put
together by two loads.

Rows: outputs of an axis, moved run by run.

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

from fastops.kernels._intrinsics._memory import (
    ONE,
    ZERO,
    copy_block,
    copy_blocks,
    copy_bytes,
    load_int,
    loops,
    shift,
    stack_words,
)
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._vectors import LINE_BYTES, prefetch, stream_line, stream_vectors
from fastops.kernels._odometer import LIST_WORDS, RUN_COUNT, RUN_PITCH, RUN_SOURCE, RUN_WORDS, blocks_type, list_runs
from fastops.kernels._tables._gather import ADVANCE, CYCLE, FILL, KIND, TOP, WALK
from fastops.kernels._writer import (
    PATTERN_BYTES,
    PLAIN_WRITER_WORDS,
    PORTION_BYTES,
    Rows,
    Run,
    bytes_to_line,
    cycles_of,
    expected_row_pitch,
    fill_run,
    flush,
    keep_pattern,
    move_row,
    next_source,
    open_writer,
    pattern_of,
    place_writer,
    replicate,
    reserve,
    rows_type,
    run_type,
    settle,
    streams_to,
)

# Copies from this length on are streamed from the source. Below, the lines at their ends are too large a share.
_DIRECT_BYTES = 512

# Streaming reads ahead by this many bytes: the stores leave the hardware's prefetchers too little time.
_AHEAD_BYTES = 1024

# Blocks that lie one behind the other in the output, but not in the source, are streamed from the source if they have
# so many bytes. Of shorter ones too many lines are shared by two; longer ones are copies. Crops of rows of 256 to 1000
# bytes take 0.5 to 0.7 of the time that they took by way of the stage, of 128 bytes 0.9 (one thread of a Zen 4).
SMALLEST_JOINED = 128
_LARGEST_JOINED = 1024

# How far ahead of a block its successors are fetched: rows of blocks, or blocks of the only row.
_ROWS_AHEAD, _BLOCKS_AHEAD = 2, 4

_SHARED_WORDS = 2 * LINE_BYTES // 8


@outlined(types.void(byte_pointer, byte_pointer, types.intp, byte_pointer, rows_type, run_type))
def stream_blocks(writer, dst, offset, src, rows, run):
    """Stream rows of blocks of a line and more, all of which lie one behind the other in the output.

    A line that two blocks share is made of the end of one and the beginning of the other.
    """
    block = run.block
    ahead_pitch = _ROWS_AHEAD * rows.src_pitch if rows.count > 1 else _BLOCKS_AHEAD * run.src_pitch
    shared = stack_words(_SHARED_WORDS)
    last = src
    head = bytes_to_line(writer, offset)
    copy_bytes(reserve(writer, dst, offset, head), src, head)
    flush(writer, dst, src, 0)
    for i in range(rows.count):
        for j in range(run.n):
            source = shift(src, i * rows.src_pitch + j * run.src_pitch)
            if head and (i or j):
                copy_bytes(shared, last, LINE_BYTES)
                copy_bytes(shift(shared, LINE_BYTES), source, LINE_BYTES)
                stream_line(shift(dst, offset + head - LINE_BYTES), shift(shared, head))
            to, at = shift(dst, offset + head), shift(source, head)
            for k in range((block - head) // LINE_BYTES):
                prefetch(shift(at, ahead_pitch + k * LINE_BYTES))
                stream_line(shift(to, k * LINE_BYTES), shift(at, k * LINE_BYTES))
            last = shift(source, block - LINE_BYTES)
            offset += block
            head = (head - block) & (LINE_BYTES - 1)
    tail = -head & (LINE_BYTES - 1)
    place_writer(writer, offset - tail)
    copy_bytes(reserve(writer, dst, offset - tail, tail), shift(last, LINE_BYTES - tail), tail)


@outlined(types.void(byte_pointer, byte_pointer, types.intp, byte_pointer, types.intp, types.intp, types.intp))
def stream_cells(writer, dst, offset, src, src_pitch, n, cell):
    """Stream n cells, read every `src_pitch` bytes, to an offset of the output.

    All lines but the first and the last one are streamed from the source itself.

    The pitch is -1, 0, 1 or 2 cells, of 1 to 16 bytes, at multiples of which lines begin.
    """
    head = bytes_to_line(writer, offset) // cell
    move_row(reserve(writer, dst, offset, head * cell), cell, src, src_pitch, head, cell, src)
    # What was staged a moment ago leaves the store buffer behind all lines that are streamed before it. If its line
    # leaves after theirs, copies take 0.88 of the time (Zen 4), but reversed runs 1.1 times as long (Zen 3).
    if src_pitch < 0:
        flush(writer, dst, src, LINE_BYTES)
    # Beyond what a pitch of 2 cells reads, one more may be missing.
    lines = (n - head - (1 if src_pitch > cell else 0)) * cell // LINE_BYTES
    in_line = LINE_BYTES // cell
    near = max(lines - _AHEAD_BYTES // abs(in_line * src_pitch), 0) if src_pitch else lines
    # The source is read upwards: first what lies near its beginning, then what lies near its end.
    lowest = shift(src, (head if src_pitch >= 0 else head + lines * in_line - 1) * src_pitch)
    ahead = shift(lowest, _AHEAD_BYTES)
    first = 0 if src_pitch >= 0 else lines - near
    for count in (near, lines - near):
        cells = head + first * in_line
        stream_vectors(shift(dst, offset + cells * cell), shift(src, cells * src_pitch), count, cell, src_pitch, ahead)
        ahead = shift(lowest, expected_row_pitch(writer))
        first = near if src_pitch >= 0 else 0
    if src_pitch >= 0:
        flush(writer, dst, src, LINE_BYTES)
    done = head + lines * in_line
    place_writer(writer, offset + done * cell)
    to = reserve(writer, dst, offset + done * cell, (n - done) * cell)
    move_row(to, cell, shift(src, done * src_pitch), src_pitch, n - done, cell, src)


@loops
def _emit_copy(writer, dst, offset, src, n):
    """Copy n contiguous bytes to an offset of a streamed output."""
    if n >= _DIRECT_BYTES:
        stream_cells(writer, dst, offset, src, 1, n, 1)
    else:
        copy_bytes(reserve(writer, dst, offset, n), src, n)
        settle(writer, dst, shift(src, expected_row_pitch(writer)), LINE_BYTES)


@loops
def _is_cell(n):
    return n <= 16 and n & (n - 1) == 0


@loops
def _is_shuffled(writer, offset, src_pitch, n, block):
    """True if cells are streamed by constant shuffles: there are enough of them, and lines begin where a cell does."""
    if src_pitch != -block and src_pitch != 0 and src_pitch != 2 * block:
        return False
    if not _is_cell(block) or n * block < _DIRECT_BYTES:
        return False
    return bytes_to_line(writer, offset) & (block - 1) == 0


@outlined(types.void(byte_pointer, byte_pointer, types.intp, byte_pointer, types.intp, types.intp, types.intp))
def stream_run(writer, dst, offset, src, src_pitch, n, block):
    """Copy n blocks, read every src_pitch bytes, to an offset of a streamed output, one behind the other."""
    if src_pitch == block:
        _emit_copy(writer, dst, offset, src, n * block)
    elif SMALLEST_JOINED <= block <= _LARGEST_JOINED:
        stream_blocks(writer, dst, offset, src, Rows(ONE, ZERO, ZERO), Run(n, block, block, src_pitch))
    elif block > _LARGEST_JOINED:
        for i in range(n):
            _emit_copy(writer, dst, offset + i * block, shift(src, i * src_pitch), block)
    elif _is_shuffled(writer, offset, src_pitch, n, block):
        stream_cells(writer, dst, offset, src, src_pitch, n, block)
    else:
        most = PORTION_BYTES // block
        for i in range(0, n, most):
            m = min(n - i, most)
            to = reserve(writer, dst, offset + i * block, m * block)
            ahead = next_source(writer, src, i + m, n, src_pitch)
            move_row(to, block, shift(src, i * src_pitch), src_pitch, m, block, ahead)
            settle(writer, dst, ahead, 0)


@outlined(types.void(byte_pointer, byte_pointer, types.intp, types.intp, byte_pointer, types.intp))
def stream_fill(writer, dst, offset, n, fill, width):
    """Write the fill value over n bytes from an offset of a streamed output on."""
    if _is_cell(width):
        stream_run(writer, dst, offset, fill, 0, n // width, width)
        return
    pattern = fill
    if width <= PATTERN_BYTES:
        pattern, is_there = pattern_of(writer)
        if not is_there:
            copy_bytes(pattern, fill, width)
            replicate(pattern, width, PATTERN_BYTES // width * width)
            keep_pattern(writer)
    most = max(PATTERN_BYTES // width, 1) * width
    for i in range(0, n, most):
        _emit_copy(writer, dst, offset + i, pattern, min(n - i, most))


@loops
def emit_fill(writer, dst, offset, dst_pitch, n, block, fill, width):
    """Write the fill value over n blocks from an offset of the output on, every dst_pitch bytes."""
    if streams_to(writer, dst_pitch, block):
        stream_fill(writer, dst, offset, n * block, fill, width)
    else:
        fill_run(shift(dst, offset), dst_pitch, n, block, fill, width)


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
