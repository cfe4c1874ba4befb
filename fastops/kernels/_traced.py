"""The traced gather kernel: runs a call as a record says, if there is one that says what such a call does.

Computes: for the first record whose array types, attributes and conditions a call fulfils, its table, from the shapes,
byte strides and integers of this call; then what `gather` does.
Memory: reads the fields of objects, records and their list; writes the scratch, the outputs, and the order of records.
Runs with the GIL kept from the first look at an object to the last byte, so that no other thread can change one. Where
that would be long, the GIL is given up for the moving, and the arrays are pinned; memory at an address is kept by the
caller.
Fast because nothing is looked up: a record that does not fit is left at its first difference, and the last one that did
fit is first. And because it is one call: after an image has gone through the cache, each object that Python touches is
fetched anew.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._attributes import read_attributes
from fastops.kernels._gather import gather_chunk
from fastops.kernels._intrinsics._memory import ONE, ZERO, copy_bytes, load_int, loops, shift, stack_words, store_int
from fastops.kernels._intrinsics._object_layout import (
    C_CONTIGUOUS,
    DTYPE_FLAGS,
    DTYPE_ITEMSIZE,
    INT32_MASK,
    NDARRAY_DATA,
    NDARRAY_DIMENSIONS,
    NDARRAY_DTYPE,
    NDARRAY_FLAGS,
    NDARRAY_RANK,
    NDARRAY_STRIDES,
    OBJECT_TYPE,
    TUPLE_ITEMS,
    WRITEABLE,
)
from fastops.kernels._intrinsics._objects import (
    address_in,
    address_of_object,
    bytes_at,
    field_of,
    fields_of,
    integer_at,
    length_of,
    memory_at,
    object_at,
    object_of,
    output_at,
    release_gil,
    take_gil,
    word_at,
)
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import array_addresses, array_object
from fastops.kernels._parallel import gather
from fastops.kernels._pins import PIN_WORDS, pin_arrays, unpin_arrays
from fastops.kernels._programs import run_program
from fastops.kernels._tables._trace import (
    ADDRESSED,
    DONE,
    DTYPE,
    FILL,
    FIRST_OUT,
    FIRST_OUTPUT,
    FLAGS,
    HEADER_COLUMNS,
    ID,
    KEEPS_GIL,
    LAUNCH_BYTES,
    NO_RECORD,
    NO_ROOM,
    ONE_IF_SMALL,
    ONLY_WITH_GIL,
    OTHER_OUTPUTS,
    OUTCOMES,
    OUTPUTS,
    PARALLEL_BYTES,
    PARTS,
    PREPARED,
    RANK,
    SRC_HIGH,
    SRC_LOW,
    STRIDED,
    TABLE_WORDS,
    TOTAL_BYTES,
    TYPE,
    WIDTH,
)


@loops
def _is_alike(array, record, rank):
    """True if an object is an ndarray of the record's dtype and this rank."""
    return (
        field_of(array, OBJECT_TYPE) == load_int(record, TYPE)
        and field_of(array, NDARRAY_DTYPE) == load_int(record, DTYPE)
        and field_of(array, NDARRAY_RANK) & INT32_MASK == rank
    )


@loops
def _fits_source(src, record, is_addressed):
    """True if the source is an ndarray of the record's dtype, which is what it was, and of its rank."""
    if is_addressed != load_int(record, ADDRESSED):
        return False
    if not is_addressed and not _is_alike(src, record, load_int(record, RANK)):
        return False
    dtype = object_at(load_int(record, DTYPE))
    return field_of(dtype, DTYPE_ITEMSIZE) == load_int(record, WIDTH) and field_of(dtype, DTYPE_FLAGS) == load_int(
        record, FLAGS
    )


