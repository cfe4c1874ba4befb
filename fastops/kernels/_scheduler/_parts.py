"""Parts: axes in bytes that are written together, brought into the order and the form in which movers take them.

In order: axes of one output are dropped, the others ordered by the destination's memory, coalesced where both sides
allow it, the innermost contiguous ones taken together as one wider block, and the last two paired into a plane where
rows are short or crossed (`_planes`).
"""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from fastops.kernels._intrinsics._arrays_of_words import interpreted, words_at
from fastops.kernels._scheduler._planes import WIDEST_GROUP, pair_axes, pair_edge
from fastops.kernels._scheduler._programs import LONGEST_GROUP, Shuffle
from fastops.kernels._scheduler._rows import (
    copy_row,
    find_run,
    is_fill,
    is_plain,
    row_of,
    run_of,
    write_fill,
    write_plain,
)
from fastops.kernels._tables import _gather as g


class Memory(NamedTuple):
    """What all parts of a call have in common."""

    width: Any  # bytes of an element
    streams: Any  # 1 if outputs shall leave past the caches, where they can
    src_low: Any  # the lowest byte of the source, counted from its element 0
    src_high: Any  # one beyond the highest
    smallest_peeled: Any  # smaller results are one part, without an interior


class Target(NamedTuple):
    """Where the parts of a piece go."""

    dst_index: Any  # which output
    dst_offset: Any  # of output 0 of all axes
    src_offset: Any  # likewise, in the source
    fill_offset: Any  # of the fill value


class Edge(NamedTuple):
    """What an edge may read besides: source bytes from low to high, from its first output on, of so many blocks.

    There are no blocks for what is no edge.
    """

    low: Any
    high: Any
    blocks: Any


class Scratch(NamedTuple):
    """Scratch memory of the scheduler, by the sizes in `_boxes`."""

    axes: Any  # the rows of all axes of a piece
    box: Any  # those of a box of them
    kept: Any  # those of an edge, as they were before they were paired
    one: Any  # one row
    order: Any  # the axes, the innermost first
    frames: Any  # boxes whose edges are not done
    firsts: Any  # the source offsets of the outputs of an edge
    shuffle: Shuffle


@interpreted
def write_part(words, scratch, memory, target, rows, n, dst_offset, edge, table, at, room):
    """Write the part that writes all outputs of n rows; return what is behind it in the table, -1 if there is no room.

    The rows may be overwritten. The outputs begin dst_offset bytes behind the target's. The rows of an edge are narrow.
    """
    if room - at < g.PART_COLUMNS + (n + 2) * g.AXIS_COLUMNS:
        return -1
    part = words_at(table, at)
    axes = words_at(part, g.PART_COLUMNS)
    size, fills = memory.width, False
    for k in range(n):
        row = row_of(rows, k)
        size *= row[g.COUNT]
        fills = fills or is_fill(row)
    left, own_dst_offset, own_src_offset = _take_axes(axes, rows, n, fills)
    if left > 1:
        _sort(axes, left)
        left = _coalesce(axes, left, fills)
    left, block = _widen_block(axes, left, fills, memory.width)
    left, block, plane, made, length = _pair(words, scratch, axes, left, block, edge)
    grain_bytes = block if plane == g.NO_PLANE else block * row_of(axes, left - 2)[g.COUNT]
    part[g.DST_INDEX] = target.dst_index
    part[g.DST_OFFSET] = target.dst_offset + dst_offset + own_dst_offset
    part[g.SRC_OFFSET] = target.src_offset + own_src_offset
    part[g.BLOCK] = block
    part[g.WIDTH] = memory.width
    part[g.PLANE] = plane
    part[g.AXES] = left
    part[g.FIRST_AXIS] = at + g.PART_COLUMNS
    part[g.GRAIN_BYTES] = grain_bytes
    part[g.STREAMS] = 1 if memory.streams and _can_stream(axes, left, plane, grain_bytes) else 0
    part[g.SRC_LOW] = memory.src_low
    part[g.SRC_HIGH] = memory.src_high
    part[g.PROGRAM] = at + g.PART_COLUMNS + left * g.AXIS_COLUMNS
    part[g.GRAINS] = size // grain_bytes
    part[g.FILL_OFFSET] = target.fill_offset
    end = part[g.PROGRAM] + length
    if end > room:
        return -1
    program = words_at(table, part[g.PROGRAM])
    for i in range(length):
        program[i] = made[i]
    for k in range(left):
        row = row_of(axes, k)
        if row[g.KIND] == g.LISTED:
            end = _write_list(words, row, part[g.FIRST_AXIS] + k * g.AXIS_COLUMNS, table, end, room)
            if end < 0:
                return -1
    part[g.LENGTH] = end - at
    return end


@interpreted
def _take_axes(axes, rows, n, fills):
    """Write the axes of a part, from those of its n rows that move; return how many, and where both sides begin.

    Outputs rise along plain axes.
    """
    left, dst_offset, src_offset = 0, 0, 0
    for k in range(n):
        row, to = row_of(rows, k), row_of(axes, left)
        count, dst_pitch = row[g.COUNT], row[g.DST_PITCH]
        if fills:
            # All outputs are: only the destination matters.
            if count > 1:
                write_fill(to, count, dst_pitch)
                left += 1
            continue
        if is_plain(row):
            src_offset += row[g.FIRST]
            if count == 1:
                continue
            pitch = row[g.SRC_PITCH]
            if dst_pitch < 0:
                dst_offset += (count - 1) * dst_pitch
                src_offset += (count - 1) * pitch
                dst_pitch, pitch = -dst_pitch, -pitch
            write_plain(to, count, dst_pitch, 0, pitch)
        else:
            copy_row(to, row)
        left += 1
    if left == 0:
        if fills:
            write_fill(axes, 1, 0)
        else:
            write_plain(axes, 1, 0, 0, 0)
        left = 1
    return left, dst_offset, src_offset


