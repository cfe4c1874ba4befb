"""Looks at the objects of a call: describes its arrays, checks that they fit the words, and pins their memory.

Computes: the description of arrays (`_tables._arrays`), or a status for objects that are not arrays or do not fit. A
pin is a weak reference to the array that owns the memory: NumPy does not resize an array that has one.
Memory: reads the fields of objects, with the GIL held; writes the description. Pins are objects of the interpreter, and
are dropped when the kernel has run.
Fast because no Python code runs: two pins made in Python took as long as moving 16 KiB.
"""

# Intrinsics have types that mypy cannot see. Numba checks them when it compiles.
# mypy: ignore-errors

from fastops.kernels._intrinsics import _object_layout as layout, _objects as py
from fastops.kernels._intrinsics._memory import let_kernels_call, memory_in, words_at
from fastops.kernels._scheduler._checks import check_arrays
from fastops.kernels._tables import _arrays as a, _words as w


def begin_description(description, words, arrays, width):
    """Begin a description of a number of arrays, which has `words` words, without fill values and conversion."""
    description[a.WIDTH], description[a.SIDES] = width, (words - a.HEADER_COLUMNS - arrays * a.ARRAY_COLUMNS) // 2
    description[a.FILL] = description[a.FILL_BYTES] = 0
    description[a.CONVERSION] = description[a.CONVERSION_WORDS] = 0


def rank_of(array):
    """Return the number of axes of an array object."""
    return py.word_at(array + layout.NDARRAY_RANK) & layout.INT32_MASK


def _describe(array, row, lengths, strides):
    """Describe an array object."""
    rank = rank_of(array)
    row[a.ADDRESS] = py.word_at(array + layout.NDARRAY_DATA)
    row[a.RANK] = rank
    shape, byte_strides = py.fields_of(array, layout.NDARRAY_DIMENSIONS), py.fields_of(array, layout.NDARRAY_STRIDES)
    for k in range(rank):
        lengths[k] = shape[k]
        strides[k] = byte_strides[k]


def words_of_all(arrays):
    """Return how many words describe the arrays of a tuple."""
    sides = 0
    for i in range(length_of(arrays)):
        sides += rank_of(item_at(arrays, i))
    return a.HEADER_COLUMNS + length_of(arrays) * a.ARRAY_COLUMNS + 2 * sides


def _width_of(array):
    """Return the bytes of an element of an array object."""
    return py.word_at(py.word_at(array + layout.NDARRAY_DTYPE) + layout.DTYPE_ITEMSIZE)


def _set_fill(fill, description):
    """Describe an array of fill values."""
    description[a.FILL] = py.word_at(fill + layout.NDARRAY_DATA)
    description[a.FILL_BYTES] = py.fields_of(fill, layout.NDARRAY_DIMENSIONS)[0] * _width_of(fill)


def describe_all(arrays, fill, description, n):
    """Describe the arrays of a tuple and an array of fill values in n words; no other code has these arrays."""
    begin_description(description, n, length_of(arrays), _width_of(item_at(arrays, 0)))
    row = words_at(description, a.HEADER_COLUMNS)
    lengths, sides = words_at(row, length_of(arrays) * a.ARRAY_COLUMNS), description[a.SIDES]
    _set_fill(fill, description)
    for i in range(length_of(arrays)):
        _describe(item_at(arrays, i), row, lengths, words_at(lengths, sides))
        lengths, row = words_at(lengths, row[a.RANK]), words_at(row, a.ARRAY_COLUMNS)


def describe_conversion(words, description):
    """Describe a conversion by the array of its words, which no other code has; None for no conversion."""
    if words != 0:
        description[a.CONVERSION] = py.word_at(words + layout.NDARRAY_DATA)
        description[a.CONVERSION_WORDS] = py.fields_of(words, layout.NDARRAY_DIMENSIONS)[0]


def length_of(items):
    """Return the number of items of a tuple."""
    return py.word_at(items + layout.TUPLE_LENGTH)


def item_at(items, i):
    """Return the address of item i of a tuple."""
    return py.word_at(items + layout.TUPLE_ITEMS + 8 * i)


def is_alike(array, ndarray, dtype, rank):
    """True if an object is an ndarray of a dtype and a rank."""
    is_right = py.word_at(array + layout.OBJECT_TYPE) == ndarray and py.word_at(array + layout.NDARRAY_DTYPE) == dtype
    return is_right and rank_of(array) == rank


def _describe_all(outs, src, ndarray, dtype, result, words, arrays):
    """Describe the source and the outputs, which must be ndarrays of the right dtypes and ranks; return a status."""
    outputs, rank, sides = words[w.OUTPUTS], words[w.SRC_RANK], arrays[a.SIDES]
    row = words_at(arrays, a.HEADER_COLUMNS)
    lengths = words_at(row, (outputs + 1) * a.ARRAY_COLUMNS)
    if not is_alike(src, ndarray, dtype, rank):
        return a.NO_ARRAYS
    _describe(src, row, lengths, words_at(lengths, sides))
    for i in range(outputs):
        out = py.word_at(outs + 8 * i)
        lengths, row = words_at(lengths, rank), words_at(row, a.ARRAY_COLUMNS)
        rank = words[w.HEADER_COLUMNS + words[w.SRC_RANK] + i]
        if not is_alike(out, ndarray, result, rank):
            return a.NO_ARRAYS
        if not py.word_at(out + layout.NDARRAY_FLAGS) & layout.WRITEABLE:
            return a.NOT_WRITEABLE
        _describe(out, row, lengths, words_at(lengths, sides))
    return a.DONE


