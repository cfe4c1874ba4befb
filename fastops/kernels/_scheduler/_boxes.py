"""Boxes: a piece becomes one part, or an interior that reads in bounds and the edges around it.

Without this split, one mirrored element would keep the whole image from the fast loops for transposes and shuffles.
"""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

from typing import Any, NamedTuple

from fastops.kernels._arithmetic import divisor_of
from fastops.kernels._intrinsics._memory import let_kernels_call
from fastops.kernels._scheduler._parts import write_part
from fastops.kernels._scheduler._rows import is_plain, main_run_of, offset_of, pitch_of, row_of
from fastops.kernels._tables import _gather as g

# Edges of at least this many bytes are cut at the ends of the interior, although whole results of so few bytes are not
# cut: 12 mirrored rows of 224 bytes of three channels take 0.7 us in place of 3.7.
_SMALLEST_PEELED_EDGE = 1 << 10

# Smaller boxes of short blocks are not cut if most of each row is mirrored. When they are cut, 64 by 64 bytes of three
# channels take 3 us in place of 1.1, but 200 KB of pixels of 6 bytes take 9 us in place of 21.
_SMALLEST_PEELED_MIRROR = 1 << 17

# Bytes of the widest edge that is made of vectors of a shuffle program.
_WIDEST_EDGE = 192

# The interior of a plane has at least the piece's number of outputs divided by this number. Any other interior has at
# least half of the outputs.
_LEAST_INSIDE = 8


class Edge(NamedTuple):
    """The source bytes of the interior beside an edge, which the vectors of the edge may read too."""

    low: Any  # bytes [low, high), counted from the first byte that the edge's first output reads
    high: Any
    blocks: Any  # blocks of an output; 0 for a part that is not an edge


class Tuples(NamedTuple):
    """The axis whose outputs are tuples of adjacent blocks; if there is none, the innermost axis."""

    axis: Any
    size: Any  # bytes of a tuple in the output
    blocks: Any  # its blocks
    low: Any  # a tuple reads source bytes [low, high), counted from its first block
    high: Any


