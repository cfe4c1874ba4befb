"""Schedules: plans as words, lowered to memory, as the table that the movers run.

Each axis of a piece becomes runs in bytes (`_rows`), the axes of a piece one part or an interior and its edges
(`_boxes`), and each part what a mover takes as it is (`_parts`). The cost of none of it depends on a count.

Tiles: pieces of words, cut into boxes whose elements stay in the caches together.

Tells which outputs of a piece a tile has, where they lie, and which of them are one row in the output.
"""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from fastops.kernels._arithmetic import is_inside
from fastops.kernels._intrinsics._arrays_of_words import interpreted, words_at
from fastops.kernels._scheduler._boxes import MOST_FRAMES, frame_words, write_parts
from fastops.kernels._scheduler._parts import Memory, Scratch, Target
from fastops.kernels._scheduler._programs import LONGEST_GROUP, SHUFFLE_WORDS, Shuffle, forget_program
from fastops.kernels._scheduler._rows import cut, lower_axis, row_of
from fastops.kernels._tables import _gather as g
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


interpreted(is_inside)

# An axis of a piece.
_COUNT = 0
_SOURCE_PITCH = 1  # bytes of the source from one output to the next, where it is read in bounds
_PITCH = 2  # bytes of the output
_CHANNELS = 3  # channels from one output to the next
_TILE = 4  # outputs of a tile
_AT = 5  # which of a tile's outputs a row is at
_RANKED = 6  # no word of this axis: in row i, which axis is number i from the innermost one of the output on
PIECE_AXIS_COLUMNS = 7


@interpreted
def _axis_row(axes, k):
    """Return the row of an axis."""
    return words_at(axes, k * PIECE_AXIS_COLUMNS)


@interpreted
def _ranked(axes, i):
    """Return which axis is number i from the innermost one of the output on."""
    return axes[i * PIECE_AXIS_COLUMNS + _RANKED]


@interpreted
def describe_axes(words, piece, byte_strides, channel_axis, axes):
    """Write the axes of a piece; return how far in the output its first element is, in bytes, and its channel."""
    offset, channel = 0, 0
    of_output = words_at(byte_strides, words[w.SRC_RANK])
    for k in range(words[piece + w.AXES]):
        axis, own = words_at(words, piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS), _axis_row(axes, k)
        own[_COUNT] = axis[w.COUNT]
        own[_SOURCE_PITCH] = own[_PITCH] = own[_CHANNELS] = 0
        if axis[w.SRC_AXIS] != w.NO_AXIS:
            stride = 1 if axis[w.MODE] == w.PIECEWISE else axis[w.STRIDE]
            pitch = abs(float(stride) * float(axis[w.SRC_STEP]) * float(byte_strides[axis[w.SRC_AXIS]]))
            own[_SOURCE_PITCH] = int(min(pitch, float(w.LARGEST)))
        if axis[w.DST_AXIS] != w.NO_AXIS:
            pitch = of_output[axis[w.DST_AXIS]]
            own[_PITCH], offset = axis[w.DST_STEP] * pitch, offset + axis[w.DST_FIRST] * pitch
            if axis[w.DST_AXIS] == channel_axis:
                own[_CHANNELS], channel = axis[w.DST_STEP], channel + axis[w.DST_FIRST]
        i = k
        while i > 0 and abs(_axis_row(axes, _ranked(axes, i - 1))[_PITCH]) > abs(own[_PITCH]):
            _axis_row(axes, i)[_RANKED] = _ranked(axes, i - 1)
            i -= 1
        _axis_row(axes, i)[_RANKED] = k
    return offset, channel


@interpreted
def choose_tiles(axes, n, most):
    """Write how many outputs of each axis a tile has, at most so many together; return how many tiles there are.

    The axis is halved that goes furthest in both memories together, so that a tile has long rows of each of them.
    """
    size, tiles = 1, 1
    for k in range(n):
        own = _axis_row(axes, k)
        own[_TILE] = own[_COUNT]
        size *= own[_COUNT]
    while size > most:
        chosen, furthest = 0, -1.0
        for k in range(n):
            own = _axis_row(axes, k)
            reach = float(own[_TILE]) * float(own[_TILE])
            reach *= (1.0 + float(own[_SOURCE_PITCH])) * (1.0 + abs(float(own[_PITCH])))
            if own[_TILE] > 1 and reach > furthest:
                chosen, furthest = k, reach
        own = _axis_row(axes, chosen)
        half = (own[_TILE] + 1) // 2
        size = size // own[_TILE] * half
        own[_TILE] = half
    for k in range(n):
        own = _axis_row(axes, k)
        tiles *= (own[_COUNT] + own[_TILE] - 1) // own[_TILE]
    return tiles


