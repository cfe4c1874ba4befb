"""Boxes: a piece becomes one part, or an interior that reads in bounds and the edges around it.

Without that, one mirrored element would keep the whole image from the fast loops for transposes and shuffles.
"""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from fastops.kernels._arithmetic import divisor_of
from fastops.kernels._intrinsics._memory import let_kernels_call, words_at
from fastops.kernels._scheduler._parts import Edge, write_part
from fastops.kernels._scheduler._rows import cut, is_fill, is_plain, main_run_of, offset_of, pitch_of, row_of
from fastops.kernels._tables import _gather as g

# Edges of this many bytes are cut into an interior and edges themselves, although a whole result of that size is not:
# 12 mirrored rows of 224 bytes of three channels take 0.7 us in place of 3.7.
_SMALLEST_PEELED_EDGE = 1 << 10

# Smaller boxes of short blocks are not cut if most of each row is mirrored. When they are cut, 64 by 64 bytes of three
# channels take 3 us in place of 1.1, but 200 KB of pixels of 6 bytes take 9 us in place of 21.
_SMALLEST_PEELED_MIRROR = 1 << 17

# Bytes of the widest edge that is made of vectors of a shuffle program.
_WIDEST_EDGE = 192

# The interior of a plane has at least one of this many outputs of its box. Any other interior has at least half of the
# outputs.
_LEAST_INSIDE = 8

#: How many times edges are cut into an interior and edges again. Edges beyond that are one part each.
MOST_FRAMES = 8

# A frame is a box whose edges are not written yet. After its columns come the outputs [begin, end) of the box along
# each axis, then the outputs of its interior.
_NEXT = 0  # the next edge; an axis has two, the innermost axis is first
_AXIS, _BLOCKS, _LOW, _HIGH = 1, 2, 3, 4  # of its `Tuples`
_SPANS = 5


class Tuples(NamedTuple):
    """The axis whose outputs are tuples of adjacent blocks; otherwise the innermost axis, with tuples of one block."""

    axis: Any  # -1 if there is no axis
    size: Any  # bytes of a tuple in the output
    blocks: Any  # its blocks
    low: Any  # a tuple reads source bytes [low, high), counted from its first block
    high: Any


def frame_words(n):
    """Words of a frame of n axes."""
    return _SPANS + 4 * n


def write_parts(piece, at):
    """Write the parts of a piece whose rows are in scratch; return how many, and where they end, -1 without room."""
    scratch, n, no_edge = piece.scratch, piece.n, Edge(0, 0, 0)
    if not _may_be_peeled(piece, scratch.axes, piece.smallest_peeled):
        return 1, write_part(piece, scratch.axes, 0, no_edge, at)
    _order_axes(scratch.order, scratch.axes, n)
    spans = words_at(scratch.frames, _SPANS)
    for k in range(n):
        spans[2 * k], spans[2 * k + 1] = 0, row_of(scratch.axes, k)[g.COUNT]
    at, is_cut = _write_box(piece, scratch.frames, at)
    parts, depth = 1, 1 if is_cut else 0
    while depth and at >= 0:
        frame = words_at(scratch.frames, (depth - 1) * frame_words(n))
        following = words_at(scratch.frames, depth * frame_words(n))
        k, begin = _next_edge(scratch.order, frame, words_at(following, _SPANS), n)
        if k < 0:
            depth -= 1
            continue
        edge = _edge_of(piece, frame, begin) if k == frame[_AXIS] else no_edge
        dst_offset = _cut_box(piece, words_at(following, _SPANS))
        parts += 1
        smallest = min(piece.smallest_peeled, _SMALLEST_PEELED_EDGE)
        if edge.blocks or depth == MOST_FRAMES or not _may_be_peeled(piece, scratch.box, smallest):
            at = write_part(piece, scratch.box, dst_offset, edge, at)
        else:
            at, is_cut = _write_box(piece, following, at)
            depth += 1 if is_cut else 0
    return parts, at


def _cut_box(piece, spans):
    """Write the rows of a box, which has some outputs of each axis; return its offset in the output."""
    dst_offset = 0
    for k in range(piece.n):
        row = row_of(piece.scratch.axes, k)
        cut(piece.words, row, spans[2 * k], spans[2 * k + 1], row_of(piece.scratch.box, k))
        dst_offset += spans[2 * k] * row[g.DST_PITCH]
    return dst_offset


def _may_be_peeled(piece, rows, smallest):
    """True if an interior and edges may be faster: the box is large enough, and its innermost axis is not dense."""
    width = piece.width
    size, are_plain = width, True
    for k in range(piece.n):
        row = row_of(rows, k)
        size *= row[g.COUNT]
        are_plain = are_plain and is_plain(row)
    if are_plain or size < smallest:
        return False
    k, block = _find_innermost(piece, rows)
    if k < 0:
        return False
    row = row_of(rows, k)
    dst_pitch, pitch = row[g.DST_PITCH], pitch_of(piece.words, row)
    # The rows of a dense box are copied together with their edges.
    is_mirrored = pitch == -dst_pitch and block == dst_pitch and block <= g.LARGEST_PADDED_BLOCK
    return pitch != dst_pitch and not (is_mirrored and size < _SMALLEST_PEELED_MIRROR)


def _find_innermost(piece, rows):
    """Return the innermost axis that is not part of a block, or -1, and the bytes of the block."""
    block, done = piece.width, -1
    while True:
        # Of the axes of more than one output that are left, the first one with the smallest pitch.
        least, k = -1, -1
        for i in range(piece.n):
            row = row_of(rows, i)
            pitch = abs(row[g.DST_PITCH])
            if row[g.COUNT] != 1 and (k < 0 or pitch < least) and pitch > done:
                least, k = pitch, i
        if k < 0:
            return -1, block
        row = row_of(rows, k)
        if row[g.DST_PITCH] != block or pitch_of(piece.words, row) != block or not is_plain(row):
            return k, block
        block *= row[g.COUNT]
        done = least


