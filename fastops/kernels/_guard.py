"""The guard of prepared calls, which tells whether two arrays fit a launch that was made for others.

Computes: True if both arrays have the dtype object, the shapes and the byte strides that the launch was made for, the
destination is contiguous and writeable, and its memory ends before the source's begins, or the other way round.
Memory: reads the fields of the two array objects and a table; writes nothing. Runs with the GIL held.
Fast because it reads the fields where they lie: from Python, each of them is an attribute that makes an object.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._guard_table import (
    DST_BYTES,
    DST_RANK,
    DTYPE,
    SHAPES,
    SRC_HIGH,
    SRC_LOW,
    SRC_RANK,
)
from fastops.kernels._memory import bytes_at, field_of, fields_of, load_int, loops
from fastops.kernels._types import (
    NDARRAY_DATA,
    NDARRAY_DIMENSIONS,
    NDARRAY_DTYPE,
    NDARRAY_FLAGS,
    NDARRAY_RANK,
    NDARRAY_STRIDES,
    array_address,
    array_object,
)

# NumPy's flags: C_CONTIGUOUS and WRITEABLE.
_OUTPUT_FLAGS = 0x0001 | 0x0400

_INT32 = 0xFFFFFFFF


@loops
def _is_equal(array, offset, table, first, n):
    """True if the n integers to which a field of an array points are those in the table."""
    values = fields_of(array, offset)
    for i in range(n):
        if load_int(values, i) != load_int(table, first + i):
            return False
    return True


SIGNATURE = types.boolean(array_object, array_object, array_address)
OPTIONS = {"error_model": "numpy"}
UNITS = ((),)


def fits(dst, src, table_address):
    """Tell whether a destination and a source, both ndarrays, fit the launch of a `_guard_table`."""
    table = bytes_at(table_address)
    dtype = load_int(table, DTYPE)
    rank = load_int(table, SRC_RANK)
    dst_rank = load_int(table, DST_RANK)
    if field_of(dst, NDARRAY_DTYPE) != dtype or field_of(src, NDARRAY_DTYPE) != dtype:
        return False
    if field_of(src, NDARRAY_RANK) & _INT32 != rank or field_of(dst, NDARRAY_RANK) & _INT32 != dst_rank:
        return False
    if field_of(dst, NDARRAY_FLAGS) & _OUTPUT_FLAGS != _OUTPUT_FLAGS:
        return False
    if not _is_equal(src, NDARRAY_DIMENSIONS, table, SHAPES, rank):
        return False
    if not _is_equal(src, NDARRAY_STRIDES, table, SHAPES + rank, rank):
        return False
    if not _is_equal(dst, NDARRAY_DIMENSIONS, table, SHAPES + 2 * rank, dst_rank):
        return False
    distance = field_of(src, NDARRAY_DATA) - field_of(dst, NDARRAY_DATA)
    return (
        distance + load_int(table, SRC_LOW) >= load_int(table, DST_BYTES) or distance + load_int(table, SRC_HIGH) <= 0
    )