def write_parts(piece, at):
    """Write the parts of a piece whose rows are in scratch; return how many, and where they end, -1 without room."""
    scratch, size, inside = piece.scratch, 1, 1
    inner, spans = scratch.inner, scratch.spans
    for k in range(piece.n):
        row = row_of(scratch.axes, k)
        spans[2 * k], spans[2 * k + 1] = 0, row[g.COUNT]
        inner[2 * k], inner[2 * k + 1] = main_run_of(piece.words, row)
        size *= row[g.COUNT]
        inside *= inner[2 * k + 1] - inner[2 * k]
    may_be_cut = max(size // _LEAST_INSIDE, 1) <= inside < size and size * piece.width >= piece.options.smallest_peeled
    tuples = _find_tuples(piece, size * piece.width) if may_be_cut else Tuples(-1, 0, 0, 0, 0)
    if tuples.axis < 0:
        return 1, write_part(piece, spans, Edge(0, 0, 0), at)
    k = 2 * tuples.axis
    inner[k], inner[k + 1] = _widen(piece, tuples, inner[k], inner[k + 1])
    end = write_part(piece, inner, Edge(0, 0, 0), at)
    # Compare the interior with the piece as one part, which is written behind the interior, and then overwritten.
    if write_part(piece, spans, Edge(0, 0, 0), end) < 0:
        return 1, -1
    plane = piece.table[at + g.PLANE]
    if plane == piece.table[end + g.PLANE] if plane != g.NO_PLANE else inside * 2 < size:
        return 1, write_part(piece, spans, Edge(0, 0, 0), at)
    parts, at = 1, end
    for k in range(piece.n - 1, -1, -1):
        count = row_of(scratch.axes, k)[g.COUNT]
        added, at = _write_edge(piece, tuples, k, 0, inner[2 * k], at)
        more, at = _write_edge(piece, tuples, k, inner[2 * k + 1], count, at)
        parts += added + more
    return parts, at


def _write_edge(piece, tuples, k, begin, end, at):
    """Write the parts of outputs [begin, end) of axis k beside the interior; return how many, and where they end.

    The parts have the interior of the axes outside axis k, and all outputs of the axes inside axis k. Large edges are
    cut at the ends of the interior of the axis of tuples.
    """
    inner, spans, size, t = piece.scratch.inner, piece.scratch.spans, piece.width, 2 * tuples.axis
    for j in range(piece.n):
        spans[2 * j], spans[2 * j + 1] = 0, row_of(piece.scratch.axes, j)[g.COUNT]
        if j < k:
            spans[2 * j], spans[2 * j + 1] = inner[2 * j], inner[2 * j + 1]
        elif j == k:
            spans[2 * j], spans[2 * j + 1] = begin, end
        size *= spans[2 * j + 1] - spans[2 * j]
    smallest = min(piece.options.smallest_peeled, _SMALLEST_PEELED_EDGE)
    is_cut, parts, last = k < tuples.axis and size >= smallest, 0, spans[t + 1]
    for i in range(3 if is_cut else 1):
        if is_cut:
            spans[t] = inner[t + i - 1] if i > 0 else 0
            spans[t + 1] = inner[t + i] if i < 2 else last
        if begin < end and spans[t] < spans[t + 1]:
            is_edge = k == tuples.axis or (is_cut and i != 1)
            at = write_part(piece, spans, _edge_of(piece, tuples, spans[t]) if is_edge else Edge(0, 0, 0), at)
            parts += 1
    return parts, at


def _find_tuples(piece, size):
    """Return the tuples of a piece of `size` bytes; their axis is -1 if an interior and edges would not be faster.

    A tuple is all blocks of the innermost axis that is not part of a block, if an outer axis steps by such tuples in
    the output; otherwise it is one block.
    """
    axes, block, k = piece.scratch.axes, piece.width, piece.n - 1
    row = row_of(axes, k)
    while row[g.COUNT] == 1 or (is_plain(row) and row[g.DST_PITCH] == block == row[g.SRC_PITCH]):
        block *= row[g.COUNT]
        k -= 1
        row = row_of(axes, k)
    dst_pitch, pitch = row[g.DST_PITCH], pitch_of(piece.words, row)
    # Rows whose middle is a copy are not cut: they are moved together with their edges.
    is_mirrored = pitch == -dst_pitch and block == dst_pitch and block <= g.LARGEST_PADDED_BLOCK
    if pitch == dst_pitch or (is_mirrored and size < _SMALLEST_PEELED_MIRROR):
        return Tuples(-1, 0, 0, 0, 0)
    if is_plain(row) and dst_pitch == block:
        tuple_bytes, reach = row[g.COUNT] * block, (row[g.COUNT] - 1) * pitch
        for i in range(k):
            outer = row_of(axes, i)
            if outer[g.DST_PITCH] == tuple_bytes and outer[g.COUNT] > 1:
                return Tuples(i, tuple_bytes, row[g.COUNT], min(reach, 0), max(reach, 0) + block)
    return Tuples(k, block, 1, 0, block)


def _widen(piece, tuples, begin, end):
    """Return the interior's range along the axis of tuples, with edges widened to whole vectors for `pair_axes`.

    An edge of fill values stays narrow, because it reads nothing.
    """
    row = row_of(piece.scratch.axes, tuples.axis)
    outputs = g.VECTOR_BYTES // divisor_of(g.VECTOR_BYTES, tuples.size)
    count = row[g.COUNT]
    before, behind = begin, count - end
    if offset_of(piece.words, row, 0) != g.FILL:
        before = (before + outputs - 1) // outputs * outputs
    if offset_of(piece.words, row, count - 1) != g.FILL:
        behind = (behind + outputs - 1) // outputs * outputs
    is_wide = max(before, behind) * tuples.size > _WIDEST_EDGE
    if row[g.DST_PITCH] != tuples.size or is_wide or count - behind - before < outputs:
        return begin, end
    return before, count - behind


def _edge_of(piece, tuples, begin):
    """Return the edge that begins at an output of the axis of tuples: it may read all of the interior beside it."""
    row = row_of(piece.scratch.axes, tuples.axis)
    first = offset_of(piece.words, row, begin)
    inside, end = main_run_of(piece.words, row)
    if row[g.DST_PITCH] < 0:
        return Edge(0, 0, tuples.blocks)  # the first output of the part is the last one of the axis
    one, other = offset_of(piece.words, row, inside), offset_of(piece.words, row, end - 1)
    return Edge(min(one, other) + tuples.low - first, max(one, other) + tuples.high - first, tuples.blocks)


let_kernels_call(__name__)
