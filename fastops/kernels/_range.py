"""The range kernel: writes ranges of integers, float16, bfloat16, float32 and float64 into contiguous memory.

Computes: the number of elements, and out[i] = start + i * step. Integers modulo 2^64, cut to the type. Floats as
T(start) + T(i) * T(step) with two roundings, T = float64 for float64, else float32; then rounded to nearest even in the
output type. Memory: reads the words of a type or of a range, and the fields of objects; writes each element of the
destination once. The staging buffer, a line, lies on the stack. Fast because no element depends on the one before it:
vectors of a cache line each are made in registers and stored to the output, past the caches if it is large. Parts of a
line go through the staging buffer.
"""

# Intrinsics take and return types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from math import ceil, isfinite

from numba import types

from fastops.kernels._arguments import NO_INTEGER, integer_of
from fastops.kernels._arithmetic import count_between
from fastops.kernels._intrinsics import _memory as mem, _numbers as vectors, _object_layout as o, _objects as py
from fastops.kernels._intrinsics._outlined import byte_pointer, outlined
from fastops.kernels._intrinsics._vectors import LINE_BYTES, finish_streams, line_offset
from fastops.kernels._look import is_alike, words_in
from fastops.kernels._parallel import OF_RANGE, chunk_start, share
from fastops.kernels._scheduler._checks import is_small
from fastops.kernels._tables import _arrays as a, _gather as g, _range as t, _rules as r, _words as w
from fastops.kernels._tables._range import COLUMNS, NUMBERS_WORDS

_STAGE_WORDS = LINE_BYTES // 8


