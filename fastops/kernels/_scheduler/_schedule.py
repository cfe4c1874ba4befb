"""Schedules: plans as words, lowered to memory, as the table that the movers run.

Each axis of a piece becomes runs in bytes (`_rows`), the axes of a piece one part or an interior and its edges
(`_boxes`), and each part what a mover takes as it is (`_parts`). The cost of none of it depends on a count.
"""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from fastops.kernels._intrinsics._arrays_of_words import interpreted, words_at
from fastops.kernels._scheduler._boxes import MOST_FRAMES, frame_words, write_parts
from fastops.kernels._scheduler._parts import Memory, Scratch, Target
from fastops.kernels._scheduler._programs import LONGEST_GROUP, SHUFFLE_WORDS, Shuffle, forget_program
from fastops.kernels._scheduler._rows import cut, lower_axis, row_of
from fastops.kernels._tables import _words as w
from fastops.kernels._tables._gather import AXIS_COLUMNS, HEADER_COLUMNS, PARTS, TOTAL_BYTES


@interpreted
def scratch_words(n):
    """Return how many words of scratch memory the scheduler needs for pieces of n axes."""
    # Three times the rows of all axes and of two more: one that changes places, and one that is put in.
    return _FIXED_WORDS + AXIS_COLUMNS * (3 * (n + 2) + 1) + n + (MOST_FRAMES + 1) * frame_words(n)


_FIXED_WORDS = LONGEST_GROUP + sum(SHUFFLE_WORDS)

# Where in the fixed words these begin.
_PROGRAM = LONGEST_GROUP
_GROUP = _PROGRAM + SHUFFLE_WORDS[0]
_SOURCES = _GROUP + SHUFFLE_WORDS[1]
_STARTS = _SOURCES + SHUFFLE_WORDS[2]
_OFFSETS = _STARTS + SHUFFLE_WORDS[3]
_LAST = _OFFSETS + SHUFFLE_WORDS[4]


@interpreted
def _scratch_in(room, n):
    """Return the scheduler's scratch memory for n axes."""
    shuffle = Shuffle(
        words_at(room, _PROGRAM),
        words_at(room, _GROUP),
        words_at(room, _SOURCES),
        words_at(room, _STARTS),
        words_at(room, _OFFSETS),
        words_at(room, _LAST),
    )
    forget_program(shuffle)
    rows, at = AXIS_COLUMNS * (n + 2), _FIXED_WORDS
    return Scratch(
        words_at(room, at),
        words_at(room, at + rows),
        words_at(room, at + 2 * rows),
        words_at(room, at + 3 * rows),
        words_at(room, at + 3 * rows + AXIS_COLUMNS),
        words_at(room, at + 3 * rows + AXIS_COLUMNS + n),
        room,
        shuffle,
    )


@interpreted
def most_axes_of(words):
    """Return how many axes a piece of words has at most."""
    most, piece = 0, words[w.FIRST_PIECE]
    for _ in range(words[w.PIECES]):
        most = max(most, words[piece + w.AXES])
        piece += words[piece + w.LENGTH]
    return most


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


class Options(NamedTuple):
    """How a schedule is made, besides what is moved."""

    streams: Any  # 1 if outputs shall leave past the caches, where they can
    smallest_peeled: Any  # results of fewer bytes are one part, without an interior and edges
    dst_offset: Any  # added to where each output begins
    tile: Any  # the index in words of the one piece of which a tile is moved; 0 for all outputs of all pieces


# A tile has a row for each axis of its piece: the outputs that it has of it, from the first one to before the end, and
# how many bytes each lies behind the one before it, in memory that begins with the first one.
TILE_FIRST, TILE_END, TILE_PITCH = 0, 1, 2
TILE_COLUMNS = 3


@interpreted
def write_schedule(words, byte_strides, width, options, room, most_axes, table, table_room):
    """Write the table of plans in words, or of a tile; return its length, -1 if there is no room for it.

    The words are right, and the arrays fit them. The byte strides are those of the source, then those of each output.
    `room` has the `scratch_words` of as many axes as a piece has at most, and behind them the rows of the tile.
    """
    scratch = _scratch_in(room, most_axes)
    rank = words[w.SRC_RANK]
    low, high = span_of(words_at(words, w.HEADER_COLUMNS), byte_strides, rank, width)
    memory = Memory(width, options.streams, low, high, options.smallest_peeled)
    of_outputs = words_at(byte_strides, rank)
    parts, total, at, is_tile = 0, 0, HEADER_COLUMNS, options.tile > 0
    tile = words_at(room, scratch_words(most_axes) if is_tile else 0)
    piece = options.tile if is_tile else words[w.FIRST_PIECE]
    for _ in range(1 if is_tile else words[w.PIECES]):
        n, size, src_offset, dst_offset = words[piece + w.AXES], width, 0, options.dst_offset
        for k in range(n):
            axis = piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS
            of_tile = words_at(tile, k * TILE_COLUMNS if is_tile else 0)
            size *= of_tile[TILE_END] - of_tile[TILE_FIRST] if is_tile else words[axis + w.COUNT]
            if size == 0:
                break
            src_pitch = dst_pitch = 0
            if words[axis + w.SRC_AXIS] != w.NO_AXIS:
                src_pitch = byte_strides[words[axis + w.SRC_AXIS]]
                src_offset += words[axis + w.SRC_FIRST] * src_pitch
                src_pitch *= words[axis + w.SRC_STEP]
            if is_tile:
                dst_pitch = of_tile[TILE_PITCH]
            elif words[axis + w.DST_AXIS] != w.NO_AXIS:
                dst_pitch = of_outputs[words[axis + w.DST_AXIS]]
                dst_offset += words[axis + w.DST_FIRST] * dst_pitch
                dst_pitch *= words[axis + w.DST_STEP]
            row = row_of(scratch.axes, k)
            lower_axis(words, axis, src_pitch, dst_pitch, row)
            if is_tile:
                cut(words, row, of_tile[TILE_FIRST], of_tile[TILE_END], row)
        if size:
            target = Target(words[piece + w.OUTPUT], dst_offset, src_offset, words[piece + w.FILL_INDEX] * width)
            added, at = write_parts(words, scratch, memory, target, n, table, at, table_room)
            if at < 0:
                return -1
            parts += added
            total += size
        piece += words[piece + w.LENGTH]
    table[PARTS] = parts
    table[TOTAL_BYTES] = total
    return at
