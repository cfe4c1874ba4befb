"""Reads the attributes of a call, which are Python objects, as the arguments of a rule (`_tables._rules`).

Computes: the numbers of ints, NumPy's int64 and int32, arrays of these with one or two axes, lists and tuples of ints,
lists of such lists, slices, and constants such as the names of modes. Python has to read anything else.
Memory: reads the fields of objects, with the GIL held throughout; writes the arguments.
Fast because it makes no object and runs no code of the caller's.
"""

# Intrinsics have types that mypy cannot see. Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics import _object_layout as layout, _objects as py
from fastops.kernels._intrinsics._memory import let_kernels_call, words_at
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables._words import LARGEST

#: The value of an object that is no integer, or is too large for words.
NO_INTEGER = -(2**63)


def _set_row(row, kind, n, first, length):
    """Write the row of an argument; return where its values end."""
    row[r.KIND], row[r.COUNT], row[r.FIRST_VALUE], row[r.ROW_LENGTH] = kind, n, first, length
    return first + n * length


def integer_of(each, rule):
    """Return the value of an integer object, or NO_INTEGER."""
    kind, value = py.word_at(each + layout.OBJECT_TYPE), NO_INTEGER
    if kind == rule[r.INT_TYPE]:
        value = py.integer_at(each)
    elif kind == rule[r.INT64_TYPE]:
        value = py.word_at(each + layout.SCALAR_VALUE)
    elif kind == rule[r.INT32_TYPE]:
        value = py.half_at(each + layout.SCALAR_VALUE)
    return value if -LARGEST <= value <= LARGEST else NO_INTEGER


def _items_of(each, rule):
    """Return the address of the items of a tuple or a list, 0 for an empty list; -1 for any other object."""
    kind = py.word_at(each + layout.OBJECT_TYPE)
    if kind == rule[r.TUPLE_TYPE]:
        return each + layout.TUPLE_ITEMS
    return py.word_at(each + layout.LIST_ITEMS) if kind == rule[r.LIST_TYPE] else -1


def _read_array(array, rule, row, arguments, first):
    """Read an array of integers with one or two axes; return where its values end, or -1."""
    dtype, rank = py.word_at(array + layout.NDARRAY_DTYPE), py.word_at(array + layout.NDARRAY_RANK) & layout.INT32_MASK
    is_long = dtype == rule[r.INT64_DTYPE]
    if rank < 1 or rank > 2 or not (is_long or dtype == rule[r.INT32_DTYPE]):
        return -1
    shape, strides = py.word_at(array + layout.NDARRAY_DIMENSIONS), py.word_at(array + layout.NDARRAY_STRIDES)
    at, width = py.word_at(array + layout.NDARRAY_DATA), 8 if is_long else 4
    n, stride = py.word_at(shape), py.word_at(strides)
    length, pitch = (py.word_at(shape + 8), py.word_at(strides + 8)) if rank == 2 else (1, 0)
    if not (n <= r.ARGUMENT_WORDS and length <= r.ARGUMENT_WORDS and n * length <= r.ARGUMENT_WORDS - first):
        return -1
    if at % width or stride % width or pitch % width:
        return -1
    for i in range(n * length):
        place = at + i // length * stride + i % length * pitch
        value = py.word_at(place) if is_long else py.half_at(place)
        if not -LARGEST <= value <= LARGEST:
            return -1
        arguments[first + i] = value
    return _set_row(row, r.ROWS if rank == 2 else r.LIST, n, first, length)


def _read_argument(each, rule, row, arguments, first):
    """Read an attribute; return where its values end, or -1 if Python has to read it."""
    if each == rule[r.NONE]:
        return first
    value = integer_of(each, rule)
    if value != NO_INTEGER:
        arguments[first] = value
        return _set_row(row, r.INTEGER, 1, first, 1)
    items = _items_of(each, rule)
    if items == -1:
        if py.word_at(each + layout.OBJECT_TYPE) == rule[r.ARRAY_TYPE]:
            return _read_array(each, rule, row, arguments, first)
        return _read_constant(each, rule, row, arguments, first)
    # A list of integers is read as n rows of one value; a list of lists has rows of one length.
    n, length = py.word_at(each + layout.TUPLE_LENGTH), 1
    has_rows = n > 0 and _items_of(py.word_at(items), rule) != -1
    if has_rows:
        length = py.word_at(py.word_at(items) + layout.TUPLE_LENGTH)
    if length < 1 or n > r.ARGUMENT_WORDS or length > r.ARGUMENT_WORDS or n * length > r.ARGUMENT_WORDS - first:
        return -1
    for i in range(n):
        row_items = items + 8 * i
        if has_rows:
            own = py.word_at(items + 8 * i)
            row_items = _items_of(own, rule)
            if row_items == -1 or py.word_at(own + layout.TUPLE_LENGTH) != length:
                return -1
        for k in range(length):
            value = integer_of(py.word_at(row_items + 8 * k), rule)
            if value == NO_INTEGER:
                return -1
            arguments[first + length * i + k] = value
    return _set_row(row, r.ROWS if has_rows else r.LIST, n, first, length)


