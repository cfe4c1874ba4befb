"""Boxes of a window: one that reads beyond its source, as several that read in bounds, or nothing.

Computes: for each run of each axis that reads beyond, in all combinations, a window of its own.
Memory: writes the words of the window over, and gives them back; lists of runs lie on the stack.
Fast because the interior of a window moves as a plane, as if it stood alone: a mirrored cell at its edge does not send
a transpose or a shuffle to short runs.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._axes import LIST_WORDS, RUN_COUNT, RUN_PITCH, RUN_SOURCE, RUN_WORDS, list_runs
from fastops.kernels._chunks import chunk_start
from fastops.kernels._intrinsics._memory import ONE, ZERO, copy_bytes, load_int, loops, shift, stack_words, store_int
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._parts import run_part
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables._window import (
    AXIS_COLUMNS,
    COUNT,
    DST_PITCH,
    EXTENT,
    HAS_PLANES,
    MODE,
    RANK,
    START,
    STRIDE,
    WIDTH,
)
from fastops.kernels._window import lay_window
from fastops.kernels._window_axes import PART, axis_words, is_inside, lay_axis, row_of

# Axes that read beyond the source, and boxes, of a window that is moved as boxes.
_MOST_OUTSIDE, _MOST_BOXES = 4, 27


# Words of the lists of their runs, and of what the window says of these axes.
_LISTS_WORDS, _KEPT_WORDS = _MOST_OUTSIDE * LIST_WORDS, _MOST_OUTSIDE * AXIS_COLUMNS


@loops
def axis_is_inside(axis):
    """True if all coordinates of an axis of a window lie in it."""
    return is_inside(load_int(axis, EXTENT), load_int(axis, START), load_int(axis, STRIDE), load_int(axis, COUNT))


@loops
def is_boxed_window(words):
    """True if a window that reads beyond its source may be moved as boxes, because its interior is a plane."""
    if not load_int(words, HAS_PLANES):
        return False
    size = load_int(words, WIDTH)
    for k in range(load_int(words, RANK)):
        size *= load_int(axis_words(words, k), COUNT)
    return size >= g.SMALLEST_PEELED


@loops
def run_laid(writers, dst, src, table, fill, share, end_share, shares):
    """Move what a table of one part says: of `shares` equal shares of it, those in [share, end_share)."""
    part = shift(table, 8 * PART)
    grains = load_int(part, g.GRAINS)
    first, end = chunk_start(grains, share, shares), chunk_start(grains, end_share, shares)
    if first < end:
        writer = writers[1] if load_int(part, g.STREAMS) else writers[0]
        run_part(writer, dst, src, table, PART, first, end, fill)


@loops
def _list_boxes(words, table, lists, numbers, lengths):
    """List the runs of each axis that reads beyond the source; return how many such axes there are, and boxes.

    There are no boxes where they would be too many. Offsets of runs are indices.
    """
    n, boxes = 0, 1
    for k in range(load_int(words, RANK)):
        axis = axis_words(words, k)
        if axis_is_inside(axis):
            continue
        if n == _MOST_OUTSIDE:
            return n, 0
        row, runs = row_of(table, ZERO), shift(lists, 8 * LIST_WORDS * n)
        count = load_int(axis, COUNT)
        first = lay_axis(row, axis, load_int(words, MODE), ZERO, ONE)
        length, y = list_runs(row, ZERO, count, runs)
        boxes *= length
        if y < count or boxes > _MOST_BOXES:
            return n, 0
        if first:
            store_int(runs, RUN_SOURCE, first)
        store_int(numbers, n, k)
        store_int(lengths, n, length)
        n += 1
    return n, boxes


@outlined(
    types.boolean(
        *(types.UniTuple(byte_pointer, 2), byte_pointer, byte_pointer, byte_pointer, byte_pointer, byte_pointer),
        *(types.intp, types.intp, types.intp, types.intp),
    )
)
def move_boxes(writers, dst, src, words, table, fill, dst_offset, share, end_share, shares):
    """Move a window as boxes, each of which is a window that reads in bounds, or nothing; False if they are too many.

    Of `shares` equal shares of each box, it moves those in [share, end_share). It changes the words of the window while
    it works.
    """
    lists = stack_words(_LISTS_WORDS)
    numbers, lengths = stack_words(_MOST_OUTSIDE), stack_words(_MOST_OUTSIDE)
    kept = stack_words(_KEPT_WORDS)
    n, boxes = _list_boxes(words, table, lists, numbers, lengths)
    if boxes == 0:
        return False
    for k in range(n):
        copy_bytes(shift(kept, 8 * AXIS_COLUMNS * k), axis_words(words, load_int(numbers, k)), 8 * AXIS_COLUMNS)
    for box in range(boxes):
        left, offset = box, dst_offset
        for k in range(n):
            axis = axis_words(words, load_int(numbers, k))
            runs, length = shift(lists, 8 * LIST_WORDS * k), load_int(lengths, k)
            for _ in range(left % length):
                offset += load_int(runs, RUN_COUNT) * load_int(axis, DST_PITCH)
                runs = shift(runs, 8 * RUN_WORDS)
            left //= length
            source = load_int(runs, RUN_SOURCE)
            # Of what is filled, all coordinates are one behind the end.
            store_int(axis, START, load_int(axis, EXTENT) if source == g.FILL else source)
            store_int(axis, STRIDE, 0 if source == g.FILL else load_int(runs, RUN_PITCH))
            store_int(axis, COUNT, load_int(runs, RUN_COUNT))
        lay_window(words, table)
        part = shift(table, 8 * PART)
        store_int(part, g.DST_OFFSET, load_int(part, g.DST_OFFSET) + offset)
        run_laid(writers, dst, src, table, fill, share, end_share, shares)
    for k in range(n):
        copy_bytes(axis_words(words, load_int(numbers, k)), shift(kept, 8 * AXIS_COLUMNS * k), 8 * AXIS_COLUMNS)
    return True
