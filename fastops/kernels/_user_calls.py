"""User calls: what the compiled code of users calls, to make the words of a window (`_tables._window`) and to run them.

Computes: one output, serially: a window of a source, of which each axis is set as the operators lower it.
Memory: reads the source and the words, writes the words and the output; tables lie on the stack.
Fast to compile, because it is compiled once and not for each type of arrays; and fast to run, because a window is
scheduled in a tenth of a microsecond.

What is wrong is a status, of which users' code makes an error with a constant text; 0 is nothing.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._arithmetic import bounds_of, is_inside
from fastops.kernels._intrinsics._arrays_of_words import interpreted, words_at
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._schedules import axis_at, move_window
from fastops.kernels._tables import _words as w
from fastops.kernels._tables._window import (
    EMPTY_AXIS,
    NEGATIVE_SIZE,
    NO_AXIS,
    NO_MODE,
    OUT_OF_BOUNDS,
    REPEATED_AXIS,
    TOO_LARGE,
    USER_AXES_SET,
    USER_BYTE_STRIDES,
    USER_WIDTH,
    ZERO_STRIDE,
)
from fastops.kernels._tables._words import COUNT, EXTENT, FILL, LARGEST, MODE, START, STRICT_BOUNDS, STRIDE

for function in (bounds_of, is_inside):
    interpreted(function)


@interpreted
def is_too_large(number):
    """True for a start or a stride that compiled code does not compute with."""
    return number < -LARGEST or number > LARGEST


@interpreted
def _behind(words):
    """Return what lies behind the words of a window."""
    return words_at(words, words[w.FIRST_PIECE] + words[words[w.FIRST_PIECE] + w.LENGTH])


@interpreted
def _enter_axis(words, axis):
    """Return the number of an axis that may be counted from the end, and a status."""
    rank, behind = words[w.SRC_RANK], _behind(words)
    if axis < 0:
        axis += rank
    if axis < 0 or axis >= rank:
        return axis, NO_AXIS
    if behind[USER_AXES_SET] & (1 << axis):
        return axis, REPEATED_AXIS
    behind[USER_AXES_SET] |= 1 << axis
    return axis, 0


@interpreted
def _set(words, k, start, stride, count):
    axis = axis_at(words, k)
    axis[START] = start
    axis[STRIDE] = stride
    axis[COUNT] = count


@outlined(types.intp(byte_pointer, types.intp))
def set_mode(words, mode):
    """Let all axes have a mode, by its number, and no axis be set; return a status."""
    if mode < 0 or mode > w.SYMMETRIC:
        return NO_MODE
    _behind(words)[USER_AXES_SET] = 0
    for k in range(words[w.SRC_RANK]):
        axis_at(words, k)[MODE] = mode
    return 0


@outlined(types.intp(byte_pointer, types.intp, types.intp, types.intp, types.intp))
def set_axis(words, axis, start, stride, count):
    """Let an axis read ``start + y * stride`` for ``0 <= y < count``; return a status."""
    k, status = _enter_axis(words, axis)
    if status:
        return status
    _set(words, k, start, stride, count)
    return 0


@outlined(types.intp(byte_pointer, types.intp, types.intp, types.intp))
def start_axis(words, axis, start, stride):
    """Let an axis read as many outputs as it does already, from another start on; return a status."""
    k, status = _enter_axis(words, axis)
    if status:
        return status
    _set(words, k, start, stride, axis_at(words, k)[COUNT])
    return 0


@outlined(types.intp(byte_pointer, types.intp, types.intp))
def shift_axis(words, axis, by):
    """Let an axis read from so many coordinates further back on, besides what it does already; return a status.

    What is shifted goes around, so that the start may be anywhere that is as many extents away.
    """
    rank = words[w.SRC_RANK]
    k = axis + rank if axis < 0 else axis
    if k < 0 or k >= rank:
        return NO_AXIS
    row = axis_at(words, k)
    if row[EXTENT]:
        row[START] = (row[START] - by % row[EXTENT]) % row[EXTENT]
    return 0


@outlined(types.intp(byte_pointer, types.intp, types.intp, types.intp))
def pad_axis(words, axis, before, behind):
    """Let an axis read so many coordinates before it and behind it; return a status."""
    if is_too_large(before) or is_too_large(behind):
        return TOO_LARGE
    row = axis_at(words, axis)
    row[START] = -before
    row[COUNT] = before + row[EXTENT] + behind
    return 0 if before >= 0 and behind >= 0 else NEGATIVE_SIZE


@outlined(types.intp(byte_pointer, types.intp, types.intp))
def repeat_axis(words, axis, times):
    """Let an axis be read so many times, one behind the other; return a status."""
    row = axis_at(words, axis)
    extent = row[EXTENT]
    if times < 0:
        return NEGATIVE_SIZE
    if extent and times > LARGEST // extent:
        return TOO_LARGE
    row[COUNT] = extent * times
    return 0


@outlined(
    types.intp(
        *(byte_pointer, types.intp, types.intp, types.intp, types.intp),
        *(types.intp, types.intp, types.intp),
    )
)
def slice_axis(words, axis, begin, end, stride, lowest, begin_masked, end_masked):
    """Let an axis read ``begin : end : stride``, as `bounds_of` has it; return a status."""
    if stride == 0:
        return ZERO_STRIDE
    # Beyond the extent, all strides read the same.
    stride = min(max(stride, -LARGEST), LARGEST)
    extent = axis_at(words, axis)[EXTENT]
    start, count = bounds_of(extent, begin, end, stride, lowest, begin_masked, end_masked)
    _set(words, axis, start, stride if count > 1 else 1, count)
    return 0


@outlined(types.intp(byte_pointer, types.intp, types.intp))
def shrink_axis(words, axis, index):
    """Let an axis read one index, which is counted from the end if it is negative; return a status."""
    extent = axis_at(words, axis)[EXTENT]
    if index < -extent or index >= extent:
        return OUT_OF_BOUNDS
    _set(words, axis, index + extent if index < 0 else index, 1, 1)
    return 0


@outlined(types.intp(byte_pointer))
def check_window(words):
    """Return the status of a window, of which all but the destination is set."""
    size = _behind(words)[USER_WIDTH]
    is_empty, is_large = size == 0, False
    for k in range(words[w.SRC_RANK]):
        count = axis_at(words, k)[COUNT]
        if count < 0:
            return NEGATIVE_SIZE
        is_empty = is_empty or count == 0
        if not is_empty:
            is_large = is_large or count > LARGEST // size
            size = size if is_large else size * count
    if is_empty:
        return 0
    if is_large:
        return TOO_LARGE
    for k in range(words[w.SRC_RANK]):
        axis = axis_at(words, k)
        extent, start, stride, mode = axis[EXTENT], axis[START], axis[STRIDE], axis[MODE]
        too_large = is_too_large(start) or is_too_large(stride) or extent > LARGEST
        if mode == STRICT_BOUNDS and (too_large or not is_inside(extent, start, stride, axis[COUNT])):
            return OUT_OF_BOUNDS
        if too_large:
            return TOO_LARGE
        if extent == 0 and mode != FILL:
            return EMPTY_AXIS
    return 0


@outlined(types.void(byte_pointer, byte_pointer, byte_pointer, byte_pointer))
def run_window(dst, src, words, fill):
    """Move a window that is checked: all of its words are set."""
    behind = _behind(words)
    move_window(dst, src, words, words_at(behind, USER_BYTE_STRIDES), behind[USER_WIDTH], fill)
