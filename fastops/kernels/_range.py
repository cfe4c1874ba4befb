"""The range kernel: writes every range plan, of any output type, byte order and destination stride.

Computes: out[i] = start + i * step. Integers modulo 2^64, cut to the type. Floats as T(start) + T(i) * T(step) with
two roundings, T = float64 for float64, else float32; then rounded to nearest even in the output type.
Memory: a stage of 2 KiB on the stack. Reads two tables, writes each element of the destination once.
Fast because no element depends on the one before it: the formulas are written as vectors of a cache line each, which
are stored to the output from the registers, and beyond the caches' size streamed past them. What is no whole line, and
elements that lie apart or are stored otherwise than computed, take the way through the stage.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._chunks import chunk_start
from fastops.kernels._intrinsics._memory import copy_bytes, load_int, loops, shift, stack_words
from fastops.kernels._intrinsics._objects import bytes_at, output_at
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._range_vectors import MOST_ELEMENTS, ordered_bits, scatter, store_byte, write_vectors
from fastops.kernels._intrinsics._types import array_address, byte_pointer
from fastops.kernels._intrinsics._vectors import LINE_BYTES, finish_streams, line_offset
from fastops.kernels._parallel import fill_range
from fastops.kernels._tables._range import CODES, COUNT, DST_PITCH, STREAMS, SWAP, WIDTH

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


@outlined(types.void(array_address, array_address, array_address, types.intp, types.intp))
def range_chunk(dst_address, table_address, rounding_address, chunk, chunks):
    """Write one of `chunks` equal shares of the elements."""
    table = bytes_at(table_address)
    count = load_int(table, COUNT)
    first, end = chunk_start(count, chunk, chunks), chunk_start(count, chunk + 1, chunks)
    write_range(output_at(dst_address), table, bytes_at(rounding_address), first, end)


@outlined(types.void(array_address, array_address, array_address, types.intp, types.intp, types.intp))
def run_range(dst, table, rounding, workers, launch, launches):
    """Write one of `launches` equal shares of a range, that which `launch` counts, by the calling thread.

    It is done by several threads for more workers than one: then `fill_range` must be compiled.
    """
    if workers > 1:
        fill_range(dst, table, rounding, workers, launch, launches)
    else:
        range_chunk(dst, table, rounding, launch, launches)
