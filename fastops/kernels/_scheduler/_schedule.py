"""Schedules: plans as words, lowered to memory, as the table that the movers run.

Each axis of a piece becomes runs in bytes (`_rows`), the axes of a piece one part or an interior and its edges
(`_boxes`), and each part what a mover takes as it is (`_parts`). The cost of none of it depends on a count.
"""

from __future__ import annotations

from fastops.kernels._intrinsics._arrays_of_words import interpreted, words_at
from fastops.kernels._scheduler._boxes import MOST_FRAMES, frame_words, write_parts
from fastops.kernels._scheduler._parts import Memory, Target
from fastops.kernels._scheduler._programs import LONGEST_GROUP, SHUFFLE_WORDS
from fastops.kernels._scheduler._rows import lower_axis, row_of
from fastops.kernels._tables import _words as w
from fastops.kernels._tables._gather import AXIS_COLUMNS, HEADER_COLUMNS, PARTS, TOTAL_BYTES

# Axes of a piece and two more: a row that changes places, and one that is put in.
_ROWS = w.MOST_AXES + 2

#: Words of each field of the scheduler's scratch memory, in order.
SCRATCH_WORDS = (
    _ROWS * AXIS_COLUMNS,
    _ROWS * AXIS_COLUMNS,
    AXIS_COLUMNS,
    _ROWS * AXIS_COLUMNS,
    w.MOST_AXES,
    (MOST_FRAMES + 1) * frame_words(w.MOST_AXES),
    LONGEST_GROUP,
    *SHUFFLE_WORDS,
)


@interpreted
def span_of(shape, byte_strides, rank, width):
    """Return the lowest byte of an array, counted from its element 0, and one beyond the highest; 0 twice if empty."""
    low, high = 0, width
    for k in range(rank):
        if shape[k] == 0:
            return 0, 0
        reach = (shape[k] - 1) * byte_strides[k]
        if reach < 0:
            low += reach
        else:
            high += reach
    return low, high


@interpreted
def schedule(words, byte_strides, width, streams, scratch, table, room):
    """Write the table of plans in words; return its length, -1 if there is no room.

    The words are right, and the arrays fit them. The byte strides are those of the source, then those of each output.
    """
    rank = words[w.SRC_RANK]
    low, high = span_of(words_at(words, w.HEADER_COLUMNS), byte_strides, rank, width)
    memory = Memory(width, streams, low, high)
    of_outputs = words_at(byte_strides, rank)
    parts, total, at, piece = 0, 0, HEADER_COLUMNS, words[w.FIRST_PIECE]
    for _ in range(words[w.PIECES]):
        n, size, src_offset, dst_offset = words[piece + w.AXES], width, 0, 0
        for k in range(n):
            axis = piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS
            count = words[axis + w.COUNT]
            size *= count
            if size == 0:
                break
            src_pitch = dst_pitch = 0
            if words[axis + w.SRC_AXIS] != w.NO_AXIS:
                src_pitch = byte_strides[words[axis + w.SRC_AXIS]]
                src_offset += words[axis + w.SRC_FIRST] * src_pitch
                src_pitch *= words[axis + w.SRC_STEP]
            if words[axis + w.DST_AXIS] != w.NO_AXIS:
                dst_pitch = of_outputs[words[axis + w.DST_AXIS]]
                dst_offset += words[axis + w.DST_FIRST] * dst_pitch
                dst_pitch *= words[axis + w.DST_STEP]
            lower_axis(words, axis, src_pitch, dst_pitch, row_of(scratch.axes, k))
        if size:
            target = Target(words[piece + w.OUTPUT], dst_offset, src_offset, words[piece + w.FILL_INDEX] * width)
            added, at = write_parts(words, scratch, memory, target, n, table, at, room)
            if at < 0:
                return -1
            parts += added
            total += size
        piece += words[piece + w.LENGTH]
    table[PARTS] = parts
    table[TOTAL_BYTES] = total
    return at
