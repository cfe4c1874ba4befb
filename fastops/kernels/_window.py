"""A window: one output that compiled code lays over memory, and moves.

Computes: the part of a table that `_schedules` would make of a plan, without its interiors: from the words of a window
(`_tables._window`); and, where a plane is worth it, the boxes of a window, each of which reads in bounds or nothing.
Memory: reads the words, writes the table, which the caller owns.
Fast because it is some ten comparisons an axis. Windows of a loop that read in bounds have the same part, but for its
offsets: whoever moves many lays it once.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._intrinsics._memory import ZERO, copy_bytes, load_int, loops, shift, store_int
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables._window import COUNT, DST_PITCH, EXTENT, HAS_PLANES, MODE, RANK, SRC_PITCH, STREAMS, WIDTH
from fastops.kernels._window_axes import (
    FIRST_AXIS,
    NUMBER,
    PART,
    axis_words,
    is_fill_row,
    is_plain,
    lay_affine,
    lay_axis,
    lay_plain,
    row_of,
)
from fastops.kernels._window_planes import pair_window


@loops
def _lay_axes(words, table):
    """Write the rows of the axes of a window that move, the outermost first; return what the part has of them.

    That is how many there are, the destination and source offsets of the first output, and whether it is all fill
    value: then only the destination matters, and its rows say so.
    """
    rank, mode = load_int(words, RANK), load_int(words, MODE)
    n, dst_offset, src_offset, is_fill = ZERO, ZERO, ZERO, False
    for k in range(rank):
        axis, row = axis_words(words, k), row_of(table, n)
        src_offset += lay_axis(row, axis, mode, k, load_int(axis, SRC_PITCH))
        is_fill = is_fill or is_fill_row(row)
        count, dst_pitch = load_int(row, g.COUNT), load_int(row, g.DST_PITCH)
        if is_plain(row):
            if count == 1:
                continue
            if dst_pitch < 0:
                src_pitch = load_int(row, g.SRC_PITCH)
                dst_offset += (count - 1) * dst_pitch
                src_offset += (count - 1) * src_pitch
                lay_plain(row, k, count, -dst_pitch, -src_pitch)
        n += 1
    if is_fill:
        dst_offset = src_offset = n = ZERO
        for k in range(rank):
            axis = axis_words(words, k)
            count, dst_pitch = load_int(axis, COUNT), load_int(axis, DST_PITCH)
            if count > 1:
                if dst_pitch < 0:
                    dst_offset += (count - 1) * dst_pitch
                lay_affine(row_of(table, n), count, abs(dst_pitch), ZERO, ZERO, ZERO, ZERO, g.FILL, g.FILL)
                n += 1
    if n == 0:
        if is_fill:
            lay_affine(row_of(table, ZERO), 1, ZERO, ZERO, ZERO, ZERO, ZERO, g.FILL, g.FILL)
        else:
            lay_plain(row_of(table, ZERO), ZERO, 1, ZERO, ZERO)
        n += 1
    return n, dst_offset, src_offset, is_fill


@loops
def _sort_axes(table, n):
    """Bring the rows of axes into the order of the destination's memory."""
    spare = row_of(table, n)
    for k in range(1, n):
        pitch = abs(load_int(row_of(table, k), g.DST_PITCH))
        i = k
        while i > 0 and abs(load_int(row_of(table, i - 1), g.DST_PITCH)) < pitch:
            i -= 1
        if i < k:
            copy_bytes(spare, row_of(table, k), 8 * g.AXIS_COLUMNS)
            for j in range(k, i, -1):
                copy_bytes(row_of(table, j), row_of(table, j - 1), 8 * g.AXIS_COLUMNS)
            copy_bytes(row_of(table, i), spare, 8 * g.AXIS_COLUMNS)


