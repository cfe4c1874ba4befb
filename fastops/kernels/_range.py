"""The range kernel: writes every range plan, of any output type, byte order and destination stride.

Computes: out[i] = start + i * step. Integers modulo 2^64, cut to the type. Floats as T(start) + T(i) * T(step) with
two roundings, T = float64 for float64, else float32; then rounded to nearest even in the output type.
Memory: owns none. Reads two tables, writes each element of the destination once.
Fast because: no element depends on the one before it, so LLVM makes vectors of the contiguous loops; an index fits
32 bits within a chunk's block, which is what CPUs convert to floats quickly.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import prange, types

from fastops.kernels._chunks import chunk_start
from fastops.kernels._memory import (
    as_cells,
    bits_of_float,
    bytes_at,
    cell_from_bits,
    float_of_bits,
    load_int,
    loops,
    reverse_bytes,
    shift,
    store,
    width_of,
)
from fastops.kernels._range_table import (
    BFLOAT16,
    COUNT,
    DST_STEP,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INTEGER,
    KIND,
    MASK,
    SMALL_FLOAT,
    START,
    STEP,
    STEPS,
    SWAP,
    WIDTH,
)
from fastops.kernels._types import array_address
from fastops.kernels._units import unit

# Elements in which the index is a 32-bit number added to a 64-bit base.
_BLOCK = 1 << 16


@loops
def _float32_at(start, step, i):
    """float32(start) + float32(i) * float32(step). i is exact in float64, so it is rounded once."""
    return start + np.float32(i) * step


@loops
def _float16_bits(value):
    """The bits of a float32 rounded to float16: nearest even, subnormals kept, overflow to infinity.

    Numba widens the arithmetic of 32-bit integers to 64 bits: the casts back keep eight of them in a vector.
    """
    bits = bits_of_float(value)
    sign = np.uint32(np.uint32(bits >> np.uint32(16)) & np.uint32(0x8000))
    magnitude = np.uint32(bits & np.uint32(0x7FFFFFFF))
    # Normal: add half a unit in the last place, less one bit where the result is even, and rebias the exponent.
    odd = np.uint32(np.uint32(magnitude >> np.uint32(13)) & np.uint32(1))
    normal = np.uint32(np.uint32(magnitude + odd - np.uint32((112 << 23) - 0xFFF)) >> np.uint32(13))
    # Subnormal: the float32 addition of 0.5 rounds to a multiple of 2^-24, float16's last place, in its low bits.
    small = np.uint32(bits_of_float(float_of_bits(magnitude) + np.float32(0.5)) - np.uint32(0x3F000000))
    rounded = small if magnitude < np.uint32(113 << 23) else min(normal, np.uint32(0x7C00))
    rounded = np.uint32(0x7E00) if magnitude > np.uint32(0x7F800000) else rounded
    return np.uint64(sign | rounded)


@loops
def _bfloat16_bits(value):
    """The bits of a float32 rounded to bfloat16, nearest even."""
    bits = bits_of_float(value)
    odd = np.uint32(np.uint32(bits >> np.uint32(16)) & np.uint32(1))
    rounded = np.uint32(np.uint32(bits + odd + np.uint32(0x7FFF)) >> np.uint32(16))
    quiet = np.uint32(np.uint32(bits >> np.uint32(16)) | np.uint32(0x40))
    is_nan = np.uint32(bits & np.uint32(0x7FFFFFFF)) > np.uint32(0x7F800000)
    return np.uint64(quiet if is_nan else rounded)


@loops
def _small_float_bits(value, rounding, steps):
    """The code of a float32 in a type of at most 8 bits, by bisection in the type's table of steps.

    Entry k of the table holds the smallest ordered bits of a float32 that rounds to the k-th code, and the code.
    """
    bits = np.int64(np.int32(bits_of_float(value)))
    ordered = bits if bits >= 0 else np.int64(-0x80000000) - bits - 1
    low = np.int64(0)
    high = steps
    while high - low > 1:
        middle = (low + high) >> 1
        if load_int(rounding, 2 * middle) <= ordered:
            low = middle
        else:
            high = middle
    return np.uint64(load_int(rounding, 2 * low + 1))


@loops
def _bits_at(table, rounding, i):
    """The bits of element i."""
    kind = load_int(table, KIND)
    start = np.uint64(load_int(table, START))
    step = np.uint64(load_int(table, STEP))
    if kind == INTEGER:
        return (start + np.uint64(i) * step) & np.uint64(load_int(table, MASK))
    if kind == FLOAT64:
        return bits_of_float(float_of_bits(start) + np.float64(i) * float_of_bits(step))
    value = _float32_at(float_of_bits(np.uint32(start)), float_of_bits(np.uint32(step)), np.float64(i))
    if kind == FLOAT32:
        return np.uint64(bits_of_float(value))
    if kind == FLOAT16:
        return _float16_bits(value)
    if kind == BFLOAT16:
        return _bfloat16_bits(value)
    return _small_float_bits(value, rounding, load_int(table, STEPS))


@loops
def _write_strided(dst, table, rounding, i0, i1, swap):
    """Write elements [i0, i1) anywhere, in either byte order, one by one."""
    dst_step = load_int(table, DST_STEP)
    for i in range(i0, i1):
        cell = cell_from_bits(dst, _bits_at(table, rounding, i))
        store(shift(dst, i * dst_step), reverse_bytes(cell) if swap else cell)


@loops
def _write_integers(dst, start, step, n):
    """Write n contiguous integers of the cell's width."""
    w = width_of(dst)
    for i in range(n):
        store(shift(dst, i * w), cell_from_bits(dst, start + np.uint64(i) * step))


