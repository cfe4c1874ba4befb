"""Runs of blocks, in one row or in many, and the nontemporal writer, which writes whole cache lines past the caches.

Computes: copies, reversals, strided and repeated copies, and constants, of blocks of any width. Memory: reads the
source, writes each destination byte once, or twice with the same value where loads or vectors overlap. The staging
buffer, a few KiB of a chunk's own memory, holds the bytes of output that follow the last whole cache line written, each
at the same place in a line as in the output. Nothing is checked. Fast because a contiguous copy is a memcpy, and cells
that are contiguous in the output are moved by vectors and a constant shuffle. An ordinary store to a line that is in no
cache reads the line first: a third of the traffic of a copy. Nontemporal stores do not, but they write whole, aligned
lines, and the ends of runs are no whole lines. So short runs are moved into the staging buffer, in the first-level
cache, and whole lines leave from there. `_rows` streams long runs directly from the source, except for their first and
last bytes.
"""

# Intrinsics take and return types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._intrinsics import _memory as mem, _vectors as v
from fastops.kernels._intrinsics._outlined import byte_pointer, numbers_type, outlined

# Replication copies from the first bytes of what it extends, twice as many each time until they are 16 KiB or more:
# these stay in the first-level cache.
_REPLICA_BYTES = 16384


class Run(NamedTuple):
    """n blocks, read every src_pitch and written every dst_pitch bytes."""

    n: Any
    block: Any
    dst_pitch: Any
    src_pitch: Any


run_type = numbers_type(Run)


@outlined(types.void(byte_pointer, byte_pointer, v.rows_type, run_type))
def copy_rows(dst, src, rows, run):
    """Copy one run in each of many rows, block by block.

    An out-of-line kernel, so that its loops have all registers: within `move_rows` they kept counters on the stack.
    """
    for i in range(rows.count):
        to, source = mem.shift(dst, i * rows.dst_pitch), mem.shift(src, i * rows.src_pitch)
        mem.copy_blocks(to, run.dst_pitch, source, run.src_pitch, run.n, run.block)


@outlined(types.void(byte_pointer, byte_pointer, v.rows_type, run_type, byte_pointer))
def move_rows(dst, src, rows, run, ahead):
    """Copy one run in each of many rows; prefetch from `ahead` on, which moves on with the rows.

    The way to copy the run is chosen once for all rows, because choosing took as long as moving 256 bytes.
    """
    n, block, dst_pitch, src_pitch = run.n, run.block, run.dst_pitch, run.src_pitch
    if n == 0:
        return
    if src_pitch == block and dst_pitch == block:
        copy_rows(dst, src, v.Rows(1, 0, 0), Run(rows.count, n * block, rows.dst_pitch, rows.src_pitch))
        return
    done = 0
    if dst_pitch == block and n * block >= v.SHORTEST_VECTOR:
        done = v.move_vectors(dst, src, rows, n, block, src_pitch, ahead)
    if done < n:
        rest = Run(n - done, block, dst_pitch, src_pitch)
        copy_rows(mem.shift(dst, done * dst_pitch), mem.shift(src, done * src_pitch), rows, rest)


def move_row(dst, dst_pitch, src, src_pitch, n, block, ahead):
    """Copy n blocks, read every src_pitch and written every dst_pitch bytes; prefetch from `ahead` on."""
    move_rows(dst, src, v.Rows(1, 0, 0), Run(n, block, dst_pitch, src_pitch), ahead)


def replicate(dst, have, total):
    """Extend the first `have` bytes at dst periodically to `total` bytes, copying from bytes that are in the cache."""
    size = have
    while have < total:
        n = min(size, total - have)
        mem.copy_bytes(mem.shift(dst, have), dst, n)
        have += n
        if size < _REPLICA_BYTES:
            size = have


def is_cell(n):
    """True for the sizes of a cell."""
    return n <= 16 and n & (n - 1) == 0