def _find_tuples(piece, rows):
    """Return the tuples of a box: the innermost axis makes them, or each of its outputs is a tuple of one block."""
    k, block = _find_innermost(piece, rows)
    row = row_of(rows, k)
    if is_plain(row) and row[g.DST_PITCH] == block:
        size, reach = row[g.COUNT] * block, (row[g.COUNT] - 1) * row[g.SRC_PITCH]
        for i in range(piece.n):
            if row_of(rows, i)[g.DST_PITCH] == size and row_of(rows, i)[g.COUNT] != 1:
                return Tuples(i, size, row[g.COUNT], min(reach, 0), max(reach, 0) + block)
    return Tuples(k, block, 1, 0, block)


def _order_axes(order, rows, n):
    """List the axes from the innermost to the outermost one."""
    for k in range(n):
        pitch = abs(row_of(rows, k)[g.DST_PITCH])
        i = k
        while i > 0 and abs(row_of(rows, order[i - 1])[g.DST_PITCH]) > pitch:
            order[i] = order[i - 1]
            i -= 1
        order[i] = k


def _write_box(piece, frame, at):
    """Write a frame's box as one part, or its interior; return where that part ends, and whether it is the interior."""
    scratch, table = piece.scratch, piece.table
    spans = words_at(frame, _SPANS)
    inner = words_at(spans, 2 * piece.n)
    dst_offset = _cut_box(piece, spans)
    tuples = _find_tuples(piece, scratch.box)
    size = inside = 1
    for k in range(piece.n):
        row = row_of(scratch.box, k)
        begin, end = main_run_of(piece.words, row)
        size *= row[g.COUNT]
        inside *= end - begin
        inner[2 * k], inner[2 * k + 1] = spans[2 * k] + begin, spans[2 * k] + end
    first, k = spans[2 * tuples.axis], 2 * tuples.axis
    begin, end = inner[k] - first, inner[k + 1] - first
    begin, end = _widen(piece, row_of(scratch.box, tuples.axis), begin, end, tuples.size)
    whole = write_part(piece, scratch.box, dst_offset, Edge(0, 0, 0), at)
    if whole < 0 or inside * _LEAST_INSIDE < size:
        return whole, False
    inner[k], inner[k + 1] = first + begin, first + end
    own_offset = _cut_box(piece, inner)
    if write_part(piece, scratch.box, own_offset, Edge(0, 0, 0), whole) < 0:
        return -1, False
    plane = table[whole + g.PLANE]
    if not (plane != table[at + g.PLANE] if plane != g.NO_PLANE else inside * 2 >= size):
        return whole, False
    frame[_NEXT], frame[_AXIS], frame[_BLOCKS] = 0, tuples.axis, tuples.blocks
    frame[_LOW], frame[_HIGH] = tuples.low, tuples.high
    return _move_part(table, whole, at), True


def _move_part(table, part, to):
    """Move the last part of a table to the place of the part before it; return where it ends."""
    length, by = table[part + g.LENGTH], part - to
    for i in range(length):
        table[to + i] = table[part + i]
    table[to + g.FIRST_AXIS] -= by
    table[to + g.PROGRAM] -= by
    return to + length


def _widen(piece, row, begin, end, block):
    """Return the interior's outputs of an axis after its edges have been widened to whole vectors for `pair_edge`.

    An edge of fill values stays narrow, because it reads nothing.
    """
    outputs = g.VECTOR_BYTES // divisor_of(g.VECTOR_BYTES, block)
    count = row[g.COUNT]
    before, behind = begin, count - end
    if not _is_filled(piece, row, 0, begin):
        before = (before + outputs - 1) // outputs * outputs
    if not _is_filled(piece, row, end, count):
        behind = (behind + outputs - 1) // outputs * outputs
    if row[g.DST_PITCH] != block or max(before, behind) * block > _WIDEST_EDGE or count - behind - before < outputs:
        return begin, end
    return before, count - behind


def _is_filled(piece, row, begin, end):
    """True if outputs [begin, end) of an axis are all the fill value, and there is one."""
    if begin == end or is_plain(row):
        return False
    cut(piece.words, row, begin, end, piece.scratch.one)
    return is_fill(piece.scratch.one)


def _next_edge(order, frame, spans, n):
    """Write the outputs of the next edge of a frame; return its axis, -1 if there is none, and its first output.

    The edges of an axis span the interior of the axes outside it, and all outputs of the axes within it.
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
                spans[2 * axis], spans[2 * axis + 1] = whole[2 * axis], whole[2 * axis + 1]
            spans[2 * k], spans[2 * k + 1] = begin, end
            return k, begin
    return -1, 0


def _edge_of(piece, frame, begin):
    """Return the edge that begins at an output of the axis of tuples: it may read all of the interior beside it."""
    spans, k, row = words_at(frame, _SPANS), frame[_AXIS], piece.scratch.one
    cut(piece.words, row_of(piece.scratch.axes, k), spans[2 * k], spans[2 * k + 1], row)
    first = offset_of(piece.words, row, begin - spans[2 * k])
    inside, end = main_run_of(piece.words, row)
    if first == g.FILL or row[g.DST_PITCH] < 0:
        return Edge(0, 0, frame[_BLOCKS])
    one, other = offset_of(piece.words, row, inside), offset_of(piece.words, row, end - 1)
    return Edge(min(one, other) + frame[_LOW] - first, max(one, other) + frame[_HIGH] - first, frame[_BLOCKS])


let_kernels_call(__name__)
