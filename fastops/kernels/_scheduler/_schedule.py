"""Schedules: the tables that movers run, made of words and byte strides; and tiles of results to convert.

`write_schedule` lowers each axis of a piece to a row in bytes (`_rows`), makes one part of the rows, or an interior and
its edges (`_boxes`), and brings each part into the form that movers take (`_parts`). Its time does not depend on
counts.

A tile is a box of a piece, so small that its elements stay in the caches. The functions below `write_schedule` choose
the tiles of a piece, and say where each tile is and which of its elements are one row of the output.
"""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

from itertools import accumulate
from typing import Any, NamedTuple

from fastops.kernels._arithmetic import inside_of_line
from fastops.kernels._intrinsics._memory import let_kernels_call, words_at
from fastops.kernels._scheduler._boxes import write_parts
from fastops.kernels._scheduler._checks import span_of
from fastops.kernels._scheduler._parts import Piece
from fastops.kernels._scheduler._programs import LONGEST_GROUP, OFFSET_WORDS, START_WORDS
from fastops.kernels._scheduler._rows import copy_row, cut, lower_axis, row_of
from fastops.kernels._tables import _gather as g, _words as w


class Scratch(NamedTuple):
    """Scratch memory of the scheduler."""

    axes: Any  # the rows of all axes of a piece, the outermost first
    inner: Any  # the outputs [begin, end) of the interior along each axis
    spans: Any  # the same for a part
    firsts: Any  # the source offset of each output of an edge
    sources: Any  # the source offset of each byte of a group of a shuffle program
    starts: Any  # the output offset of each vector
    offsets: Any  # how many windows each vector has, and their source offsets


# Where the fields begin, and where they end.
_FIELDS = g.AXIS_COLUMNS * w.MOST_AXES, *[2 * w.MOST_AXES] * 2, *[LONGEST_GROUP] * 2, START_WORDS, OFFSET_WORDS
_INNER, _SPANS, _FIRSTS, _SOURCES, _STARTS, _OFFSETS, SCRATCH_WORDS = accumulate(_FIELDS)


class Options(NamedTuple):
    """How a schedule is made."""

    streams: Any  # 1 if outputs are written past the caches where possible
    smallest_peeled: Any  # results of fewer bytes are one part, without an interior and edges
    dst_offset: Any  # added to the offset of each output
    tile: Any  # 0 for all pieces; for a tile, the place of its piece in the words


# The rows of the axes of a piece that is divided into tiles.
# - TILE_FIRST, TILE_END: the outputs of the axis that lie in the tile
# - TILE_PITCH: from one of them to the next in the buffer, which begins with the first output
# - _SOURCE_PITCH: source bytes from one output to the next in bounds
# - _PITCH, _CHANNELS: bytes, and channels, from one output to the next
# - _TILE: outputs that a tile has at most
# - _AT: which output of the tile the current row of elements is at
# - _RANKED: in row i: the axis that is number i from the innermost one of the output
TILE_FIRST, TILE_END, TILE_PITCH, _COUNT, _SOURCE_PITCH, _PITCH, _CHANNELS, _TILE, _AT, _RANKED, TILE_COLUMNS = range(
    11
)


def write_schedule(words, byte_strides, width, options, tile, memory, table, room):
    """Write the table of words, or of a tile; return its length, or -1 if it is longer than `room` words.

    The words have been checked, and fit the arrays. `byte_strides` has the strides of the source, then those of each
    output. `tile` has the rows of a tile, and `memory` has SCRATCH_WORDS.
    """
    boxes = memory, words_at(memory, _INNER), words_at(memory, _SPANS), words_at(memory, _FIRSTS)
    scratch = Scratch(*boxes, words_at(memory, _SOURCES), words_at(memory, _STARTS), words_at(memory, _OFFSETS))
    rank = words[w.SRC_RANK]
    low, high = span_of(words_at(words, w.HEADER_COLUMNS), byte_strides, rank, width)
    of_outputs = words_at(byte_strides, rank)
    parts, total, at, is_tile = 0, 0, g.HEADER_COLUMNS, options.tile > 0
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
            # Sort the rows by their pitch in the output, the outermost first.
            i = k
            while i > 0 and abs(row_of(scratch.axes, i - 1)[g.DST_PITCH]) < abs(dst_pitch):
                copy_row(row_of(scratch.axes, i), row_of(scratch.axes, i - 1))
                i -= 1
            row = row_of(scratch.axes, i)
            lower_axis(words, axis, src_pitch, dst_pitch, row)
            if is_tile:
                cut(words, row, of_tile[TILE_FIRST], of_tile[TILE_END], row)
        if size:
            part = at
            added, at = write_parts(Piece(words, n, scratch, table, room, width, options), at)
            if at < 0:
                return -1
            for _ in range(added):
                table[part + g.DST_INDEX], table[part + g.WIDTH] = words[piece + w.OUTPUT], width
                table[part + g.DST_OFFSET] += dst_offset
                table[part + g.SRC_OFFSET] += src_offset
                table[part + g.FILL_OFFSET] = words[piece + w.FILL_INDEX] * width
                table[part + g.SRC_LOW], table[part + g.SRC_HIGH] = low, high
                part += table[part + g.LENGTH]
            parts += added
            total += size
        piece += words[piece + w.LENGTH]
    table[g.PARTS], table[g.TOTAL_BYTES] = parts, total
    return at


