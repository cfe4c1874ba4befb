"""Looks: what the objects of a call are, and whether they fit its words.

Computes: the description of arrays (`_tables._arrays`); a status for what is no array, or does not fit.
Memory: reads the fields of objects, with the GIL kept; writes the description.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
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
    field_of,
    fields_of,
    integer_at,
    is_none,
    length_at,
    length_of,
    object_at,
    object_of,
    word_at,
)
from fastops.kernels._scheduler._checks import check_arrays
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _words as w


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
    """Return how many words describe all arrays of a tuple."""
    sides = 0
    for i in range(length_of(arrays)):
        sides += field_of(object_of(arrays, i), NDARRAY_RANK) & INT32_MASK
    return a.HEADER_COLUMNS + length_of(arrays) * a.ARRAY_COLUMNS + 2 * sides


@loops
def describe_all(arrays, fill, description, n):
    """Describe all arrays of a tuple, and an array of fill values, which are arrays that nobody changes, in n words."""
    row = words_at(description, a.HEADER_COLUMNS)
    lengths = words_at(row, length_of(arrays) * a.ARRAY_COLUMNS)
    sides = (n - a.HEADER_COLUMNS - length_of(arrays) * a.ARRAY_COLUMNS) // 2
    description[a.WIDTH] = field_of(object_at(field_of(object_of(arrays, 0), NDARRAY_DTYPE)), DTYPE_ITEMSIZE)
    description[a.FILL], description[a.SIDES] = field_of(fill, NDARRAY_DATA), sides
    width = field_of(object_at(field_of(fill, NDARRAY_DTYPE)), DTYPE_ITEMSIZE)
    description[a.FILL_BYTES] = fields_of(fill, NDARRAY_DIMENSIONS)[0] * width
    for i in range(length_of(arrays)):
        _describe(object_of(arrays, i), row, lengths, words_at(lengths, sides))
        lengths, row = words_at(lengths, row[a.RANK]), words_at(row, a.ARRAY_COLUMNS)


@loops
def describe_conversion(words, description):
    """Describe a conversion by the array of its words, which nobody changes; None for none."""
    description[a.CONVERSION] = description[a.CONVERSION_WORDS] = 0
    if not is_none(words):
        description[a.CONVERSION] = field_of(words, NDARRAY_DATA)
        description[a.CONVERSION_WORDS] = fields_of(words, NDARRAY_DIMENSIONS)[0]


@loops
def conversion_item(conversion, i):
    """Return the address of an item of the tuple of a conversion at an address."""
    return word_at(conversion + TUPLE_ITEMS + 8 * i)


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
def _describe_all(outs, src, ndarray, dtype, result, words, arrays, is_addressed):
    """Describe source and outputs, which must be ndarrays, each of its dtype; return a status."""
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
        if not _is_alike(out, ndarray, result, rank):
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
def dtype_of(src, is_addressed):
    """Return the address of the dtype of a source."""
    return word_at(address_of_object(src) + TUPLE_ITEMS + 32) if is_addressed else field_of(src, NDARRAY_DTYPE)


@loops
def result_of(dtype, conversion):
    """Return the address of the dtype of outputs, of a source of a dtype; 0 for a conversion of another one.

    A conversion is a tuple of the source's dtype, the output's and its words, which nobody changes.
    """
    if conversion == 0:
        return dtype
    return conversion_item(conversion, 1) if conversion_item(conversion, 0) == dtype else 0


@loops
def look(outs, src, fill, ndarray, words, arrays, how):
    """Describe the arrays of a call, and check them; return a status."""
    if not how.is_addressed and field_of(src, OBJECT_TYPE) != ndarray:
        return a.NO_ARRAYS
    dtype = dtype_of(src, how.is_addressed)
    if field_of(object_at(dtype), DTYPE_FLAGS) & HAS_REFERENCES:
        return a.NO_ARRAYS
    arrays[a.WIDTH] = field_of(object_at(dtype), DTYPE_ITEMSIZE)
    arrays[a.FILL] = arrays[a.FILL_BYTES] = arrays[a.CONVERSION] = arrays[a.CONVERSION_WORDS] = 0
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
    """True for an array of the shape that words say of the source."""
    shape, rank = fields_of(array, NDARRAY_DIMENSIONS), words[w.SRC_RANK]
    if field_of(array, NDARRAY_RANK) & INT32_MASK != rank:
        return False
    for k in range(rank):
        if shape[k] != words[w.HEADER_COLUMNS + k]:
            return False
    return True