@loops
def _fits_outputs(dsts, record, parts):
    """True if there are as many outputs as the record has, ndarrays of its dtype and ranks, laid out as it wants."""
    wanted = WRITEABLE if load_int(record, STRIDED) else C_CONTIGUOUS | WRITEABLE
    if length_of(dsts) != parts:
        return False
    for i in range(parts):
        dst = object_of(dsts, i)
        if not _is_alike(dst, record, load_int(record, HEADER_COLUMNS + i)):
            return False
        if field_of(dst, NDARRAY_FLAGS) & wanted != wanted:
            return False
    return True


@loops
def _read_inputs(dsts, src, attributes, record, parts, inputs):
    """Write the inputs of a record's program; False if the attributes are not as it says."""
    n = 0
    if not load_int(record, ADDRESSED):
        rank = load_int(record, RANK)
        copy_bytes(inputs, fields_of(src, NDARRAY_DIMENSIONS), 8 * rank)
        copy_bytes(shift(inputs, 8 * rank), fields_of(src, NDARRAY_STRIDES), 8 * rank)
        n = 2 * rank
    if load_int(record, STRIDED):
        for i in range(parts):
            dst_rank = load_int(record, HEADER_COLUMNS + i)
            copy_bytes(shift(inputs, 8 * n), fields_of(object_of(dsts, i), NDARRAY_STRIDES), 8 * dst_rank)
            n += dst_rank
    return read_attributes(address_of_object(attributes), record, shift(inputs, 8 * n))


@loops
def _lie_apart(dsts, source, record, parts, spans):
    """True if outputs have the shapes that a program gives, and share no memory with the source or each other."""
    low = source + load_int(spans, SRC_LOW)
    high = source + load_int(spans, SRC_HIGH)
    at = FIRST_OUT
    for i in range(parts):
        dst = object_of(dsts, i)
        rank = load_int(record, HEADER_COLUMNS + i)
        shape = fields_of(dst, NDARRAY_DIMENSIONS)
        for k in range(rank):
            if load_int(shape, k) != load_int(spans, at + 2 + k):
                return False
        first = field_of(dst, NDARRAY_DATA) + load_int(spans, at)
        end = field_of(dst, NDARRAY_DATA) + load_int(spans, at + 1)
        if first < high and low < end:
            return False
        other_at = FIRST_OUT
        for j in range(i):
            other = field_of(object_of(dsts, j), NDARRAY_DATA)
            if first < other + load_int(spans, other_at + 1) and other + load_int(spans, other_at) < end:
                return False
            other_at += 2 + load_int(record, HEADER_COLUMNS + j)
        at += 2 + rank
    return True


@loops
def _fill_of(fill, record):
    """The array object of the fill values of a call, at its address; 0 where they do not fit the record."""
    if field_of(fill, OBJECT_TYPE) != load_int(record, TYPE):
        return load_int(record, FILL)
    return address_of_object(fill) if field_of(fill, NDARRAY_DTYPE) == load_int(record, DTYPE) else 0


