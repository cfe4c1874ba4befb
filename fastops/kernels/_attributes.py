"""Attributes: the integers of what a caller has written, taken out of Python's objects.

Computes: the integers in a tuple of attributes, in order; False if it is not made as a record says, of tuples, lists
and slices, of exact integers, and of certain other objects.
Memory: reads the fields of these objects, with the GIL kept, and writes the integers.
Fast because no object is made: a key of the same attributes takes a microsecond.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._memory import load_int, loops, shift, stack_words, store_int
from fastops.kernels._intrinsics._object_layout import LIST_ITEMS, OBJECT_TYPE, SLICE_ITEMS, TUPLE_ITEMS, TUPLE_LENGTH
from fastops.kernels._intrinsics._objects import integer_at, word_at
from fastops.kernels._tables._trace import (
    ADDRESS,
    DEEPEST,
    FIRST_TOKEN,
    INTEGER,
    LARGEST,
    LENGTH,
    LIST,
    OBJECT,
    SLICE,
    TOKEN,
    TOKEN_COLUMNS,
    TOKENS,
)


@loops
def read_attributes(attributes, record, integers):
    """Write the integers of the tuple at an address one behind the other; False if it is not as the record says."""
    # Where the next item of each open tuple, list and slice is, and how many are left of it.
    items, left = stack_words(DEEPEST), stack_words(DEEPEST)
    depth = n = 0
    token = shift(record, 8 * load_int(record, FIRST_TOKEN))
    each = attributes
    for i in range(load_int(record, TOKENS)):
        if i > 0:
            while load_int(left, depth - 1) == 0:
                depth -= 1
            at = load_int(items, depth - 1)
            each = word_at(at)
            store_int(items, depth - 1, at + 8)
            store_int(left, depth - 1, load_int(left, depth - 1) - 1)
        kind = load_int(token, TOKEN)
        address = load_int(token, ADDRESS)
        if kind == OBJECT:
            if each != address:
                return False
        elif word_at(each + OBJECT_TYPE) != address:
            return False
        elif kind == INTEGER:
            value = integer_at(each)
            if value > LARGEST or value < -LARGEST:
                return False
            store_int(integers, n, value)
            n += 1
        else:
            length = load_int(token, LENGTH)
            if kind == SLICE:
                first = each + SLICE_ITEMS
            elif word_at(each + TUPLE_LENGTH) != length:
                return False
            elif kind == LIST:
                first = word_at(each + LIST_ITEMS)
            else:
                first = each + TUPLE_ITEMS
            store_int(items, depth, first)
            store_int(left, depth, length)
            depth += 1
        token = shift(token, 8 * TOKEN_COLUMNS)
    return True
