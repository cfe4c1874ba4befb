"""Planes: two affine axes that move together.

Computes: outputs [y0, y1) of the outer axis times all of the inner one, at an offset of the output.
Memory: reads the source and the table, writes each destination byte once, or twice alike where vectors overlap.
Fast because neither axis alone has a row that is long and in the order of both memories. Where one side crosses the
other, tiles of both stay in the first-level cache. Where the output is dense and the source nearly so (reversed
channels, every second pixel), each 16 bytes of output are a shuffle of a few vectors of the source, or, where the
processor has AVX-512 VBMI, up to 64 bytes are one permute.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._intrinsics._memory import load_int, loops, shift, stack_words
from fastops.kernels._intrinsics._permutes import PERMUTED_BYTES, add_lanes, can_permute, permute_groups
from fastops.kernels._intrinsics._shuffles import shuffle_vectors
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._units import unit
from fastops.kernels._intrinsics._vectors import LINE_BYTES
from fastops.kernels._runs import move_row
from fastops.kernels._tables._gather import (
    AXIS_COLUMNS,
    BLOCK,
    COUNT,
    CROSSED,
    DST_PITCH,
    GRAIN_BYTES,
    PIXELS,
    PLANE,
    PROGRAM,
    PROGRAM_ENTRIES,
    PROGRAM_HIGH,
    PROGRAM_LOW,
    PROGRAM_PIXELS,
    PROGRAM_REACH,
    PROGRAM_VECTORS,
    PROGRAM_WINDOWS,
    SRC_HIGH,
    SRC_LOW,
    SRC_PITCH,
    STREAMS,
    WINDOW_COLUMNS,
)
from fastops.kernels._transpose import move_crossed
from fastops.kernels._writer import PORTION_BYTES, next_source, reserve, settle, streams_to

# A plane is moved in tiles of 32 x 128 blocks. Where one side crosses the other's memory order, a tile touches at
# most 128 + 32 * 2 cache lines of 4-byte elements, so both sides of it stay in a first-level cache of 32 KiB.
_TILE_INNER = 32
_TILE_OUTER = 128

_VECTOR = 16

# Room for the lanes of a line, and of a vector that begins in it.
_LANE_WORDS = (LINE_BYTES + _VECTOR) // 8


@unit(types.void(byte_pointer, byte_pointer, byte_pointer, byte_pointer, types.intp, types.intp))
def move_tiles(dst, src, inner, outer, n_outer, block):
    """Write n outputs of the outer axis times all of the inner one, in tiles that fit the first-level cache."""
    dst_inner = load_int(inner, DST_PITCH)
    src_inner = load_int(inner, SRC_PITCH)
    dst_outer = load_int(outer, DST_PITCH)
    src_outer = load_int(outer, SRC_PITCH)
    n_inner = load_int(inner, COUNT)
    for o in range(0, n_outer, _TILE_OUTER):
        n = min(_TILE_OUTER, n_outer - o)
        for i0 in range(0, n_inner, _TILE_INNER):
            for i in range(i0, min(i0 + _TILE_INNER, n_inner)):
                to = shift(dst, o * dst_outer + i * dst_inner)
                source = shift(src, o * src_outer + i * src_inner)
                move_row(to, dst_outer, source, src_outer, n, block, source)


@loops
def _trim(excess, src_pitch):
    """Pixels whose groups could reach `excess` bytes out of the source, at one of its ends."""
    return excess // abs(src_pitch) + 1 if excess > 0 else 0


@loops
def _permute(dst, dst_pitch, src, src_pitch, program, groups, ahead):
    """Write groups that lie so far apart by permutes, as many together as there is room for; return how many.

    The lanes of all windows of those groups are put together first: a permute takes any byte from anywhere.
    """
    low = load_int(program, PROGRAM_LOW)
    span = load_int(program, PROGRAM_HIGH) - low
    vectors = load_int(program, PROGRAM_VECTORS)
    if not can_permute() or span > PERMUTED_BYTES:
        return 0
    together = min(LINE_BYTES // dst_pitch, (PERMUTED_BYTES - span) // max(abs(src_pitch), 1) + 1)
    if together * vectors < 2 or groups < together:
        return 0
    low += min((together - 1) * src_pitch, 0)
    span += (together - 1) * abs(src_pitch)
    # The last vector may reach beyond its group.
    lanes = stack_words(_LANE_WORDS)
    windows = load_int(program, PROGRAM_WINDOWS)
    for i in range(together * vectors):
        group, vector = divmod(i, vectors)
        entry = shift(program, 8 * (PROGRAM_ENTRIES + vector * (1 + WINDOW_COLUMNS * windows)))
        to = shift(lanes, group * dst_pitch + load_int(entry, 0))
        for window in range(windows):
            column = shift(entry, 8 * (1 + WINDOW_COLUMNS * window))
            add_lanes(to, shift(column, 8), load_int(column, 0) + group * src_pitch - low)
    n = groups // together
    from_pitch = together * src_pitch
    permute_groups(dst, together * dst_pitch, shift(src, low), from_pitch, n, lanes, span, ahead)
    return n * together


@unit(
    types.void(
        *(byte_pointer, byte_pointer, byte_pointer),
        *(types.intp, types.intp, types.intp, byte_pointer),
    )
)
def shuffle_groups(dst, src, program, pixel, src_pitch, groups, ahead):
    """Write groups of pixels of `pixel` bytes, read every src_pitch bytes; `ahead` is what is read next."""
    windows = load_int(program, PROGRAM_WINDOWS)
    pixels = load_int(program, PROGRAM_PIXELS)
    vectors = load_int(program, PROGRAM_VECTORS)
    permuted = _permute(dst, pixels * pixel, src, pixels * src_pitch, program, groups, ahead)
    dst, src = shift(dst, permuted * pixels * pixel), shift(src, permuted * pixels * src_pitch)
    ahead = shift(ahead, permuted * pixels * src_pitch)
    groups -= permuted
    together = vectors if vectors == 3 and windows <= 3 else 1
    for i in range(0, vectors, together):
        entries = shift(program, 8 * (PROGRAM_ENTRIES + i * (1 + WINDOW_COLUMNS * windows)))
        line = shift(ahead, pixels * src_pitch * i // vectors)
        shuffle_vectors(dst, pixels * pixel, src, pixels * src_pitch, groups, entries, together, windows, line)


@loops
def _move_portion(dst, src, src_offset, table, part, outer, n, room, ahead):
    """Write n pixels: outputs of the outer axis, in all of which the inner axis is dense.

    Up to `room` bytes beyond them may be overwritten.
    """
    block, inner = load_int(table, part + BLOCK), shift(outer, -8 * AXIS_COLUMNS)
    pixel = block * load_int(inner, COUNT)
    src_pitch = load_int(outer, SRC_PITCH)
    program = shift(table, 8 * load_int(table, part + PROGRAM))
    pixels = load_int(program, PROGRAM_PIXELS)
    reach = load_int(program, PROGRAM_REACH)
    # The first and the last pixels of the source stay away from vectors that would read beyond it.
    end = src_offset + (n - 1) * src_pitch
    below = load_int(table, part + SRC_LOW) - (min(src_offset, end) + load_int(program, PROGRAM_LOW))
    above = max(src_offset, end) + load_int(program, PROGRAM_HIGH) - load_int(table, part + SRC_HIGH)
    if src_pitch < 0:
        below, above = above, below
    head = min(_trim(below, src_pitch), n)
    inside = n - head - _trim(above, src_pitch)
    groups = 0
    if inside >= pixels:
        groups = min(max((inside * pixel + room - reach) // (pixels * pixel) + 1, 0), inside // pixels)
    if groups > 0:
        if head:
            move_tiles(dst, shift(src, src_offset), inner, outer, head, block)
        first = shift(src, src_offset + head * src_pitch)
        shuffle_groups(shift(dst, head * pixel), first, program, pixel, src_pitch, groups, ahead)
        done = head + groups * pixels
        if done < head + inside and reach == pixels * pixel:
            # One more group, which ends with the last pixel.
            done = head + inside
            first = shift(src, src_offset + (done - pixels) * src_pitch)
            shuffle_groups(shift(dst, (done - pixels) * pixel), first, program, pixel, src_pitch, 1, first)
    else:
        done = 0
    if done < n:
        tail = shift(src, src_offset + done * src_pitch)
        move_tiles(shift(dst, done * pixel), tail, inner, outer, n - done, block)


# The writer and its output, an offset in it, the source and an offset in that; the table, a part in it, the outer axis,
# and two outputs of it.
_PLANE = types.void(
    *(byte_pointer, byte_pointer, types.intp, byte_pointer, types.intp),
    *(byte_pointer, types.intp, byte_pointer, types.intp, types.intp),
)


@unit(_PLANE)
def move_pixels(writer, dst, offset, src, src_offset, table, part, outer, y0, y1):
    """Write outputs [y0, y1) of a plane that has a shuffle program."""
    n = y1 - y0
    src_pitch = load_int(outer, SRC_PITCH)
    src_offset += y0 * src_pitch
    pixel = load_int(table, part + GRAIN_BYTES)
    streams = streams_to(writer, pixel, pixel)
    room = _VECTOR if streams else 0
    pixels = load_int(shift(table, 8 * load_int(table, part + PROGRAM)), PROGRAM_PIXELS)
    most = max(PORTION_BYTES // (pixels * pixel), 1) * pixels
    for i in range(0, n, most):
        m = min(n - i, most)
        to = shift(dst, offset + i * pixel)
        if streams:
            to = reserve(writer, dst, offset + i * pixel, m * pixel)
        ahead = next_source(writer, shift(src, src_offset), i + m, n, src_pitch)
        _move_portion(to, src, src_offset + i * src_pitch, table, part, outer, m, room, ahead)
        if streams:
            settle(writer, dst, ahead, 0)


@unit(_PLANE)
def move_plane(writer, dst, offset, src, src_offset, table, part, outer, y0, y1):
    """Write outputs [y0, y1) of a part's plane."""
    kind = load_int(table, part + PLANE)
    if kind == PIXELS:
        move_pixels(writer, dst, offset, src, src_offset, table, part, outer, y0, y1)
        return
    inner = shift(outer, -8 * AXIS_COLUMNS)
    block = load_int(table, part + BLOCK)
    src_outer = load_int(outer, SRC_PITCH)
    n = y1 - y0
    to = shift(dst, offset)
    source = shift(src, src_offset + y0 * src_outer)
    if kind == CROSSED:
        streams = load_int(table, part + STREAMS) != 0
        if load_int(inner, DST_PITCH) == block:
            move_crossed(to, source, outer, inner, n, load_int(inner, COUNT), block, streams)
        else:
            move_crossed(to, source, inner, outer, load_int(inner, COUNT), n, block, streams)
    else:
        move_tiles(to, source, inner, outer, n, block)