@outlined(types.void(byte_pointer, byte_pointer, types.intp, types.intp))
def write_range(dst, table, i, end):
    """Write elements [i, end)."""
    stage, width = mem.stack_words(_STAGE_WORDS), table[t.WIDTH]
    lanes = LINE_BYTES // width
    # In a misaligned output, cache lines would begin within an element.
    streams = table[t.STREAMS] != 0 and line_offset(dst) % width == 0
    while i < end:
        to = mem.shift(dst, i * width)
        head = (-line_offset(to) & (LINE_BYTES - 1)) // width if streams else 0
        is_direct = head == 0 and end - i >= lanes
        n = min(end - i, vectors.MOST_ELEMENTS) // lanes * lanes if is_direct else min(end - i, head or lanes)
        # One call serves both places, because its loops are most of the code.
        vectors.write_vectors(to if is_direct else stage, table, i, (n + lanes - 1) // lanes, streams and is_direct)
        if not is_direct:
            mem.copy_bytes(to, stage, n * width)
        i += n
    if streams:
        finish_streams()


@outlined(types.void(*(types.intp,) * 4))
def range_chunk(dst_address, row_address, chunk, chunks):
    """Write one of `chunks` equal shares of the elements; the first element is at an address."""
    row = mem.memory_in(row_address, 0, 8 * t.COLUMNS, False)
    count, dst = row[t.COUNT], mem.memory_in(dst_address, 0, row[t.BYTES], True)
    first, end = chunk_start(count, chunk, chunks), chunk_start(count, chunk + 1, chunks)
    write_range(dst, row, first, end)


def _bits_of(row, numbers, k):
    """Return the bits of a number in the type that the formula of a row computes in."""
    is_float, bits = numbers[2 * k], numbers[2 * k + 1]
    if row[t.FORMULA] <= t.INT64:
        return bits
    if row[t.FORMULA] == t.FLOAT64:
        return bits if is_float else vectors.bits_of_double(bits)
    return vectors.bits_of_single(vectors.float_of(bits)) if is_float else vectors.bits_of_single(bits)


def _number(numbers, k):
    """Return a number as a float64."""
    return vectors.float_of(numbers[2 * k + 1]) if numbers[2 * k] else float(numbers[2 * k + 1])


def _count_floats(numbers):
    """Return the number of elements if not all numbers are integers; a negative number for too many elements."""
    start = _number(numbers, 0)
    ratio = (_number(numbers, 1) - start) / _number(numbers, 2)
    if not ratio < float(w.LARGEST):
        return -1
    return ceil(ratio) if ratio > 0 else 0


@outlined(types.intp(byte_pointer, byte_pointer))
def lower_range(row, numbers):
    """Write count, start and step into the row of a type, from start, stop and step of `fastops.range`.

    Returns a status.
    """
    is_integral, are_floats = row[t.FORMULA] <= t.INT64, False
    for k in range(3):
        if numbers[2 * k]:
            value = vectors.float_of(numbers[2 * k + 1])
            if not isfinite(value):
                return t.NOT_FINITE
            if is_integral and abs(value) <= float(w.LARGEST):
                numbers[2 * k], numbers[2 * k + 1] = 0, int(value)
            are_floats = not is_integral
        # A number that is still a float, for an integral type, is beyond the largest number.
        if (is_integral and numbers[2 * k]) or (not numbers[2 * k] and not is_small(numbers[2 * k + 1])):
            return t.OUT_OF_RANGE
    if _number(numbers, 2) == 0:
        return t.ZERO_STEP
    count = _count_floats(numbers) if are_floats else count_between(numbers[1], numbers[3], numbers[5])
    if count < 0 or count > w.LARGEST // row[t.WIDTH]:
        return t.OUT_OF_RANGE
    row[t.COUNT], row[t.START], row[t.STEP] = count, _bits_of(row, numbers, 0), _bits_of(row, numbers, 2)
    return a.DONE


def _set_geometry(row, numbers):
    """Write count, start and step into the row of a type, from start, step and count; return a status."""
    if numbers[4] or not 0 <= numbers[5] <= w.LARGEST // row[t.WIDTH]:
        return t.OUT_OF_RANGE
    if row[t.FORMULA] <= t.INT64 and (numbers[0] or numbers[2]):
        return t.OUT_OF_RANGE
    row[t.COUNT], row[t.START], row[t.STEP] = numbers[5], _bits_of(row, numbers, 0), _bits_of(row, numbers, 1)
    return a.DONE


def _read_numbers(attributes, form, numbers):
    """Read the first three attributes of a tuple as numbers; return False where Python has to read them."""
    rule = mem.words_at(form, t.RULE)
    for k in range(3):
        each = py.word_at(attributes + o.TUPLE_ITEMS + 8 * k)
        kind = py.word_at(each + o.OBJECT_TYPE)
        if kind == form[t.FLOAT_TYPE] or kind == form[t.FLOAT64_TYPE]:
            numbers[2 * k], numbers[2 * k + 1] = 1, py.word_at(each + o.SCALAR_VALUE)
        else:
            numbers[2 * k], numbers[2 * k + 1] = 0, integer_of(each, rule)
            if numbers[2 * k + 1] == NO_INTEGER:
                return False
    return True


def _fits(out, form, row):
    """True if an object is an array for a range of this type."""
    if not is_alike(out, form[t.RULE + r.ARRAY_TYPE], form[t.DTYPE], 1):
        return False
    is_dense = row[t.COUNT] <= 1 or py.fields_of(out, o.NDARRAY_STRIDES)[0] == row[t.WIDTH]
    is_long = py.fields_of(out, o.NDARRAY_DIMENSIONS)[0] == row[t.COUNT]
    return is_dense and is_long and py.word_at(out + o.NDARRAY_FLAGS) & o.WRITEABLE != 0


@outlined(types.intp(*(types.intp,) * 5))
def execute_range(out, form_object, attributes, is_geometry, stream_bytes):
    """Write a range, and return the array: ``out``, which is any object, or a new array if ``out`` is None.

    form_object is an int64 array of the words of a type (`_tables._range`), attributes a tuple of at least three
    objects: start, stop, step, or start, step, count of a geometry. Returns a status for wrong arguments and for
    arguments that Python has to read; for work that threads do, the row as bytes. The GIL is held, so nobody changes an
    array meanwhile.
    """
    form, _ = words_in(form_object)
    row, numbers = mem.stack_words(COLUMNS), mem.stack_words(NUMBERS_WORDS)
    mem.copy_bytes(row, form, 8 * t.COLUMNS)
    if not _read_numbers(attributes, form, numbers):
        return py.new_integer(a.NOT_LOWERED)
    status = _set_geometry(row, numbers) if is_geometry else lower_range(row, numbers)
    if status:
        return py.new_integer(status)
    total_bytes = row[t.COUNT] * row[t.WIDTH]
    row[t.STREAMS] = 1 if total_bytes >= stream_bytes else 0
    if total_bytes >= g.PARALLEL_BYTES:
        return py.new_bytes(row, 8 * t.COLUMNS)
    if out == 0:
        made = py.new_array(form[t.RULE + r.ARRAY_TYPE], form[t.DTYPE], 1, mem.words_at(row, t.COUNT))
        if made == 0:
            return py.new_integer(a.NO_MEMORY)
    elif not _fits(out, form, row):
        return py.new_integer(a.NO_ARRAYS)
    else:
        made = py.reference_to(out)
    row[t.BYTES] = total_bytes
    range_chunk(py.word_at(made + o.NDARRAY_DATA), mem.address_to(row), 0, 1)
    return made


@outlined(types.intp(*(types.intp,) * 6))
def run_range(dst, length, row_address, workers, launch, launches):
    """Write share number `launch` of `launches` equal shares of a range, into an array that no other code holds.

    The array has `length` elements, without gaps; dst is the address of its first element, row_address that of the row
    of a range. For more workers than one, `link_parallel` must have been called.
    """
    row = mem.stack_words(COLUMNS)
    mem.copy_bytes(row, mem.memory_in(row_address, 0, 8 * t.COLUMNS, False), 8 * t.COLUMNS)
    row[t.BYTES] = length * row[t.WIDTH]
    if workers > 1:
        total_bytes = row[t.COUNT] * row[t.WIDTH] // launches
        share(OF_RANGE, dst, mem.address_to(row), 0, 0, total_bytes, workers, launch, launches)
    else:
        range_chunk(dst, mem.address_to(row), launch, launches)
    return a.DONE


mem.let_kernels_call(__name__)
