"""Runs: n elements along one axis, read at one pitch, or none at all, in one row or in many.

Computes: copies, reversals, strided and repeated copies, and constants, of elements of any width.
Memory: reads what it is pointed at, writes each destination byte once, or twice alike where loads or vectors overlap.
Nothing is checked.
Fast because a contiguous copy is a memcpy, and what a constant shuffle makes of contiguous cells is moved by vectors.

The writer: output that leaves in whole cache lines, past the caches.

Computes: nothing; it places what is staged in the output, in order.
Memory: the stage, a few KiB on the stack of the chunk. It holds the bytes from the last whole cache line that was
written to the last byte that was emitted, at the same place in a line as in the output.
Fast because an ordinary store of memory that is not in a cache reads the line first: a third of the traffic of a copy.
Streaming stores do not, but they must write a whole, aligned line, which runs neither begin nor end with. So short
runs are moved into the stage, in the first-level cache, and whole lines of it are streamed. What `_streams` streams
from the source itself begins and ends in the stage.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._intrinsics._arrays_of_words import address_to
from fastops.kernels._intrinsics._memory import (
    ONE,
    ZERO,
    copy_blocks,
    copy_bytes,
    load_int,
    loops,
    narrow,
    shift,
    store_int,
)
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._vectors import (
    LINE_BYTES,
    SHORTEST_VECTOR,
    line_offset,
    move_vectors,
    prefetch,
    stream_line,
)

# Replication copies from the block that it has just written; 16 KiB of it stays in the first-level cache.
_REPLICA_BYTES = 16384


class Rows(NamedTuple):
    """Rows that lie as far from each other as the first two do."""

    count: Any
    dst_pitch: Any
    src_pitch: Any


#: Its type, for the signatures of out-of-line kernels.
rows_type = types.NamedUniTuple(types.intp, len(Rows._fields), Rows)


class Run(NamedTuple):
    """n blocks, read every src_pitch and written every dst_pitch bytes."""

    n: Any
    block: Any
    dst_pitch: Any
    src_pitch: Any


#: Its type.
run_type = types.NamedUniTuple(types.intp, len(Run._fields), Run)


@outlined(types.void(byte_pointer, byte_pointer, rows_type, run_type))
def copy_rows(dst, src, rows, run):
    """Copy one run in each of many rows, block by block.

    A function of its own, so that its loops have the registers to themselves: in `move_rows` they counted on the stack.
    """
    for i in range(rows.count):
        to, source = shift(dst, i * rows.dst_pitch), shift(src, i * rows.src_pitch)
        copy_blocks(to, run.dst_pitch, source, run.src_pitch, run.n, run.block)


@outlined(types.void(byte_pointer, byte_pointer, rows_type, run_type, byte_pointer))
def move_rows(dst, src, rows, run, ahead):
    """Copy one run in each of many rows; what is read next lies at `ahead`, and moves on with the rows.

    What a run needs is chosen once for all rows: that took as long as to move 256 bytes.
    """
    n, block, dst_pitch, src_pitch = run.n, run.block, run.dst_pitch, run.src_pitch
    if n == 0:
        return
    if src_pitch == block and dst_pitch == block:
        copy_rows(dst, src, Rows(ONE, ZERO, ZERO), Run(rows.count, n * block, rows.dst_pitch, rows.src_pitch))
        return
    done = 0
    if dst_pitch == block and n * block >= SHORTEST_VECTOR:
        done = move_vectors(dst, rows.dst_pitch, src, rows.src_pitch, rows.count, n, block, src_pitch, ahead)
    if done < n:
        rest = Run(n - done, block, dst_pitch, src_pitch)
        copy_rows(shift(dst, done * dst_pitch), shift(src, done * src_pitch), rows, rest)


@loops
def move_row(dst, dst_pitch, src, src_pitch, n, block, ahead):
    """Copy n blocks, read every src_pitch and written every dst_pitch bytes; what is read next lies at `ahead`."""
    move_rows(dst, src, Rows(ONE, ZERO, ZERO), Run(n, block, dst_pitch, src_pitch), ahead)


@loops
def replicate(dst, have, total):
    """Extend the first `have` bytes at dst periodically to `total` bytes, copying what is still in the cache."""
    size = have
    while have < total:
        n = min(size, total - have)
        copy_bytes(shift(dst, have), dst, n)
        have += n
        if size < _REPLICA_BYTES:
            size = have


@outlined(types.void(byte_pointer, types.intp, types.intp, types.intp, byte_pointer, types.intp))
def fill_run(dst, dst_pitch, n, block, fill, width):
    """Write the fill value, of `width` bytes, over n blocks: as one run of them, or else block by block."""
    is_cell = width <= 16 and width & (width - 1) == 0
    if block == width and (is_cell or dst_pitch != block):
        move_row(dst, dst_pitch, fill, 0, n, block, fill)
        return
    total = n * block if dst_pitch == block else block
    if is_cell:
        move_row(dst, width, fill, 0, total // width, width, fill)
    else:
        copy_bytes(dst, fill, width)
        replicate(dst, width, total)
    if dst_pitch != block:
        # Blocks with gaps are copies of the first one.
        copy_blocks(shift(dst, dst_pitch), dst_pitch, dst, 0, n - 1, block)


# Words of a writer: whether it streams, where the output begins in a cache line, then offsets in the output: of the
# stage's first byte, the first byte in it that is to be written, and the byte after the last one; how far it is in the
# source to the next row; and whether there is a pattern of the fill value.
_STREAMS, _MISALIGNMENT, _LINE, _FIRST, _END, _ROW_PITCH, _HAS_PATTERN = 0, 1, 2, 3, 4, 5, 6
_WRITER_BYTES = 64

# Lines are streamed once this many bytes are staged; by then the stores into the stage have left the store buffer.
_FLUSH_BYTES = 2048


# A portion, which is what of a run or of a plane is staged at once, has at most so many bytes. With twice as many, the
# gate's flip_rgb24 takes 0.84 of the time, because lanes of permutes are put together half as often, but channels of
# float32 and float16 take 1.1 to 1.36 times as long, rows padded by one cell 1.16, and flips of 8 axes 1.14.
PORTION_BYTES = 4096

#: Rows of up to these bytes are staged as a whole: what each run costs to place is then paid once. Padded rows of 544
#: and of 2176 bytes went from 0.45 and 0.7 of a streaming copy to 0.6 and 0.9.
STAGED_ROW_BYTES = 6144

#: The same for rows that are one run.
STAGED_RUN_BYTES = 1024

# Fill values of a width that no cell has, and walks with short cycles, are streamed from this many bytes of either.
PATTERN_BYTES = 2048

# Room for a line that is not complete, what may be staged before a flush, one more row, and what vectors write beyond
# the end of a run.
_STAGE_BYTES = LINE_BYTES + _FLUSH_BYTES + STAGED_ROW_BYTES + LINE_BYTES

# What a writer that streams has below its words: the stage, and behind it the pattern. The stage begins with a page of
# memory, so that the 4 KiB that most rows stay in are one page: where a page ended within them, rows of six runs took
# 4.3 to 6.2 ms instead of 3 (one thread of a Zen 3), by where the stack of the process happened to be.
_BELOW_BYTES = _STAGE_BYTES + PATTERN_BYTES
_PAGE_BYTES = 4096

#: 64-bit words of a writer, to be allocated by the chunk.
WRITER_WORDS = (_PAGE_BYTES + _BELOW_BYTES + _WRITER_BYTES) // 8

#: The same for a writer that does not stream.
PLAIN_WRITER_WORDS = (LINE_BYTES + _WRITER_BYTES) // 8


_NOWHERE = -(2**63)


@loops
def _stage(writer):
    return narrow(writer, -_BELOW_BYTES, _STAGE_BYTES)


@loops
def cycles_of(writer):
    """PATTERN_BYTES of scratch for the cycles of a walk, where a pattern of the fill value is no more."""
    store_int(writer, _HAS_PATTERN, 0)
    return narrow(writer, -PATTERN_BYTES, PATTERN_BYTES)


@loops
def streams_to(writer, dst_pitch, block):
    """True if blocks that are written every dst_pitch bytes are streamed."""
    return load_int(writer, _STREAMS) != 0 and dst_pitch == block


@loops
def open_writer(room, dst, streams):
    """Return a writer of an output, in WRITER_WORDS of room."""
    to_start = -address_to(room) & ((_PAGE_BYTES if streams else LINE_BYTES) - 1)
    writer = shift(room, to_start + (_BELOW_BYTES if streams else 0))
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


@loops
def bytes_to_line(writer, offset):
    """Bytes from an offset of the output to where a cache line begins, 0 if one begins there."""
    return -(offset + load_int(writer, _MISALIGNMENT)) & (LINE_BYTES - 1)


@loops
def pattern_of(writer):
    """PATTERN_BYTES of scratch for copies of a fill value, and whether they are there."""
    return narrow(writer, -PATTERN_BYTES, PATTERN_BYTES), load_int(writer, _HAS_PATTERN) != 0


@loops
def keep_pattern(writer):
    """Tell the writer that its pattern is there."""
    store_int(writer, _HAS_PATTERN, 1)


@outlined(types.void(byte_pointer, byte_pointer, byte_pointer, types.intp))
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


@outlined(types.void(byte_pointer, byte_pointer))
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
def place_writer(writer, offset):
    """Let the stage begin at an offset of the output."""
    store_int(writer, _LINE, offset - ((offset + load_int(writer, _MISALIGNMENT)) & (LINE_BYTES - 1)))
    store_int(writer, _FIRST, offset)
    store_int(writer, _END, offset)


@outlined(byte_pointer(byte_pointer, byte_pointer, types.intp, types.intp))
def reserve(writer, dst, offset, n):
    """Return where to stage the n bytes at an offset of the output; `settle` must follow when they are there."""
    if offset != load_int(writer, _END):
        finish_writer(writer, dst)
        place_writer(writer, offset)
    store_int(writer, _END, offset + n)
    return shift(_stage(writer), offset - load_int(writer, _LINE))


@outlined(types.void(byte_pointer, byte_pointer, byte_pointer, types.intp))
def settle(writer, dst, ahead, ahead_pitch):
    """Write what is staged if it is enough; the source goes on at `ahead`, `ahead_pitch` bytes for a line of output."""
    if load_int(writer, _END) - load_int(writer, _LINE) >= _FLUSH_BYTES:
        flush(writer, dst, ahead, ahead_pitch)


@loops
def next_source(writer, src, read, n, src_pitch):
    """Where the source goes on after `read` of the n elements of a run from src on: there, or in the next row."""
    return shift(src, read * src_pitch if read < n else expected_row_pitch(writer))