@outlined(types.void(byte_pointer, types.intp, types.intp, types.intp, byte_pointer, types.intp))
def fill_run(dst, dst_pitch, n, block, fill, width):
    """Write the fill value, of `width` bytes, over n blocks: as one run of them, or else block by block."""
    if block == width and (is_cell(width) or dst_pitch != block):
        move_row(dst, dst_pitch, fill, 0, n, block, fill)
        return
    total = n * block if dst_pitch == block else block
    if is_cell(width):
        move_row(dst, width, fill, 0, total // width, width, fill)
    else:
        mem.copy_bytes(dst, fill, width)
        replicate(dst, width, total)
    if dst_pitch != block:
        # Blocks with gaps are copies of the first one.
        mem.copy_blocks(mem.shift(dst, dst_pitch), dst_pitch, dst, 0, n - 1, block)


# --- The nontemporal writer -----------------------------------------------------------------------------------------

# Words of a writer: 1 if it streams, the place of the output's first byte in a cache line, then offsets in the output:
# of the first byte of the staging buffer, of its first byte that is to be written, and of the byte behind the last one;
# and the expected distance in the source to the next row.
_STREAMS, _MISALIGNMENT, _LINE, _FIRST, _END, ROW_PITCH = 0, 1, 2, 3, 4, 5
_WRITER_BYTES = 64

# Lines are streamed once this many bytes are staged. By then the first stores into the buffer have left the processor's
# store buffer.
_FLUSH_BYTES = 2048

# Bytes of a run or of a plane that are staged at once, at most. With twice as many, the benchmark flip_rgb24 takes 0.84
# of the time, because `_permute` in `_planes` makes its lanes half as often, but channels of float32 and float16 take
# 1.1 to 1.36 times as long, rows padded by one cell 1.16, and flips of 8 axes 1.14.
STAGED_BYTES = 4096

#: Rows of up to this many bytes are staged as a whole, so the cost of placing a run is paid once. Padded rows of 544
#: and of 2176 bytes went from 0.45 and 0.7 of the speed of a streaming copy to 0.6 and 0.9.
STAGED_ROW_BYTES = 6144

#: The same for rows that are one run.
STAGED_RUN_BYTES = 1024

# A writer that streams has the staging buffer below its words. Processors compare a load with earlier stores by the
# offset in a page of memory, and a load waits for a store at the same offset. Rows of 29 elements took 11 to 31 ms,
# depending on where the stack of the process began (one thread of a Zen 3). So the buffer begins at a page, and the
# words of the writer and the lists behind them lie at other offsets in a page than the bytes that short rows stage.
_SHORT_ROW_BYTES = 512

# The buffer has room for a line that is not complete, the bytes that are staged before a flush, one more row, and the
# bytes that vectors write beyond the end of a run. The words of the writer are further up, in the third page.
_STAGE_BYTES = v.LINE_BYTES + _FLUSH_BYTES + STAGED_ROW_BYTES + v.LINE_BYTES
_TO_WORDS = 2 * mem.PAGE_BYTES + v.LINE_BYTES + _FLUSH_BYTES + _SHORT_ROW_BYTES

#: Words between the staging buffer and the words of the writer, which callers may use.
WORDS_BELOW = (_TO_WORDS - _STAGE_BYTES) // 8

#: Words of room that `open_writer` wants for a writer that streams, in room that begins at a page or anywhere, and for
#: one that does not stream.
WRITER_WORDS = (_TO_WORDS + _WRITER_BYTES) // 8
UNALIGNED_WRITER_WORDS = mem.PAGE_BYTES // 8 + WRITER_WORDS
PLAIN_WRITER_WORDS = (v.LINE_BYTES + _WRITER_BYTES) // 8

_NOWHERE = -(2**63)


def _stage(writer):
    return mem.narrow(writer, -_TO_WORDS, _STAGE_BYTES)


def words_behind(writer):
    """The room behind the words of a writer, if it has more than `open_writer` wants."""
    return mem.shift(writer, _WRITER_BYTES)


def streams_to(writer, dst_pitch, block):
    """True if blocks that are written every dst_pitch bytes are streamed."""
    return writer[_STREAMS] != 0 and dst_pitch == block


def open_writer(room, dst, streams):
    """Return a writer of an output, in room of one of the three sizes above."""
    to_start = -mem.address_to(room) & ((mem.PAGE_BYTES if streams else v.LINE_BYTES) - 1)
    writer = mem.shift(room, to_start + (_TO_WORDS if streams else 0))
    writer[_STREAMS], writer[_MISALIGNMENT] = streams, v.line_offset(dst)
    writer[_LINE], writer[_FIRST] = 0, 0
    writer[_END], writer[ROW_PITCH] = _NOWHERE, 0
    return writer


def bytes_to_line(writer, offset):
    """The number of bytes from an offset of the output to the next start of a cache line, 0 at such a start."""
    return -(offset + writer[_MISALIGNMENT]) & (v.LINE_BYTES - 1)


@outlined(types.void(byte_pointer, byte_pointer, byte_pointer, types.intp))
def flush(writer, dst, ahead, ahead_pitch):
    """Write the whole lines of the staging buffer, and keep the rest.

    For each line that is streamed, prefetches one line of the source: the first at `ahead`, the others `ahead_pitch`
    bytes apart.
    """
    stage, line, first = _stage(writer), writer[_LINE], writer[_FIRST]
    whole = (writer[_END] - line) & -v.LINE_BYTES
    if whole <= 0:
        return
    done = 0
    if first > line:
        mem.copy_bytes(mem.shift(dst, first), mem.shift(stage, first - line), line + v.LINE_BYTES - first)
        done = v.LINE_BYTES
    for i in range(done, whole, v.LINE_BYTES):
        v.prefetch(ahead)
        ahead = mem.shift(ahead, ahead_pitch)
        v.stream_line(mem.shift(dst, line + i), mem.shift(stage, i))
    mem.copy_bytes(stage, mem.shift(stage, whole), v.LINE_BYTES)
    writer[_LINE], writer[_FIRST] = line + whole, line + whole


@outlined(types.void(byte_pointer, byte_pointer))
def finish_writer(writer, dst):
    """Write all staged bytes."""
    end = writer[_END]
    if end == _NOWHERE:
        return
    flush(writer, dst, dst, 0)
    first = writer[_FIRST]
    mem.copy_bytes(mem.shift(dst, first), mem.shift(_stage(writer), first - writer[_LINE]), end - first)
    writer[_END] = _NOWHERE


def place_writer(writer, offset):
    """Let the staging buffer begin with the cache line of an offset of the output, and stage from that offset on."""
    writer[_LINE] = offset - ((offset + writer[_MISALIGNMENT]) & (v.LINE_BYTES - 1))
    writer[_FIRST], writer[_END] = offset, offset


@outlined(byte_pointer(byte_pointer, byte_pointer, types.intp, types.intp))
def reserve(writer, dst, offset, n):
    """Return the place in the staging buffer of the n bytes at an offset of the output; `settle` must follow.

    A writer that does not stream gives the place in the output.
    """
    if writer[_STREAMS] == 0:
        return mem.shift(dst, offset)
    if offset != writer[_END]:
        finish_writer(writer, dst)
        place_writer(writer, offset)
    writer[_END] = offset + n
    return mem.shift(_stage(writer), offset - writer[_LINE])


@outlined(types.void(byte_pointer, byte_pointer, byte_pointer, types.intp))
def settle(writer, dst, ahead, ahead_pitch):
    """Write the staged bytes if there are enough, by `flush` with the same arguments."""
    if writer[_END] - writer[_LINE] >= _FLUSH_BYTES:
        flush(writer, dst, ahead, ahead_pitch)


def next_source(writer, src, read, n, src_pitch):
    """The place in the source behind the first `read` of the n elements of a run, or the next row if all n are read."""
    return mem.shift(src, read * src_pitch if read < n else writer[ROW_PITCH])


mem.let_kernels_call(__name__)