@interpreted
def _pair(words, scratch, axes, n, block, edge):
    """Choose how the last two of n axes move together, or the pixels of an edge as groups, and write them so.

    Return the axes that are left, the block, the plane, and the shuffle program and its words, 0 for none.
    """
    left, length, plane, made = n, 0, g.PIXELS, scratch.shuffle.group
    if edge.blocks:
        left, block, length = _pair_edge(words, scratch, axes, left, block, edge, WIDEST_GROUP)
        for k in range(left):
            copy_row(row_of(scratch.kept, k), row_of(axes, k))
    if not length:
        before, made = left, scratch.shuffle.program
        left, plane, length = pair_axes(scratch.shuffle, axes, left, block)
        if edge.blocks and (plane == g.CROSSED or plane == g.TILES):
            grouped, block, length = _pair_edge(words, scratch, scratch.kept, before, block, edge, LONGEST_GROUP)
            if length:
                left, plane, made = grouped, g.PIXELS, scratch.shuffle.group
                for k in range(left):
                    copy_row(row_of(axes, k), row_of(scratch.kept, k))
    return left, block, plane, made, length


@interpreted
def _pair_edge(words, scratch, axes, n, block, edge, widest):
    """Make each of the rows of an edge one group, as `pair_edge` does."""
    return pair_edge(words, scratch.shuffle, scratch.firsts, axes, n, block, edge.low, edge.high, edge.blocks, widest)


@interpreted
def _write_list(words, row, first_word, table, at, room):
    """Write the list of a listed axis, and its row as the table has it; return what is behind it, -1 for no room."""
    first = find_run(words, row, 0)
    runs = find_run(words, row, row[g.COUNT] - 1) - first + 1
    if room - at < (runs + 1) * g.LISTED_COLUMNS:
        return -1
    for i in range(runs):
        begin, _, source, pitch = run_of(words, row, first + i)
        listed = words_at(table, at + i * g.LISTED_COLUMNS)
        listed[g.RUN_BEGIN] = begin
        listed[g.RUN_FIRST] = source
        listed[g.RUN_SRC_PITCH] = pitch
    listed = words_at(table, at + runs * g.LISTED_COLUMNS)
    listed[g.RUN_BEGIN] = row[g.COUNT]
    listed[g.RUN_FIRST] = g.FILL
    listed[g.RUN_SRC_PITCH] = 0
    for column in range(g.LIST + 1, g.AXIS_COLUMNS):
        row[column] = 0
    row[g.RUNS] = runs
    row[g.LIST] = at - first_word
    return at + (runs + 1) * g.LISTED_COLUMNS


@interpreted
def _sort(axes, n):
    """Bring rows into the order of the destination's memory, the outermost first."""
    spare = row_of(axes, n)
    for k in range(1, n):
        pitch = abs(row_of(axes, k)[g.DST_PITCH])
        i = k
        while i > 0 and abs(row_of(axes, i - 1)[g.DST_PITCH]) < pitch:
            i -= 1
        if i < k:
            copy_row(spare, row_of(axes, k))
            for j in range(k, i, -1):
                copy_row(row_of(axes, j), row_of(axes, j - 1))
            copy_row(row_of(axes, i), spare)


@interpreted
def _coalesce(axes, n, fills):
    """Join neighbours that move through both memories as one axis does; return how many rows there are."""
    left = 1
    for k in range(1, n):
        inner, outer = row_of(axes, k), row_of(axes, left - 1)
        count, dst_pitch, pitch = inner[g.COUNT], inner[g.DST_PITCH], inner[g.SRC_PITCH]
        is_joined = outer[g.DST_PITCH] == dst_pitch * count
        if is_joined and fills:
            write_fill(outer, outer[g.COUNT] * count, dst_pitch)
        elif is_joined and is_plain(outer) and is_plain(inner) and outer[g.SRC_PITCH] == pitch * count:
            write_plain(outer, outer[g.COUNT] * count, dst_pitch, 0, pitch)
        else:
            if left < k:
                copy_row(row_of(axes, left), inner)
            left += 1
    return left


@interpreted
def _widen_block(axes, n, fills, width):
    """Return how many rows are left without the innermost contiguous ones, and the bytes of the block of those.

    A fill reads nothing, so that it is contiguous if its destination is.
    """
    block = width
    while n > 1:
        inner = row_of(axes, n - 1)
        size = inner[g.COUNT] * block
        if inner[g.DST_PITCH] != block or size > g.LARGEST_BLOCK:
            break
        if not fills and not (is_plain(inner) and inner[g.SRC_PITCH] == block):
            break
        block = size
        n -= 1
    return n, block


@interpreted
def _can_stream(axes, n, plane, grain_bytes):
    """True if grains of a part are dense in the output, and so are its rows, or they are long.

    Transposes stream those lines that they have whole, and tiles do not.
    """
    if plane == g.TILES:
        return False
    if plane == g.CROSSED:
        return True
    last = row_of(axes, n - 1)
    if last[g.DST_PITCH] != grain_bytes:
        return False
    span = grain_bytes
    for k in range(n - 1, -1, -1):
        if plane == g.NO_PLANE or k != n - 2:
            row = row_of(axes, k)
            if row[g.DST_PITCH] != span and row[g.COUNT] > 1:
                return last[g.COUNT] * grain_bytes >= g.SHORTEST_STREAMED_ROW
            span *= row[g.COUNT]
    return True
