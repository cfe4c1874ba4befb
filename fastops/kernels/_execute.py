"""The core: words and arrays, checked, scheduled and moved.

Computes: what words say, or what the attributes of an operator mean, from one source into outputs, which are the
caller's or new; a status for what it does not do.
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

from fastops.kernels._arguments import read_arguments
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
    DTYPE_KIND,
    HAS_REFERENCES,
    INT32_MASK,
    NDARRAY_DATA,
    NDARRAY_DIMENSIONS,
    NDARRAY_DTYPE,
    NDARRAY_FLAGS,
    NDARRAY_RANK,
    NDARRAY_STRIDES,
    OBJECT_TYPE,
    TUPLE_ITEMS,
    TYPE_LAST,
    TYPE_UINT8,
    WRITEABLE,
)
from fastops.kernels._intrinsics._objects import (
    address_of_object,
    drop_reference,
    field_of,
    fields_of,
    integer_at,
    is_none,
    items_at,
    length_at,
    length_of,
    new_array,
    new_bytes,
    new_integer,
    new_tuple,
    object_at,
    object_of,
    release_gil,
    take_gil,
    tuple_of,
    word_at,
)
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import array_addresses, array_object, byte_pointer
from fastops.kernels._intrinsics._vectors import finish_streams
from fastops.kernels._parallel import share
from fastops.kernels._parts import run_part
from fastops.kernels._pins import PIN_WORDS, pin_arrays, unpin_arrays
from fastops.kernels._rules import RULE_WORDS, lower_rule
from fastops.kernels._scheduler._checks import CHECK_WORDS, check_arrays, check_header, check_words, total_size
from fastops.kernels._scheduler._schedule import Options
from fastops.kernels._schedules import TABLE_WORDS, schedule
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables import _words as w
from fastops.kernels._tables._rules import ARGUMENT_WORDS
from fastops.kernels._tables._words import MOST_AXES
from fastops.kernels._writer import PLAIN_WRITER_WORDS, WRITER_WORDS, finish_writer, open_writer

# Bytes of a round, in which each part gets some. What is read for it should stay in the second-level cache until all
# parts have it: splits of rows of 12 KiB in three took 0.9 of the time of one part after the other. Rounds of a quarter
# of this took a tenth longer, because parts begin anew in each, and images with edges up to a third.
_ROUND_BYTES = 1 << 19

# Descriptions of so many words are on the stack: those of a source and some outputs.
_FEW_WORDS = 128

# Tables on the heap are of so many words at first, and then longer by a factor.
_FIRST_TABLE_WORDS, _LARGER = 1 << 12, 8
_MOST_TABLE_WORDS = 1 << 36

# Work that writes fewer bytes is done with the GIL kept, if it reads so many pages at most: the system may have to
# fetch each from a file. So many elements lie in no more pages.
_GIL_KEPT_BYTES, _MOST_GIL_PAGES, _FEW_ELEMENTS = 1 << 16, 256, 120
_PAGE_BYTES = 4096

# New arrays of a call; of more, Python makes them.
_MOST_FRESH = 16


@loops
def _array_in(arrays, i, is_writable):
    """The byte pointer of an array that is described, for reading, or for writing."""
    row = words_at(arrays, a.HEADER_COLUMNS + i * a.ARRAY_COLUMNS)
    if is_writable:
        return memory_in(row[a.ADDRESS], row[a.LOW], row[a.HIGH], True)
    return memory_in(row[a.ADDRESS], row[a.LOW], row[a.HIGH], False)


@outlined(types.void(*(byte_pointer, byte_pointer, byte_pointer, types.intp, types.intp, types.intp), byte_pointer))
def stream_part(dst, src, table, part, first, end, fill):
    """Write grains of a part past the caches; in a frame of its own, as most calls need no such large one."""
    writer = open_writer(stack_words(WRITER_WORDS), dst, 1)
    run_part(writer, dst, src, table, part, first, end, fill)
    finish_writer(writer, dst)


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
                dst = _array_in(arrays, 1 + table[part + g.DST_INDEX], True)
                of_part = shift(fill, table[part + g.FILL_OFFSET])
                if table[part + g.STREAMS]:
                    stream_part(dst, src, table, part, first, end, of_part)
                    streamed = 1
                else:
                    writer = open_writer(stack_words(PLAIN_WRITER_WORDS), dst, 0)
                    run_part(writer, dst, src, table, part, first, end, of_part)
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
    are_fresh: Any  # 1 if nobody else has the outputs
    is_addressed: Any  # 1 if the source is no array but an address


_how = types.NamedUniTuple(types.intp, len(How._fields), How)


@loops
def _schedule(arrays, words, total_bytes, how, table, room):
    """Write the table of words for arrays; return its length, or -1 where there is no room."""
    streams = 1 if total_bytes >= how.stream_bytes else 0
    byte_strides = words_at(arrays, a.HEADER_COLUMNS + (words[w.OUTPUTS] + 1) * a.ARRAY_COLUMNS + arrays[a.SIDES])
    return schedule(words, byte_strides, arrays[a.WIDTH], Options(streams, how.smallest_peeled, 0), table, room)


@outlined(types.intp(byte_pointer, types.intp, byte_pointer, types.intp, _how))
def move_small(arrays, arrays_words, words, total_bytes, how):
    """Schedule words, and move a share of the work, with the table on the stack; return 0 where it is too long."""
    table = stack_words(TABLE_WORDS)
    length = _schedule(arrays, words, total_bytes, how, table, TABLE_WORDS)
    if length < 0:
        return 0
    move_chunk(address_to(arrays), arrays_words, address_to(table), length, how.launch, how.launches)
    return 1


@outlined(types.intp(byte_pointer, types.intp, byte_pointer, types.intp, _how))
def move_described(arrays, arrays_words, words, total_bytes, how):
    """Schedule words that are right for arrays that fit them, and move a share of the work; return a status."""
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
    arrays_address, table_address = address_to(arrays), address_to(table)
    if how.workers > 1:
        launched = total_bytes // how.launches
        share(arrays_address, arrays_words, table_address, length, launched, how.workers, how.launch, how.launches)
    else:
        move_chunk(arrays_address, arrays_words, table_address, length, how.launch, how.launches)
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
def _integers_at(items, integer, n, values, factor):
    """Write the values of n ints, times a factor; False if one is no exact int."""
    for k in range(n):
        each = word_at(items + 8 * k)
        if word_at(each + OBJECT_TYPE) != integer:
            return False
        values[k] = factor * integer_at(each)
    return True


@loops
def read_shape(src, lengths):
    """Write the shape of a source at an address; return its rank, or -1 for one that is not described so."""
    items = address_of_object(src) + TUPLE_ITEMS
    shape, integer = word_at(items + 16), word_at(word_at(items) + OBJECT_TYPE)
    rank = length_at(object_at(shape))
    if rank > w.MOST_AXES or not _integers_at(shape + TUPLE_ITEMS, integer, rank, lengths, 1):
        return -1
    return rank


@loops
def _describe_address(src, width, row, lengths, strides):
    """Describe a source at an address; False if it is not what `execute` says."""
    items = address_of_object(src) + TUPLE_ITEMS
    of_strides, integer = word_at(items + 24), word_at(word_at(items) + OBJECT_TYPE)
    row[a.ADDRESS], row[a.RANK] = integer_at(word_at(items)), read_shape(src, lengths)
    if row[a.RANK] < 0 or length_at(object_at(of_strides)) != row[a.RANK]:
        return False
    return _integers_at(of_strides + TUPLE_ITEMS, integer, row[a.RANK], strides, width)


@loops
def _describe_all(outs, src, ndarray, dtype, words, arrays, is_addressed):
    """Describe source and outputs, which must be ndarrays of a dtype; return a status."""
    outputs, rank = words[w.OUTPUTS], words[w.SRC_RANK]
    sides = rank
    for i in range(outputs):
        sides += words[w.HEADER_COLUMNS + rank + i]
    arrays[a.SIDES] = sides
    row = words_at(arrays, a.HEADER_COLUMNS)
    lengths = words_at(row, (outputs + 1) * a.ARRAY_COLUMNS)
    if is_addressed:
        # Another thread cannot have changed the shape, which words were made for.
        if not _describe_address(src, arrays[a.WIDTH], row, lengths, words_at(lengths, sides)):
            return a.NO_ARRAYS
    elif not _is_alike(src, ndarray, dtype, rank):
        return a.NO_ARRAYS
    else:
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
def _describe_fill(fill, dtype, ndarray, arrays):
    """Describe the array of fill values, which must be of the dtype of the others, or zero bytes; return a status."""
    if is_none(fill) or field_of(fill, OBJECT_TYPE) != ndarray or field_of(fill, NDARRAY_RANK) & INT32_MASK != 1:
        return a.NO_FILL
    own = object_at(field_of(fill, NDARRAY_DTYPE))
    kind, width = field_of(dtype, DTYPE_KIND), field_of(own, DTYPE_ITEMSIZE)
    is_own = field_of(own, DTYPE_KIND) == kind and width == arrays[a.WIDTH]
    # Bytes stand for the zero of a type, which one of another library may not have.
    if not is_own and (field_of(own, DTYPE_KIND) >> 32 != TYPE_UINT8 or kind >> 32 > TYPE_LAST):
        return a.NO_FILL
    arrays[a.FILL] = field_of(fill, NDARRAY_DATA)
    arrays[a.FILL_BYTES] = fields_of(fill, NDARRAY_DIMENSIONS)[0] * width
    return a.DONE


@loops
def _dtype_of(src, is_addressed):
    """Return the address of the dtype of a source."""
    return word_at(address_of_object(src) + TUPLE_ITEMS + 32) if is_addressed else field_of(src, NDARRAY_DTYPE)


@loops
def _look(outs, src, fill, ndarray, words, arrays, how):
    """Describe the arrays of a call, and check them; return a status."""
    if not how.is_addressed and field_of(src, OBJECT_TYPE) != ndarray:
        return a.NO_ARRAYS
    dtype = _dtype_of(src, how.is_addressed)
    if field_of(object_at(dtype), DTYPE_FLAGS) & HAS_REFERENCES:
        return a.NO_ARRAYS
    arrays[a.WIDTH] = field_of(object_at(dtype), DTYPE_ITEMSIZE)
    arrays[a.FILL] = arrays[a.FILL_BYTES] = 0
    status = _describe_all(outs, src, ndarray, dtype, words, arrays, how.is_addressed)
    if not status and words[w.FILLS] > 0:
        status = _describe_fill(fill, object_at(dtype), ndarray, arrays)
    status = status or check_arrays(arrays, words, how.are_apart)
    if not status and how.is_addressed:
        row, room = words_at(arrays, a.HEADER_COLUMNS), word_at(address_of_object(src) + TUPLE_ITEMS + 8)
        if row[a.LOW] < 0 or row[a.HIGH] > integer_at(room):
            return a.TOO_FAR
    return status


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
        *(array_addresses, array_object, array_object, types.intp),
        *(byte_pointer, byte_pointer, types.intp, byte_pointer, _how),
    )
)
def run_objects(outs, src, fill, ndarray, words, arrays, arrays_words, pins, how):
    """Move what words say between objects, with room for the description of the arrays, and for their pins."""
    size, is_pinned = total_size(words), False
    while True:
        status = _look(outs, src, fill, ndarray, words, arrays, how)
        if status:
            return status
        width = arrays[a.WIDTH]
        if float(width) * float(size) > float(w.LARGEST):
            return a.NO_MEMORY
        if is_pinned:
            break
        strides = words_at(arrays, arrays_words - arrays[a.SIDES])
        if size * width < _GIL_KEPT_BYTES and _reads_few_pages(words, strides, width, size):
            own = How(1, 0, 1, how.smallest_peeled, how.stream_bytes, 1, 1, how.is_addressed)
            return move_described(arrays, arrays_words, words, size * width, own)
        # Making pins may collect garbage, which may run anybody's code: the arrays are looked at again.
        if not pin_arrays(outs, words[w.OUTPUTS], src, ndarray, how, pins):
            return a.NOT_PINNED
        is_pinned = True
    state = release_gil(fill)
    status = move_described(arrays, arrays_words, words, size * width, how)
    take_gil(state, fill)
    return status


@outlined(types.intp(array_addresses, array_object, array_object, types.intp, byte_pointer, _how))
def move_objects(outs, src, fill, ndarray, words, how):
    """Move what words say between objects; return a status."""
    arrays, arrays_words = stack_words(_FEW_WORDS), _words_of_arrays(words)
    is_large = arrays_words > _FEW_WORDS
    if is_large:
        arrays = heap_bytes(8 * arrays_words)
        if is_null(arrays):
            return a.NO_MEMORY
    pins = stack_words(PIN_WORDS)
    pins[0] = 0
    status = run_objects(outs, src, fill, ndarray, words, arrays, arrays_words, pins, how)
    unpin_arrays(pins)
    if is_large:
        free_bytes(arrays)
    return status


@outlined(types.intp(byte_pointer, types.intp, types.intp, byte_pointer))
def create_outputs(words, ndarray, dtype, results):
    """Write the addresses of new arrays for the outputs of words; return a status."""
    outputs, rank = words[w.OUTPUTS], words[w.SRC_RANK]
    ranks = words_at(words, w.HEADER_COLUMNS + rank)
    shape = words_at(ranks, outputs)
    for i in range(outputs):
        results[i] = new_array(ndarray, dtype, ranks[i], shape)
        if results[i] == 0:
            drop_outputs(results, i)
            return a.NO_MEMORY
        shape = words_at(shape, ranks[i])
    return a.DONE


@loops
def drop_outputs(results, n):
    """Drop the first arrays of those whose addresses are given."""
    for i in range(n):
        drop_reference(results[i])


@outlined(types.intp(array_object, types.intp, array_object, byte_pointer, byte_pointer))
def lower_attributes(src, is_addressed, attributes, rule, words):
    """Write the words of attributes for a source; return their number, or -1 for Python."""
    lengths, arguments = stack_words(MOST_AXES), stack_words(ARGUMENT_WORDS)
    if is_addressed:
        rank = read_shape(src, lengths)
    else:
        lengths, rank = fields_of(src, NDARRAY_DIMENSIONS), field_of(src, NDARRAY_RANK) & INT32_MASK
    if rank < 0 or not read_arguments(address_of_object(attributes), rule, arguments):
        return -1
    return lower_rule(rule, lengths, rank, arguments, words)


@loops
def _words_in(array):
    """Return the words of an array object of int64."""
    n = fields_of(array, NDARRAY_DIMENSIONS)[0]
    return memory_in(field_of(array, NDARRAY_DATA), 0, 8 * n, False), n


@loops
def _has_shape(array, words):
    """True for an array of the shape that words say of the source."""
    shape, rank = fields_of(array, NDARRAY_DIMENSIONS), words[w.SRC_RANK]
    if field_of(array, NDARRAY_RANK) & INT32_MASK != rank:
        return False
    for k in range(rank):
        if shape[k] != words[w.HEADER_COLUMNS + k]:
            return False
    return True


@loops
def _takes_source(src, ndarray, is_addressed):
    """True for a source that can be looked at."""
    return not is_none(src) and (is_addressed or field_of(src, OBJECT_TYPE) == ndarray)


@outlined(types.intp(array_object, types.intp, byte_pointer, types.intp))
def check_call(src, is_addressed, words, n):
    """Return a status: if words are right, and the source has the shape that they say."""
    if not check_header(words, n) or not check_words(words, n, stack_words(CHECK_WORDS)):
        return a.WRONG_WORDS
    return a.DONE if is_addressed or _has_shape(src, words) else a.OTHER_SHAPE


@outlined(
    array_object(
        *(array_addresses, array_object, array_object, array_object, array_object),
        *(types.intp, types.intp, types.intp),
    )
)
def execute(outs, src, words_object, attributes, fill, is_addressed, stream_bytes, workers):
    """Move what is said from an array into others, and return a tuple of these; otherwise a status.

    outs is a tuple of any objects, or None for new arrays; src any object; fill the array of the fill values.
    words_object is an int64 array that nobody changes: the words of plans where attributes are None, and where they are
    a tuple of any objects, those of a rule (`_tables._rules`).

    With is_addressed the source is a tuple that says which memory it is, which the caller keeps: the address, how many
    bytes there are from that on, the shape, the strides in elements, and the dtype.

    With workers, work that is one launch is moved by so many threads; for more than one, `share` must be compiled.
    Other large work, `execute_launch` moves: that is a status if words are given, and otherwise the words, as bytes.
    """
    ndarray = field_of(words_object, OBJECT_TYPE)
    if not _takes_source(src, ndarray, is_addressed):
        return new_integer(a.NO_ARRAYS)
    words, n = _words_in(words_object)
    if not is_none(attributes):
        lowered = stack_words(RULE_WORDS)
        n = lower_attributes(src, is_addressed, attributes, words, lowered)
        if n < 0:
            return new_integer(a.NOT_LOWERED)
        words = lowered
    status = check_call(src, is_addressed, words, n)
    if status:
        return new_integer(status)
    dtype, outputs = _dtype_of(src, is_addressed), words[w.OUTPUTS]
    width = field_of(object_at(dtype), DTYPE_ITEMSIZE)
    is_fresh = 1 if is_none(outs) else 0
    total_bytes = float(width) * float(total_size(words))
    most = float(g.PARALLEL_BYTES) if workers == 0 else float(g.POOLED_BYTES if is_fresh else g.LAUNCH_BYTES)
    if total_bytes >= most or (is_fresh and outputs > _MOST_FRESH):
        return new_integer(a.LARGE) if is_none(attributes) else new_bytes(words, 8 * n)
    workers = workers if total_bytes >= float(g.PARALLEL_BYTES) else 1
    how = How(workers, 0, 1, g.SMALLEST_PEELED, stream_bytes, is_fresh, is_fresh, is_addressed)
    if not is_fresh:
        status = a.NO_ARRAYS
        if length_of(outs) == outputs:
            status = move_objects(outs, src, fill, ndarray, words, how)
        return new_integer(status) if status else tuple_of(outs)
    results = stack_words(_MOST_FRESH)
    status = create_outputs(words, ndarray, dtype, results) if width > 0 else a.NO_ARRAYS
    if not status:
        status = move_objects(items_at(address_to(results)), src, fill, ndarray, words, how)
        if status:
            drop_outputs(results, outputs)
    # A tuple is made last: that may collect garbage, which may run anybody's code.
    return new_integer(status) if status else new_tuple(results, outputs)


@outlined(types.intp(array_addresses, array_object, array_object, array_object, *(types.intp,) * 5))
def execute_launch(outs, src, words_object, fill, is_addressed, stream_bytes, workers, launch, launches):
    """Move one share of what words say, as `execute` does, into arrays of the caller's; return a status.

    For more workers than one, `share` must be compiled.
    """
    ndarray = field_of(words_object, OBJECT_TYPE)
    words, n = _words_in(words_object)
    if not _takes_source(src, ndarray, is_addressed):
        return a.NO_ARRAYS
    status = check_call(src, is_addressed, words, n)
    if status:
        return status
    if length_of(outs) != words[w.OUTPUTS]:
        return a.NO_ARRAYS
    how = How(workers, launch, launches, g.SMALLEST_PEELED, stream_bytes, 0, 0, is_addressed)
    return move_objects(outs, src, fill, ndarray, words, how)


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
    own = How(workers, launch, launches, smallest_peeled, stream_bytes, are_apart, 1, 0)
    return move_described(arrays, arrays_words, words, total_bytes, own)
