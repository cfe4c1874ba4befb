"""Axes: where the outputs of an axis read, as runs, and the outer iterator over the rows of a part.

Computes: the runs between two outputs of an axis of any kind, where a run is n outputs that are read at one pitch or
that have no source; the position of an output on a periodic axis; and for each place of the outer axes of a part, in
turn, its offsets in the output and in the source. Memory: reads the table, writes lists of runs; the state of the outer
iterator, a few words an axis, lies on the stack. Fast because an axis of any mode is a few runs, each found by one
division at most, so no element needs a test of the mode; and because most rows are equally spaced (`rows_alike`): the
outer iterator moves on only where the spacing changes, by one comparison for each axis that wraps around. Only the
first row is found by divisions.
"""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._intrinsics._memory import let_kernels_call, words_at
from fastops.kernels._intrinsics._outlined import byte_pointer
from fastops.kernels._tables import _gather as g


class Blocks(NamedTuple):
    """How blocks lie along the last axis of a part, and the fill value."""

    dst_pitch: Any  # from block to block in the output
    size: Any  # of a block
    width: Any  # of an element
    fill: Any


blocks_type = types.NamedTuple((types.intp, types.intp, types.intp, byte_pointer), Blocks)


def axis_of(table, part, k):
    """The row of axis k of a part."""
    return words_at(table, part + g.PART_COLUMNS + k * g.AXIS_COLUMNS)


# --- Periodic axes --------------------------------------------------------------------------------------------------


def position_of(row, y):
    """Return the position of output y: START + y * ADVANCE mod PERIOD, by doubling, so that nothing overflows."""
    period, position, advance = row[g.PERIOD], row[g.START], row[g.ADVANCE]
    if advance < 0:
        advance += period
    while y > 0:
        if y & 1:
            position += advance
            if position >= period:
                position -= period
        advance += advance
        if advance >= period:
            advance -= period
        y >>= 1
    return position


def next_position(position, advance, period):
    """Return the position one output later; |advance| <= period."""
    position += advance
    if position >= period:
        position -= period
    elif position < 0:
        position += period
    return position


def segment_from(row, position):
    """Return the index at a position, the stride from there, and how many later outputs are read at that stride."""
    advance, top = row[g.ADVANCE], row[g.TOP]
    if position > top:  # beyond the reflection point the index falls while the position rises
        index, stride, room = row[g.REFLECTION] - position, -advance, row[g.PERIOD] - 1 - position
    elif advance > 0:
        index, stride, room = position, advance, top - position
    else:
        index, stride, room = position, advance, position
    distance = abs(advance)
    return index, stride, room if distance == 1 else room // distance


# --- Runs -----------------------------------------------------------------------------------------------------------

#: Words of a run in a list: its source offset or FILL, the source's pitch, and the number of outputs.
RUN_SOURCE, RUN_PITCH, RUN_COUNT = 0, 1, 2
RUN_WORDS = 3

#: Runs of a list, at least the three that an affine axis may have.
MOST_RUNS = 16
LIST_WORDS = MOST_RUNS * RUN_WORDS


def listed_run(axis, i):
    """The words of run i of a piecewise axis."""
    return words_at(axis, axis[g.LIST] + i * g.RUN_COLUMNS)


def find_run(runs, n, y):
    """Return which of n runs has output y, by bisection: runs of a list of a table, or of words."""
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) >> 1
        if runs[middle * g.RUN_COLUMNS + g.RUN_BEGIN] <= y:
            low = middle
        else:
            high = middle
    return low


def offset_in_line(row, y):
    """Return the source offset of output y of an affine axis, or FILL."""
    if y < row[g.LO]:
        return row[g.BEFORE]
    return row[g.AFTER] if y >= row[g.HI] else row[g.FIRST] + (y - row[g.LO]) * row[g.SRC_PITCH]


def _list_run(runs, i, source, src_pitch, count):
    """Write run i of a list."""
    run = words_at(runs, RUN_WORDS * i)
    run[RUN_SOURCE], run[RUN_PITCH], run[RUN_COUNT] = source, src_pitch, count


