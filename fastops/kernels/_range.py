"""The range kernel: writes every range plan, of any output type, byte order and destination stride.

Computes: how many elements there are, and out[i] = start + i * step. Integers modulo 2^64, cut to the type. Floats as
T(start) + T(i) * T(step) with two roundings, T = float64 for float64, else float32; then rounded to nearest even in the
output type.
Memory: a stage of 2 KiB on the stack. Reads two tables and the fields of objects, writes each element of the
destination once.
Fast because no element depends on the one before it: the formulas are written as vectors of a cache line each, which
are stored to the output from the registers, and beyond the caches' size streamed past them. What is no whole line, and
elements that lie apart or are stored otherwise than computed, take the way through the stage.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from math import ceil, isfinite

from numba import types

from fastops.kernels._arguments import NO_INTEGER, integer_of
from fastops.kernels._arithmetic import count_between
from fastops.kernels._chunks import chunk_start
from fastops.kernels._intrinsics._arrays_of_words import address_to, interpreted, memory_in, words_at
from fastops.kernels._intrinsics._memory import copy_bytes, load_int, loops, shift, stack_words
from fastops.kernels._intrinsics._object_layout import (
    INT32_MASK,
    NDARRAY_DATA,
    NDARRAY_DIMENSIONS,
    NDARRAY_DTYPE,
    NDARRAY_FLAGS,
    NDARRAY_RANK,
    NDARRAY_STRIDES,
    OBJECT_TYPE,
    SCALAR_VALUE,
    TUPLE_ITEMS,
    WRITEABLE,
)
from fastops.kernels._intrinsics._objects import (
    address_of_object,
    field_of,
    fields_of,
    is_none,
    new_array,
    new_bytes,
    new_integer,
    object_at,
    reference_to,
    word_at,
)
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._range_vectors import (
    MOST_ELEMENTS,
    bits_of_double,
    bits_of_single,
    float_of,
    ordered_bits,
    scatter,
    store_byte,
    write_vectors,
)
from fastops.kernels._intrinsics._types import array_object, byte_pointer
from fastops.kernels._intrinsics._vectors import LINE_BYTES, finish_streams, line_offset
from fastops.kernels._look import words_in
from fastops.kernels._parallel import OF_RANGE, share
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _range as t
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables._gather import PARALLEL_BYTES
from fastops.kernels._tables._range import CODES, COLUMNS, COUNT, DST_PITCH, NUMBERS_WORDS, STREAMS, SWAP, WIDTH
from fastops.kernels._tables._words import LARGEST

interpreted(count_between)

_STAGE_WORDS = 256
_STAGE_BYTES = 8 * _STAGE_WORDS


@loops
def _round_small(stage, rounding, codes, n):
    """Replace n float32 of the stage by their codes in a type of at most 8 bits, a byte each.

    Entry k of the rounding table holds the smallest ordered bits of a float32 that rounds to the k-th code, and the
    code. The table is bisected; byte i lies in a float that has been read.
    """
    for i in range(n):
        ordered = ordered_bits(stage, i)
        low = 0
        left = codes
        while left > 1:
            half = left >> 1
            low += half * (load_int(rounding, 2 * (low + half)) <= ordered)
            left -= half
        store_byte(stage, i, load_int(rounding, 2 * low + 1))


@outlined(types.void(byte_pointer, byte_pointer, byte_pointer, types.intp, types.intp))
def write_range(dst, table, rounding, i, end):
    """Write elements [i, end)."""
    stage = stack_words(_STAGE_WORDS)
    width = load_int(table, WIDTH)
    dst_pitch = load_int(table, DST_PITCH)
    swap = load_int(table, SWAP)
    codes = load_int(table, CODES)
    made = 4 if codes > 0 else width
    lanes = LINE_BYTES // made
    is_plain = codes == 0 and swap == 0 and dst_pitch == width
    # Lines of an output that lies askew would begin within an element.
    streams = is_plain and load_int(table, STREAMS) != 0 and line_offset(dst) % width == 0
    while i < end:
        to = shift(dst, i * dst_pitch)
        head = (-line_offset(to) & (LINE_BYTES - 1)) // width if streams else 0
        is_direct = is_plain and head == 0 and end - i >= lanes
        if is_direct:
            n = min(end - i, MOST_ELEMENTS) // lanes * lanes
        else:
            n = min(end - i, head if head > 0 else _STAGE_BYTES // made)
        # One call for both places: its loops are most of what is to be compiled.
        write_vectors(to if is_direct else stage, table, i, (n + lanes - 1) // lanes, streams and is_direct)
        if codes > 0:
            _round_small(stage, rounding, codes, n)
        if not is_plain:
            scatter(to, dst_pitch, stage, n, width, swap)
        elif not is_direct:
            copy_bytes(to, stage, n * width)
        i += n
    if streams:
        finish_streams()


@outlined(types.void(*(types.intp,) * 6))
def range_chunk(dst_address, row_address, rounding_address, rounding_words, chunk, chunks):
    """Write one of `chunks` equal shares of the elements, of which the first is at an address."""
    row = memory_in(row_address, 0, 8 * t.COLUMNS, False)
    count, dst = row[COUNT], memory_in(dst_address, row[t.LOW], row[t.HIGH], True)
    rounding = memory_in(rounding_address, 0, 8 * rounding_words, False)
    first, end = chunk_start(count, chunk, chunks), chunk_start(count, chunk + 1, chunks)
    write_range(dst, row, rounding, first, end)


@loops
def _bits_of(row, numbers, k):
    """Return the bits of a number as the formula of a row wants them."""
    is_float, bits = numbers[2 * k], numbers[2 * k + 1]
    if row[t.FORMULA] <= t.INT64:
        return bits
    if row[t.FORMULA] == t.FLOAT64:
        return bits if is_float else bits_of_double(bits)
    return bits_of_single(float_of(bits)) if is_float else bits_of_single(bits)


@loops
def _number(numbers, k):
    """Return a number as a float64."""
    return float_of(numbers[2 * k + 1]) if numbers[2 * k] else float(numbers[2 * k + 1])


@loops
def _count_floats(numbers):
    """Return how many elements there are if not all numbers are integers, or a negative number for too many."""
    start = _number(numbers, 0)
    ratio = (_number(numbers, 1) - start) / _number(numbers, 2)
    if not ratio < float(LARGEST):
        return -1
    return ceil(ratio) if ratio > 0 else 0


@outlined(types.intp(byte_pointer, byte_pointer))
def lower_range(row, numbers):
    """Write count, start and step into the row of a type, from start, stop and step of `fastops.range`.

    Returns a status.
    """
    are_floats = False
    for k in range(3):
        if numbers[2 * k]:
            if not isfinite(float_of(numbers[2 * k + 1])):
                return t.NOT_FINITE
            are_floats = True
    if row[t.FORMULA] <= t.INT64:
        for k in range(3):
            if numbers[2 * k]:
                value = float_of(numbers[2 * k + 1])
                if abs(value) > float(LARGEST):
                    return t.OUT_OF_RANGE
                numbers[2 * k], numbers[2 * k + 1] = 0, int(value)
        are_floats = False
    for k in range(3):
        if not numbers[2 * k] and not -LARGEST <= numbers[2 * k + 1] <= LARGEST:
            return t.OUT_OF_RANGE
    if _number(numbers, 2) == 0:
        return t.ZERO_STEP
    count = _count_floats(numbers) if are_floats else count_between(numbers[1], numbers[3], numbers[5])
    if count < 0 or count > LARGEST // row[WIDTH]:
        return t.OUT_OF_RANGE
    row[COUNT], row[t.START], row[t.STEP] = count, _bits_of(row, numbers, 0), _bits_of(row, numbers, 2)
    return a.DONE


@loops
def _set_geometry(row, numbers):
    """Write count, start and step into the row of a type, from start, step and count; return a status."""
    if numbers[4] or not 0 <= numbers[5] <= LARGEST // row[WIDTH]:
        return t.OUT_OF_RANGE
    if row[t.FORMULA] <= t.INT64 and (numbers[0] or numbers[2]):
        return t.OUT_OF_RANGE
    row[COUNT], row[t.START], row[t.STEP] = numbers[5], _bits_of(row, numbers, 0), _bits_of(row, numbers, 1)
    return a.DONE


@loops
def _read_numbers(attributes, form, numbers):
    """Read the first three attributes of a tuple as numbers; False where Python has to."""
    rule = words_at(form, t.RULE)
    for k in range(3):
        each = word_at(attributes + TUPLE_ITEMS + 8 * k)
        kind = word_at(each + OBJECT_TYPE)
        if kind == form[t.FLOAT_TYPE] or kind == form[t.FLOAT64_TYPE]:
            numbers[2 * k], numbers[2 * k + 1] = 1, word_at(each + SCALAR_VALUE)
        else:
            numbers[2 * k], numbers[2 * k + 1] = 0, integer_of(each, rule)
            if numbers[2 * k + 1] == NO_INTEGER:
                return False
    return True


@loops
def _fits(out, form, row):
    """True if an object is an array that takes a range of this type."""
    if field_of(out, OBJECT_TYPE) != form[t.RULE + r.ARRAY_TYPE] or field_of(out, NDARRAY_DTYPE) != form[t.DTYPE]:
        return False
    if field_of(out, NDARRAY_RANK) & INT32_MASK != 1 or not field_of(out, NDARRAY_FLAGS) & WRITEABLE:
        return False
    if abs(fields_of(out, NDARRAY_STRIDES)[0]) < row[WIDTH] and row[COUNT] > 1:
        return False
    return fields_of(out, NDARRAY_DIMENSIONS)[0] == row[COUNT]


@loops
def _set_output(row, length, pitch):
    """Write where an output of some elements is into a row."""
    row[DST_PITCH] = pitch
    reach = (length - 1) * pitch
    row[t.LOW], row[t.HIGH] = min(reach, 0), max(reach, 0) + row[WIDTH]


@outlined(array_object(*(array_object,) * 3, types.intp, types.intp))
def execute_range(out, form_object, attributes, is_geometry, stream_bytes):
    """Write a range, and return the array: ``out``, which is any object, or a new one where that is None.

    form_object is an int64 array of the words of a type (`_tables._range`), attributes a tuple of at least three
    objects: start, stop, step, or start, step, count of a geometry. What Python has to read, or is wrong, is a status;
    work for threads comes back as its row, as bytes. The GIL is kept, so that nobody changes an array meanwhile.
    """
    form, _ = words_in(form_object)
    row, numbers = stack_words(COLUMNS), stack_words(NUMBERS_WORDS)
    copy_bytes(row, form, 8 * t.COLUMNS)
    if not _read_numbers(address_of_object(attributes), form, numbers):
        return new_integer(a.NOT_LOWERED)
    status = _set_geometry(row, numbers) if is_geometry else lower_range(row, numbers)
    if status:
        return new_integer(status)
    total_bytes = row[COUNT] * row[WIDTH]
    row[STREAMS] = 1 if total_bytes >= stream_bytes else 0
    if total_bytes >= PARALLEL_BYTES:
        return new_bytes(row, 8 * t.COLUMNS)
    if is_none(out):
        made = object_at(new_array(form[t.RULE + r.ARRAY_TYPE], form[t.DTYPE], 1, words_at(row, COUNT)))
        if is_none(made):
            return new_integer(a.NO_MEMORY)
    elif not _fits(out, form, row):
        return new_integer(a.NO_ARRAYS)
    else:
        made = reference_to(out)
    _set_output(row, fields_of(made, NDARRAY_DIMENSIONS)[0], fields_of(made, NDARRAY_STRIDES)[0])
    range_chunk(field_of(made, NDARRAY_DATA), address_to(row), form[t.ROUNDING], 2 * form[CODES], 0, 1)
    return made


@outlined(types.void(*(types.intp,) * 9))
def run_range_at(dst, length, pitch, row_address, steps, steps_words, workers, launch, launches):
    """Write one of `launches` equal shares of a range, that which `launch` counts, into an array.

    The array has a length and a byte stride, and its first element is at the address dst. At the other addresses are
    the row of some elements and the words of the rounding table. For more workers than one, `share` must be compiled.
    """
    row = stack_words(COLUMNS)
    copy_bytes(row, memory_in(row_address, 0, 8 * t.COLUMNS, False), 8 * t.COLUMNS)
    _set_output(row, length, pitch)
    if workers > 1:
        total_bytes = row[COUNT] * row[WIDTH] // launches
        share(OF_RANGE, dst, address_to(row), steps, steps_words, total_bytes, workers, launch, launches)
    else:
        range_chunk(dst, address_to(row), steps, steps_words, launch, launches)


@outlined(types.void(*(array_object,) * 3, *(types.intp,) * 3))
def run_range(out, row_object, rounding, workers, launch, launches):
    """Do what `run_range_at` does, for an array that nobody else has, and int64 arrays: a row and a rounding table."""
    length, pitch = fields_of(out, NDARRAY_DIMENSIONS)[0], fields_of(out, NDARRAY_STRIDES)[0]
    shape, row = fields_of(rounding, NDARRAY_DIMENSIONS), field_of(row_object, NDARRAY_DATA)
    steps = field_of(rounding, NDARRAY_DATA)
    dst = field_of(out, NDARRAY_DATA)
    run_range_at(dst, length, pitch, row, steps, shape[0] * shape[1], workers, launch, launches)
