"""Looks at the objects of a call: describes its arrays, checks that they fit the words, and pins their memory.

Computes: the description of arrays (`_tables._arrays`), or a status for objects that are not arrays or do not fit. A
pin is a weak reference to the owner of an array's memory: NumPy does not resize an array that has one. Memory: reads
the fields of objects, with the GIL held; writes the description. The interpreter owns the pins, which are dropped when
the kernel has run. Fast because no Python code runs: two pins made in Python took as long as moving 16 KiB.
"""

# Intrinsics have types that mypy cannot see. Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._arrays_of_words import interpreted, memory_in, words_at
from fastops.kernels._intrinsics._memory import loops
from fastops.kernels._intrinsics._object_layout import (
    DTYPE_FLAGS,
    DTYPE_ITEMSIZE,
    DTYPE_KIND,
    HAS_REFERENCES,
    INT32_MASK,
    NDARRAY_BASE,
    NDARRAY_DATA,
    NDARRAY_DIMENSIONS,
    NDARRAY_DTYPE,
    NDARRAY_FLAGS,
    NDARRAY_RANK,
    NDARRAY_STRIDES,
    OBJECT_TYPE,
    OWNS_DATA,
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
    length_at,
    length_of,
    new_reference,
    object_at,
    object_of,
    word_at,
)
from fastops.kernels._scheduler._checks import check_arrays
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _words as w


@interpreted
def begin_description(description, words, arrays, width):
    """Begin a description of so many words, of a number of arrays, without fill values and without a conversion."""
    description[a.WIDTH], description[a.SIDES] = width, (words - a.HEADER_COLUMNS - arrays * a.ARRAY_COLUMNS) // 2
    description[a.FILL] = description[a.FILL_BYTES] = 0
    description[a.CONVERSION] = description[a.CONVERSION_WORDS] = 0


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
def words_of_all(arrays):
    """Return how many words describe the arrays of a tuple."""
    sides = 0
    for i in range(length_of(arrays)):
        sides += field_of(object_of(arrays, i), NDARRAY_RANK) & INT32_MASK
    return a.HEADER_COLUMNS + length_of(arrays) * a.ARRAY_COLUMNS + 2 * sides


@loops
def _width_of(array):
    """Return the bytes of an element of an array object."""
    return field_of(object_at(field_of(array, NDARRAY_DTYPE)), DTYPE_ITEMSIZE)


@loops
def _set_fill(fill, description):
    """Describe an array of fill values."""
    description[a.FILL] = field_of(fill, NDARRAY_DATA)
    description[a.FILL_BYTES] = fields_of(fill, NDARRAY_DIMENSIONS)[0] * _width_of(fill)


@loops
def describe_all(arrays, fill, description, n):
    """Describe the arrays of a tuple and an array of fill values in n words; nobody else has these arrays."""
    begin_description(description, n, length_of(arrays), _width_of(object_of(arrays, 0)))
    row = words_at(description, a.HEADER_COLUMNS)
    lengths, sides = words_at(row, length_of(arrays) * a.ARRAY_COLUMNS), description[a.SIDES]
    _set_fill(fill, description)
    for i in range(length_of(arrays)):
        _describe(object_of(arrays, i), row, lengths, words_at(lengths, sides))
        lengths, row = words_at(lengths, row[a.RANK]), words_at(row, a.ARRAY_COLUMNS)


@loops
def describe_conversion(words, description):
    """Describe a conversion by the array of its words, which nobody else has; None for no conversion."""
    if not is_none(words):
        description[a.CONVERSION] = field_of(words, NDARRAY_DATA)
        description[a.CONVERSION_WORDS] = fields_of(words, NDARRAY_DIMENSIONS)[0]


@loops
def conversion_item(conversion, i):
    """Return the address of item i of the tuple of a conversion, from the tuple's address."""
    return word_at(conversion + TUPLE_ITEMS + 8 * i)