def _list_affine(axis, y0, y1, runs):
    """List the outputs before the run of an affine axis, the run, and the outputs after it."""
    lo = min(max(axis[g.LO], y0), y1)
    hi = min(max(axis[g.HI], lo), y1)
    listed = 0
    if lo > y0:
        _list_run(runs, listed, axis[g.BEFORE], 0, lo - y0)
        listed += 1
    if hi > lo:
        src_pitch = axis[g.SRC_PITCH]
        _list_run(runs, listed, axis[g.FIRST] + (lo - axis[g.LO]) * src_pitch, src_pitch, hi - lo)
        listed += 1
    if y1 > hi:
        _list_run(runs, listed, axis[g.AFTER], 0, y1 - hi)
        listed += 1
    return listed


def _list_piecewise(axis, y0, y1, runs):
    """List runs of a piecewise axis, as `list_runs` does."""
    run = listed_run(axis, find_run(listed_run(axis, 0), axis[g.RUNS], y0))
    listed = 0
    while y0 < y1 and listed < MOST_RUNS:
        source, src_pitch = run[g.RUN_FIRST], run[g.RUN_SRC_PITCH]
        if source != g.FILL:
            source += (y0 - run[g.RUN_BEGIN]) * src_pitch
        run = words_at(run, g.RUN_COLUMNS)
        length = min(run[g.RUN_BEGIN], y1) - y0
        _list_run(runs, listed, source, src_pitch, length)
        listed += 1
        y0 += length
    return listed, y0


def list_runs(axis, y0, y1, runs):
    """List up to MOST_RUNS runs from output y0 on; return how many, and the output that follows the last of them."""
    if axis[g.KIND] == g.AFFINE:
        return _list_affine(axis, y0, y1, runs), y1
    if axis[g.KIND] == g.PIECEWISE:
        return _list_piecewise(axis, y0, y1, runs)
    advance, index_pitch, position = axis[g.ADVANCE], axis[g.INDEX_PITCH], position_of(axis, y0)
    listed = 0
    while y0 < y1 and listed < MOST_RUNS:
        index, stride, more = segment_from(axis, position)
        length = min(more + 1, y1 - y0)
        _list_run(runs, listed, index * index_pitch, stride * index_pitch, length)
        listed += 1
        y0 += length
        position = next_position(position + (length - 1) * advance, advance, axis[g.PERIOD])
    return listed, y0


def list_offsets(runs, n_runs, offsets):
    """Write the source offset of each output of a list of runs; return False if a run has no source."""
    listed = 0
    for i in range(n_runs):
        run = words_at(runs, RUN_WORDS * i)
        offset = run[RUN_SOURCE]
        if offset == g.FILL:
            return False
        for _ in range(run[RUN_COUNT]):
            offsets[listed] = offset
            offset += run[RUN_PITCH]
            listed += 1
    return True


# --- The outer iterator ---------------------------------------------------------------------------------------------

# Words of state of an outer axis: its output, its source offset, 1 if that is outside of the source, and its position
# on a periodic axis, or its run on a piecewise one. Each outer axis has two outputs or more, so an array with 64 of
# them does not fit in memory.
_Y, _OFFSET, _OUTSIDE, _POSITION = 0, 1, 2, 3
_STATE_WORDS = 4
ITERATOR_WORDS = _STATE_WORDS * 64


def _set_source(axis, state, y):
    """Record where output y of an outer axis reads; its position is already recorded."""
    if axis[g.KIND] == g.AFFINE:
        offset = offset_in_line(axis, y)
    elif axis[g.KIND] == g.PIECEWISE:
        run = listed_run(axis, state[_POSITION])
        offset = run[g.RUN_FIRST]
        if offset != g.FILL:
            offset += (y - run[g.RUN_BEGIN]) * run[g.RUN_SRC_PITCH]
    else:
        position = state[_POSITION]
        offset = min(position, axis[g.REFLECTION] - position) * axis[g.INDEX_PITCH]
    outside = offset == g.FILL
    state[_Y], state[_OFFSET], state[_OUTSIDE] = y, 0 if outside else offset, 1 if outside else 0


