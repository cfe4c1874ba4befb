"""User calls: what the compiled code of users calls, to make the words of a window (`_tables._window`) and to run them.

Computes: one output, serially: a window of a source, of which each axis is set as the operators lower it.
Memory: reads the source and the words, writes the words and the output; tables lie on the stack.
Fast to compile, because it is compiled once and not for each type of arrays; and fast to run, because a window is laid
over memory by some ten comparisons an axis.

What is wrong is a status, of which users' code makes an error with a constant text; 0 is nothing.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._arithmetic import bounds_of
from fastops.kernels._intrinsics._memory import ONE, ZERO, load_int, loops, stack_words, store_int
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._vectors import finish_streams
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables._window import (
    AXES_SET,
    COUNT,
    DST_PITCH,
    EMPTY_AXIS,
    EXTENT,
    FILL,
    HAS_PLANES,
    LARGEST,
    MODE,
    NEGATIVE_SIZE,
    NO_AXIS,
    OUT_OF_BOUNDS,
    RANK,
    REPEATED_AXIS,
    SRC_PITCH,
    START,
    STREAMS,
    STRICT_BOUNDS,
    STRIDE,
    TOO_LARGE,
    WIDTH,
    ZERO_STRIDE,
)
from fastops.kernels._window_axes import TABLE_WORDS, axis_words, is_inside, is_too_large
from fastops.kernels._windows import move_window
from fastops.kernels._writer import PLAIN_WRITER_WORDS, WRITER_WORDS, finish_writer, open_writer

_bounds_of = loops(bounds_of)


@loops
def _enter_axis(words, axis):
    """Return the number of an axis that may be counted from the end, and a status."""
    rank = load_int(words, RANK)
    if axis < 0:
        axis += rank
    if axis < 0 or axis >= rank:
        return axis, NO_AXIS
    done = load_int(words, AXES_SET)
    if done & (ONE << axis):
        return axis, REPEATED_AXIS
    store_int(words, AXES_SET, done | (ONE << axis))
    return axis, 0


@loops
def _set(words, k, start, stride, count):
    axis = axis_words(words, k)
    store_int(axis, START, start)
    store_int(axis, STRIDE, stride)
    store_int(axis, COUNT, count)


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
    _set(words, k, start, stride, load_int(axis_words(words, k), COUNT))
    return 0


@outlined(types.intp(byte_pointer, types.intp, types.intp))
def shift_axis(words, axis, by):
    """Let an axis read from so many coordinates further back on, besides what it does already; return a status.

    What is shifted goes around, so that the start may be anywhere that is as many extents away.
    """
    rank = load_int(words, RANK)
    k = axis + rank if axis < 0 else axis
    if k < 0 or k >= rank:
        return NO_AXIS
    row = axis_words(words, k)
    extent = load_int(row, EXTENT)
    if extent:
        store_int(row, START, (load_int(row, START) - by % extent) % extent)
    return 0


@outlined(types.intp(byte_pointer, types.intp, types.intp, types.intp))
def pad_axis(words, axis, before, behind):
    """Let an axis read so many coordinates before it and behind it; return a status."""
    row = axis_words(words, axis)
    if is_too_large(before) or is_too_large(behind):
        return TOO_LARGE
    store_int(row, START, -before)
    store_int(row, COUNT, before + load_int(row, EXTENT) + behind)
    return 0 if before >= 0 and behind >= 0 else NEGATIVE_SIZE


@outlined(types.intp(byte_pointer, types.intp, types.intp))
def repeat_axis(words, axis, times):
    """Let an axis be read so many times, one behind the other; return a status."""
    row = axis_words(words, axis)
    extent = load_int(row, EXTENT)
    if times < 0:
        return NEGATIVE_SIZE
    if extent and times > LARGEST // extent:
        return TOO_LARGE
    store_int(row, COUNT, extent * times)
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
    start, count = _bounds_of(
        load_int(axis_words(words, axis), EXTENT), begin, end, stride, lowest, begin_masked, end_masked
    )
    _set(words, axis, start, stride if count > 1 else 1, count)
    return 0


@outlined(types.intp(byte_pointer, types.intp, types.intp))
def shrink_axis(words, axis, index):
    """Let an axis read one index, which is counted from the end if it is negative; return a status."""
    extent = load_int(axis_words(words, axis), EXTENT)
    if index < -extent or index >= extent:
        return OUT_OF_BOUNDS
    _set(words, axis, index + extent if index < 0 else index, 1, 1)
    return 0


@outlined(types.intp(byte_pointer))
def check_window(words):
    """Return the status of a window, of which all but the destination is set."""
    mode, size = load_int(words, MODE), load_int(words, WIDTH)
    is_empty, is_large = size == 0, False
    for k in range(load_int(words, RANK)):
        count = load_int(axis_words(words, k), COUNT)
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
    for k in range(load_int(words, RANK)):
        axis = axis_words(words, k)
        extent, start, stride = load_int(axis, EXTENT), load_int(axis, START), load_int(axis, STRIDE)
        too_large = is_too_large(start) or is_too_large(stride) or extent > LARGEST
        if mode == STRICT_BOUNDS and (too_large or not is_inside(extent, start, stride, load_int(axis, COUNT))):
            return OUT_OF_BOUNDS
        if too_large:
            return TOO_LARGE
        if extent == 0 and mode != FILL:
            return EMPTY_AXIS
    return 0


@loops
def _is_plane(words):
    """True if the source crosses the rows of the output, or if these are short."""
    row, row_pitch, crossed, densest = ZERO, LARGEST, ZERO, LARGEST
    for k in range(load_int(words, RANK)):
        axis = axis_words(words, k)
        count = load_int(axis, COUNT)
        src_pitch = abs(load_int(axis, SRC_PITCH)) if load_int(axis, STRIDE) else 0
        dst_pitch = abs(load_int(axis, DST_PITCH))
        if count > 1 and src_pitch:
            densest = min(densest, src_pitch)
        if count > 1 and dst_pitch < row_pitch:
            row, row_pitch, crossed = count * dst_pitch, dst_pitch, src_pitch
    if row_pitch == LARGEST:
        return False
    return crossed > densest or row < g.SHORTEST_ROW


@outlined(types.void(byte_pointer, byte_pointer, byte_pointer, byte_pointer))
def run_window(dst, src, words, fill):
    """Move a window that is checked: all of its words are set."""
    size = load_int(words, WIDTH)
    for k in range(load_int(words, RANK)):
        size *= load_int(axis_words(words, k), COUNT)
    if size == 0:
        return
    store_int(words, HAS_PLANES, 1 if _is_plane(words) else 0)
    streams = 1 if size >= g.STREAM_BYTES else 0
    store_int(words, STREAMS, streams)
    table = stack_words(TABLE_WORDS)
    writers = (
        open_writer(stack_words(PLAIN_WRITER_WORDS), dst, ZERO),
        open_writer(stack_words(WRITER_WORDS), dst, streams),
    )
    move_window(writers, dst, src, words, table, fill)
    if streams:
        finish_writer(writers[1], dst)
        finish_streams()
