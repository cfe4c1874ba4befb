"""Rows: the outputs of an axis of any mode, moved run by run; streamed from the source where runs are long.

Computes: outputs [y0, y1) of an axis, at an offset of the output. Memory: reads the source and the table, writes each
destination byte once, or twice with the same value where vectors overlap; streamed output is written run after run. The
list of runs lies on the stack. Fast because a line that is streamed from the source itself is neither read first nor
staged, and a line that two blocks share takes two loads; and because one period of a periodic axis is made once and
then copied.
"""

# Intrinsics take and return types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from numba import types

from fastops.kernels import _writer as wr
from fastops.kernels._axes import LIST_WORDS, RUN_COUNT, RUN_PITCH, RUN_SOURCE, RUN_WORDS, blocks_type, list_runs
from fastops.kernels._intrinsics import _memory as mem
from fastops.kernels._intrinsics._outlined import byte_pointer, outlined
from fastops.kernels._intrinsics._vectors import LINE_BYTES, Rows, prefetch, rows_type, stream_line, stream_vectors
from fastops.kernels._tables._gather import CYCLE, FILL, KIND, PERIODIC
from fastops.kernels._writer import PLAIN_WRITER_WORDS

# Copies from this length on are streamed from the source. Below, the lines at their ends are too large a share.
_DIRECT_BYTES = 512

# Streaming reads ahead by this many bytes: the stores leave the hardware's prefetchers too little time.
_AHEAD_BYTES = 1024

# Blocks that are contiguous in the output, but not in the source, are streamed from the source if they have 128 bytes
# or more. Shorter blocks share too many lines. Crops of rows of 256 to 1000 bytes take 0.5 to 0.7 of the time that they
# take through the staging buffer, rows of 128 bytes 0.9 (one thread of a Zen 4).
SMALLEST_JOINED = 128

# How far ahead blocks are prefetched: in rows of blocks or, if there is one row only, in blocks.
_ROWS_AHEAD, _BLOCKS_AHEAD = 2, 4

_SHARED_WORDS = 2 * LINE_BYTES // 8


