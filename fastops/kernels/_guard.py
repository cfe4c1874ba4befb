"""The guarded gather kernel, which runs a table only if the arrays of a call are like those it was made for.

Computes: True if all arrays are ndarrays with the dtype object, the shapes and the byte strides that the guard's table
gives, the outputs are contiguous and writeable, and no output shares memory with the source or another output. Then, if
asked for, what `gather` does with one thread.
Memory: reads the fields of the array objects and two tables; writes what `gather` writes. Runs with the GIL kept from
the first look at an array to the last byte, so that no other thread can resize one in between.
Fast because it reads the fields where they lie: from Python, each of them is an attribute that makes an object.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import types

from fastops.kernels._gather import UNITS as GATHER_UNITS
from fastops.kernels._gather import gather_chunk
from fastops.kernels._intrinsics._memory import load_int, loops
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
    WRITEABLE,
)
from fastops.kernels._intrinsics._objects import (
    address_in,
    bytes_at,
    field_of,
    fields_of,
    length_of,
    object_at,
    object_of,
)
from fastops.kernels._intrinsics._types import array_address, array_addresses, array_object
from fastops.kernels._tables._guard import (
    DTYPE,
    FLAGS,
    PARTS,
    SHAPES,
    SRC_HIGH,
    SRC_LOW,
    SRC_RANK,
    TYPE,
    WIDTH,
)

# What the guard wants of outputs.
_OUTPUT_FLAGS = C_CONTIGUOUS | WRITEABLE


@loops
def _is_equal(array, offset, table, first, n):
    """True if the n integers to which a field of an array points are those in the table."""
    values = fields_of(array, offset)
    for i in range(n):
        if load_int(values, i) != load_int(table, first + i):
            return False
    return True


@loops
def _is_alike(array, guard, rank):
    """True if an object is an ndarray of the guard's dtype and this rank."""
    return (
        field_of(array, OBJECT_TYPE) == load_int(guard, TYPE)
        and field_of(array, NDARRAY_DTYPE) == load_int(guard, DTYPE)
        and field_of(array, NDARRAY_RANK) & INT32_MASK == rank
    )


@loops
def _fit(dsts, src, guard):
    """True if the outputs and the source fit the guard's table."""
    parts = load_int(guard, PARTS)
    rank = load_int(guard, SRC_RANK)
    if length_of(dsts) != parts or not _is_alike(src, guard, rank):
        return False
    dtype = object_at(load_int(guard, DTYPE))
    if field_of(dtype, DTYPE_ITEMSIZE) != load_int(guard, WIDTH) or field_of(dtype, DTYPE_FLAGS) != load_int(
        guard, FLAGS
    ):
        return False
    if not _is_equal(src, NDARRAY_DIMENSIONS, guard, SHAPES, rank):
        return False
    if not _is_equal(src, NDARRAY_STRIDES, guard, SHAPES + rank, rank):
        return False
    low = field_of(src, NDARRAY_DATA) + load_int(guard, SRC_LOW)
    high = field_of(src, NDARRAY_DATA) + load_int(guard, SRC_HIGH)
    at = SHAPES + 2 * rank
    for i in range(parts):
        dst = object_of(dsts, i)
        dst_rank = load_int(guard, at)
        if not _is_alike(dst, guard, dst_rank):
            return False
        if field_of(dst, NDARRAY_FLAGS) & _OUTPUT_FLAGS != _OUTPUT_FLAGS:
            return False
        if not _is_equal(dst, NDARRAY_DIMENSIONS, guard, at + 2, dst_rank):
            return False
        first = field_of(dst, NDARRAY_DATA)
        end = first + load_int(guard, at + 1)
        if first < high and low < end:
            return False
        other_at = SHAPES + 2 * rank
        for j in range(i):
            other = field_of(object_of(dsts, j), NDARRAY_DATA)
            if first < other + load_int(guard, other_at + 1) and other < end:
                return False
            other_at += 2 + load_int(guard, other_at)
        at += 2 + dst_rank
    return True


# Output 0, chunk 0 and one chunk, as arguments that are no literals, for each of which Numba would compile anew.
_ORIGIN, _ALL = np.intp(0), np.intp(1)

SIGNATURE = types.boolean(array_addresses, array_object, array_address, array_address, array_address, types.intp)
OPTIONS = {"error_model": "numpy"}
UNITS = GATHER_UNITS


def gather_guarded(dsts, src, table, fill, guard, moves):
    """Tell whether outputs and a source fit a `_tables._guard`, and run the table if they do and ``moves`` is 1.

    dsts is a tuple of any objects, src any object; the rest is what `gather` takes.
    """
    if not _fit(dsts, src, bytes_at(guard)):
        return False
    if moves:
        gather_chunk(dsts, address_in(src), table, fill, _ORIGIN, _ALL)
    return True