def _describe_fill(fill, dtype, ndarray, arrays):
    """Describe the array of fill values, which must be of the source's dtype, or zero bytes; return a status."""
    if fill == 0 or py.word_at(fill + layout.OBJECT_TYPE) != ndarray or rank_of(fill) != 1:
        return a.NO_FILL
    own = py.word_at(fill + layout.NDARRAY_DTYPE)
    kind, width = py.word_at(dtype + layout.DTYPE_KIND), py.word_at(own + layout.DTYPE_ITEMSIZE)
    is_own = py.word_at(own + layout.DTYPE_KIND) == kind and width == arrays[a.WIDTH]
    # Zero bytes are the number 0 in NumPy's own types; in types of other libraries they may be another number.
    if not is_own and (py.word_at(own + layout.DTYPE_KIND) >> 32 != layout.TYPE_UINT8 or kind >> 32 > layout.TYPE_LAST):
        return a.NO_FILL
    _set_fill(fill, arrays)
    return a.DONE


def result_of(dtype, conversion):
    """Return the address of the outputs' dtype, from that of the source's; 0 if the conversion takes another dtype.

    A conversion is a tuple of the source's dtype, the output's dtype and the words; no other code has these words.
    """
    if conversion == 0:
        return dtype
    return item_at(conversion, 1) if item_at(conversion, 0) == dtype else 0


def look(outs, src, fill, ndarray, words, arrays, arrays_words, how):
    """Describe the arrays of a call, and check that they fit its words; return a status."""
    if py.word_at(src + layout.OBJECT_TYPE) != ndarray:
        return a.NO_ARRAYS
    dtype = py.word_at(src + layout.NDARRAY_DTYPE)
    if py.word_at(dtype + layout.DTYPE_FLAGS) & layout.HAS_REFERENCES:
        return a.NO_ARRAYS
    width = py.word_at(dtype + layout.DTYPE_ITEMSIZE)
    begin_description(arrays, arrays_words, words[w.OUTPUTS] + 1, width)
    result = result_of(dtype, how.conversion)
    if how.conversion:
        if result == 0:
            return a.NO_ARRAYS
        describe_conversion(item_at(how.conversion, 2), arrays)
    status = _describe_all(outs, src, ndarray, dtype, result, words, arrays)
    if not status and words[w.FILLS] > 0:
        status = _describe_fill(fill, dtype, ndarray, arrays)
    return status or check_arrays(arrays, words, how.are_apart)


def words_of_arrays(words):
    """Return how many words describe the arrays of a call."""
    outputs, rank = words[w.OUTPUTS], words[w.SRC_RANK]
    sides = rank
    for i in range(outputs):
        sides += words[w.HEADER_COLUMNS + rank + i]
    return a.HEADER_COLUMNS + (outputs + 1) * a.ARRAY_COLUMNS + 2 * sides


def words_in(array):
    """Return the words of an array object of int64."""
    n = py.fields_of(array, layout.NDARRAY_DIMENSIONS)[0]
    return memory_in(py.word_at(array + layout.NDARRAY_DATA), 0, 8 * n, False), n


def has_shape(array, words):
    """True for an array of the source's shape in words."""
    shape, rank = py.fields_of(array, layout.NDARRAY_DIMENSIONS), words[w.SRC_RANK]
    if rank_of(array) != rank:
        return False
    for k in range(rank):
        if shape[k] != words[w.HEADER_COLUMNS + k]:
            return False
    return True


# The longest chain of views that `_pin` follows. NumPy keeps chains short.
_MOST_BASES = 16

# Python pins the arrays of calls with more arrays.
_MOST_PINS = 17

#: Words of pins: their number, which the caller sets to 0, then their addresses.
PIN_WORDS = 1 + _MOST_PINS


def _pin(array, ndarray, pins):
    """Pin the array that owns an object's memory, if one does; return False if Python has to pin it."""
    for _ in range(_MOST_BASES):
        if py.word_at(array + layout.OBJECT_TYPE) != ndarray:
            return False
        if py.word_at(array + layout.NDARRAY_FLAGS) & layout.OWNS_DATA:
            reference = py.new_reference(array)
            if reference == 0:
                return False
            pins[0] += 1
            pins[pins[0]] = reference
            return True
        array = py.word_at(array + layout.NDARRAY_BASE)
        if array == 0:
            # No array owns the memory, so no array can resize it.
            return True
    return False


def pin_arrays(dsts, n, src, ndarray, how, pins):
    """Pin the source, and the n outputs unless they are fresh; return False if Python has to pin them.

    The caller must look at the arrays again: making a reference may collect garbage, which may run any code.
    """
    if not _pin(src, ndarray, pins):
        return False
    n = 0 if how.are_fresh else n
    if n >= _MOST_PINS:
        return False
    for i in range(n):
        if not _pin(py.word_at(dsts + 8 * i), ndarray, pins):
            return False
    return True


def unpin_arrays(pins):
    """Drop all pins."""
    for i in range(pins[0]):
        py.drop_reference(pins[1 + i])


let_kernels_call(__name__)