@outlined(types.void(byte_pointer, byte_pointer, types.intp, byte_pointer, rows_type, wr.run_type))
def stream_blocks(writer, dst, offset, src, rows, run):
    """Stream rows of blocks of at least a line, which are contiguous in the output.

    A line that two blocks share is made of the end of one and the beginning of the other.
    """
    block = run.block
    ahead_pitch = _ROWS_AHEAD * rows.src_pitch if rows.count > 1 else _BLOCKS_AHEAD * run.src_pitch
    shared = mem.stack_words(_SHARED_WORDS)
    last = src
    head = wr.bytes_to_line(writer, offset)
    mem.copy_bytes(wr.reserve(writer, dst, offset, head), src, head)
    wr.flush(writer, dst, src, 0)
    for i in range(rows.count):
        for j in range(run.n):
            source = mem.shift(src, i * rows.src_pitch + j * run.src_pitch)
            if head and (i or j):
                mem.copy_bytes(shared, last, LINE_BYTES)
                mem.copy_bytes(mem.shift(shared, LINE_BYTES), source, LINE_BYTES)
                stream_line(mem.shift(dst, offset + head - LINE_BYTES), mem.shift(shared, head))
            to, at = mem.shift(dst, offset + head), mem.shift(source, head)
            for k in range((block - head) // LINE_BYTES):
                prefetch(mem.shift(at, ahead_pitch + k * LINE_BYTES))
                stream_line(mem.shift(to, k * LINE_BYTES), mem.shift(at, k * LINE_BYTES))
            last = mem.shift(source, block - LINE_BYTES)
            offset += block
            head = (head - block) & (LINE_BYTES - 1)
    tail = -head & (LINE_BYTES - 1)
    wr.place_writer(writer, offset - tail)
    mem.copy_bytes(wr.reserve(writer, dst, offset - tail, tail), mem.shift(last, LINE_BYTES - tail), tail)


@outlined(types.void(byte_pointer, byte_pointer, types.intp, byte_pointer, types.intp, types.intp, types.intp))
def stream_cells(writer, dst, offset, src, src_pitch, n, cell):
    """Stream n cells, read every `src_pitch` bytes, to an offset of the output.

    All lines but the first and the last one are streamed from the source itself. The pitch is -1, 0, 1 or 2 cells, of 1
    to 16 bytes; lines begin at multiples of cells.
    """
    head = wr.bytes_to_line(writer, offset) // cell
    wr.move_row(wr.reserve(writer, dst, offset, head * cell), cell, src, src_pitch, head, cell, src)
    # A load of staged bytes waits for their stores, which wait for all lines that were streamed before. If the first
    # line leaves after the others, copies take 0.88 of the time (Zen 4), but reversed runs 1.1 times as long (Zen 3).
    if src_pitch < 0:
        wr.flush(writer, dst, src, LINE_BYTES)
    # With a pitch of 2 cells, a line is read with the cell after its last one, which may not exist for the last line.
    lines = (n - head - (1 if src_pitch > cell else 0)) * cell // LINE_BYTES
    in_line = LINE_BYTES // cell
    near = max(lines - _AHEAD_BYTES // abs(in_line * src_pitch), 0) if src_pitch else lines
    # The source is read upwards: first the lines near its beginning, then those near its end, which prefetch the next
    # row.
    lowest = mem.shift(src, (head if src_pitch >= 0 else head + lines * in_line - 1) * src_pitch)
    ahead = mem.shift(lowest, _AHEAD_BYTES)
    first = 0 if src_pitch >= 0 else lines - near
    for count in (near, lines - near):
        cells = head + first * in_line
        stream_vectors(
            mem.shift(dst, offset + cells * cell), mem.shift(src, cells * src_pitch), count, cell, src_pitch, ahead
        )
        ahead = mem.shift(lowest, writer[wr.ROW_PITCH])
        first = near if src_pitch >= 0 else 0
    if src_pitch >= 0:
        wr.flush(writer, dst, src, LINE_BYTES)
    done = head + lines * in_line
    wr.place_writer(writer, offset + done * cell)
    to = wr.reserve(writer, dst, offset + done * cell, (n - done) * cell)
    wr.move_row(to, cell, mem.shift(src, done * src_pitch), src_pitch, n - done, cell, src)


def _is_shuffled(writer, offset, src_pitch, n, block):
    """True if constant shuffles can stream cells: there are enough cells, and lines begin where a cell begins."""
    if src_pitch != -block and src_pitch != 0 and src_pitch != 2 * block:
        return False
    if not wr.is_cell(block) or n * block < _DIRECT_BYTES:
        return False
    return wr.bytes_to_line(writer, offset) & (block - 1) == 0


@outlined(types.void(byte_pointer, byte_pointer, types.intp, byte_pointer, types.intp, types.intp, types.intp))
def stream_run(writer, dst, offset, src, src_pitch, n, block):
    """Copy n blocks, read every src_pitch bytes, to an offset of a streamed output, one behind the other."""
    if src_pitch == block and n * block >= _DIRECT_BYTES:
        stream_cells(writer, dst, offset, src, 1, n * block, 1)
    elif src_pitch == block:
        mem.copy_bytes(wr.reserve(writer, dst, offset, n * block), src, n * block)
        wr.settle(writer, dst, mem.shift(src, writer[wr.ROW_PITCH]), LINE_BYTES)
    elif block >= SMALLEST_JOINED:
        stream_blocks(writer, dst, offset, src, Rows(1, 0, 0), wr.Run(n, block, block, src_pitch))
    elif _is_shuffled(writer, offset, src_pitch, n, block):
        stream_cells(writer, dst, offset, src, src_pitch, n, block)
    else:
        most = wr.STAGED_BYTES // block
        for i in range(0, n, most):
            m = min(n - i, most)
            to = wr.reserve(writer, dst, offset + i * block, m * block)
            ahead = wr.next_source(writer, src, i + m, n, src_pitch)
            if src_pitch == 0:
                wr.fill_run(to, block, m, block, src, block)
            else:
                wr.move_row(to, block, mem.shift(src, i * src_pitch), src_pitch, m, block, ahead)
            wr.settle(writer, dst, ahead, 0)


def fill_blocks(writer, dst, offset, n, blocks):
    """Write the fill value over n blocks from an offset of the output on."""
    if wr.streams_to(writer, blocks.dst_pitch, blocks.size):
        stream_run(writer, dst, offset, blocks.fill, 0, n * blocks.size // blocks.width, blocks.width)
    else:
        wr.fill_run(mem.shift(dst, offset), blocks.dst_pitch, n, blocks.size, blocks.fill, blocks.width)


# Runs of fewer outputs are not worth a call.
_SHORTEST_RUN = 8

# Streamed periodic axes with short periods are copied from a pattern of up to this many bytes.
_PATTERN_BYTES = 2048
_PATTERN_WORDS = _PATTERN_BYTES // 8


@outlined(types.void(byte_pointer, byte_pointer, types.intp, byte_pointer, byte_pointer, types.intp, blocks_type))
def move_runs(writer, dst, offset, src, runs, n_runs, blocks):
    """Write the runs of a list, one behind the other, from an offset of the output on."""
    dst_pitch, size = blocks.dst_pitch, blocks.size
    streams = wr.streams_to(writer, dst_pitch, size)
    for i in range(n_runs):
        run = mem.words_at(runs, RUN_WORDS * i)
        src_pitch, n, block = run[RUN_PITCH], run[RUN_COUNT], size
        source, to = mem.shift(src, run[RUN_SOURCE]), mem.shift(dst, offset)
        if run[RUN_SOURCE] == FILL:
            fill_blocks(writer, dst, offset, n, blocks)
        elif streams:
            stream_run(writer, dst, offset, source, src_pitch, n, block)
        elif n < _SHORTEST_RUN or (src_pitch == block and dst_pitch == block):
            is_dense = src_pitch == block and dst_pitch == block
            mem.copy_blocks(to, dst_pitch, source, src_pitch, 1 if is_dense else n, n * block if is_dense else block)
        else:
            wr.move_row(to, dst_pitch, source, src_pitch, n, block, mem.shift(source, writer[wr.ROW_PITCH]))
        offset += n * dst_pitch


def _move_lists(writer, dst, offset, src, axis, y0, y1, blocks, runs):
    """Write outputs [y0, y1) of an axis, list after list of their runs."""
    while y0 < y1:
        n_runs, y = list_runs(axis, y0, y1, runs)
        move_runs(writer, dst, offset, src, runs, n_runs, blocks)
        offset += (y - y0) * blocks.dst_pitch
        y0 = y


@outlined(types.void(*(byte_pointer,) * 2, types.intp, *(byte_pointer,) * 2, types.intp, types.intp, blocks_type))
def move_axis(writer, dst, offset, src, axis, y0, y1, blocks):
    """Write outputs [y0, y1) of an axis: its runs, or one period of them and copies of that."""
    dst_pitch, block = blocks.dst_pitch, blocks.size
    n, runs = y1 - y0, mem.stack_words(LIST_WORDS)
    period = axis[CYCLE] if axis[KIND] == PERIODIC and dst_pitch == block else n
    streams, repeats = wr.streams_to(writer, dst_pitch, block), period < n // 2
    if streams and repeats and period * block <= _PATTERN_BYTES // 2 and n * block >= 2 * _PATTERN_BYTES:
        # A streamed output is in no cache, so it is copied from a pattern of the period.
        plain = wr.open_writer(mem.stack_words(PLAIN_WRITER_WORDS), dst, 0)
        pattern, most = mem.stack_words(_PATTERN_WORDS), _PATTERN_BYTES // (period * block) * period
        _move_lists(plain, pattern, 0, src, axis, y0, y0 + period, blocks, runs)
        wr.replicate(pattern, period * block, most * block)
        for i in range(0, n, most):
            stream_run(writer, dst, offset + i * block, pattern, block, min(n - i, most), block)
    elif repeats and not streams:
        _move_lists(writer, dst, offset, src, axis, y0, y0 + period, blocks, runs)
        wr.replicate(mem.shift(dst, offset), period * block, n * block)
    else:
        _move_lists(writer, dst, offset, src, axis, y0, y1, blocks, runs)


mem.let_kernels_call(__name__)
