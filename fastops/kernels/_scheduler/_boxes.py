"""Boxes: a piece as one part, or as an interior that reads in bounds and the edges around it.

One mirrored cell must not send a transpose, or a shuffle of the whole image, to short runs.
"""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from fastops.kernels._arithmetic import divisor_of
from fastops.kernels._intrinsics._arrays_of_words import interpreted, words_at
from fastops.kernels._scheduler._parts import Edge, write_part
from fastops.kernels._scheduler._rows import cut, is_fill, is_plain, main_run_of, offset_of, pitch_of, row_of
from fastops.kernels._tables import _gather as g

# Edges of a result that has several parts already are cut up for less than whole results are: 12 mirrored rows of 224
# bytes of three channels take 0.7 us in place of 3.7.
_SMALLEST_PEELED_EDGE = 1 << 10

# Rows of short blocks that are mostly mirrored are moved with their edges. Cut up, those of 64 by 64 bytes of three
# channels take 3 us in place of 1.1; but 200 KB of pixels of 6 bytes take 9 in place of 21.
_SMALLEST_PEELED_MIRROR = 1 << 17

# Bytes of the widest edge that is made of vectors of a shuffle program.
_WIDEST_EDGE = 192

# An interior has one of so many outputs at least, and half of them where it is no plane.
_LEAST_INSIDE = 8

#: How deep boxes are cut: edges of edges, and so on. What is deeper is one part.
MOST_FRAMES = 8

# A frame is a box whose edges are not done: words, then its outputs along each axis, and those of its interior.
_NEXT = 0  # the next edge, two for each axis, the innermost axis first
_IS_WIDENED = 1  # 1 if its edges are as wide as vectors
_PARTS = 2  # how many parts there were when its interior was done
_END = 3  # and where the table ended
_START = 4  # where it ended before the interior
_COLUMNS = 5  # the axis whose outputs are tuples side by side; -1 for none
_SIZE, _BLOCKS, _LOW, _HIGH = 6, 7, 8, 9  # bytes of such a tuple, its blocks, and what it reads from its first byte on
_SPANS = 10


class Tuples(NamedTuple):
    """The axis whose outputs are tuples side by side, or -1; and a tuple, as a frame has it."""

    axis: Any
    size: Any
    blocks: Any
    low: Any
    high: Any


@interpreted
def frame_words(n):
    """Words of a frame of n axes."""
    return _SPANS + 4 * n


@interpreted
def write_parts(words, scratch, memory, target, n, table, at, room):
    """Write the parts of a piece of n axes, whose rows are in scratch; return how many, and what is behind them.

    That is -1 if there is no room in the table.
    """
    rows, no_edge = scratch.axes, Edge(0, 0, 0)
    if not _may_be_peeled(words, rows, n, memory.width, memory.smallest_peeled):
        return 1, write_part(words, scratch, memory, target, rows, n, 0, no_edge, table, at, room)
    smallest_edge = min(memory.smallest_peeled, _SMALLEST_PEELED_EDGE)
    _order_axes(scratch.order, rows, n)
    spans = words_at(scratch.frames, _SPANS)
    for k in range(n):
        spans[2 * k] = 0
        spans[2 * k + 1] = row_of(rows, k)[g.COUNT]
    parts, depth = 0, 0
    added, at, is_cut = _write_box(words, scratch, memory, target, scratch.frames, rows, n, table, at, room)
    parts += added
    depth += 1 if is_cut else 0
    while depth and at >= 0:
        frame = words_at(scratch.frames, (depth - 1) * frame_words(n))
        if frame[_NEXT] == 0:
            frame[_PARTS], frame[_END] = parts, at
        following = words_at(scratch.frames, depth * frame_words(n))
        k, begin = _next_edge(scratch.order, frame, words_at(following, _SPANS), n)
        if k < 0:
            if frame[_IS_WIDENED] and _has_tiles(table, frame[_END], at):
                # Those that read in too many places for vectors are moved in tiles, and are better narrow.
                parts = frame[_PARTS]
                at = _write_narrow(words, scratch, memory, target, frame, rows, n, table, room)
            else:
                depth -= 1
            continue
        edge = _edge_of(words, scratch, frame, rows, k, begin) if k == frame[_COLUMNS] else no_edge
        dst_offset = _cut_box(words, scratch, words_at(following, _SPANS), rows, n)
        is_deep = depth == MOST_FRAMES
        if edge.blocks or is_deep or not _may_be_peeled(words, scratch.box, n, memory.width, smallest_edge):
            at = write_part(words, scratch, memory, target, scratch.box, n, dst_offset, edge, table, at, room)
            parts += 1
        else:
            added, at, is_cut = _write_box(words, scratch, memory, target, following, rows, n, table, at, room)
            parts += added
            depth += 1 if is_cut else 0
    return parts, at


@interpreted
def _has_tiles(table, at, end):
    """True if any part of some is moved in tiles."""
    while at < end:
        if table[at + g.PLANE] == g.CROSSED or table[at + g.PLANE] == g.TILES:
            return True
        at += table[at + g.LENGTH]
    return False