def _axis_row(tile, k):
    """Return the row of axis k."""
    return words_at(tile, k * TILE_COLUMNS)


def _ranked_row(tile, i):
    """Return the row of the axis that is number i from the innermost one of the output."""
    return _axis_row(tile, _axis_row(tile, i)[_RANKED])


def describe_axes(words, piece, byte_strides, channel_axis, tile):
    """Write the axes of a piece; return the offset and the channel of its first output."""
    offset, channel = 0, 0
    of_output = words_at(byte_strides, words[w.SRC_RANK])
    for k in range(words[piece + w.AXES]):
        axis, own = words_at(words, piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS), _axis_row(tile, k)
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
        while i > 0 and abs(_ranked_row(tile, i - 1)[_PITCH]) > abs(own[_PITCH]):
            _axis_row(tile, i)[_RANKED] = _axis_row(tile, i - 1)[_RANKED]
            i -= 1
        _axis_row(tile, i)[_RANKED] = k
    return offset, channel


def choose_tiles(tile, n, most):
    """Write how many outputs of each axis a tile has, at most `most` in all; return how many tiles there are.

    While a tile has too many elements, halve the axis with the largest product of its reaches in source and output. So
    rows of a tile stay long in the source and in the output.
    """
    size, tiles = 1, 1
    for k in range(n):
        own = _axis_row(tile, k)
        own[_TILE] = own[_COUNT]
        size *= own[_COUNT]
    while size > most:
        chosen, furthest = 0, -1.0
        for k in range(n):
            own = _axis_row(tile, k)
            reach = float(own[_TILE]) * float(own[_TILE])
            reach *= (1.0 + float(own[_SOURCE_PITCH])) * (1.0 + abs(float(own[_PITCH])))
            if own[_TILE] > 1 and reach > furthest:
                chosen, furthest = k, reach
        own = _axis_row(tile, chosen)
        half = (own[_TILE] + 1) // 2
        size = size // own[_TILE] * half
        own[_TILE] = half
    for k in range(n):
        own = _axis_row(tile, k)
        tiles *= (own[_COUNT] + own[_TILE] - 1) // own[_TILE]
    return tiles


def place_tile(words, piece, byte_strides, tile, width, number, follows):
    """Write the place of a tile into the rows of its axes; its buffer has the order of the output.

    Returns the tile's offset in the output, from the first element of the piece; the same in channels; its number of
    elements; True if adding a number to the source offsets of the previous tile's table gives this tile's table; and
    the number. With `follows`, the rows still say where the tile before it is.
    """
    offset, channel, elements, is_moved, src_offset = 0, 0, 1, follows, 0
    for i in range(words[piece + w.AXES]):
        k = _axis_row(tile, i)[_RANKED]
        own, axis = _axis_row(tile, k), words_at(words, piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS)
        tiles = (own[_COUNT] + own[_TILE] - 1) // own[_TILE]
        first = number % tiles * own[_TILE]
        number //= tiles
        end = min(first + own[_TILE], own[_COUNT])
        if is_moved and first != own[TILE_FIRST]:
            lo, hi = inside_of_line(axis[w.EXTENT], axis[w.START], axis[w.STRIDE], axis[w.COUNT])
            is_moved = end - first == own[TILE_END] - own[TILE_FIRST] and axis[w.MODE] != w.PIECEWISE
            is_moved = is_moved and lo <= min(first, own[TILE_FIRST]) and max(end, own[TILE_END]) <= hi
            if is_moved and axis[w.SRC_AXIS] != w.NO_AXIS:
                pitch = axis[w.STRIDE] * axis[w.SRC_STEP] * byte_strides[axis[w.SRC_AXIS]]
                src_offset += (first - own[TILE_FIRST]) * pitch
        own[TILE_FIRST], own[TILE_END], own[TILE_PITCH] = first, end, width * elements
        elements *= end - first
        offset, channel = offset + first * own[_PITCH], channel + first * own[_CHANNELS]
    return offset, channel, elements, is_moved, src_offset


def move_table(table, src_offset):
    """Add to the source offset of all parts of a table."""
    part = g.HEADER_COLUMNS
    for _ in range(table[g.PARTS]):
        table[part + g.SRC_OFFSET] += src_offset
        part += table[part + g.LENGTH]


class Row(NamedTuple):
    """A row of a tile: elements that are converted together."""

    length: Any
    pitch: Any  # from one element to the next in the output
    step: Any  # channels from one element to the next, 0 or 1; the first channel follows the last
    axes: Any  # how many of the innermost axes are one row


def begin_rows(tile, n, width, channels):
    """Return the first row of a tile: the innermost axes that are one axis in the output.

    All elements of a row have one channel, or each has the next channel after its neighbour's.
    """
    length, pitch, step, own_axes = 1, width, 0, n
    for i in range(n):
        own = _ranked_row(tile, i)
        count, own[_AT] = own[TILE_END] - own[TILE_FIRST], 0
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


def next_row(tile, n, row, offset, channel):
    """Return the offset and the channel of the row after a row of a tile."""
    for i in range(row.axes, n):
        own = _ranked_row(tile, i)
        count = own[TILE_END] - own[TILE_FIRST]
        own[_AT] += 1
        offset, channel = offset + own[_PITCH], channel + own[_CHANNELS]
        if own[_AT] < count:
            break
        offset, channel = offset - count * own[_PITCH], channel - count * own[_CHANNELS]
        own[_AT] = 0
    return offset, channel


let_kernels_call(__name__)