def _read_constant(each, rule, row, arguments, first):
    """Read a constant: the object itself, or an equal text; return where its value ends, or -1."""
    constants, n = words_at(rule, r.HEADER_COLUMNS + rule[r.ATTRIBUTES]), rule[r.CONSTANTS]
    is_text = py.word_at(each + layout.OBJECT_TYPE) == rule[r.STR_TYPE]
    # All constants are compared as objects first, because that takes less time than a comparison of texts.
    for i in range(2 * n if is_text else n):
        own, is_equal = constants[2 * (i % n)], False
        if i >= n and py.word_at(own + layout.OBJECT_TYPE) == rule[r.STR_TYPE]:
            is_equal = py.are_equal_texts(own, each)
        if own == each or is_equal:
            arguments[first] = constants[2 * (i % n) + 1]
            return _set_row(row, r.CONSTANT, 1, first, 1)
    return -1


def _read_place(each, rule, place, n):
    """Read a position of an index; its arguments lie n words apart. Return False if Python has to read it."""
    place[2 * n] = 1
    if each == rule[r.NONE] or each == rule[r.ELLIPSIS]:
        place[(r.NEW_AXIS_COLUMN if each == rule[r.NONE] else r.ELLIPSIS_COLUMN) * n] = 1
        return True
    if py.word_at(each + layout.OBJECT_TYPE) != rule[r.SLICE_TYPE]:
        place[r.SHRINK_COLUMN * n], place[0] = 1, integer_of(each, rule)
        return place[0] != NO_INTEGER
    for i in range(3):
        bound = py.word_at(each + layout.SLICE_ITEMS + 8 * i)
        if bound != rule[r.NONE]:
            place[i * n] = integer_of(bound, rule)
            if place[i * n] == NO_INTEGER:
                return False
        elif i < 2:
            place[(3 + i) * n] = 1
    return True


def _read_index(each, rule, arguments, first):
    """Read an index, a tuple of positions or one position, as the arguments of a strided slice, which are lists.

    Returns where the values end, or -1 if Python has to read the index.
    """
    n, items, at = 1, 0, first
    if py.word_at(each + layout.OBJECT_TYPE) == rule[r.TUPLE_TYPE]:
        n, items = py.word_at(each + layout.TUPLE_LENGTH), each + layout.TUPLE_ITEMS
    if n * r.INDEX_COLUMNS > r.ARGUMENT_WORDS - first:
        return -1
    for column in range(r.INDEX_COLUMNS):
        parameter = column if column <= r.STRIDE else column + r.BEGIN_MASK - r.STRIDE - 1
        at = _set_row(words_at(arguments, parameter * r.ARGUMENT_COLUMNS), r.LIST, n, at, 1)
    for k in range(first, at):
        arguments[k] = 0
    for i in range(n):
        if not _read_place(py.word_at(items + 8 * i) if items else each, rule, words_at(arguments, first + i), n):
            return -1
    return at


def read_arguments(attributes, rule, arguments):
    """Read the attributes in the tuple at an address by a rule; return False if Python has to read them."""
    for i in range(r.MOST_PARAMETERS):
        _set_row(words_at(arguments, i * r.ARGUMENT_COLUMNS), r.ABSENT, 0, 0, 1)
    at, n = r.MOST_PARAMETERS * r.ARGUMENT_COLUMNS, py.word_at(attributes + layout.TUPLE_LENGTH)
    if n > rule[r.ATTRIBUTES]:
        return False
    for i in range(n):
        each, parameter = py.word_at(attributes + layout.TUPLE_ITEMS + 8 * i), rule[r.HEADER_COLUMNS + i]
        if parameter >= r.OPTIONAL:
            parameter -= r.OPTIONAL
        elif each == rule[r.NONE] and parameter != r.INDEX:
            return False
        if parameter == r.INDEX:
            at = _read_index(each, rule, arguments, at)
        else:
            at = _read_argument(each, rule, words_at(arguments, parameter * r.ARGUMENT_COLUMNS), arguments, at)
        # The next attribute may be one value, so there must be room for it.
        if not 0 <= at < r.ARGUMENT_WORDS:
            return False
    return True


let_kernels_call(__name__)
