"""Axes of a window: rows of a table, made of the words of a window by compiled code.

Computes: what `_schedules._byte_axes` does for a plan, by the same arithmetic.
Memory: reads the words, writes the rows, which the caller owns.
Fast because an axis in bounds is some comparisons and no division.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._arithmetic import circle_of, inside_of_line, walk_of
from fastops.kernels._intrinsics._memory import ZERO, load_int, loops, shift, store_int
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables._window import (
    AXIS_COLUMNS,
    CLAMP,
    COUNT,
    DST_PITCH,
    EXTENT,
    FILL,
    HEADER_COLUMNS,
    LARGEST,
    MOST_AXES,
    MOST_PROGRAM_WORDS,
    START,
    STRIDE,
)

FIRST_AXIS = g.HEADER_COLUMNS + g.PART_COLUMNS


#: Words of the table of one part, to be allocated by the caller. Behind the axes is room for one that is put in.
TABLE_WORDS = FIRST_AXIS + (MOST_AXES + 1) * g.AXIS_COLUMNS + MOST_PROGRAM_WORDS


#: Where in it the part is.
PART = g.HEADER_COLUMNS


# Which axis of the window a plain axis of the table is: a column that only walks have otherwise.
NUMBER = g.CYCLE


_inside_of_line, _circle_of, _walk_of = loops(inside_of_line), loops(circle_of), loops(walk_of)


@loops
def _inside(extent, start, stride, count):
    """The first output that reads inside an axis, and the one behind the last; twice the same for none."""
    lo, hi = _inside_of_line(extent, start, stride, count)
    lo = min(max(lo, 0), count)
    return lo, min(max(hi, lo), count)


@loops
def _divisor_of(one, other):
    """The greatest number that divides both, of which one is above 0."""
    other = abs(other)
    while other:
        one, other = other, one % other
    return one


@loops
def axis_words(words, k):
    """The words of axis k of a window."""
    return shift(words, 8 * (HEADER_COLUMNS + k * AXIS_COLUMNS))


@loops
def is_inside(extent, start, stride, count):
    """True if all coordinates lie in an axis; start and stride are within LARGEST."""
    if start < 0 or start >= extent:
        return False
    if stride == 1:
        return count <= extent - start
    # What has further to go leaves the axis: no extent is larger.
    if abs(float(stride)) * float(count - 1) >= float(LARGEST):
        return False
    last = start + (count - 1) * stride
    return 0 <= last < extent


@loops
def is_too_large(number):
    """True for a start or a stride that compiled code does not compute with."""
    return number < -LARGEST or number > LARGEST


@loops
def row_of(table, k):
    """Row k of the axes of a table."""
    return shift(table, 8 * (FIRST_AXIS + k * g.AXIS_COLUMNS))


@loops
def lay_affine(row, count, dst_pitch, lo, hi, first, src_pitch, before, after):
    store_int(row, g.KIND, g.AFFINE)
    store_int(row, g.COUNT, count)
    store_int(row, g.DST_PITCH, dst_pitch)
    store_int(row, g.LO, lo)
    store_int(row, g.HI, hi)
    store_int(row, g.FIRST, first)
    store_int(row, g.SRC_PITCH, src_pitch)
    store_int(row, g.BEFORE, before)
    store_int(row, g.AFTER, after)


@loops
def lay_plain(row, number, count, dst_pitch, src_pitch):
    lay_affine(row, count, dst_pitch, ZERO, count, ZERO, src_pitch, ZERO, ZERO)
    store_int(row, NUMBER, number)


@loops
def is_plain(row):
    """True for the row of an axis that is one run, from its first output to its last."""
    return (
        load_int(row, g.KIND) == g.AFFINE and load_int(row, g.LO) == 0 and load_int(row, g.HI) == load_int(row, g.COUNT)
    )


@loops
def is_fill_row(row):
    """True for the row of an axis of which every output is the fill value."""
    return load_int(row, g.KIND) == g.AFFINE and load_int(row, g.HI) == 0 and load_int(row, g.AFTER) == g.FILL


@loops
def _lay_outside(row, axis, mode, number, src_pitch):
    """Write the row of an axis that reads beyond its ends; return the offset that it leaves to the part.

    A row of one output, or of the same one for all, is plain. The mode is none of STRICT_BOUNDS.
    """
    extent, start, stride = load_int(axis, EXTENT), load_int(axis, START), load_int(axis, STRIDE)
    count, dst_pitch = load_int(axis, COUNT), load_int(axis, DST_PITCH)
    is_constant, high = count == 1 or stride == 0, (extent - 1) * src_pitch
    if mode != FILL and (extent == 1 or src_pitch == 0):
        lay_plain(row, number, count, dst_pitch, ZERO)
        return 0
    if mode == CLAMP and is_constant:
        lay_plain(row, number, count, dst_pitch, ZERO)
        return 0 if start < 0 else high
    if mode == FILL or mode == CLAMP:  # noqa: SIM109, a tuple would be compiled
        lo, hi = (ZERO, ZERO) if is_constant else _inside(extent, start, stride, count)
        first = pitch = ZERO
        before = after = g.FILL
        if mode == CLAMP:
            before, after = (ZERO, high) if stride > 0 else (high, ZERO)
        elif lo == hi:
            lo = hi = ZERO
        if lo < hi:
            first = (start + lo * stride) * src_pitch
        if hi - lo > 1:
            pitch = stride * src_pitch
        lay_affine(row, count, dst_pitch, lo, hi, first, pitch, before, after)
        return 0
    period, fold = _circle_of(extent, mode)
    position, advance = _walk_of(start, stride, period, fold, mode)
    if count == 1 or advance == 0:
        lay_plain(row, number, count, dst_pitch, ZERO)
        return min(position, fold - position) * src_pitch
    store_int(row, g.KIND, g.WALK)
    store_int(row, g.COUNT, count)
    store_int(row, g.DST_PITCH, dst_pitch)
    store_int(row, g.START, position)
    store_int(row, g.ADVANCE, advance)
    store_int(row, g.PERIOD, period)
    store_int(row, g.FOLD, fold)
    store_int(row, g.TOP, extent - 1)
    store_int(row, g.INDEX_PITCH, src_pitch)
    store_int(row, g.CYCLE, period if abs(advance) == 1 else period // _divisor_of(period, advance))
    return 0


@loops
def lay_axis(row, axis, mode, number, src_pitch):
    """Write the row of an axis, at so many bytes from one index to the next; return the offset that it leaves.

    Axes in bounds are plain, and so is what reads the same index for all outputs.
    """
    start, stride, count = load_int(axis, START), load_int(axis, STRIDE), load_int(axis, COUNT)
    if is_inside(load_int(axis, EXTENT), start, stride, count):
        lay_plain(row, number, count, load_int(axis, DST_PITCH), stride * src_pitch if count > 1 else 0)
        return start * src_pitch
    return _lay_outside(row, axis, mode, number, src_pitch)