@loops
def _merge_axes(table, n, is_fill):
    """Join neighbours that move through both memories as one axis does; return how many axes there are."""
    merged = ZERO
    for k in range(1, n):
        inner, outer = row_of(table, k), row_of(table, merged)
        count, dst_pitch = load_int(inner, g.COUNT), load_int(inner, g.DST_PITCH)
        src_pitch = load_int(inner, g.SRC_PITCH)
        if load_int(outer, g.DST_PITCH) == dst_pitch * count and (
            is_fill or (is_plain(outer) and is_plain(inner) and load_int(outer, g.SRC_PITCH) == src_pitch * count)
        ):
            count *= load_int(outer, g.COUNT)
            if is_fill:
                lay_affine(outer, count, dst_pitch, ZERO, ZERO, ZERO, ZERO, g.FILL, g.FILL)
            else:
                lay_plain(outer, load_int(inner, NUMBER), count, dst_pitch, src_pitch)
        else:
            merged += 1
            if merged < k:
                copy_bytes(row_of(table, merged), inner, 8 * g.AXIS_COLUMNS)
    return merged + 1


@loops
def _absorb_axes(table, n, is_fill, width):
    """Return how many axes are left without the innermost contiguous ones, and the bytes of a block of those."""
    block = width
    while n > 1:
        inner = row_of(table, n - 1)
        size = load_int(inner, g.COUNT) * block
        if load_int(inner, g.DST_PITCH) != block or size > g.LARGEST_BLOCK:
            break
        if not is_fill and not (is_plain(inner) and load_int(inner, g.SRC_PITCH) == block):
            break
        block = size
        n -= 1
    return n, block


@loops
def _can_stream(table, n, plane, grain_bytes):
    """True if grains of the part are dense in the output, and so are its rows, or they are long."""
    if plane == g.CROSSED or plane == g.TILES:
        return plane == g.CROSSED
    last = row_of(table, n - 1)
    if load_int(last, g.DST_PITCH) != grain_bytes:
        return False
    span = grain_bytes
    for k in range(n - 1, -1, -1):
        if plane == g.NO_PLANE or k != n - 2:
            row = row_of(table, k)
            count = load_int(row, g.COUNT)
            if load_int(row, g.DST_PITCH) != span and count > 1:
                return load_int(last, g.COUNT) * grain_bytes >= g.SHORTEST_STREAMED_ROW
            span *= count
    return True


@loops
def span_of_source(words):
    """Return the lowest byte of the source of a window, counted from its element 0, and one beyond the highest."""
    low, high = ZERO, load_int(words, WIDTH)
    for k in range(load_int(words, RANK)):
        axis = axis_words(words, k)
        reach = (load_int(axis, EXTENT) - 1) * load_int(axis, SRC_PITCH)
        if reach < 0:
            low += reach
        else:
            high += reach
    return low, high


@outlined(types.void(byte_pointer, byte_pointer))
def lay_window(words, table):
    """Write the table of a window that has outputs: one part, which is `PART`."""
    width = load_int(words, WIDTH)
    n, dst_offset, src_offset, is_fill = _lay_axes(words, table)
    if n > 1:
        _sort_axes(table, n)
        n = _merge_axes(table, n, is_fill)
    n, block = _absorb_axes(table, n, is_fill, width)
    plane = g.NO_PLANE
    if load_int(words, HAS_PLANES) and not is_fill:
        n, plane = pair_window(words, table, n, block)
    grain_bytes, grains = block, 1
    for k in range(n):
        count = load_int(row_of(table, k), g.COUNT)
        if plane != g.NO_PLANE and k == n - 2:
            grain_bytes *= count
        else:
            grains *= count
    part = shift(table, 8 * PART)
    store_int(part, g.DST_INDEX, ZERO)
    store_int(part, g.DST_OFFSET, dst_offset)
    store_int(part, g.SRC_OFFSET, src_offset)
    store_int(part, g.BLOCK, block)
    store_int(part, g.WIDTH, width)
    store_int(part, g.PLANE, plane)
    store_int(part, g.AXES, n)
    store_int(part, g.FIRST_AXIS, FIRST_AXIS)
    store_int(part, g.GRAIN_BYTES, grain_bytes)
    store_int(part, g.GRAINS, grains)
    store_int(part, g.PROGRAM, FIRST_AXIS + n * g.AXIS_COLUMNS)
    store_int(part, g.STREAMS, ZERO)
    if load_int(words, STREAMS) and _can_stream(table, n, plane, grain_bytes):
        store_int(part, g.STREAMS, 1)
    if plane == g.PIXELS:
        low, high = span_of_source(words)
        store_int(part, g.SRC_LOW, low)
        store_int(part, g.SRC_HIGH, high)
