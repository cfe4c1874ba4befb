"""Moving: schedules words that fit their arrays, and moves the elements, or converts them on the way.

Computes: the table of the words for the memory of the arrays, and from it all outputs, or one share of them. With a
conversion (`_tables._conversion`), T(x) * a + b of each element x that words read. Memory: reads the words, the
description of the arrays, the conversion and the source; writes each element of the outputs, some twice with the same
value. The table of small work lies on the stack if it fits there, any other on the heap. Each thread that converts has
scratch memory of its own on the heap, which holds a tile of the result before it is converted. Fast because a tile
stays in the caches: a schedule of its own moves it there, as it would move any result, and each row is converted from
there into the output, past the caches if the output is large. So memory is read and written once.
"""

# Intrinsics take and return types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from typing import Any, NamedTuple

from numba import types

from fastops.kernels import _writer as wr
from fastops.kernels._intrinsics import _memory as mem
from fastops.kernels._intrinsics._numbers import convert_elements
from fastops.kernels._intrinsics._outlined import byte_pointer, numbers_type, outlined
from fastops.kernels._intrinsics._vectors import finish_streams
from fastops.kernels._parallel import OF_CONVERSION, OF_TABLE, chunk_start, share
from fastops.kernels._scheduler import _schedule as s
from fastops.kernels._scheduler._checks import width_of_outputs
from fastops.kernels._schedules import HOW, TABLE_WORDS, array_in, run_shares, run_table, schedule, schedule_in_room
from fastops.kernels._tables import _arrays as a, _conversion as c, _gather as g, _words as w

# Bytes of a tile, at most. Half and double as many took 1.1 to 1.2 times as long: small tiles are prepared more often,
# large ones leave the second-level cache while they are converted.
_TILE_BYTES = 1 << 16

# Scratch memory is a header, then the scratch memory of each worker.
# - _STREAMS: 1 if the output leaves past the caches
# - _OWN_WORDS: of scratch memory of a worker
# - _WORDS: the number of words of the plan
_WORKERS, _STREAMS, _OWN_WORDS, _WORDS, _HEADER_COLUMNS = range(5)

# Scratch memory of a worker: the writer of the output, elements of a tile, elements that lie apart in the output, the
# rows of a tile, and the table of a tile or a window.
_BUFFER = wr.UNALIGNED_WRITER_WORDS
_PART = _BUFFER + _TILE_BYTES // 8
_PART_BYTES = 8 * c.PART
_TILE = _PART + _PART_BYTES // 8
_TABLE = _TILE + w.MOST_AXES * s.TILE_COLUMNS


class Work(NamedTuple):
    """The work of a thread that converts or moves windows."""

    arrays: Any  # their description
    words: Any
    byte_strides: Any  # of the source, then of the output
    conversion: Any  # null for none
    dst: Any
    writer: Any  # of the output
    scratch: Any  # of the worker
    streams: Any
    width: Any  # bytes of an element of the output
    workers: Any


_WORK = types.NamedTuple((*(byte_pointer,) * 7, *(types.intp,) * 3), Work)
_ROW = numbers_type(s.Row)


@outlined(types.void(_WORK, byte_pointer, _ROW, types.intp, types.intp))
def convert_row(work, src, row, offset, channel):
    """Convert a row, whose first element is at an offset of the output and belongs to a channel."""
    source, result = work.conversion[c.SOURCE], work.conversion[c.RESULT]
    channels, size = work.conversion[c.CHANNELS], 8 if result == c.TO_FLOAT64 else 4
    scales = mem.shift(work.conversion, 8 * c.HEADER_COLUMNS)
    shifts = mem.shift(scales, size * (channels + c.PART + c.LANES))
    is_dense, width, of_source = row.pitch == work.width, work.width, c.SOURCE_WIDTHS[source]
    is_direct = is_dense and not work.streams
    period = channels if row.step else 1
    has_kept_numbers = c.KEPT_NUMBERS % period == 0
    part = mem.narrow(work.scratch, 8 * _PART, _PART_BYTES)
    done = 0
    while done < row.length:
        n = row.length - done
        if not (is_direct and has_kept_numbers):
            n = min(n, c.PART)
        at, own = offset + done * row.pitch, mem.shift(src, done * of_source)
        to = wr.reserve(work.writer, work.dst, at, n * width) if is_dense else part
        first = size * ((channel + done * row.step) % channels)
        convert_elements(to, own, n, mem.shift(scales, first), mem.shift(shifts, first), period, source, result)
        if not is_dense:
            wr.move_row(mem.shift(work.dst, at), row.pitch, part, width, n, width, part)
        else:
            wr.settle(work.writer, work.dst, own, 0)
        done += n