@interpreted
def _may_be_peeled(words, rows, n, width, smallest):
    """True if a box may be worth an interior and edges: it has so many bytes, and its innermost axis is not dense."""
    size, are_plain = width, True
    for k in range(n):
        row = row_of(rows, k)
        size *= row[g.COUNT]
        are_plain = are_plain and is_plain(row)
    if are_plain or size < smallest:
        return False
    k, block = _find_innermost(words, rows, n, width)
    if k < 0:
        return False
    row = row_of(rows, k)
    dst_pitch, pitch = row[g.DST_PITCH], pitch_of(words, row)
    # Of a dense box, the interior is rows that are copied, and its edges are copied with them.
    is_mirrored = pitch == -dst_pitch and block == dst_pitch and block <= g.LARGEST_FRAMED_BLOCK
    return pitch != dst_pitch and not (is_mirrored and size < _SMALLEST_PEELED_MIRROR)


@interpreted
def _find_innermost(words, rows, n, width):
    """Return the innermost axis that is no part of a block, -1 for none, and the bytes of the block within it."""
    block, done = width, -1
    while True:
        # The innermost axis of more than one output that was not looked at, the first of several.
        least, k = -1, -1
        for i in range(n):
            row = row_of(rows, i)
            pitch = abs(row[g.DST_PITCH])
            if row[g.COUNT] != 1 and (k < 0 or pitch < least) and (pitch > done):
                least, k = pitch, i
        if k < 0:
            return -1, block
        row = row_of(rows, k)
        if row[g.DST_PITCH] != block or pitch_of(words, row) != block or not is_plain(row):
            return k, block
        block *= row[g.COUNT]
        done = least


@interpreted
def _find_tuples(words, rows, n, width):
    """Return the axis whose outputs are tuples side by side: of blocks of the axis within it, or of one."""
    k, block = _find_innermost(words, rows, n, width)
    row = row_of(rows, k)
    if is_plain(row) and row[g.DST_PITCH] == block:
        size, reach = row[g.COUNT] * block, (row[g.COUNT] - 1) * row[g.SRC_PITCH]
        for i in range(n):
            if row_of(rows, i)[g.DST_PITCH] == size and row_of(rows, i)[g.COUNT] != 1:
                return Tuples(i, size, row[g.COUNT], min(reach, 0), max(reach, 0) + block)
    return Tuples(k, block, 1, 0, block)


@interpreted
def _order_axes(order, rows, n):
    """List the axes from the innermost to the outermost."""
    for k in range(n):
        pitch = abs(row_of(rows, k)[g.DST_PITCH])
        i = k
        while i > 0 and abs(row_of(rows, order[i - 1])[g.DST_PITCH]) > pitch:
            order[i] = order[i - 1]
            i -= 1
        order[i] = k


@interpreted
def _cut_box(words, scratch, spans, rows, n):
    """Write the rows of a box of an axis's outputs each; return where in the output it begins."""
    dst_offset = 0
    for k in range(n):
        row = row_of(rows, k)
        cut(words, row, spans[2 * k], spans[2 * k + 1], row_of(scratch.box, k))
        dst_offset += spans[2 * k] * row[g.DST_PITCH]
    return dst_offset


@interpreted
def _write_box(words, scratch, memory, target, frame, rows, n, table, at, room):
    """Write a box as one part, or its interior; return how many parts that is, what is behind, and if it was cut.

    The outputs of the box are in its frame, which is made ready for its edges if it is cut.
    """
    spans, no_edge = words_at(frame, _SPANS), Edge(0, 0, 0)
    inner = words_at(spans, 2 * n)
    dst_offset = _cut_box(words, scratch, spans, rows, n)
    tuples = _find_tuples(words, scratch.box, n, memory.width)
    size = inside = 1
    for k in range(n):
        row = row_of(scratch.box, k)
        begin, end = main_run_of(words, row)
        size *= row[g.COUNT]
        inside *= end - begin
        inner[2 * k] = spans[2 * k] + begin
        inner[2 * k + 1] = spans[2 * k] + end
    row = row_of(scratch.box, tuples.axis)
    begin, end = main_run_of(words, row)
    wide_begin, wide_end = _widen(words, scratch, row, begin, end, tuples.size)
    whole = write_part(words, scratch, memory, target, scratch.box, n, dst_offset, no_edge, table, at, room)
    if whole < 0 or inside * _LEAST_INSIDE < size:
        return 1, whole, False
    inner[2 * tuples.axis] = spans[2 * tuples.axis] + wide_begin
    inner[2 * tuples.axis + 1] = spans[2 * tuples.axis] + wide_end
    own_offset = _cut_box(words, scratch, inner, rows, n)
    end_of_inner = write_part(words, scratch, memory, target, scratch.box, n, own_offset, no_edge, table, whole, room)
    if end_of_inner < 0:
        return 1, end_of_inner, False
    plane = table[whole + g.PLANE]
    if plane == g.NO_PLANE:
        is_worth_it = inside * 2 >= size
    else:
        is_worth_it = plane != table[at + g.PLANE] or not _have_one_program(table, at, whole)
    if not is_worth_it:
        return 1, whole, False
    frame[_NEXT] = 0
    frame[_IS_WIDENED] = 1 if wide_begin != begin or wide_end != end else 0
    frame[_START], frame[_COLUMNS], frame[_SIZE], frame[_BLOCKS] = at, tuples.axis, tuples.size, tuples.blocks
    frame[_LOW], frame[_HIGH] = tuples.low, tuples.high
    if frame[_IS_WIDENED] and plane != g.NO_PLANE and plane != g.PIXELS:
        return 1, _write_narrow(words, scratch, memory, target, frame, rows, n, table, room), True
    return 1, _move_part(table, whole, at), True


