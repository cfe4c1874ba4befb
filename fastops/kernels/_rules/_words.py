"""Words and arguments: how rules read the one and write the other."""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._arithmetic import is_inside
from fastops.kernels._intrinsics._arrays_of_words import interpreted, words_at
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables import _words as w

interpreted(is_inside)


#: Room for the words of a rule; what is longer, Python lays.
RULE_WORDS = 384

#: Axes of data and of results of which there is room for the words, and to name in arguments.
MOST_RULE_AXES = (RULE_WORDS - w.HEADER_COLUMNS - 1 - w.PIECE_COLUMNS) // (w.AXIS_COLUMNS + 2)

#: What is no mode.
NONE = -(2**63)


@interpreted
def set_whole(row, extent, source, target):
    """Write the axis of a piece that takes one of the source whole, or is one that the source does not have."""
    row[w.EXTENT], row[w.DST_AXIS], row[w.DST_FIRST], row[w.DST_STEP] = extent, target, 0, 1
    row[w.SRC_AXIS], row[w.SRC_FIRST], row[w.SRC_STEP] = source, 0, 0 if source == w.NO_AXIS else 1
    set_axis(row, 0, 0 if source == w.NO_AXIS else 1, extent, w.STRICT_BOUNDS)


@interpreted
def begin_words(shape, rank, outputs, dst_rank, axes, words):
    """Write the header of outputs of one rank, each of a piece whose axes take the source whole; False without room."""
    first = w.HEADER_COLUMNS + rank + outputs * (1 + dst_rank)
    length = w.PIECE_COLUMNS + axes * w.AXIS_COLUMNS
    if first + outputs * length > RULE_WORDS:
        return False
    words[w.PIECES], words[w.OUTPUTS], words[w.SRC_RANK] = outputs, outputs, rank
    words[w.FILLS], words[w.FIRST_PIECE] = 0, first
    for k in range(rank):
        words[w.HEADER_COLUMNS + k] = shape[k]
    for i in range(outputs):
        words[w.HEADER_COLUMNS + rank + i] = dst_rank
        piece = words_at(words, first + i * length)
        piece[w.OUTPUT], piece[w.FILL_INDEX], piece[w.AXES], piece[w.LENGTH] = i, 0, axes, length
        for k in range(axes):
            row, source = words_at(piece, w.PIECE_COLUMNS + k * w.AXIS_COLUMNS), k - axes + rank
            if source >= 0:
                set_whole(row, shape[source], source, i * dst_rank + k)
            else:
                set_whole(row, 1, w.NO_AXIS, i * dst_rank + k)
    return True


@interpreted
def end_words(words, rank, dst_rank):
    """Write the shape of the one output, and if it wants a fill value; return the number of words."""
    piece = words[w.FIRST_PIECE]
    shape = words_at(words, w.HEADER_COLUMNS + rank + 1)
    for k in range(dst_rank):
        # Axes of the output that no axis of the piece writes to are of length 1.
        shape[k] = 1
    is_filled, is_void = False, False
    for k in range(words[piece + w.AXES]):
        row = row_of(words, k)
        count = row[w.COUNT]
        if row[w.DST_AXIS] != w.NO_AXIS:
            # Several axes may be one of the output.
            shape[row[w.DST_AXIS]] *= count
        is_void = is_void or count == 0
        if row[w.MODE] == w.FILL and not is_void:
            is_filled = is_filled or not is_inside(row[w.EXTENT], row[w.START], row[w.STRIDE], count)
    words[w.FILLS] = 1 if is_filled and not is_void else 0
    return piece + words[piece + w.LENGTH]


@interpreted
def row_of(words, k):
    """Return the words of axis k of the first piece."""
    return words_at(words, words[w.FIRST_PIECE] + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS)


@interpreted
def set_axis(row, start, stride, count, mode):
    """Write which coordinates of an axis are read, and how many."""
    row[w.START], row[w.STRIDE], row[w.COUNT], row[w.MODE] = start, stride, count, mode


@interpreted
def argument(arguments, parameter):
    """Return the row of an argument."""
    return words_at(arguments, parameter * r.ARGUMENT_COLUMNS)


@interpreted
def values_of(arguments, parameter):
    """Return the values of an argument."""
    return words_at(arguments, argument(arguments, parameter)[r.FIRST_VALUE])


@interpreted
def is_kind_of(arguments, parameter, kind, n):
    """True for an argument of a kind that has so many integers."""
    row = argument(arguments, parameter)
    return row[r.KIND] == kind and row[r.COUNT] == n


@interpreted
def is_list_of(arguments, parameter, n):
    """True for an argument that is a list of so many integers."""
    return is_kind_of(arguments, parameter, r.LIST, n)


@interpreted
def mode_of(arguments):
    """Return the mode that an argument names, or what is none."""
    row = argument(arguments, r.MODE)
    return values_of(arguments, r.MODE)[0] if row[r.KIND] == r.CONSTANT else NONE


@interpreted
def axis_of(axis, rank):
    """Return an axis, which may be counted from the end, from the front; minus a status if there is no such axis."""
    if axis < -rank or axis >= rank:
        return -r.NO_AXIS
    return axis + rank if axis < 0 else axis


@interpreted
def named_axis(arguments, i, rank, seen):
    """Return the i-th axis that AXES names, by default i; minus a status for one that is not there or was seen."""
    axis = axis_of(i if argument(arguments, r.AXES)[r.KIND] == r.ABSENT else values_of(arguments, r.AXES)[i], rank)
    return -r.REPEATED_AXIS if axis >= 0 and seen >> axis & 1 else axis
