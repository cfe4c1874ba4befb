"""Converted results: what words say, of another type than the source, scaled and shifted on the way.

Computes: T(x) * a + b of each element x that words read (`_tables._conversion`).
Memory: reads the words, the conversion and the source, writes each element of the output once. Each thread has scratch
memory of its own on the heap, in which a tile of the result lies before it is converted.
Fast because a tile stays in the caches: it is moved there as any result is, by its own schedule, and converted row by
row into the output, past the caches where that is large. So memory is read and written once.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._arithmetic import is_inside
from fastops.kernels._chunks import chunk_start
from fastops.kernels._described import HOW, array_in
from fastops.kernels._intrinsics._arrays_of_words import address_to, interpreted, memory_in, words_at
from fastops.kernels._intrinsics._conversions import convert_elements
from fastops.kernels._intrinsics._memory import (
    ONE,
    ZERO,
    free_bytes,
    heap_bytes,
    is_null,
    loops,
    narrow,
    shift,
    stack_words,
)
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._vectors import finish_streams
from fastops.kernels._parallel import OF_CONVERSION, share
from fastops.kernels._runs import Rows, Run, move_rows
from fastops.kernels._scheduler._checks import width_of_result, width_of_source
from fastops.kernels._scheduler._schedule import (
    TILE_COLUMNS,
    TILE_END,
    TILE_FIRST,
    TILE_PITCH,
    most_axes_of,
    scratch_words,
)
from fastops.kernels._schedules import TABLE_WORDS, run_table, schedule_tile
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _conversion as c
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables import _words as w
from fastops.kernels._writer import PLAIN_WRITER_WORDS, WRITER_WORDS, finish_writer, open_writer, reserve, settle

interpreted(is_inside)

# Bytes of a tile, at most. Half and double as many took 1.1 to 1.2 times as long: small ones are prepared more often,
# large ones leave the second-level cache while they are converted.
_TILE_BYTES = 1 << 16

# What vectors read behind the last element of a tile.
_BEHIND = 4 * c.LANES

# An axis of a piece.
_COUNT = 0
_SOURCE_PITCH = 1  # bytes of the source from one output to the next, where it is read in bounds
_PITCH = 2  # bytes of the output
_CHANNELS = 3  # channels from one output to the next
_TILE = 4  # outputs of a tile
_AT = 5  # which of a tile's outputs a row is at
_RANKED = 6  # no word of this axis: in row i, which axis is number i from the innermost one of the output on
_COLUMNS = 7

# Scratch memory begins with a header, behind which each worker has its own.
_WORKERS = 0
_STREAMS = 1  # 1 if the output leaves past the caches
_OWN_WORDS = 2  # of scratch memory of a worker
_WORDS = 3  # of what is converted
_HEADER_COLUMNS = 4

# Scratch memory of a worker: the writer of the output, elements of a tile, elements that lie apart in the output, axes,
# then the scheduler's, rows of a tile, and the table of a tile.
_BUFFER = WRITER_WORDS
_BUFFER_BYTES = _TILE_BYTES + _BEHIND
_PART = _BUFFER + _BUFFER_BYTES // 8
_PART_BYTES = 8 * c.PART
_AXES = _PART + _PART_BYTES // 8


class Work(NamedTuple):
    """What a worker converts."""

    arrays: Any  # their description
    words: Any
    byte_strides: Any  # of the source, then of the output
    conversion: Any
    dst: Any
    writer: Any  # of the output
    scratch: Any  # of the worker
    streams: Any
    most_axes: Any  # of a piece
    width: Any  # bytes of an element of the output
    workers: Any


_WORK = types.NamedTuple((*(byte_pointer,) * 7, *(types.intp,) * 4), Work)


class Row(NamedTuple):
    """A row of a tile: elements that are converted together."""

    length: Any
    pitch: Any  # bytes of the output from one to the next
    step: Any  # channels from one to the next, which come again from the first one on: 0 or 1
    axes: Any  # of the innermost axes, how many it has


_ROW = types.NamedUniTuple(types.intp, len(Row._fields), Row)


@interpreted
def axis_row(axes, k):
    """Return the row of an axis."""
    return words_at(axes, k * _COLUMNS)


@interpreted
def ranked(axes, i):
    """Return which axis is number i from the innermost one of the output on."""
    return axes[i * _COLUMNS + _RANKED]


@interpreted
def describe_axes(words, piece, byte_strides, channel_axis, axes):
    """Write the axes of a piece; return how far in the output its first element is, in bytes, and its channel."""
    offset, channel = 0, 0
    of_output = words_at(byte_strides, words[w.SRC_RANK])
    for k in range(words[piece + w.AXES]):
        axis, own = words_at(words, piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS), axis_row(axes, k)
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
        while i > 0 and abs(axis_row(axes, ranked(axes, i - 1))[_PITCH]) > abs(own[_PITCH]):
            axis_row(axes, i)[_RANKED] = ranked(axes, i - 1)
            i -= 1
        axis_row(axes, i)[_RANKED] = k
    return offset, channel


@interpreted
def choose_tiles(axes, n, most):
    """Write how many outputs of each axis a tile has, at most so many together; return how many tiles there are.

    The axis is halved that goes furthest in both memories together, so that a tile has long rows of each of them.
    """
    size, tiles = 1, 1
    for k in range(n):
        own = axis_row(axes, k)
        own[_TILE] = own[_COUNT]
        size *= own[_COUNT]
    while size > most:
        chosen, furthest = 0, -1.0
        for k in range(n):
            own = axis_row(axes, k)
            reach = float(own[_TILE]) * float(own[_TILE])
            reach *= (1.0 + float(own[_SOURCE_PITCH])) * (1.0 + abs(float(own[_PITCH])))
            if own[_TILE] > 1 and reach > furthest:
                chosen, furthest = k, reach
        own = axis_row(axes, chosen)
        half = (own[_TILE] + 1) // 2
        size = size // own[_TILE] * half
        own[_TILE] = half
    for k in range(n):
        own = axis_row(axes, k)
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
        k = ranked(axes, i)
        own, row = axis_row(axes, k), words_at(tile, k * TILE_COLUMNS)
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
def count_in(tile, k):
    """Return how many outputs of an axis a tile has."""
    return tile[k * TILE_COLUMNS + TILE_END] - tile[k * TILE_COLUMNS + TILE_FIRST]


@interpreted
def row_of_tile(axes, n, tile, width, channels):
    """Return a row of a tile: of the innermost axes, as far as they are one in the output.

    Its elements are all of one channel, or each is of the channel behind that of the one before it.
    """
    length, pitch, step = 1, width, 0
    for i in range(n):
        k = ranked(axes, i)
        own, count = axis_row(axes, k), count_in(tile, k)
        if count > 1 and length == 1:
            if not 0 <= own[_CHANNELS] <= 1:
                return Row(length, pitch, step, i)
            pitch, step, length = own[_PITCH], own[_CHANNELS], count
        elif count > 1:
            follows = own[_PITCH] == length * width and pitch == width and own[_CHANNELS] == 0
            if not follows or (step == 1 and length % channels):
                return Row(length, pitch, step, i)
            length *= count
    return Row(length, pitch, step, n)


@outlined(types.void(_WORK, byte_pointer, _ROW, types.intp, types.intp))
def convert_row(work, src, row, offset, channel):
    """Convert a row, which begins at an offset of the output, with a channel."""
    source, result = work.conversion[c.SOURCE], work.conversion[c.RESULT]
    channels, size = work.conversion[c.CHANNELS], 8 if result == c.TO_FLOAT64 else 4
    scales = shift(work.conversion, 8 * c.HEADER_COLUMNS)
    shifts = shift(scales, size * (channels + c.PART + c.LANES))
    is_dense, width, of_source = row.pitch == work.width, work.width, width_of_source(source)
    is_direct = is_dense and not work.streams
    part = narrow(work.scratch, 8 * _PART, _PART_BYTES)
    done = 0
    while done < row.length:
        n = row.length - done
        if row.step or not is_direct:
            n = min(n, c.PART)
        at, own = offset + done * row.pitch, shift(src, done * of_source)
        to = part
        if is_direct:
            to = shift(work.dst, at)
        elif is_dense:
            to = reserve(work.writer, work.dst, at, n * width)
        first = size * ((channel + done * row.step) % channels)
        convert_elements(to, own, n, shift(scales, first), shift(shifts, first), row.step, source, result)
        if not is_dense:
            move_rows(shift(work.dst, at), part, Rows(ONE, ZERO, ZERO), Run(n, width, row.pitch, width), part)
        elif not is_direct:
            settle(work.writer, work.dst, own, 0)
        done += n


@outlined(types.void(_WORK, byte_pointer, byte_pointer, *(types.intp,) * 4))
def convert_tile(work, buffer, tile, n, offset, channel, elements):
    """Convert the elements of a tile of n axes, which begins at an offset of the output, with a channel."""
    axes = words_at(work.scratch, _AXES)
    row = row_of_tile(axes, n, tile, work.width, work.conversion[c.CHANNELS])
    for i in range(row.axes, n):
        axis_row(axes, ranked(axes, i))[_AT] = 0
    of_row = row.length * width_of_source(work.conversion[c.SOURCE])
    for r in range(elements // row.length):
        convert_row(work, shift(buffer, r * of_row), row, offset, channel)
        for i in range(row.axes, n):
            k = ranked(axes, i)
            own, count = axis_row(axes, k), count_in(tile, k)
            own[_AT] += 1
            offset, channel = offset + own[_PITCH], channel + own[_CHANNELS]
            if own[_AT] < count:
                break
            offset, channel = offset - count * own[_PITCH], channel - count * own[_CHANNELS]
            own[_AT] = 0


@outlined(types.void(_WORK, byte_pointer, *(types.intp,) * 4))
def convert_words(work, src, base, share, end_share, shares):
    """Convert what words say, from `base` bytes of the output on: shares [share, end_share) of each piece's tiles."""
    words, width = work.words, work.arrays[a.WIDTH]
    axes, buffer = words_at(work.scratch, _AXES), narrow(work.scratch, 8 * _BUFFER, _BUFFER_BYTES)
    scheduler = words_at(axes, work.most_axes * _COLUMNS)
    tile = words_at(scheduler, scratch_words(work.most_axes))
    table = words_at(tile, work.most_axes * TILE_COLUMNS)
    fill = memory_in(work.arrays[a.FILL], 0, work.arrays[a.FILL_BYTES], False)
    plain = open_writer(stack_words(PLAIN_WRITER_WORDS), buffer, ZERO)
    piece = words[w.FIRST_PIECE]
    for _ in range(words[w.PIECES]):
        n, size = words[piece + w.AXES], 1
        for k in range(n):
            size *= words[piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS + w.COUNT]
        if size:
            at, channel = describe_axes(words, piece, work.byte_strides, work.conversion[c.CHANNEL_AXIS], axes)
            # Each worker has a tile at least.
            most = min(_TILE_BYTES // width, (size + work.workers - 1) // work.workers)
            tiles = choose_tiles(axes, n, most)
            of_piece, first = shift(fill, words[piece + w.FILL_INDEX] * width), chunk_start(tiles, share, shares)
            for number in range(first, chunk_start(tiles, end_share, shares)):
                place = place_tile(words, piece, work.byte_strides, axes, width, number, tile, number > first)
                if place.is_moved:
                    move_table(table, place.src_offset)
                else:
                    schedule_tile(words, work.byte_strides, width, piece, scheduler, work.most_axes, table)
                run_table((plain, plain), buffer, src, table, of_piece, 0, 1, 1)
                convert_tile(work, buffer, tile, n, base + at + place.offset, channel + place.channel, place.elements)
        piece += words[piece + w.LENGTH]


@interpreted
def _words_of_worker(most_axes, n_words):
    """Return the words of scratch memory of a worker, for pieces of so many axes and words of so many."""
    words = _AXES + most_axes * (_COLUMNS + TILE_COLUMNS) + scratch_words(most_axes)
    return words + TABLE_WORDS + n_words


@loops
def new_scratch(most_axes, n_words, streams, workers):
    """Return scratch memory for workers, which may be null."""
    own = _words_of_worker(most_axes, n_words)
    scratch = heap_bytes(8 * (_HEADER_COLUMNS + workers * own))
    if not is_null(scratch):
        scratch[_WORKERS], scratch[_STREAMS], scratch[_OWN_WORDS], scratch[_WORDS] = workers, streams, own, n_words
    return scratch


@loops
def begin_work(arrays, words, byte_strides, dst, scratch_address, most_axes, chunk):
    """Return the work of a worker, which does a chunk."""
    header = memory_in(scratch_address, 0, 8 * _HEADER_COLUMNS, False)
    own = 8 * (_HEADER_COLUMNS + chunk % header[_WORKERS] * header[_OWN_WORDS])
    scratch = memory_in(scratch_address + own, 0, 8 * header[_OWN_WORDS], True)
    conversion = memory_in(arrays[a.CONVERSION], 0, 8 * arrays[a.CONVERSION_WORDS], False)
    writer, width = open_writer(scratch, dst, header[_STREAMS]), width_of_result(conversion[c.RESULT])
    streams, workers = header[_STREAMS], header[_WORKERS]
    return Work(arrays, words, byte_strides, conversion, dst, writer, scratch, streams, most_axes, width, workers)


@loops
def end_work(work):
    """Write what is staged."""
    if work.streams:
        finish_writer(work.writer, work.dst)
        finish_streams()


@interpreted
def length_of_words(words):
    """Return how many words there are."""
    piece = words[w.FIRST_PIECE]
    for _ in range(words[w.PIECES]):
        piece += words[piece + w.LENGTH]
    return piece


@outlined(types.void(*(types.intp,) * 6))
def convert_chunk(arrays_address, arrays_words, words_address, scratch_address, chunk, chunks):
    """Convert one of `chunks` equal shares of what words say."""
    arrays = memory_in(arrays_address, 0, 8 * arrays_words, False)
    header = memory_in(scratch_address, 0, 8 * _HEADER_COLUMNS, False)
    words = memory_in(words_address, 0, 8 * header[_WORDS], False)
    byte_strides = words_at(arrays, a.HEADER_COLUMNS + 2 * a.ARRAY_COLUMNS + arrays[a.SIDES])
    dst = array_in(arrays, 1, True)
    work = begin_work(arrays, words, byte_strides, dst, scratch_address, most_axes_of(words), chunk)
    convert_words(work, array_in(arrays, 0, False), ZERO, chunk, chunk + 1, chunks)
    end_work(work)


@outlined(types.intp(byte_pointer, types.intp, byte_pointer, types.intp, HOW))
def convert_described(arrays, arrays_words, words, total_bytes, how):
    """Convert a share of what words say, which are right for arrays that fit them; return a status."""
    streams = 1 if total_bytes >= how.stream_bytes else 0
    scratch = new_scratch(most_axes_of(words), length_of_words(words), streams, how.workers)
    if is_null(scratch):
        return a.NO_MEMORY
    where = (address_to(arrays), arrays_words, address_to(words), address_to(scratch))
    if how.workers > 1:
        launched = total_bytes // how.launches
        share(OF_CONVERSION, *where, launched, how.workers, how.launch, how.launches)
    else:
        convert_chunk(*where, how.launch, how.launches)
    free_bytes(scratch)
    return a.DONE