@interpreted
def _reads_inside(axis, first, count):
    """True if so many outputs of an axis, from the first one on, read in bounds, each as far from the one before it."""
    begin = float(axis[w.START]) + float(first) * float(axis[w.STRIDE])
    if axis[w.MODE] == w.PIECEWISE or not 0.0 <= begin < float(w.LARGEST):
        return False
    return is_inside(axis[w.EXTENT], axis[w.START] + first * axis[w.STRIDE], axis[w.STRIDE], count)


class Place(NamedTuple):
    """Where a tile is."""

    offset: Any  # from the first element of its piece, in bytes of the output
    channel: Any  # the same in channels
    elements: Any  # how many it has
    is_moved: Any  # True if it reads what the tile before it did, but for its place in the source
    src_offset: Any  # how far it is from that, in bytes of the source


@interpreted
def place_tile(words, piece, byte_strides, axes, width, number, tile, follows):
    """Write the rows of a tile by its number, as dense as the output is; return where it is.

    If it follows another one, the rows of that are there.
    """
    offset, channel, elements, is_moved, src_offset = 0, 0, 1, follows, 0
    for i in range(words[piece + w.AXES]):
        k = _ranked(axes, i)
        own, row = _axis_row(axes, k), words_at(tile, k * TILE_COLUMNS)
        axis = words_at(words, piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS)
        tiles = (own[_COUNT] + own[_TILE] - 1) // own[_TILE]
        first = number % tiles * own[_TILE]
        number //= tiles
        count = min(own[_TILE], own[_COUNT] - first)
        if is_moved and first != row[TILE_FIRST]:
            is_moved = count == row[TILE_END] - row[TILE_FIRST]
            is_moved = is_moved and _reads_inside(axis, first, count) and _reads_inside(axis, row[TILE_FIRST], count)
            if is_moved and axis[w.SRC_AXIS] != w.NO_AXIS:
                pitch = axis[w.STRIDE] * axis[w.SRC_STEP] * byte_strides[axis[w.SRC_AXIS]]
                src_offset += (first - row[TILE_FIRST]) * pitch
        row[TILE_FIRST], row[TILE_END], row[TILE_PITCH] = first, first + count, width * elements
        elements *= count
        offset, channel = offset + first * own[_PITCH], channel + first * own[_CHANNELS]
    return Place(offset, channel, elements, is_moved, src_offset)


@interpreted
def move_table(table, src_offset):
    """Let the parts of a table read so many bytes further on."""
    part = g.HEADER_COLUMNS
    for _ in range(table[g.PARTS]):
        table[part + g.SRC_OFFSET] += src_offset
        part += table[part + g.LENGTH]


@interpreted
def _count_in(tile, k):
    """Return how many outputs of an axis a tile has."""
    return tile[k * TILE_COLUMNS + TILE_END] - tile[k * TILE_COLUMNS + TILE_FIRST]


class Row(NamedTuple):
    """A row of a tile: elements that are converted together."""

    length: Any
    pitch: Any  # bytes of the output from one to the next
    step: Any  # channels from one to the next, which come again from the first one on: 0 or 1
    axes: Any  # of the innermost axes, how many it has


@interpreted
def begin_rows(axes, n, tile, width, channels):
    """Return the rows of a tile: each is of the innermost axes, as far as they are one in the output.

    The elements of a row are all of one channel, or each is of the channel behind that of the one before it.
    """
    length, pitch, step, own_axes = 1, width, 0, n
    for i in range(n):
        k = _ranked(axes, i)
        own, count = _axis_row(axes, k), _count_in(tile, k)
        own[_AT] = 0
        if count == 1 or i >= own_axes:
            continue
        if length == 1:
            fits = 0 <= own[_CHANNELS] <= 1
            if fits:
                pitch, step = own[_PITCH], own[_CHANNELS]
        else:
            fits = own[_CHANNELS] == 0 and pitch == width and own[_PITCH] == length * width
            fits = fits and (step == 0 or length % channels == 0)
        if fits:
            length *= count
        else:
            own_axes = i
    return Row(length, pitch, step, own_axes)


@interpreted
def next_row(axes, n, tile, row, offset, channel):
    """Return the offset in the output and the channel of the row behind the one that has these."""
    for i in range(row.axes, n):
        k = _ranked(axes, i)
        own, count = _axis_row(axes, k), _count_in(tile, k)
        own[_AT] += 1
        offset, channel = offset + own[_PITCH], channel + own[_CHANNELS]
        if own[_AT] < count:
            break
        offset, channel = offset - count * own[_PITCH], channel - count * own[_CHANNELS]
        own[_AT] = 0
    return offset, channel
