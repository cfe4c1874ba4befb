"""Moving: words that fit their arrays, scheduled and moved, or converted on the way.

Computes: the table of the words for the memory of the arrays, and its outputs: all of them, or one share. With a
conversion (`_tables._conversion`), T(x) * a + b of each element x that words read.
Memory: reads the words, the description of the arrays, the conversion and the source; writes each element of the
outputs once. The table of small work lies on the stack, any other on the heap. Each thread that converts has scratch
memory of its own on the heap, which holds a tile of the result before it is converted.
Fast because a tile stays in the caches: it is moved there as any result is, by its own schedule, and converted row by
row into the output, past the caches where that is large. So memory is read and written once.
"""

# Intrinsics take and return types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._intrinsics._memory import (
    ZERO,
    address_to,
    free_bytes,
    heap_bytes,
    interpreted,
    is_null,
    loops,
    memory_in,
    narrow,
    shift,
    stack_pages,
    stack_words,
    words_at,
)
from fastops.kernels._intrinsics._numbers import convert_elements
from fastops.kernels._intrinsics._outlined import byte_pointer, numbers_type, outlined
from fastops.kernels._intrinsics._vectors import finish_streams
from fastops.kernels._parallel import OF_CONVERSION, OF_TABLE, chunk_start, share
from fastops.kernels._parts import PART_WRITER_WORDS, PLAIN_PART_WRITER_WORDS, open_plain_writer, run_part
from fastops.kernels._scheduler._checks import width_of_result, width_of_source
from fastops.kernels._scheduler._schedule import (
    PIECE_AXIS_COLUMNS,
    TILE_COLUMNS,
    Options,
    Row,
    begin_rows,
    choose_tiles,
    describe_axes,
    most_axes_of,
    move_table,
    next_row,
    place_tile,
    scratch_words,
)
from fastops.kernels._schedules import HOW, TABLE_WORDS, array_in, run_table, schedule, schedule_tile
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _conversion as c
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables import _words as w
from fastops.kernels._writer import (
    UNALIGNED_WRITER_WORDS,
    finish_writer,
    move_row,
    open_writer,
    reserve,
    settle,
)

# Bytes of a tile, at most. Half and double as many took 1.1 to 1.2 times as long: small tiles are prepared more often,
# large ones leave the second-level cache while they are converted.
_TILE_BYTES = 1 << 16

# Scratch memory begins with a header, behind which each worker has its own.
_WORKERS = 0
_STREAMS = 1  # 1 if the output leaves past the caches
_OWN_WORDS = 2  # of scratch memory of a worker
_WORDS = 3  # the number of words of the plan
_HEADER_COLUMNS = 4

# Scratch memory of a worker: the writer of the output, elements of a tile, elements that lie apart in the output, axes,
# then scratch memory of the scheduler, rows of a tile, and the table of a tile.
_BUFFER = UNALIGNED_WRITER_WORDS
_PART = _BUFFER + _TILE_BYTES // 8
_PART_BYTES = 8 * c.PART
_AXES = _PART + _PART_BYTES // 8


class Work(NamedTuple):
    """The work of a thread that converts."""

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
_ROW = numbers_type(Row)


@outlined(types.void(_WORK, byte_pointer, _ROW, types.intp, types.intp))
def convert_row(work, src, row, offset, channel):
    """Convert a row, which begins at an offset of the output, with a channel."""
    source, result = work.conversion[c.SOURCE], work.conversion[c.RESULT]
    channels, size = work.conversion[c.CHANNELS], 8 if result == c.TO_FLOAT64 else 4
    scales = shift(work.conversion, 8 * c.HEADER_COLUMNS)
    shifts = shift(scales, size * (channels + c.PART + c.LANES))
    is_dense, width, of_source = row.pitch == work.width, work.width, width_of_source(source)
    is_direct = is_dense and not work.streams
    period = channels if row.step else 1
    has_kept_numbers = c.KEPT_NUMBERS % period == 0
    part = narrow(work.scratch, 8 * _PART, _PART_BYTES)
    done = 0
    while done < row.length:
        n = row.length - done
        if not (is_direct and has_kept_numbers):
            n = min(n, c.PART)
        at, own = offset + done * row.pitch, shift(src, done * of_source)
        to = part
        if is_direct:
            to = shift(work.dst, at)
        elif is_dense:
            to = reserve(work.writer, work.dst, at, n * width)
        first = size * ((channel + done * row.step) % channels)
        convert_elements(to, own, n, shift(scales, first), shift(shifts, first), period, source, result)
        if not is_dense:
            move_row(shift(work.dst, at), row.pitch, part, width, n, width, part)
        elif not is_direct:
            settle(work.writer, work.dst, own, 0)
        done += n