@loops
def _is_alike(array, ndarray, dtype, rank):
    """True if an object is an ndarray of a dtype and a rank."""
    if field_of(array, OBJECT_TYPE) != ndarray or field_of(array, NDARRAY_DTYPE) != dtype:
        return False
    return field_of(array, NDARRAY_RANK) & INT32_MASK == rank


@loops
def _integers_at(items, integer, n, values, factor):
    """Write the values of n ints, times a factor; return False if an item is not an int."""
    for k in range(n):
        each = word_at(items + 8 * k)
        if word_at(each + OBJECT_TYPE) != integer:
            return False
        values[k] = factor * integer_at(each)
    return True


@loops
def read_shape(src, lengths):
    """Write the shape of a source at an address; return its rank, or -1 if the tuple is not as `execute` says."""
    items = address_of_object(src) + TUPLE_ITEMS
    shape, integer = word_at(items + 16), word_at(word_at(items) + OBJECT_TYPE)
    rank = length_at(object_at(shape))
    if rank > w.MOST_AXES or not _integers_at(shape + TUPLE_ITEMS, integer, rank, lengths, 1):
        return -1
    return rank


@loops
def _describe_address(src, width, row, lengths, strides):
    """Describe a source at an address; return False if the tuple is not as `execute` says."""
    items = address_of_object(src) + TUPLE_ITEMS
    of_strides, integer = word_at(items + 24), word_at(word_at(items) + OBJECT_TYPE)
    row[a.ADDRESS], row[a.RANK] = integer_at(word_at(items)), read_shape(src, lengths)
    if row[a.RANK] < 0 or length_at(object_at(of_strides)) != row[a.RANK]:
        return False
    return _integers_at(of_strides + TUPLE_ITEMS, integer, row[a.RANK], strides, width)


@loops
def _describe_all(outs, src, ndarray, dtype, result, words, arrays, is_addressed):
    """Describe the source and the outputs, which must be ndarrays of the right dtypes and ranks; return a status."""
    outputs, rank, sides = words[w.OUTPUTS], words[w.SRC_RANK], arrays[a.SIDES]
    row = words_at(arrays, a.HEADER_COLUMNS)
    lengths = words_at(row, (outputs + 1) * a.ARRAY_COLUMNS)
    if is_addressed:
        # Nobody can have changed this shape since the words were made for it.
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
        if not _is_alike(out, ndarray, result, rank):
            return a.NO_ARRAYS
        if not field_of(out, NDARRAY_FLAGS) & WRITEABLE:
            return a.NOT_WRITEABLE
        _describe(out, row, lengths, words_at(lengths, sides))
    return a.DONE


@loops
def _describe_fill(fill, dtype, ndarray, arrays):
    """Describe the array of fill values, which must be of the source's dtype, or zero bytes; return a status."""
    if is_none(fill) or field_of(fill, OBJECT_TYPE) != ndarray or field_of(fill, NDARRAY_RANK) & INT32_MASK != 1:
        return a.NO_FILL
    own = object_at(field_of(fill, NDARRAY_DTYPE))
    kind, width = field_of(dtype, DTYPE_KIND), field_of(own, DTYPE_ITEMSIZE)
    is_own = field_of(own, DTYPE_KIND) == kind and width == arrays[a.WIDTH]
    # Zero bytes are the zero of NumPy's types, but perhaps not of other libraries' types.
    if not is_own and (field_of(own, DTYPE_KIND) >> 32 != TYPE_UINT8 or kind >> 32 > TYPE_LAST):
        return a.NO_FILL
    _set_fill(fill, arrays)
    return a.DONE


@loops
def dtype_of(src, is_addressed):
    """Return the address of the dtype of a source."""
    return word_at(address_of_object(src) + TUPLE_ITEMS + 32) if is_addressed else field_of(src, NDARRAY_DTYPE)


@loops
def result_of(dtype, conversion):
    """Return the address of the outputs' dtype from that of the source's; 0 if the conversion takes another dtype.

    A conversion is a tuple of the source's dtype, the output's dtype and the words, which nobody else has.
    """
    if conversion == 0:
        return dtype
    return conversion_item(conversion, 1) if conversion_item(conversion, 0) == dtype else 0