def _enter_axis(axis, state, y):
    """Put an outer axis at output y, from anywhere."""
    if axis[g.KIND] == g.PIECEWISE:
        state[_POSITION] = find_run(listed_run(axis, 0), axis[g.RUNS], y)
    elif axis[g.KIND] != g.AFFINE:
        state[_POSITION] = position_of(axis, y)
    _set_source(axis, state, y)


def _advance_axis(axis, state, y):
    """Put an outer axis at output y, from y - 1."""
    if axis[g.KIND] == g.PIECEWISE:
        following = state[_POSITION] + 1
        if listed_run(axis, following)[g.RUN_BEGIN] == y:
            state[_POSITION] = following
    elif axis[g.KIND] != g.AFFINE:
        state[_POSITION] = next_position(state[_POSITION], axis[g.ADVANCE], axis[g.PERIOD])
    _set_source(axis, state, y)


def enter_row(table, part, n_outer, states, row):
    """Put the outer axes at a row, from anywhere; return its two offsets, and how many axes are outside in it."""
    first_axis = axis_of(table, part, 0)
    dst_offset, src_offset, outside = table[part + g.DST_OFFSET], table[part + g.SRC_OFFSET], 0
    for k in range(n_outer - 1, -1, -1):
        axis, state = words_at(first_axis, g.AXIS_COLUMNS * k), words_at(states, _STATE_WORDS * k)
        count = axis[g.COUNT]
        y = 0
        if row:  # divisions take much of the time of a tiny call
            y = row % count
            row //= count
        _enter_axis(axis, state, y)
        dst_offset += y * axis[g.DST_PITCH]
        src_offset += state[_OFFSET]
        outside += state[_OUTSIDE]
    return dst_offset, src_offset, outside


def next_row(table, part, n_outer, states, dst_offset, src_offset, outside):
    """Put the outer axes at the next row; return what `enter_row` returns."""
    axis, state = axis_of(table, part, n_outer - 1), words_at(states, _STATE_WORDS * (n_outer - 1))
    while True:
        y = state[_Y] + 1
        wraps = y == axis[g.COUNT]
        src_offset -= state[_OFFSET]
        outside -= state[_OUTSIDE]
        if wraps:
            dst_offset -= (y - 1) * axis[g.DST_PITCH]
            _enter_axis(axis, state, 0)
        else:
            dst_offset += axis[g.DST_PITCH]
            _advance_axis(axis, state, y)
        src_offset += state[_OFFSET]
        outside += state[_OUTSIDE]
        if not wraps:
            return dst_offset, src_offset, outside
        axis, state = words_at(axis, -g.AXIS_COLUMNS), words_at(state, -_STATE_WORDS)


def rows_alike(table, part, n_outer, states):
    """Return how many rows follow this one at one pitch from row to row, and that pitch in the source."""
    axis, state = axis_of(table, part, n_outer - 1), words_at(states, _STATE_WORDS * (n_outer - 1))
    y = state[_Y]
    if axis[g.KIND] == g.PIECEWISE:
        run = listed_run(axis, state[_POSITION])
        return words_at(run, g.RUN_COLUMNS)[g.RUN_BEGIN] - 1 - y, run[g.RUN_SRC_PITCH]
    if axis[g.KIND] != g.AFFINE:
        _, stride, more = segment_from(axis, state[_POSITION])
        return min(more, axis[g.COUNT] - 1 - y), stride * axis[g.INDEX_PITCH]
    if y < axis[g.LO]:
        return axis[g.LO] - 1 - y, 0
    if y < axis[g.HI]:
        return axis[g.HI] - 1 - y, axis[g.SRC_PITCH]
    return axis[g.COUNT] - 1 - y, 0


def skip_rows(table, part, n_outer, states, n, src_pitch):
    """Put the outer axes n rows further on, as many as `rows_alike` says or fewer."""
    axis, state = axis_of(table, part, n_outer - 1), words_at(states, _STATE_WORDS * (n_outer - 1))
    state[_Y] += n
    if not state[_OUTSIDE]:
        state[_OFFSET] += n * src_pitch
    if axis[g.KIND] == g.PERIODIC:
        state[_POSITION] += n * axis[g.ADVANCE]


let_kernels_call(__name__)
