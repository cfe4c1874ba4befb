"""The core: words and arrays, checked, scheduled and moved.

Computes: what words say, from one source into outputs; a status for what it does not do.
Memory: reads words, the fields of objects and the source; writes the outputs. Descriptions of arrays and tables lie on
the stack, or on the heap if they are large.
Fast because a call is one call of compiled code, and all that is done besides moving takes some tenths of a
microsecond. What is little is moved with the GIL kept, from the first look at an object to the last byte, so that no
other thread can change one; for the rest the arrays are pinned, and the GIL is given up.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._chunks import chunk_start
from fastops.kernels._intrinsics._arrays_of_words import address_to, interpreted, memory_in, words_at
from fastops.kernels._intrinsics._memory import (
    free_bytes,
    heap_bytes,
    is_null,
    loops,
    shift,
    stack_words,
)
from fastops.kernels._intrinsics._object_layout import (
    DTYPE_FLAGS,
    DTYPE_ITEMSIZE,
    HAS_REFERENCES,
    INT32_MASK,
    NDARRAY_DATA,
    NDARRAY_DIMENSIONS,
    NDARRAY_DTYPE,
    NDARRAY_FLAGS,
    NDARRAY_RANK,
    NDARRAY_STRIDES,
    OBJECT_TYPE,
    WRITEABLE,
)
from fastops.kernels._intrinsics._objects import (
    field_of,
    fields_of,
    length_of,
    object_at,
    object_of,
    release_gil,
    take_gil,
)
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import array_addresses, array_object, byte_pointer
from fastops.kernels._intrinsics._vectors import finish_streams
from fastops.kernels._parallel import share
from fastops.kernels._parts import run_part
from fastops.kernels._pins import PIN_WORDS, pin_arrays, unpin_arrays
from fastops.kernels._scheduler._checks import CHECK_WORDS, check_arrays, check_header, check_words, total_size
from fastops.kernels._scheduler._schedule import Options
from fastops.kernels._schedules import TABLE_WORDS, schedule
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables import _words as w
from fastops.kernels._writer import WRITER_WORDS, finish_writer, open_writer

# Bytes of a round, in which each part gets some. What is read for it should stay in the second-level cache until all
# parts have it: splits of rows of 12 KiB in three took 0.9 of the time of one part after the other. Rounds of a quarter
# of this took a tenth longer, because parts begin anew in each, and images with edges up to a third.
_ROUND_BYTES = 1 << 19

# Descriptions of so many words are on the stack: those of a source and some outputs.
_FEW_WORDS = 256

# Tables on the heap are of so many words at first, and then longer by a factor.
_FIRST_TABLE_WORDS, _LARGER = 1 << 14, 8
_MOST_TABLE_WORDS = 1 << 36

# Work that writes fewer bytes is done with the GIL kept, if it reads so many pages at most: the system may have to
# fetch each from a file. So many elements lie in no more pages.
_GIL_KEPT_BYTES, _MOST_GIL_PAGES, _FEW_ELEMENTS = 1 << 16, 256, 120
_PAGE_BYTES = 4096


@loops
def _array_in(arrays, i, is_writable):
    """The byte pointer of an array that is described, for reading, or for writing."""
    row = words_at(arrays, a.HEADER_COLUMNS + i * a.ARRAY_COLUMNS)
    if is_writable:
        return memory_in(row[a.ADDRESS], row[a.LOW], row[a.HIGH], True)
    return memory_in(row[a.ADDRESS], row[a.LOW], row[a.HIGH], False)


@outlined(types.void(types.intp, types.intp, types.intp, types.intp, types.intp, types.intp))
def move_chunk(arrays_address, arrays_words, table_address, table_words, chunk, chunks):
    """Write one of `chunks` equal shares of the grains of each part, in rounds through all parts.

    Parts of a split along an inner axis read the same rows. One part after the other, each would fetch what lies
    between its rows too, as far as the hardware reads ahead, and have it thrown away.
    """
    arrays = memory_in(arrays_address, 0, 8 * arrays_words, False)
    table = memory_in(table_address, 0, 8 * table_words, False)
    src = _array_in(arrays, 0, False)
    fill = memory_in(arrays[a.FILL], 0, arrays[a.FILL_BYTES], False)
    parts = table[g.PARTS]
    rounds = max(table[g.TOTAL_BYTES] // chunks // _ROUND_BYTES, 1) if parts > 1 else 1
    streamed = 0
    for i in range(chunk * rounds, (chunk + 1) * rounds):
        part = g.HEADER_COLUMNS
        for _ in range(parts):
            grains = table[part + g.GRAINS]
            first, end = chunk_start(grains, i, chunks * rounds), chunk_start(grains, i + 1, chunks * rounds)
            if first < end:
                dst, streams = _array_in(arrays, 1 + table[part + g.DST_INDEX], True), table[part + g.STREAMS]
                writer = open_writer(stack_words(WRITER_WORDS), dst, streams)
                run_part(writer, dst, src, table, part, first, end, shift(fill, table[part + g.FILL_OFFSET]))
                if streams:
                    finish_writer(writer, dst)
                    streamed = 1
            part += table[part + g.LENGTH]
    if streamed:
        finish_streams()


class How(NamedTuple):
    """How a call is run."""

    workers: Any  # by how many threads, where it is large
    launch: Any  # which of so many launches it is
    launches: Any
    smallest_peeled: Any  # results of fewer bytes are one part, without an interior and edges
    stream_bytes: Any  # results of fewer bytes stay in the caches
    are_apart: Any  # 1 if whoever calls knows that outputs share no memory with anything


_how = types.NamedUniTuple(types.intp, len(How._fields), How)


@outlined(types.intp(byte_pointer, types.intp, byte_pointer, types.intp, _how))
def move_described(arrays, arrays_words, words, total_bytes, how):
    """Schedule words that are right for arrays that fit them, and move a share of the work; return a status."""
    streams = 1 if total_bytes >= how.stream_bytes else 0
    options = Options(streams, how.smallest_peeled, 0)
    outputs = words[w.OUTPUTS]
    byte_strides = words_at(arrays, a.HEADER_COLUMNS + (outputs + 1) * a.ARRAY_COLUMNS + arrays[a.SIDES])
    table = stack_words(TABLE_WORDS)
    length, room = schedule(words, byte_strides, arrays[a.WIDTH], options, table, TABLE_WORDS), TABLE_WORDS
    is_large = False
    while length < 0:
        room = room * _LARGER if is_large else _FIRST_TABLE_WORDS
        if is_large:
            free_bytes(table)
        if room > _MOST_TABLE_WORDS:
            return a.NO_MEMORY
        table = heap_bytes(8 * room)
        if is_null(table):
            return a.NO_MEMORY
        is_large = True
        length = schedule(words, byte_strides, arrays[a.WIDTH], options, table, room)
    arrays_address, table_address = address_to(arrays), address_to(table)
    if how.workers > 1:
        launched = total_bytes // how.launches
        share(arrays_address, arrays_words, table_address, length, launched, how.workers, how.launch, how.launches)
    else:
        move_chunk(arrays_address, arrays_words, table_address, length, how.launch, how.launches)
    if is_large:
        free_bytes(table)
    return a.DONE


@interpreted
def _reads_few_pages(words, byte_strides, width, size):
    """True if so many elements, which words read, lie in few pages of memory."""
    if size <= _FEW_ELEMENTS:
        return True
    pages, piece = 0, words[w.FIRST_PIECE]
    for _ in range(words[w.PIECES]):
        rows, span = 1, width
        for k in range(words[piece + w.AXES]):
            axis = piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS
            stride = words[axis + w.STRIDE] if words[axis + w.MODE] != w.PIECEWISE else 1
            source, count = words[axis + w.SRC_AXIS], min(words[axis + w.COUNT], words[axis + w.EXTENT])
            distance = 0.0
            if source != w.NO_AXIS:
                distance = abs(float(words[axis + w.SRC_STEP]) * float(stride) * float(byte_strides[source]))
            if distance < _PAGE_BYTES:
                span += int(distance) * count
            else:
                rows *= min(count, _MOST_GIL_PAGES + 1)
        pages += min(rows, _MOST_GIL_PAGES + 1) * (min(span // _PAGE_BYTES, _MOST_GIL_PAGES) + 2)
        if pages > _MOST_GIL_PAGES:
            return False
        piece += words[piece + w.LENGTH]
    return True


@loops
def _describe(array, row, lengths, strides):
    """Describe an array object."""
    rank = field_of(array, NDARRAY_RANK) & INT32_MASK
    row[a.ADDRESS] = field_of(array, NDARRAY_DATA)
    row[a.RANK] = rank
    shape, byte_strides = fields_of(array, NDARRAY_DIMENSIONS), fields_of(array, NDARRAY_STRIDES)
    for k in range(rank):
        lengths[k] = shape[k]
        strides[k] = byte_strides[k]


@loops
def _is_alike(array, ndarray, dtype, rank):
    """True if an object is an ndarray of a dtype and a rank."""
    if field_of(array, OBJECT_TYPE) != ndarray or field_of(array, NDARRAY_DTYPE) != dtype:
        return False
    return field_of(array, NDARRAY_RANK) & INT32_MASK == rank


@loops
def _describe_all(outs, src, ndarray, dtype, words, arrays):
    """Describe source and outputs, which must be ndarrays of a dtype; return a status."""
    outputs, rank = words[w.OUTPUTS], words[w.SRC_RANK]
    sides = rank
    for i in range(outputs):
        sides += words[w.HEADER_COLUMNS + rank + i]
    if not _is_alike(src, ndarray, dtype, rank):
        return a.NO_ARRAYS
    arrays[a.SIDES] = sides
    row = words_at(arrays, a.HEADER_COLUMNS)
    lengths = words_at(row, (outputs + 1) * a.ARRAY_COLUMNS)
    _describe(src, row, lengths, words_at(lengths, sides))
    for i in range(outputs):
        out = object_of(outs, i)
        lengths, row = words_at(lengths, rank), words_at(row, a.ARRAY_COLUMNS)
        rank = words[w.HEADER_COLUMNS + words[w.SRC_RANK] + i]
        if not _is_alike(out, ndarray, dtype, rank):
            return a.NO_ARRAYS
        if not field_of(out, NDARRAY_FLAGS) & WRITEABLE:
            return a.NOT_WRITEABLE
        _describe(out, row, lengths, words_at(lengths, sides))
    return a.DONE


@loops
def _describe_fill(fill, ndarray, arrays):
    """Describe the array of fill values, which are of the dtype of the others, or bytes of zeros; return a status."""
    if field_of(fill, OBJECT_TYPE) != ndarray or field_of(fill, NDARRAY_RANK) & INT32_MASK != 1:
        return a.NO_FILL
    width = field_of(object_at(field_of(fill, NDARRAY_DTYPE)), DTYPE_ITEMSIZE)
    arrays[a.FILL] = field_of(fill, NDARRAY_DATA)
    arrays[a.FILL_BYTES] = fields_of(fill, NDARRAY_DIMENSIONS)[0] * width
    return a.DONE


@loops
def _look(outs, src, fill, ndarray, words, arrays, are_apart):
    """Describe the arrays of a call, and check them; return a status."""
    if length_of(outs) != words[w.OUTPUTS] or field_of(src, OBJECT_TYPE) != ndarray:
        return a.NO_ARRAYS
    dtype = field_of(src, NDARRAY_DTYPE)
    if field_of(object_at(dtype), DTYPE_FLAGS) & HAS_REFERENCES:
        return a.NO_ARRAYS
    status = _describe_all(outs, src, ndarray, dtype, words, arrays)
    if status:
        return status
    arrays[a.WIDTH] = field_of(object_at(dtype), DTYPE_ITEMSIZE)
    arrays[a.FILL] = arrays[a.FILL_BYTES] = 0
    if words[w.FILLS] > 0:
        status = _describe_fill(fill, ndarray, arrays)
    return status or check_arrays(arrays, words, are_apart)


@interpreted
def _words_of_arrays(words):
    """Return how many words describe the arrays of a call."""
    outputs, rank = words[w.OUTPUTS], words[w.SRC_RANK]
    sides = rank
    for i in range(outputs):
        sides += words[w.HEADER_COLUMNS + rank + i]
    return a.HEADER_COLUMNS + (outputs + 1) * a.ARRAY_COLUMNS + 2 * sides


@outlined(
    types.intp(
        *(array_addresses, array_object, array_object, array_object),
        *(byte_pointer, byte_pointer, types.intp, byte_pointer, _how),
    )
)
def run_objects(outs, src, words_object, fill, words, arrays, arrays_words, pins, how):
    """Do what `execute` does, with room for the description of the arrays, and for their pins."""
    ndarray, size = field_of(words_object, OBJECT_TYPE), total_size(words)
    is_pinned = False
    while True:
        status = _look(outs, src, fill, ndarray, words, arrays, how.are_apart)
        if status:
            return status
        width = arrays[a.WIDTH]
        if float(width) * float(size) > float(w.LARGEST):
            return a.NO_MEMORY
        if is_pinned:
            break
        strides = words_at(arrays, arrays_words - arrays[a.SIDES])
        if size * width < _GIL_KEPT_BYTES and _reads_few_pages(words, strides, width, size):
            own = How(1, 0, 1, how.smallest_peeled, how.stream_bytes, 1)
            return move_described(arrays, arrays_words, words, size * width, own)
        # Making pins may collect garbage, which may run anybody's code: the arrays are looked at again.
        if not pin_arrays(outs, src, ndarray, 0, pins):
            return a.NOT_PINNED
        is_pinned = True
    state = release_gil(fill)
    status = move_described(arrays, arrays_words, words, size * width, how)
    take_gil(state, fill)
    return status


@outlined(
    types.intp(
        *(array_addresses, array_object, array_object, array_object),
        *(types.intp, types.intp, types.intp, types.intp, types.intp, types.intp),
    )
)
def execute(outs, src, words_object, fill, smallest_peeled, stream_bytes, are_apart, workers, launch, launches):
    """Move what words say from an array into others; return a status.

    outs is a tuple of any objects, src any object, words_object an int64 array that nobody changes, fill the array of
    the fill values. For more workers than one, `share` must be compiled. Nothing is written unless the status is DONE.
    """
    n = fields_of(words_object, NDARRAY_DIMENSIONS)[0]
    words = memory_in(field_of(words_object, NDARRAY_DATA), 0, 8 * n, False)
    if not check_header(words, n) or not check_words(words, n, stack_words(CHECK_WORDS)):
        return a.WRONG_WORDS
    arrays, arrays_words = stack_words(_FEW_WORDS), _words_of_arrays(words)
    is_large = arrays_words > _FEW_WORDS
    if is_large:
        arrays = heap_bytes(8 * arrays_words)
        if is_null(arrays):
            return a.NO_MEMORY
    pins, how = stack_words(PIN_WORDS), How(workers, launch, launches, smallest_peeled, stream_bytes, are_apart)
    pins[0] = 0
    status = run_objects(outs, src, words_object, fill, words, arrays, arrays_words, pins, how)
    unpin_arrays(pins)
    if is_large:
        free_bytes(arrays)
    return status


@outlined(types.intp(*(types.intp,) * 10))
def execute_at(
    arrays_address,
    arrays_words,
    words_address,
    n,
    smallest_peeled,
    stream_bytes,
    are_apart,
    workers,
    launch,
    launches,
):
    """Move what words say between arrays that are described at an address (`_tables._arrays`); return a status.

    Whoever calls keeps the memory of the arrays where it is, and for more workers than one has `share` compiled.
    Nothing is written unless the status is DONE.
    """
    arrays, words = memory_in(arrays_address, 0, 8 * arrays_words, True), memory_in(words_address, 0, 8 * n, False)
    if not check_header(words, n) or not check_words(words, n, stack_words(CHECK_WORDS)):
        return a.WRONG_WORDS
    outputs, size = words[w.OUTPUTS], total_size(words)
    if arrays_words != _words_of_arrays(words):
        return a.NO_ARRAYS
    arrays[a.SIDES] = (arrays_words - a.HEADER_COLUMNS - (outputs + 1) * a.ARRAY_COLUMNS) // 2
    for i in range(outputs + 1):
        rank = words[w.SRC_RANK] if i == 0 else words[w.HEADER_COLUMNS + words[w.SRC_RANK] + i - 1]
        if arrays[a.HEADER_COLUMNS + i * a.ARRAY_COLUMNS + a.RANK] != rank:
            return a.NO_ARRAYS
    status = check_arrays(arrays, words, are_apart)
    if status:
        return status
    if float(arrays[a.WIDTH]) * float(size) > float(w.LARGEST):
        return a.NO_MEMORY
    total_bytes = size * arrays[a.WIDTH]
    own = How(workers, launch, launches, smallest_peeled, stream_bytes, are_apart)
    return move_described(arrays, arrays_words, words, total_bytes, own)
