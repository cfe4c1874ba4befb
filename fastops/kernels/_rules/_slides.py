"""All windows of axes: sliding windows, and the frames of a signal."""

# Words are a pointer in kernels and an array in Python, of which mypy knows no common type.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._arrays_of_words import interpreted
from fastops.kernels._rules._words import argument, axis_of, row_of, set_whole, values_of
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables import _words as w


@interpreted
def _check_slides(rule, rank, arguments):
    """Return a status: 0 for arguments of the kinds that sliding windows, or frames, have, as many as each other."""
    if rule[r.OPTION] == r.AS_FRAMES:
        for parameter in range(r.SIZE, r.AXES + 1):
            if argument(arguments, parameter)[r.KIND] != r.INTEGER:
                return r.OTHER_KIND
        return 0
    n, of_axes = argument(arguments, r.SIZE)[r.COUNT], argument(arguments, r.AXES)[r.KIND]
    for parameter in range(r.SIZE, r.AXES + 1):
        row = argument(arguments, parameter)
        if row[r.KIND] == r.ABSENT and parameter != r.SIZE:
            continue
        if row[r.KIND] != r.LIST and row[r.KIND] != r.INTEGER:
            return r.OTHER_KIND
        # One stride may be that of all windows.
        if row[r.COUNT] != n and (parameter != r.STRIDE or row[r.KIND] != r.INTEGER):
            return r.OTHER_KIND
    return r.OTHER_KIND if of_axes == r.ABSENT and n != rank else 0


@interpreted
def lower_slides(rule, shape, rank, arguments, words):
    status, is_framed = _check_slides(rule, rank, arguments), rule[r.OPTION] == r.AS_FRAMES
    if status:
        return status
    n, of_strides, seen = argument(arguments, r.SIZE)[r.COUNT], argument(arguments, r.STRIDE), 0
    sizes, strides = values_of(arguments, r.SIZE), values_of(arguments, r.STRIDE)
    for k in range(rank):
        set_whole(row_of(words, k), shape[k], k, k)
    for i in range(n):
        axis = axis_of(i if argument(arguments, r.AXES)[r.KIND] == r.ABSENT else values_of(arguments, r.AXES)[i], rank)
        if axis < 0:
            return -axis
        size, stride, row = sizes[i], 1, row_of(words, axis)
        if of_strides[r.KIND] != r.ABSENT:
            stride = strides[i if of_strides[r.KIND] == r.LIST else 0]
        if size < (1 if is_framed else 0):
            return r.NEGATIVE_SIZE
        if size > row[w.COUNT]:
            return r.TOO_LONG_WINDOW
        # Windows of an axis that is named twice are windows of windows.
        if stride < 1 or (seen >> axis & 1 and stride != row[w.SRC_STEP]):
            return r.NO_STEP
        seen |= 1 << axis
        row[w.SRC_STEP] = stride
        row[w.COUNT] -= size - 1
        set_whole(row_of(words, rank + i), size, axis, rank + i)
    for k in range(rank):
        row = row_of(words, k)
        row[w.COUNT] = row[w.EXTENT] = (row[w.COUNT] - 1) // row[w.SRC_STEP] + 1
        if row[w.COUNT] < 2:
            row[w.SRC_STEP] = 0
    if is_framed:
        _place_frames(rank, arguments, words)
    return 0


@interpreted
def _place_frames(rank, arguments, words):
    """Put the samples of a frame beside the frames: before them if their axis is counted from the end."""
    named = values_of(arguments, r.AXES)[0]
    axis = axis_of(named, rank)
    for k in range(axis + 1, rank):
        row_of(words, k)[w.DST_AXIS] = k + 1
    row_of(words, axis)[w.DST_AXIS] = axis + 1 if named < 0 else axis
    row_of(words, rank)[w.DST_AXIS] = axis if named < 0 else axis + 1