@outlined(types.void(_WORK, byte_pointer, *(types.intp,) * 4))
def convert_words(work, src, base, share, end_share, shares):
    """Convert shares [share, end_share) of the tiles of each piece of words, from `base` bytes of the output on."""
    words, width = work.words, work.arrays[a.WIDTH]
    tile, table = mem.words_at(work.scratch, _TILE), table_of(work)
    buffer = mem.narrow(work.scratch, 8 * _BUFFER, _TILE_BYTES)
    fill = mem.memory_in(work.arrays[a.FILL], 0, work.arrays[a.FILL_BYTES], False)
    piece = words[w.FIRST_PIECE]
    for _ in range(words[w.PIECES]):
        n, size = words[piece + w.AXES], 1
        for k in range(n):
            size *= words[piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS + w.COUNT]
        if size:
            at, channel = s.describe_axes(words, piece, work.byte_strides, work.conversion[c.CHANNEL_AXIS], tile)
            # No tile is larger than a worker's equal share of the piece.
            most = min(_TILE_BYTES // width, (size + work.workers - 1) // work.workers)
            tiles = s.choose_tiles(tile, n, most)
            of_piece, first = mem.shift(fill, words[piece + w.FILL_INDEX] * width), chunk_start(tiles, share, shares)
            for number in range(first, chunk_start(tiles, end_share, shares)):
                tile_offset, tile_channel, elements, is_moved, moved_by = s.place_tile(
                    words, piece, work.byte_strides, tile, width, number, number > first
                )
                if is_moved:
                    s.move_table(table, moved_by)
                else:
                    options = s.Options(0, g.SMALLEST_PEELED, 0, piece)
                    schedule_in_room(words, work.byte_strides, width, options, tile, table)
                run_table(work.writer, buffer, src, table, of_piece, 0, 1, 1)
                offset, own_channel = base + at + tile_offset, channel + tile_channel
                row = s.begin_rows(tile, n, work.width, work.conversion[c.CHANNELS])
                for r in range(elements // row.length):
                    convert_row(work, mem.shift(buffer, r * row.length * width), row, offset, own_channel)
                    offset, own_channel = s.next_row(tile, n, row, offset, own_channel)
        piece += words[piece + w.LENGTH]


def new_scratch(n_words, streams, workers):
    """Return workers' scratch memory for a plan of n_words words; it may be null."""
    own = _TABLE + TABLE_WORDS + n_words
    scratch = mem.heap_bytes(8 * (_HEADER_COLUMNS + workers * own))
    if not mem.is_null(scratch):
        scratch[_WORKERS], scratch[_STREAMS], scratch[_OWN_WORDS], scratch[_WORDS] = workers, streams, own, n_words
    return scratch


def begin_work(arrays, words, byte_strides, dst, scratch_address, chunk):
    """Return the work of the worker that does a chunk."""
    header = mem.memory_in(scratch_address, 0, 8 * _HEADER_COLUMNS, False)
    own = 8 * (_HEADER_COLUMNS + chunk % header[_WORKERS] * header[_OWN_WORDS])
    scratch = mem.memory_in(scratch_address + own, 0, 8 * header[_OWN_WORDS], True)
    conversion = mem.memory_in(arrays[a.CONVERSION], 0, 8 * arrays[a.CONVERSION_WORDS], False)
    streams, workers, width = header[_STREAMS], header[_WORKERS], width_of_outputs(arrays)
    writer = wr.open_writer(scratch, dst, streams)
    return Work(arrays, words, byte_strides, conversion, dst, writer, scratch, streams, width, workers)


def table_of(work):
    """Return the memory of a worker for the table of a tile or a window."""
    return mem.words_at(work.scratch, _TABLE)


def end_work(work):
    """Write all staged bytes."""
    if work.streams:
        wr.finish_writer(work.writer, work.dst)
        finish_streams()


def length_of_words(words):
    """Return the number of words."""
    piece = words[w.FIRST_PIECE]
    for _ in range(words[w.PIECES]):
        piece += words[piece + w.LENGTH]
    return piece


@outlined(types.void(*(types.intp,) * 6))
def convert_chunk(arrays_address, arrays_words, words_address, scratch_address, chunk, chunks):
    """Convert one of `chunks` equal shares of the outputs of words."""
    arrays = mem.memory_in(arrays_address, 0, 8 * arrays_words, False)
    header = mem.memory_in(scratch_address, 0, 8 * _HEADER_COLUMNS, False)
    words = mem.memory_in(words_address, 0, 8 * header[_WORDS], False)
    byte_strides = mem.words_at(arrays, a.HEADER_COLUMNS + 2 * a.ARRAY_COLUMNS + arrays[a.SIDES])
    dst = array_in(arrays, 1, True)
    work = begin_work(arrays, words, byte_strides, dst, scratch_address, chunk)
    convert_words(work, array_in(arrays, 0, False), 0, chunk, chunk + 1, chunks)
    end_work(work)


@outlined(types.intp(byte_pointer, types.intp, byte_pointer, types.intp, HOW))
def convert_described(arrays, arrays_words, words, total_bytes, how):
    """Convert a share of the outputs of checked words, for arrays that fit them; return a status."""
    streams = 1 if total_bytes >= how.stream_bytes else 0
    scratch = new_scratch(length_of_words(words), streams, how.workers)
    if mem.is_null(scratch):
        return a.NO_MEMORY
    where = (mem.address_to(arrays), arrays_words, mem.address_to(words), mem.address_to(scratch))
    if how.workers > 1:
        share(OF_CONVERSION, *where, total_bytes // how.launches, how.workers, how.launch, how.launches)
    else:
        convert_chunk(*where, how.launch, how.launches)
    mem.free_bytes(scratch)
    return a.DONE


# Bytes of a round, which writes some bytes of each part. The bytes that a round reads should stay in the second-level
# cache until all parts have read them: splits of rows of 12 KiB in three took 0.9 of the time of one part after the
# other. Rounds of a quarter of this size took a tenth longer, or up to a third for images with edges, because parts
# begin anew in each round.
_ROUND_BYTES = 1 << 19

# The first table on the heap has this many words; each further one is longer by this factor.
_FIRST_TABLE_WORDS, _LARGER = 1 << 12, 8
_MOST_TABLE_WORDS = 1 << 36


@outlined(types.void(*(types.intp,) * 6))
def move_chunk(arrays_address, arrays_words, table_address, table_words, chunk, chunks):
    """Write one of `chunks` equal shares of the work items of each part, in rounds through all parts.

    Parts of a split along an inner axis read the same rows. If a thread wrote one part after the other, each part would
    also fetch the bytes between its rows that the hardware reads ahead, and not use them.
    """
    arrays = mem.memory_in(arrays_address, 0, 8 * arrays_words, False)
    table = mem.memory_in(table_address, 0, 8 * table_words, False)
    src = array_in(arrays, 0, False)
    fill = mem.memory_in(arrays[a.FILL], 0, arrays[a.FILL_BYTES], False)
    parts = table[g.PARTS]
    rounds = max(table[g.TOTAL_BYTES] // chunks // _ROUND_BYTES, 1) if parts > 1 else 1
    streamed = 0
    for i in range(chunk * rounds, (chunk + 1) * rounds):
        part = g.HEADER_COLUMNS
        for _ in range(parts):
            dst = array_in(arrays, 1 + table[part + g.DST_INDEX], True)
            run_shares(dst, src, table, part, mem.shift(fill, table[part + g.FILL_OFFSET]), i, i + 1, chunks * rounds)
            streamed |= table[part + g.STREAMS]
            part += table[part + g.LENGTH]
    if streamed:
        finish_streams()


def _schedule(arrays, words, total_bytes, how, table, room):
    """Write the table of words for arrays; return its length, or -1 where there is no room."""
    streams = 1 if total_bytes >= how.stream_bytes else 0
    byte_strides = mem.words_at(arrays, a.HEADER_COLUMNS + (words[w.OUTPUTS] + 1) * a.ARRAY_COLUMNS + arrays[a.SIDES])
    options = s.Options(streams, how.smallest_peeled, 0, 0)
    return schedule(words, byte_strides, arrays[a.WIDTH], options, table, table, room)


@outlined(types.intp(byte_pointer, types.intp, byte_pointer, types.intp, HOW))
def move_small(arrays, arrays_words, words, total_bytes, how):
    """Schedule words and move a share of the work, with the table on the stack; return 0 where it is too long."""
    table = mem.stack_words(TABLE_WORDS)
    length = _schedule(arrays, words, total_bytes, how, table, TABLE_WORDS)
    if length < 0:
        return 0
    move_chunk(mem.address_to(arrays), arrays_words, mem.address_to(table), length, how.launch, how.launches)
    return 1


@outlined(types.intp(byte_pointer, types.intp, byte_pointer, types.intp, HOW))
def move_described(arrays, arrays_words, words, total_bytes, how):
    """Schedule checked words for arrays that fit them, and move a share of the work; return a status."""
    if arrays[a.CONVERSION]:
        return convert_described(arrays, arrays_words, words, total_bytes, how)
    if how.workers == 1 and move_small(arrays, arrays_words, words, total_bytes, how):
        return a.DONE
    length, room, table = -1, _FIRST_TABLE_WORDS, mem.heap_bytes(8 * _FIRST_TABLE_WORDS)
    while not mem.is_null(table):
        length = _schedule(arrays, words, total_bytes, how, table, room)
        if length >= 0 or room > _MOST_TABLE_WORDS:
            break
        mem.free_bytes(table)
        room *= _LARGER
        table = mem.heap_bytes(8 * room)
    if length < 0:
        return a.NO_MEMORY
    where = (mem.address_to(arrays), arrays_words, mem.address_to(table), length)
    if how.workers > 1:
        share(OF_TABLE, *where, total_bytes // how.launches, how.workers, how.launch, how.launches)
    else:
        move_chunk(*where, how.launch, how.launches)
    mem.free_bytes(table)
    return a.DONE


mem.let_kernels_call(__name__)
