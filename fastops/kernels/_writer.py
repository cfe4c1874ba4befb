"""The writer: output that leaves in whole cache lines, past the caches.

Computes: nothing; it places runs in the output, in the order in which they are emitted.
Memory: the stage, a few KiB on the stack of the chunk. It holds the bytes from the last whole cache line that was
written to the last byte that was emitted, at the same place in a line as in the output.
Fast because an ordinary store of memory that is not in a cache reads the line first: a third of the traffic of a copy.
Streaming stores do not, but they must write a whole, aligned line, which runs neither begin nor end with. So short
runs are moved into the stage, in the first-level cache, and whole lines of it are streamed. Long copies are streamed
from the source itself, all but their first and last line.

Everything is emitted through these functions; where a part is not streamed, they write the output directly.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._intrinsics._memory import copy_bytes, load_int, loops, narrow, shift, store_int
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._units import unit
from fastops.kernels._intrinsics._vectors import LINE_BYTES, line_offset, prefetch, stream_line, stream_vectors
from fastops.kernels._runs import fill_run, move_row, replicate

# Words of a writer: whether it streams, where the output begins in a cache line, then offsets in the output: of the
# stage's first byte, the first byte in it that is to be written, and the byte after the last one; how far it is in the
# source to the next row; and whether there is a pattern of the fill value.
_STREAMS, _MISALIGNMENT, _LINE, _FIRST, _END, _ROW_PITCH, _HAS_PATTERN = 0, 1, 2, 3, 4, 5, 6
_WRITER_BYTES = 64

# Lines are streamed once this many bytes are staged; by then the stores into the stage have left the store buffer.
_FLUSH_BYTES = 2048

# Copies from this length on are streamed from the source. Below, the lines at their ends are too large a share.
_DIRECT_BYTES = 512

# A portion, which is what of a run or of a plane is staged at once, has at most so many bytes.
PORTION_BYTES = 4096

#: Rows of up to these bytes are staged as a whole: what each run costs to place is then paid once. Padded rows of 544
#: and of 2176 bytes went from 0.45 and 0.7 of a streaming copy to 0.6 and 0.9.
STAGED_ROW_BYTES = 8192

#: The same for rows that are one run.
STAGED_RUN_BYTES = 1024

# Fill values of a width that no cell has, and walks with short cycles, are streamed from this many bytes of them.
PATTERN_BYTES = 2048

# Room for a line that is not complete, what may be staged before a flush, one more row, and what vectors write beyond
# the end of a run.
_STAGE_BYTES = LINE_BYTES + _FLUSH_BYTES + STAGED_ROW_BYTES + LINE_BYTES

#: 64-bit words of a writer, to be allocated by the chunk.
WRITER_WORDS = (LINE_BYTES + _WRITER_BYTES + _STAGE_BYTES + 2 * PATTERN_BYTES) // 8

#: The same for a writer that does not stream.
PLAIN_WRITER_WORDS = (LINE_BYTES + _WRITER_BYTES) // 8

# Streaming reads ahead by this many bytes: the stores leave the hardware's prefetchers too little time.
_AHEAD_BYTES = 1024

_NOWHERE = -(2**63)


@loops
def _stage(writer):
    return narrow(writer, _WRITER_BYTES, _STAGE_BYTES)


@loops
def _pattern(writer):
    return narrow(writer, _WRITER_BYTES + _STAGE_BYTES, PATTERN_BYTES)


@loops
def cycles_of(writer):
    """PATTERN_BYTES of scratch for the cycles of a walk."""
    return narrow(writer, _WRITER_BYTES + _STAGE_BYTES + PATTERN_BYTES, PATTERN_BYTES)


@loops
def streams_to(writer, dst_pitch, block):
    """True if blocks that are written every dst_pitch bytes are streamed."""
    return load_int(writer, _STREAMS) != 0 and dst_pitch == block


@loops
def open_writer(room, dst, streams):
    """Return a writer of an output, in WRITER_WORDS of room."""
    writer = shift(room, (LINE_BYTES - line_offset(room)) % LINE_BYTES)
    store_int(writer, _STREAMS, streams)
    store_int(writer, _MISALIGNMENT, line_offset(dst))
    store_int(writer, _LINE, 0)
    store_int(writer, _FIRST, 0)
    store_int(writer, _END, _NOWHERE)
    store_int(writer, _ROW_PITCH, 0)
    store_int(writer, _HAS_PATTERN, 0)
    return writer


@loops
def expect_row_pitch(writer, row_pitch):
    """Tell the writer how many bytes the source of the next row probably lies from that of this one."""
    store_int(writer, _ROW_PITCH, row_pitch)


@loops
def expected_row_pitch(writer):
    """How many bytes the source of the next row probably lies from that of this one."""
    return load_int(writer, _ROW_PITCH)


@unit(types.void(byte_pointer, byte_pointer, byte_pointer, types.intp))
def flush(writer, dst, ahead, ahead_pitch):
    """Write the whole lines of the stage, and keep the rest.

    Meanwhile fetch what is read next: for each line another one, `ahead_pitch` bytes further on than the last.
    """
    stage = _stage(writer)
    line = load_int(writer, _LINE)
    first = load_int(writer, _FIRST)
    whole = (load_int(writer, _END) - line) & -LINE_BYTES
    if whole <= 0:
        return
    done = 0
    if first > line:
        copy_bytes(shift(dst, first), shift(stage, first - line), line + LINE_BYTES - first)
        done = LINE_BYTES
    for i in range(done, whole, LINE_BYTES):
        prefetch(ahead)
        ahead = shift(ahead, ahead_pitch)
        stream_line(shift(dst, line + i), shift(stage, i))
    copy_bytes(stage, shift(stage, whole), LINE_BYTES)
    store_int(writer, _LINE, line + whole)
    store_int(writer, _FIRST, line + whole)


@unit(types.void(byte_pointer, byte_pointer))
def finish_writer(writer, dst):
    """Write all that is staged."""
    end = load_int(writer, _END)
    if end == _NOWHERE:
        return
    flush(writer, dst, dst, 0)
    first = load_int(writer, _FIRST)
    copy_bytes(shift(dst, first), shift(_stage(writer), first - load_int(writer, _LINE)), end - first)
    store_int(writer, _END, _NOWHERE)


@loops
def _place_writer(writer, offset):
    """Let the stage begin at an offset of the output."""
    in_line = (offset + load_int(writer, _MISALIGNMENT)) & (LINE_BYTES - 1)
    store_int(writer, _LINE, offset - in_line)
    store_int(writer, _FIRST, offset)
    store_int(writer, _END, offset)


@unit(byte_pointer(byte_pointer, byte_pointer, types.intp, types.intp))
def reserve(writer, dst, offset, n):
    """Return where to stage the n bytes at an offset of the output; `settle` must follow when they are there."""
    if offset != load_int(writer, _END):
        finish_writer(writer, dst)
        _place_writer(writer, offset)
    store_int(writer, _END, offset + n)
    return shift(_stage(writer), offset - load_int(writer, _LINE))


@unit(types.void(byte_pointer, byte_pointer, byte_pointer, types.intp))
def settle(writer, dst, ahead, ahead_pitch):
    """Write what is staged if it is enough; the source goes on at `ahead`, `ahead_pitch` bytes for a line of output."""
    if load_int(writer, _END) - load_int(writer, _LINE) >= _FLUSH_BYTES:
        flush(writer, dst, ahead, ahead_pitch)


@loops
def next_source(writer, src, read, n, src_pitch):
    """Where the source goes on after `read` of the n elements of a run from src on: there, or in the next row."""
    return shift(src, read * src_pitch if read < n else expected_row_pitch(writer))


@unit(types.void(byte_pointer, byte_pointer, types.intp, byte_pointer, types.intp, types.intp, types.intp))
def stream_cells(writer, dst, offset, src, src_pitch, n, cell):
    """Stream n cells, read every `src_pitch` bytes, to an offset of the output.

    All lines but the first and the last one are streamed from the source itself.

    The pitch is -1, 0, 1 or 2 cells, of 1 to 16 bytes, at multiples of which lines begin.
    """
    head = (-(offset + load_int(writer, _MISALIGNMENT)) & (LINE_BYTES - 1)) // cell
    move_row(reserve(writer, dst, offset, head * cell), cell, src, src_pitch, head, cell, src)
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
    done = head + lines * in_line
    _place_writer(writer, offset + done * cell)
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
    return (offset + load_int(writer, _MISALIGNMENT)) & (block - 1) == 0


@unit(types.void(byte_pointer, byte_pointer, types.intp, byte_pointer, types.intp, types.intp, types.intp))
def stream_run(writer, dst, offset, src, src_pitch, n, block):
    """Copy n blocks, read every src_pitch bytes, to an offset of a streamed output, one behind the other."""
    if src_pitch == block:
        _emit_copy(writer, dst, offset, src, n * block)
    elif block >= _DIRECT_BYTES:
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


@unit(types.void(byte_pointer, byte_pointer, types.intp, types.intp, byte_pointer, types.intp))
def stream_fill(writer, dst, offset, n, fill, width):
    """Write the fill value over n bytes from an offset of a streamed output on."""
    if _is_cell(width):
        stream_run(writer, dst, offset, fill, 0, n // width, width)
        return
    pattern = fill
    if width <= PATTERN_BYTES:
        pattern = _pattern(writer)
        if not load_int(writer, _HAS_PATTERN):
            copy_bytes(pattern, fill, width)
            replicate(pattern, width, PATTERN_BYTES // width * width)
            store_int(writer, _HAS_PATTERN, 1)
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