@loops
def look(outs, src, fill, ndarray, words, arrays, arrays_words, how):
    """Describe the arrays of a call in so many words, and check that they fit the call's words; return a status."""
    if not how.is_addressed and field_of(src, OBJECT_TYPE) != ndarray:
        return a.NO_ARRAYS
    dtype = dtype_of(src, how.is_addressed)
    if field_of(object_at(dtype), DTYPE_FLAGS) & HAS_REFERENCES:
        return a.NO_ARRAYS
    begin_description(arrays, arrays_words, words[w.OUTPUTS] + 1, field_of(object_at(dtype), DTYPE_ITEMSIZE))
    result = result_of(dtype, how.conversion)
    if how.conversion:
        if result == 0:
            return a.NO_ARRAYS
        describe_conversion(object_at(conversion_item(how.conversion, 2)), arrays)
    status = _describe_all(outs, src, ndarray, dtype, result, words, arrays, how.is_addressed)
    if not status and words[w.FILLS] > 0:
        status = _describe_fill(fill, object_at(dtype), ndarray, arrays)
    status = status or check_arrays(arrays, words, how.are_apart)
    if not status and how.is_addressed:
        row, room = words_at(arrays, a.HEADER_COLUMNS), word_at(address_of_object(src) + TUPLE_ITEMS + 8)
        if row[a.LOW] < 0 or row[a.HIGH] > integer_at(room):
            return a.TOO_FAR
    return status


@interpreted
def words_of_arrays(words):
    """Return how many words describe the arrays of a call."""
    outputs, rank = words[w.OUTPUTS], words[w.SRC_RANK]
    sides = rank
    for i in range(outputs):
        sides += words[w.HEADER_COLUMNS + rank + i]
    return a.HEADER_COLUMNS + (outputs + 1) * a.ARRAY_COLUMNS + 2 * sides


@loops
def words_in(array):
    """Return the words of an array object of int64."""
    n = fields_of(array, NDARRAY_DIMENSIONS)[0]
    return memory_in(field_of(array, NDARRAY_DATA), 0, 8 * n, False), n


@loops
def has_shape(array, words):
    """True for an array of the source's shape in words."""
    shape, rank = fields_of(array, NDARRAY_DIMENSIONS), words[w.SRC_RANK]
    if field_of(array, NDARRAY_RANK) & INT32_MASK != rank:
        return False
    for k in range(rank):
        if shape[k] != words[w.HEADER_COLUMNS + k]:
            return False
    return True


# The longest chain of views that is followed. NumPy keeps chains short.
_MOST_BASES = 16

# Python pins the arrays of calls with more of them.
_MOST_PINS = 17

#: Words of pins: their number, which the caller sets to 0, then their addresses.
PIN_WORDS = 1 + _MOST_PINS


@loops
def _pin(array, ndarray, pins):
    """Pin the array that owns an object's memory; return False if there is no such array."""
    for _ in range(_MOST_BASES):
        if field_of(array, OBJECT_TYPE) != ndarray:
            return False
        if field_of(array, NDARRAY_FLAGS) & OWNS_DATA:
            reference = new_reference(array)
            if reference == 0:
                return False
            pins[0] += 1
            pins[pins[0]] = reference
            return True
        base = field_of(array, NDARRAY_BASE)
        if base == 0:
            # No array owns the memory, and so none can resize it.
            return True
        array = object_at(base)
    return False


@loops
def pin_arrays(dsts, n, src, ndarray, how, pins):
    """Pin the source and the n outputs, unless the caller keeps them; return False if Python has to pin them.

    The arrays have to be looked at again: making a reference may collect garbage, which may run any code.
    """
    if not how.is_addressed and not _pin(src, ndarray, pins):
        return False
    n = 0 if how.are_fresh else n
    if n >= _MOST_PINS:
        return False
    for i in range(n):
        if not _pin(object_of(dsts, i), ndarray, pins):
            return False
    return True


@loops
def unpin_arrays(pins):
    """Drop all pins."""
    for i in range(pins[0]):
        drop_reference(pins[1 + i])