@loops
def _run(dsts, src, attributes, fill, records, scratch, table_object, are_fresh, workers):
    """Do what `gather_traced` does, with arrays that are pinned if they have to be."""
    order = output_at(address_in(records))
    values = output_at(address_in(scratch))
    table = output_at(address_in(table_object))
    table_room = load_int(fields_of(table_object, NDARRAY_DIMENSIONS), 0)
    is_addressed = 1 if field_of(src, OBJECT_TYPE) == field_of(attributes, OBJECT_TYPE) else 0
    source = room = 0
    if is_addressed:
        place = address_of_object(src) + TUPLE_ITEMS
        source, room = integer_at(word_at(place)), integer_at(word_at(place + 8))
    elif field_of(src, OBJECT_TYPE) == field_of(records, OBJECT_TYPE):
        source = field_of(src, NDARRAY_DATA)
    for i in range(load_int(order, 0)):
        words = load_int(order, 1 + i)
        record = bytes_at(address_in(object_at(words)))
        parts = load_int(record, PARTS)
        if not _fits_source(src, record, is_addressed):
            continue
        fits = _fits_outputs(dsts, record, parts)
        if not fits and (not are_fresh or load_int(record, STRIDED)):
            continue
        own_fill = _fill_of(fill, record)
        if own_fill == 0:
            continue
        outputs = shift(record, 8 * load_int(record, FIRST_OUTPUT))
        if not _read_inputs(dsts, src, attributes, record, parts, values) or not run_program(record, values):
            continue
        if load_int(record, OUTPUTS) > table_room:
            return load_int(record, ID) * OUTCOMES + NO_ROOM
        for k in range(load_int(record, OUTPUTS)):
            store_int(table, k, load_int(values, load_int(outputs, k)))
        behind = shift(table, 8 * load_int(record, TABLE_WORDS))
        if is_addressed and (load_int(behind, SRC_LOW) < 0 or load_int(behind, SRC_HIGH) > room):
            continue
        fits = fits and _lie_apart(dsts, source, record, parts, behind)
        if not fits and not are_fresh:
            continue
        if i > 0:
            store_int(order, 1 + i, load_int(order, 1))
            store_int(order, 1, words)
        done = load_int(record, ID) * OUTCOMES
        if not fits:
            return done + OTHER_OUTPUTS
        keeps_gil = load_int(record, KEEPS_GIL) != 0
        total_bytes = load_int(behind, TOTAL_BYTES)
        is_shared = total_bytes >= PARALLEL_BYTES and workers != 1
        if not keeps_gil and (
            workers == ONLY_WITH_GIL or total_bytes > LAUNCH_BYTES or (is_shared and workers == ONE_IF_SMALL)
        ):
            return done + PREPARED
        at = memory_at(source) if is_addressed else address_in(src)
        run = address_in(table_object)
        if keeps_gil:
            gather_chunk(dsts, at, run, address_in(object_at(own_fill)), ZERO, ONE)
        else:
            # Another thread may drop the record meanwhile, and with it its fill value; it may write the order and the
            # scratch. None of them is read from here on.
            state = release_gil(object_at(own_fill))
            if is_shared:
                gather(dsts, at, run, address_in(object_at(own_fill)), workers, ZERO, ONE)
            else:
                gather_chunk(dsts, at, run, address_in(object_at(own_fill)), ZERO, ONE)
            take_gil(state, object_at(own_fill))
        return done + DONE
    return NO_RECORD


@outlined(
    types.intp(
        *(array_addresses, array_object, array_object, array_object, array_object, array_object, array_object),
        *(types.intp, types.intp),
    )
)
def gather_traced(dsts, src, attributes, fill, records, scratch, table_object, are_fresh, workers):
    """Return which record a call fits, times OUTCOMES, plus what was done; NO_RECORD if it fits none.

    dsts is a tuple of any objects, src any object, attributes a tuple of any objects, fill an array of the fill value
    or None; records an int64 array of the addresses of the array objects of records, behind their number; scratch one
    of MOST_VALUES; table_object one whose table is to be run where the outcome is PREPARED. Outputs that are fresh may
    have the wrong shapes. A source that is a tuple is its address and how many bytes there are from that on, which the
    caller keeps there, and its outputs are fresh; the checked form of the kernels cannot run it, as an address has no
    bounds.

    What is too much to keep the GIL for is moved without it, by `workers` threads: for two and more, `gather` must be
    compiled; ONE_IF_SMALL is one thread for what is not large. For these table_object must be nobody else's, and
    arrays are pinned here. Where that cannot be done, with ONLY_WITH_GIL, or beyond LAUNCH_BYTES, such a call is
    PREPARED.
    """
    pins = stack_words(PIN_WORDS)
    store_int(pins, 0, 0)
    is_addressed = field_of(src, OBJECT_TYPE) == field_of(attributes, OBJECT_TYPE)
    if workers != ONLY_WITH_GIL and not (
        is_addressed or pin_arrays(dsts, src, field_of(records, OBJECT_TYPE), are_fresh, pins)
    ):
        workers = ONLY_WITH_GIL
    done = _run(dsts, src, attributes, fill, records, scratch, table_object, are_fresh, workers)
    unpin_arrays(pins)
    return done
