"""Readers of arguments, and writers of the words of a plan, which all rules use."""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._arithmetic import is_inside
from fastops.kernels._intrinsics._memory import let_kernels_call, words_at
from fastops.kernels._tables import _rules as r, _words as w

#: Room for the words of a rule. Python lowers calls whose words are longer.
RULE_WORDS = 384

#: The most axes of data and results for which there is room, and the most items of a list or an array in users' code.
MOST_RULE_AXES = (RULE_WORDS - w.HEADER_COLUMNS - 1 - w.PIECE_COLUMNS) // (w.AXIS_COLUMNS + 2)

#: Stands for a mode or a pad that arguments do not give.
NONE = -(2**63)

# Sets of kinds of arguments, for `fits`.
NO, ONE, LIST = 1 << r.ABSENT, 1 << r.INTEGER, 1 << r.LIST


def argument(arguments, parameter):
    """Return the row of an argument."""
    return words_at(arguments, parameter * r.ARGUMENT_COLUMNS)


def count_of(arguments, parameter):
    """Return how many values an argument has, or how many rows of values."""
    return argument(arguments, parameter)[r.COUNT]


def values_of(arguments, parameter):
    """Return the values of an argument."""
    return words_at(arguments, argument(arguments, parameter)[r.FIRST_VALUE])


def value_at(arguments, parameter, i):
    """Return value i of a list; an integer is the value for every i."""
    return values_of(arguments, parameter)[0 if argument(arguments, parameter)[r.KIND] == r.INTEGER else i]


def is_given(arguments, parameter):
    """True for an argument that is not absent."""
    return argument(arguments, parameter)[r.KIND] != r.ABSENT


def fits(arguments, parameter, kinds, n):
    """True for an argument of one of some kinds; a list must have n values."""
    row = argument(arguments, parameter)
    return kinds >> row[r.KIND] & 1 == 1 and (row[r.KIND] != r.LIST or row[r.COUNT] == n)


def are_axes(arguments, kinds, n, rank):
    """True if AXES names n axes, or is absent and there are n axes."""
    return fits(arguments, r.AXES, kinds | NO, n) and (is_given(arguments, r.AXES) or n == rank)


def mode_of(arguments):
    """Return the mode that an argument names, or NONE."""
    return values_of(arguments, r.MODE)[0] if argument(arguments, r.MODE)[r.KIND] == r.CONSTANT else NONE


def axis_of(axis, rank):
    """Return an axis counted from the front; minus a status if there is no such axis."""
    if axis < -rank or axis >= rank:
        return -r.NO_AXIS
    return axis + rank if axis < 0 else axis


def named_axis(arguments, i, rank, seen):
    """Return axis i of AXES, by default i; minus a status if there is no such axis, or its bit is set in `seen`."""
    axis = axis_of(value_at(arguments, r.AXES, i) if is_given(arguments, r.AXES) else i, rank)
    return -r.REPEATED_AXIS if axis >= 0 and seen >> axis & 1 else axis


def row_of(words, k):
    """Return the words of axis k of the first piece."""
    return words_at(words, words[w.FIRST_PIECE] + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS)


def set_axis(row, start, stride, count, mode):
    """Write which coordinates of an axis are read, and how many."""
    row[w.START], row[w.STRIDE], row[w.COUNT], row[w.MODE] = start, stride, count, mode


def set_whole(row, extent, source, target):
    """Write the axis of a piece that reads a whole axis of the source, or a new axis for NO_AXIS."""
    row[w.EXTENT], row[w.DST_AXIS], row[w.DST_FIRST], row[w.DST_STEP] = extent, target, 0, 1
    row[w.SRC_AXIS], row[w.SRC_FIRST], row[w.SRC_STEP] = source, 0, 0 if source == w.NO_AXIS else 1
    set_axis(row, 0, 0 if source == w.NO_AXIS else 1, extent, w.STRICT_BOUNDS)


def reverse_axis(words, axis, extent):
    """Write an axis of the first piece that is read backwards."""
    set_axis(row_of(words, axis), extent - 1, -1, extent, w.STRICT_BOUNDS)


def begin_words(shape, rank, pieces, outputs, dst_rank, axes, words, room):
    """Write the header and pieces whose axes read the whole source; return the words of a piece, 0 without room.

    All pieces belong to the one output, or each to an output of its own.
    """
    first = w.HEADER_COLUMNS + rank + outputs * (1 + dst_rank)
    length = w.PIECE_COLUMNS + axes * w.AXIS_COLUMNS
    if pieces > room or first + pieces * length > room:
        return 0
    words[w.PIECES], words[w.OUTPUTS], words[w.SRC_RANK] = pieces, outputs, rank
    words[w.FILLS], words[w.FIRST_PIECE] = 0, first
    for k in range(rank):
        words[w.HEADER_COLUMNS + k] = shape[k]
    for i in range(outputs):
        words[w.HEADER_COLUMNS + rank + i] = dst_rank
    for i in range(pieces):
        piece, output = words_at(words, first + i * length), i if outputs > 1 else 0
        piece[w.OUTPUT], piece[w.FILL_INDEX], piece[w.AXES], piece[w.LENGTH] = output, 0, axes, length
        for k in range(axes):
            row, source = words_at(piece, w.PIECE_COLUMNS + k * w.AXIS_COLUMNS), k - axes + rank
            is_new = source < 0
            set_whole(row, 1 if is_new else shape[source], w.NO_AXIS if is_new else source, output * dst_rank + k)
    return length


def end_words(words, rank, dst_rank):
    """Write the shape of the one output, and whether it needs a fill value; return the number of words."""
    piece = words[w.FIRST_PIECE]
    shape = words_at(words, w.HEADER_COLUMNS + rank + 1)
    for k in range(dst_rank):
        # Axes of the output to which no axis of the piece writes have length 1.
        shape[k] = 1
    is_filled, is_void = False, False
    for k in range(words[piece + w.AXES]):
        row = row_of(words, k)
        count = row[w.COUNT]
        if row[w.DST_AXIS] != w.NO_AXIS:
            # Several axes may be one axis of the output.
            shape[row[w.DST_AXIS]] *= count
        is_void = is_void or count == 0
        if row[w.MODE] == w.FILL and not is_void:
            is_filled = is_filled or not is_inside(row[w.EXTENT], row[w.START], row[w.STRIDE], count)
    words[w.FILLS] = 1 if is_filled and not is_void else 0
    return piece + words[piece + w.LENGTH]


let_kernels_call(__name__)