@interpreted
def _move_part(table, part, to):
    """Move the last part of a table to where one before it begins; return what is behind it."""
    length, by = table[part + g.LENGTH], part - to
    for i in range(length):
        table[to + i] = table[part + i]
    table[to + g.FIRST_AXIS] -= by
    table[to + g.PROGRAM] -= by
    return to + length


@interpreted
def _have_one_program(table, one, other):
    """True if two parts that move alike have the same shuffle program, or none."""
    if table[one + g.PLANE] != g.PIXELS:
        return True
    program, own = words_at(table, table[one + g.PROGRAM]), words_at(table, table[other + g.PROGRAM])
    length = g.PROGRAM_ENTRIES + program[g.PROGRAM_VECTORS] * (1 + g.WINDOW_COLUMNS * program[g.PROGRAM_WINDOWS])
    for i in range(length):
        if program[i] != own[i]:
            return False
    return True


@interpreted
def _write_narrow(words, scratch, memory, target, frame, rows, n, table, room):
    """Write the interior of a frame anew, with edges that are no wider than they must be; return what is behind it."""
    spans = words_at(frame, _SPANS)
    inner, k = words_at(spans, 2 * n), frame[_COLUMNS]
    _cut_box(words, scratch, spans, rows, n)
    begin, end = main_run_of(words, row_of(scratch.box, k))
    inner[2 * k] = spans[2 * k] + begin
    inner[2 * k + 1] = spans[2 * k] + end
    frame[_NEXT] = frame[_IS_WIDENED] = 0
    dst_offset = _cut_box(words, scratch, inner, rows, n)
    return write_part(
        words, scratch, memory, target, scratch.box, n, dst_offset, Edge(0, 0, 0), table, frame[_START], room
    )


@interpreted
def _widen(words, scratch, row, begin, end, block):
    """Return the interior of an axis without what its edges take, so that these are vectors for `pair_edge`.

    An edge of fill values alone stays as narrow as it is: it is written without reading anything.
    """
    outputs = g.VECTOR_BYTES // divisor_of(g.VECTOR_BYTES, block)
    count = row[g.COUNT]
    before, behind = begin, count - end
    if not _is_filled(words, scratch, row, 0, begin):
        before = (before + outputs - 1) // outputs * outputs
    if not _is_filled(words, scratch, row, end, count):
        behind = (behind + outputs - 1) // outputs * outputs
    if row[g.DST_PITCH] != block or max(before, behind) * block > _WIDEST_EDGE or count - behind - before < outputs:
        return begin, end
    return before, count - behind


@interpreted
def _is_filled(words, scratch, row, begin, end):
    """True for outputs [begin, end) of an axis that are all the fill value; they may be none."""
    if begin == end or is_plain(row):
        return False
    one = scratch.one
    cut(words, row, begin, end, one)
    return is_fill(one)


@interpreted
def _next_edge(order, frame, spans, n):
    """Write the outputs of the next edge of a frame; return its axis, -1 if all are done, and its first output.

    The edges of an axis stand within those of the axes outside it, which are as long as the output.
    """
    own = words_at(frame, _SPANS)
    inner = words_at(own, 2 * n)
    while frame[_NEXT] < 2 * n:
        i, side = frame[_NEXT] // 2, frame[_NEXT] % 2
        frame[_NEXT] += 1
        k = order[i]
        begin = inner[2 * k + 1] if side else own[2 * k]
        end = own[2 * k + 1] if side else inner[2 * k]
        if begin < end:
            for j in range(n):
                axis = order[j]
                whole = own if j < i else inner
                spans[2 * axis] = whole[2 * axis]
                spans[2 * axis + 1] = whole[2 * axis + 1]
            spans[2 * k] = begin
            spans[2 * k + 1] = end
            return k, begin
    return -1, 0


@interpreted
def _edge_of(words, scratch, frame, rows, k, begin):
    """Return what the edge of an axis of tuples that begins at an output may read besides: all of the interior."""
    spans = words_at(frame, _SPANS)
    row = scratch.one
    cut(words, row_of(rows, k), spans[2 * k], spans[2 * k + 1], row)
    first = offset_of(words, row, begin - spans[2 * k])
    inside, end = main_run_of(words, row)
    if first == g.FILL or row[g.DST_PITCH] < 0:
        return Edge(0, 0, frame[_BLOCKS])
    one, other = offset_of(words, row, inside), offset_of(words, row, end - 1)
    low, high = min(one, other), max(one, other)
    return Edge(low + frame[_LOW] - first, high + frame[_HIGH] - first, frame[_BLOCKS])