@loops
def _write_floats(dst, table, i0, n):
    """Write n contiguous floats from element i0 on; n is at most _BLOCK."""
    kind = load_int(table, KIND)
    base = np.float64(i0)
    if kind == FLOAT64:
        to = as_cells(dst, 8)
        start = float_of_bits(np.uint64(load_int(table, START)))
        step = float_of_bits(np.uint64(load_int(table, STEP)))
        for i in range(n):
            value = start + (base + np.float64(np.int32(i))) * step
            store(shift(to, 8 * i), cell_from_bits(to, bits_of_float(value)))
        return
    first = float_of_bits(np.uint32(load_int(table, START)))
    stride = float_of_bits(np.uint32(load_int(table, STEP)))
    if kind == FLOAT32:
        to = as_cells(dst, 4)
        for i in range(n):
            value = _float32_at(first, stride, base + np.float64(np.int32(i)))
            store(shift(to, 4 * i), cell_from_bits(to, np.uint64(bits_of_float(value))))
    elif kind == FLOAT16:
        half = as_cells(dst, 2)
        for i in range(n):
            value = _float32_at(first, stride, base + np.float64(np.int32(i)))
            store(shift(half, 2 * i), cell_from_bits(half, _float16_bits(value)))
    else:
        half = as_cells(dst, 2)
        for i in range(n):
            value = _float32_at(first, stride, base + np.float64(np.int32(i)))
            store(shift(half, 2 * i), cell_from_bits(half, _bfloat16_bits(value)))


@loops
def _write_contiguous(dst, table, i0, i1):
    """Write elements [i0, i1) of a type that fills its width, in the machine's byte order."""
    width = load_int(table, WIDTH)
    dst = shift(dst, i0 * width)
    if load_int(table, KIND) != INTEGER:
        for i in range(i0, i1, _BLOCK):
            _write_floats(shift(dst, (i - i0) * width), table, i, min(_BLOCK, i1 - i))
        return
    step = np.uint64(load_int(table, STEP))
    start = np.uint64(load_int(table, START)) + np.uint64(i0) * step
    if width == 1:
        _write_integers(dst, start, step, i1 - i0)
    elif width == 2:
        _write_integers(as_cells(dst, 2), start, step, i1 - i0)
    elif width == 4:
        _write_integers(as_cells(dst, 4), start, step, i1 - i0)
    else:
        _write_integers(as_cells(dst, 8), start, step, i1 - i0)


@unit(types.void(array_address, array_address, array_address, types.intp, types.intp))
def range_chunk(dst_address, table_address, rounding_address, chunk, chunks):
    """Write one of `chunks` equal shares of the elements."""
    dst = bytes_at(dst_address)
    table = bytes_at(table_address)
    rounding = bytes_at(rounding_address)
    count = load_int(table, COUNT)
    i0 = chunk_start(count, chunk, chunks)
    i1 = chunk_start(count, chunk + 1, chunks)
    width = load_int(table, WIDTH)
    swap = load_int(table, SWAP)
    plain = load_int(table, KIND) != SMALL_FLOAT and load_int(table, MASK) == -1 and swap == 0
    if plain and load_int(table, DST_STEP) == width:
        _write_contiguous(dst, table, i0, i1)
    elif width == 1:
        _write_strided(dst, table, rounding, i0, i1, swap)
    elif width == 2:
        _write_strided(as_cells(dst, 2), table, rounding, i0, i1, swap)
    elif width == 4:
        _write_strided(as_cells(dst, 4), table, rounding, i0, i1, swap)
    else:
        _write_strided(as_cells(dst, 8), table, rounding, i0, i1, swap)


UNITS = (range_chunk,)
OPTIONS = {"parallel": True, "nogil": True, "error_model": "numpy"}
SIGNATURE = types.void(array_address, array_address, array_address, types.intp)


def fill_range(dst, table, rounding, workers):
    """Write a range with `workers` threads, or serially for 1.

    dst is the destination array, table the int64 row of `_range_table`, rounding the int64 pairs of a small float's
    steps (any array for other kinds).
    """
    if workers == 1:
        range_chunk(dst, table, rounding, np.intp(0), workers)
    else:
        for chunk in prange(workers):
            range_chunk(dst, table, rounding, chunk, workers)