@outlined(types.void(_WORK, byte_pointer, *(types.intp,) * 4))
def convert_words(work, src, base, share, end_share, shares):
    """Convert shares [share, end_share) of the tiles of each piece of words, from `base` bytes of the output on."""
    words, width, axes = work.words, work.arrays[a.WIDTH], words_at(work.scratch, _AXES)
    scheduler = words_at(axes, work.most_axes * PIECE_AXIS_COLUMNS)
    tile = words_at(scheduler, scratch_words(work.most_axes))
    table = words_at(tile, work.most_axes * TILE_COLUMNS)
    buffer = narrow(work.scratch, 8 * _BUFFER, _TILE_BYTES)
    plain = open_plain_writer(stack_words(PLAIN_PART_WRITER_WORDS), buffer)
    fill = memory_in(work.arrays[a.FILL], 0, work.arrays[a.FILL_BYTES], False)
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
                offset, own_channel = base + at + place.offset, channel + place.channel
                row = begin_rows(axes, n, tile, work.width, work.conversion[c.CHANNELS])
                for r in range(place.elements // row.length):
                    convert_row(work, shift(buffer, r * row.length * width), row, offset, own_channel)
                    offset, own_channel = next_row(axes, n, tile, row, offset, own_channel)
        piece += words[piece + w.LENGTH]


@loops
def new_scratch(most_axes, n_words, streams, workers):
    """Return scratch memory for workers, for pieces of so many axes and so many words; it may be null."""
    of_axes = most_axes * (PIECE_AXIS_COLUMNS + TILE_COLUMNS) + scratch_words(most_axes)
    own = _AXES + of_axes + TABLE_WORDS + n_words
    scratch = heap_bytes(8 * (_HEADER_COLUMNS + workers * own))
    if not is_null(scratch):
        scratch[_WORKERS], scratch[_STREAMS], scratch[_OWN_WORDS], scratch[_WORDS] = workers, streams, own, n_words
    return scratch


@loops
def begin_work(arrays, words, byte_strides, dst, scratch_address, most_axes, chunk):
    """Return the work of the worker that does a chunk."""
    header = memory_in(scratch_address, 0, 8 * _HEADER_COLUMNS, False)
    own = 8 * (_HEADER_COLUMNS + chunk % header[_WORKERS] * header[_OWN_WORDS])
    scratch = memory_in(scratch_address + own, 0, 8 * header[_OWN_WORDS], True)
    conversion = memory_in(arrays[a.CONVERSION], 0, 8 * arrays[a.CONVERSION_WORDS], False)
    writer, width = open_writer(scratch, dst, header[_STREAMS]), width_of_result(conversion[c.RESULT])
    streams, workers = header[_STREAMS], header[_WORKERS]
    return Work(arrays, words, byte_strides, conversion, dst, writer, scratch, streams, most_axes, width, workers)


@loops
def end_work(work):
    """Write all staged bytes."""
    if work.streams:
        finish_writer(work.writer, work.dst)
        finish_streams()


@interpreted
def length_of_words(words):
    """Return the number of words."""
    piece = words[w.FIRST_PIECE]
    for _ in range(words[w.PIECES]):
        piece += words[piece + w.LENGTH]
    return piece


@outlined(types.void(*(types.intp,) * 6))
def convert_chunk(arrays_address, arrays_words, words_address, scratch_address, chunk, chunks):
    """Convert one of `chunks` equal shares of the outputs of words."""
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
    """Convert a share of the outputs of checked words, for arrays that fit them; return a status."""
    streams = 1 if total_bytes >= how.stream_bytes else 0
    scratch = new_scratch(most_axes_of(words), length_of_words(words), streams, how.workers)
    if is_null(scratch):
        return a.NO_MEMORY
    where = (address_to(arrays), arrays_words, address_to(words), address_to(scratch))
    if how.workers > 1:
        share(OF_CONVERSION, *where, total_bytes // how.launches, how.workers, how.launch, how.launches)
    else:
        convert_chunk(*where, how.launch, how.launches)
    free_bytes(scratch)
    return a.DONE


# Bytes of a round, in which each part gets some. The bytes that are read for it should stay in the second-level cache
# until all parts have them: splits of rows of 12 KiB in three took 0.9 of the time of one part after the other. Rounds
# of a quarter of this took a tenth longer, because parts begin anew in each, and images with edges up to a third.
_ROUND_BYTES = 1 << 19

# Tables on the heap are of so many words at first, and then longer by a factor.
_FIRST_TABLE_WORDS, _LARGER = 1 << 12, 8
_MOST_TABLE_WORDS = 1 << 36


@outlined(types.void(*(byte_pointer,) * 3, *(types.intp,) * 3, byte_pointer))
def stream_part(dst, src, table, part, first, end, fill):
    """Write work items of a part past the caches; out of line, because few calls need room for the staging buffer."""
    writer = open_writer(stack_pages(PART_WRITER_WORDS), dst, 1)
    run_part(writer, dst, src, table, part, first, end, fill)
    finish_writer(writer, dst)


@outlined(types.void(*(types.intp,) * 6))
def move_chunk(arrays_address, arrays_words, table_address, table_words, chunk, chunks):
    """Write one of `chunks` equal shares of the work items of each part, in rounds through all parts.

    Parts of a split along an inner axis read the same rows. One part after the other, each would also fetch the bytes
    between its rows, as far as the hardware reads ahead, and throw them away.
    """
    arrays = memory_in(arrays_address, 0, 8 * arrays_words, False)
    table = memory_in(table_address, 0, 8 * table_words, False)
    src = array_in(arrays, 0, False)
    fill = memory_in(arrays[a.FILL], 0, arrays[a.FILL_BYTES], False)
    parts = table[g.PARTS]
    rounds = max(table[g.TOTAL_BYTES] // chunks // _ROUND_BYTES, 1) if parts > 1 else 1
    streamed = 0
    for i in range(chunk * rounds, (chunk + 1) * rounds):
        part = g.HEADER_COLUMNS
        for _ in range(parts):
            items = table[part + g.ITEMS]
            first, end = chunk_start(items, i, chunks * rounds), chunk_start(items, i + 1, chunks * rounds)
            if first < end:
                dst = array_in(arrays, 1 + table[part + g.DST_INDEX], True)
                of_part = shift(fill, table[part + g.FILL_OFFSET])
                if table[part + g.STREAMS]:
                    stream_part(dst, src, table, part, first, end, of_part)
                    streamed = 1
                else:
                    writer = open_plain_writer(stack_words(PLAIN_PART_WRITER_WORDS), dst)
                    run_part(writer, dst, src, table, part, first, end, of_part)
            part += table[part + g.LENGTH]
    if streamed:
        finish_streams()


@loops
def _schedule(arrays, words, total_bytes, how, table, room):
    """Write the table of words for arrays; return its length, or -1 where there is no room."""
    streams = 1 if total_bytes >= how.stream_bytes else 0
    byte_strides = words_at(arrays, a.HEADER_COLUMNS + (words[w.OUTPUTS] + 1) * a.ARRAY_COLUMNS + arrays[a.SIDES])
    return schedule(words, byte_strides, arrays[a.WIDTH], Options(streams, how.smallest_peeled, 0, 0), table, room)


@outlined(types.intp(byte_pointer, types.intp, byte_pointer, types.intp, HOW))
def move_small(arrays, arrays_words, words, total_bytes, how):
    """Schedule words and move a share of the work, with the table on the stack; return 0 where it is too long."""
    table = stack_words(TABLE_WORDS)
    length = _schedule(arrays, words, total_bytes, how, table, TABLE_WORDS)
    if length < 0:
        return 0
    move_chunk(address_to(arrays), arrays_words, address_to(table), length, how.launch, how.launches)
    return 1


@outlined(types.intp(byte_pointer, types.intp, byte_pointer, types.intp, HOW))
def move_described(arrays, arrays_words, words, total_bytes, how):
    """Schedule checked words for arrays that fit them, and move a share of the work; return a status."""
    if arrays[a.CONVERSION]:
        return convert_described(arrays, arrays_words, words, total_bytes, how)
    is_small = total_bytes < g.PARALLEL_BYTES and how.workers == 1
    if is_small and move_small(arrays, arrays_words, words, total_bytes, how):
        return a.DONE
    length, room, table = -1, _FIRST_TABLE_WORDS, heap_bytes(8 * _FIRST_TABLE_WORDS)
    while not is_null(table):
        length = _schedule(arrays, words, total_bytes, how, table, room)
        if length >= 0 or room > _MOST_TABLE_WORDS:
            break
        free_bytes(table)
        room *= _LARGER
        table = heap_bytes(8 * room)
    if length < 0:
        return a.NO_MEMORY
    where = (address_to(arrays), arrays_words, address_to(table), length)
    if how.workers > 1:
        share(OF_TABLE, *where, total_bytes // how.launches, how.workers, how.launch, how.launches)
    else:
        move_chunk(*where, how.launch, how.launches)
    free_bytes(table)
    return a.DONE
