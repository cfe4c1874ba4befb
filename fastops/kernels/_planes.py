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

from fastops.kernels._intrinsics._memory import ONE, ZERO, load_int, loops, shift, stack_words, store_int
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._permutes import (
    MOST_APART,
    PERMUTED_BYTES,
    add_lanes,
    can_permute,
    permute_apart,
    permute_groups,
)
from fastops.kernels._intrinsics._shuffles import Groups, groups_type, shuffle_vectors
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._vectors import LINE_BYTES
from fastops.kernels._tables import _gather as g
from fastops.kernels._transpose import move_crossed, move_tiles
from fastops.kernels._writer import PORTION_BYTES, Rows, next_source, reserve, rows_type, settle, streams_to

# Room for the lanes of a line, and of a vector that begins in it.
_LANE_WORDS = (LINE_BYTES + g.VECTOR_BYTES) // 8


@loops
def _trim(excess, src_pitch):
    """Pixels whose groups could reach `excess` bytes out of the source, at one of its ends."""
    return excess // abs(src_pitch) + 1 if excess > 0 else 0


@loops
def _permute(dst, src, program, groups, ahead, rows):
    """Write rows of groups by permutes, as many together as there is room for, and return True; or return False.

    The lanes of all windows of those groups are put together first: a permute takes any byte from anywhere.
    """
    low = load_int(program, g.PROGRAM_LOW)
    span = load_int(program, g.PROGRAM_HIGH) - low
    vectors = load_int(program, g.PROGRAM_VECTORS)
    is_apart = load_int(program, g.PROGRAM_APART) != 0
    dst_pitch, src_pitch = groups.dst_pitch, groups.src_pitch
    size = g.VECTOR_BYTES * vectors if is_apart else min(load_int(program, g.PROGRAM_REACH), dst_pitch)
    if not can_permute() or span > PERMUTED_BYTES or size > LINE_BYTES:
        return False
    together = 1
    if not is_apart and dst_pitch <= LINE_BYTES:
        together = min(LINE_BYTES // dst_pitch, (PERMUTED_BYTES - span) // max(abs(src_pitch), 1) + 1)
    last_dst, last_src = groups.last_dst - (together - 1) * dst_pitch, groups.last_src - (together - 1) * src_pitch
    if together * vectors < 2 or last_dst < 0:
        return False
    low += min((together - 1) * src_pitch, 0)
    span += (together - 1) * abs(src_pitch)
    # The last vector may reach beyond its group.
    lanes, offsets = stack_words(_LANE_WORDS), stack_words(MOST_APART)
    windows = load_int(program, g.PROGRAM_WINDOWS)
    for i in range(together * vectors):
        group, vector = divmod(i, vectors)
        entry = shift(program, 8 * (g.PROGRAM_ENTRIES + vector * (1 + g.WINDOW_COLUMNS * windows)))
        to = shift(lanes, g.VECTOR_BYTES * vector if is_apart else group * dst_pitch + load_int(entry, 0))
        for window in range(windows):
            column = shift(entry, 8 * (1 + g.WINDOW_COLUMNS * window))
            add_lanes(to, shift(column, 8), load_int(column, 0) + group * src_pitch - low)
        if is_apart:
            store_int(offsets, vector, load_int(entry, 0))
    size += (together - 1) * dst_pitch
    dst_pitch, src_pitch = together * dst_pitch, together * src_pitch
    joined = Groups((last_dst + dst_pitch - 1) // dst_pitch + 1, dst_pitch, src_pitch, last_dst, last_src)
    for row in range(rows.count):
        to, source = shift(dst, row * rows.dst_pitch), shift(src, row * rows.src_pitch + low)
        following = shift(ahead, row * rows.src_pitch)
        if is_apart:
            permute_apart(to, offsets, vectors, source, joined, lanes, span, following)
        else:
            permute_groups(to, size, source, joined, lanes, span, following)
    return True


@outlined(types.void(byte_pointer, byte_pointer, byte_pointer, groups_type, byte_pointer, rows_type))
def shuffle_groups(dst, src, program, groups, ahead, rows):
    """Write rows of groups of pixels by a shuffle program; `ahead` is read next."""
    if _permute(dst, src, program, groups, ahead, rows):
        return
    windows = load_int(program, g.PROGRAM_WINDOWS)
    vectors = load_int(program, g.PROGRAM_VECTORS)
    together = load_int(program, g.PROGRAM_TOGETHER)
    for i in range(0, vectors, together):
        entries = shift(program, 8 * (g.PROGRAM_ENTRIES + i * (1 + g.WINDOW_COLUMNS * windows)))
        line = shift(ahead, groups.src_pitch * i // vectors)
        shuffle_vectors(dst, src, groups, entries, together, windows, line, rows)


@loops
def _shuffle_rows(dst, src, program, groups, ahead, rows):
    """Write rows of groups of pixels, and read at `ahead` next.

    Rows of one group, or of two that overlap, are groups of one row, or two times so: what a row takes besides is four
    times what a group takes.
    """
    is_short = groups.count == 1 or (groups.count == 2 and groups.last_dst < groups.dst_pitch)
    if is_short and rows.count > 1 and rows.dst_pitch > LINE_BYTES:
        before = rows.count - 1
        column = Groups(rows.count, rows.dst_pitch, rows.src_pitch, before * rows.dst_pitch, before * rows.src_pitch)
        for i in range(groups.count):
            to, source = shift(dst, i * groups.last_dst), shift(src, i * groups.last_src)
            shuffle_groups(to, source, program, column, ahead, Rows(ONE, ZERO, ZERO))
    else:
        shuffle_groups(dst, src, program, groups, ahead, rows)


@loops
def _beyond(src_offset, table, part, outer, n):
    """How far vectors of n pixels would reach out of the source before the first one, and behind the last one."""
    src_pitch = load_int(outer, g.SRC_PITCH)
    program = shift(table, 8 * load_int(table, part + g.PROGRAM))
    end = src_offset + (n - 1) * src_pitch
    below = load_int(table, part + g.SRC_LOW) - (min(src_offset, end) + load_int(program, g.PROGRAM_LOW))
    above = max(src_offset, end) + load_int(program, g.PROGRAM_HIGH) - load_int(table, part + g.SRC_HIGH)
    if src_pitch < 0:
        below, above = above, below
    return below, above


@loops
def _move_portion(dst, src, src_offset, table, part, outer, n, room, ahead, rows):
    """Write rows of n pixels: outputs of the outer axis, which is dense, or in all of which the inner axis is.

    Up to `room` bytes beyond them may be overwritten. Vectors of several rows do not reach out of the source.
    """
    block, inner = load_int(table, part + g.BLOCK), shift(outer, -8 * g.AXIS_COLUMNS)
    pixel, src_pitch = load_int(outer, g.DST_PITCH), load_int(outer, g.SRC_PITCH)
    program = shift(table, 8 * load_int(table, part + g.PROGRAM))
    pixels = load_int(program, g.PROGRAM_PIXELS)
    reach = load_int(program, g.PROGRAM_REACH)
    head, inside = 0, n
    if rows.count == 1:
        # The first and the last pixels of the source stay away from vectors that would read beyond it.
        below, above = _beyond(src_offset, table, part, outer, n)
        head = min(_trim(below, src_pitch), n)
        inside = n - head - _trim(above, src_pitch)
    groups = 0
    if inside >= pixels:
        groups = min(max((inside * pixel + room - reach) // (pixels * pixel) + 1, 0), inside // pixels)
    if groups > 0:
        if head:
            move_tiles(dst, shift(src, src_offset), inner, outer, head, block)
        last, done = (groups - 1) * pixels, groups * pixels
        if done < inside and reach == pixels * pixel:
            # One more group, which ends with the last pixel.
            groups, last, done = groups + 1, inside - pixels, inside
        every = Groups(groups, pixels * pixel, pixels * src_pitch, last * pixel, last * src_pitch)
        first = shift(src, src_offset + head * src_pitch)
        _shuffle_rows(shift(dst, head * pixel), first, program, every, ahead, rows)
        done += head
    else:
        done = 0
    if done < n:
        for row in range(rows.count):
            to = shift(dst, row * rows.dst_pitch + done * pixel)
            tail = shift(src, src_offset + row * rows.src_pitch + done * src_pitch)
            move_tiles(to, tail, inner, outer, n - done, block)


# The writer and its output, an offset in it, the source and an offset in that; the table, a part in it, the outer axis,
# two outputs of it, and the rows that have all outputs between these.
_PLANES = types.void(
    *(byte_pointer, byte_pointer, types.intp, byte_pointer, types.intp),
    *(byte_pointer, types.intp, byte_pointer, types.intp, types.intp, rows_type),
)


@loops
def _move_row(writer, dst, offset, src, src_offset, table, part, outer, n):
    """Write n pixels from an offset of the output on, a portion at a time where that gains something."""
    src_pitch, pixel = load_int(outer, g.SRC_PITCH), load_int(outer, g.DST_PITCH)
    streams = streams_to(writer, pixel, load_int(table, part + g.GRAIN_BYTES))
    room = g.VECTOR_BYTES if streams else 0
    # What is neither staged nor gone through several times needs no portions, each of which takes 25 ns.
    most = _most_pixels(table, part) if streams or _has_passes(table, part) else max(n, 1)
    for i in range(0, n, most):
        m = min(n - i, most)
        to = shift(dst, offset + i * pixel)
        if streams:
            to = reserve(writer, dst, offset + i * pixel, m * pixel)
        ahead = next_source(writer, shift(src, src_offset), i + m, n, src_pitch)
        _move_portion(to, src, src_offset + i * src_pitch, table, part, outer, m, room, ahead, Rows(1, 0, 0))
        if streams:
            settle(writer, dst, ahead, 0)


@loops
def _has_passes(table, part):
    """True if pixels are gone through once for each vector of a group, for which they shall stay in the first cache.

    512 KiB of mirrored rows of 64 bytes take 0.7 of the time of passes through all of them.
    """
    program = shift(table, 8 * load_int(table, part + g.PROGRAM))
    return load_int(program, g.PROGRAM_VECTORS) > load_int(program, g.PROGRAM_TOGETHER)


@loops
def _most_pixels(table, part):
    """Pixels of a portion."""
    pixels = load_int(shift(table, 8 * load_int(table, part + g.PROGRAM)), g.PROGRAM_PIXELS)
    return max(PORTION_BYTES // (pixels * load_int(table, part + g.GRAIN_BYTES)), 1) * pixels


@loops
def _reaches_out(src_offset, table, part, outer, n):
    """True if vectors of n pixels would reach out of the source."""
    below, above = _beyond(src_offset, table, part, outer, n)
    return below > 0 or above > 0


@outlined(_PLANES)
def move_pixels(writer, dst, offset, src, src_offset, table, part, outer, y0, y1, rows):
    """Write outputs [y0, y1) of planes that have a shuffle program.

    Rows of a crop are short: all of them go through one loop, or as many as are staged at once, but for the first and
    the last, if these lie at the ends of the source.
    """
    n = y1 - y0
    src_offset += y0 * load_int(outer, g.SRC_PITCH)
    pixel = load_int(table, part + g.GRAIN_BYTES)
    first, end, most = 0, 0, rows.count
    streams = streams_to(writer, load_int(outer, g.DST_PITCH), pixel)
    if streams:
        most = PORTION_BYTES // max(rows.dst_pitch, 1) if rows.dst_pitch == n * pixel else 1
    if most > 1 and n <= _most_pixels(table, part):
        end = rows.count
        if _reaches_out(src_offset, table, part, outer, n):
            first = 1
        if _reaches_out(src_offset + (end - 1) * rows.src_pitch, table, part, outer, n):
            end -= 1
        # Between two rows that do not reach out, none does.
        for row in (first, end - 1):
            if first < end and _reaches_out(src_offset + row * rows.src_pitch, table, part, outer, n):
                end = first
    if end - first <= 1:
        first = end = 0
    for i in range(first, end, max(most, 1)):
        at = src_offset + i * rows.src_pitch
        band = Rows(min(most, end - i), rows.dst_pitch, rows.src_pitch)
        to = shift(dst, offset + i * rows.dst_pitch)
        if streams:
            to = reserve(writer, dst, offset + i * rows.dst_pitch, band.count * rows.dst_pitch)
        # Of rows that are staged, those behind them are fetched meanwhile; else each fetches the one behind it.
        ahead = shift(src, at + (band.count if streams else 1) * rows.src_pitch)
        _move_portion(to, src, at, table, part, outer, n, 0, ahead, band)
        if streams:
            settle(writer, dst, ahead, 0)
    for row in range(rows.count):
        if row < first or row >= end:
            to, at = offset + row * rows.dst_pitch, src_offset + row * rows.src_pitch
            _move_row(writer, dst, to, src, at, table, part, outer, n)


@outlined(_PLANES)
def move_planes(writer, dst, offset, src, src_offset, table, part, outer, y0, y1, rows):
    """Write outputs [y0, y1) of a part's planes, one per row."""
    kind = load_int(table, part + g.PLANE)
    if kind == g.PIXELS:
        move_pixels(writer, dst, offset, src, src_offset, table, part, outer, y0, y1, rows)
        return
    inner = shift(outer, -8 * g.AXIS_COLUMNS)
    block = load_int(table, part + g.BLOCK)
    n = y1 - y0
    streams = load_int(table, part + g.STREAMS) != 0
    for row in range(rows.count):
        to = shift(dst, offset + row * rows.dst_pitch)
        source = shift(src, src_offset + row * rows.src_pitch + y0 * load_int(outer, g.SRC_PITCH))
        if kind != g.CROSSED:
            move_tiles(to, source, inner, outer, n, block)
        elif load_int(inner, g.DST_PITCH) == block:
            move_crossed(to, source, outer, inner, n, load_int(inner, g.COUNT), block, streams)
        else:
            move_crossed(to, source, inner, outer, load_int(inner, g.COUNT), n, block, streams)
