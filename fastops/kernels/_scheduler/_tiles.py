"""Tiles: pieces of words, cut into boxes whose elements stay in the caches together.

Tells which outputs of a piece a tile has, where they lie, and which of them are one row in the output.
"""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from fastops.kernels._arithmetic import is_inside
from fastops.kernels._intrinsics._arrays_of_words import interpreted, words_at
from fastops.kernels._scheduler._schedule import TILE_COLUMNS, TILE_END, TILE_FIRST, TILE_PITCH
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables import _words as w

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
