"""Axes: where the outputs of an axis read, as runs, and the outer iterator over the rows of a part.

Computes: the run that begins at an output of an axis (a run is outputs with one source pitch, or with no source); the
list of all runs between two outputs; and for each row of a part, in turn, its offsets in the output and in the source.
Memory: reads the table, writes lists of runs; the state of the outer iterator, a few words an axis, lies on the stack.
Fast because an axis of any mode is a few runs, so no element needs a test of the mode; and because most rows are
equally spaced (`rows_alike`): the outer iterator looks for a run only where the spacing changes.
"""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

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


# --- Where outputs read -------------------------------------------------------------------------------------------

# Products of numbers below this fit a word.
_SMALL = 1 << 31


def position_of(row, y):
    """Return the position of output y of a periodic axis: START + y * ADVANCE mod PERIOD."""
    period, position, advance = row[g.PERIOD], row[g.START], row[g.ADVANCE]
    if y < _SMALL and period < _SMALL:
        position += y * advance
        # Divisions take much of the time of a tiny call.
        return position if 0 <= position < period else position % period
    # Multiply by repeated doubling modulo the period, so that nothing overflows.
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


def find_run(runs, n, y):
    """Return which of n runs has output y, by bisection; ``runs`` has RUN_COLUMNS words for each run."""
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


def run_at(axis, y):
    """Return the source offset of output y or FILL, the pitch from there, and how many later outputs have it."""
    kind, left = axis[g.KIND], axis[g.COUNT] - 1 - y
    if kind == g.PERIODIC:
        index, stride, more = segment_from(axis, position_of(axis, y))
        return index * axis[g.INDEX_PITCH], stride * axis[g.INDEX_PITCH], min(more, left)
    if kind == g.PIECEWISE:
        runs = words_at(axis, axis[g.LIST])
        run = words_at(runs, find_run(runs, axis[g.RUNS], y) * g.RUN_COLUMNS)
        offset, src_pitch = run[g.RUN_FIRST], run[g.RUN_SRC_PITCH]
        if offset != g.FILL:
            offset += (y - run[g.RUN_BEGIN]) * src_pitch
        return offset, src_pitch, run[g.RUN_COLUMNS + g.RUN_BEGIN] - 1 - y
    offset = offset_in_line(axis, y)
    if y < axis[g.LO]:
        return offset, 0, axis[g.LO] - 1 - y
    if y < axis[g.HI]:
        return offset, axis[g.SRC_PITCH], axis[g.HI] - 1 - y
    return offset, 0, left


# --- Lists of runs --------------------------------------------------------------------------------------------------

#: Words of a run in a list: its source offset or FILL, the source's pitch, and the number of outputs.
RUN_SOURCE, RUN_PITCH, RUN_COUNT = 0, 1, 2
RUN_WORDS = 3

#: The most runs of a list; an affine axis may have three.
MOST_RUNS = 16
LIST_WORDS = MOST_RUNS * RUN_WORDS


def list_runs(axis, y0, y1, runs):
    """List up to MOST_RUNS runs of outputs [y0, y1); return how many, and the output that follows the last of them."""
    listed = 0
    while y0 < y1 and listed < MOST_RUNS:
        run = words_at(runs, RUN_WORDS * listed)
        run[RUN_SOURCE], run[RUN_PITCH], more = run_at(axis, y0)
        run[RUN_COUNT] = min(more + 1, y1 - y0)
        y0 += run[RUN_COUNT]
        listed += 1
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

# Words of state of an outer axis: its output, its source offset, 1 if that is outside of the source, the pitch from
# there, and how many later outputs have that pitch. Each outer axis has two outputs or more, so an array with more than
# 62 outer axes does not fit in memory.
_Y, _OFFSET, _OUTSIDE, _PITCH, _MORE = 0, 1, 2, 3, 4
_STATE_WORDS = 5
ITERATOR_WORDS = _STATE_WORDS * 62


def _enter_axis(axis, state, y):
    """Put an outer axis at output y, from anywhere."""
    offset, state[_PITCH], state[_MORE] = run_at(axis, y)
    outside = offset == g.FILL
    state[_Y], state[_OFFSET], state[_OUTSIDE] = y, 0 if outside else offset, 1 if outside else 0


def _advance_axis(state, n):
    """Move an outer axis on by n outputs, all of the same pitch."""
    state[_Y] += n
    state[_OFFSET] += n * state[_PITCH]
    state[_MORE] -= n


def enter_row(table, part, n_outer, states, row):
    """Put the outer axes at any row; return the row's two offsets, and how many axes are outside of the source."""
    first_axis = axis_of(table, part, 0)
    dst_offset, src_offset, outside = table[part + g.DST_OFFSET], table[part + g.SRC_OFFSET], 0
    for k in range(n_outer - 1, -1, -1):
        axis, state = words_at(first_axis, g.AXIS_COLUMNS * k), words_at(states, _STATE_WORDS * k)
        count = axis[g.COUNT]
        y = 0
        if row:
            y = row % count
            row //= count
        _enter_axis(axis, state, y)
        dst_offset += y * axis[g.DST_PITCH]
        src_offset += state[_OFFSET]
        outside += state[_OUTSIDE]
    return dst_offset, src_offset, outside


def rows_alike(n_outer, states):
    """Return how many rows follow this one at one pitch, and that pitch in the source."""
    state = words_at(states, _STATE_WORDS * (n_outer - 1))
    return state[_MORE], state[_PITCH]


def next_row(table, part, n_outer, states, rows, dst_offset, src_offset, outside):
    """Move the outer axes past `rows` equally spaced rows, beginning with this one.

    Returns what `enter_row` returns; the last three arguments are those of this row.
    """
    axis, state = axis_of(table, part, n_outer - 1), words_at(states, _STATE_WORDS * (n_outer - 1))
    dst_offset += (rows - 1) * axis[g.DST_PITCH]
    src_offset += (rows - 1) * state[_PITCH]
    _advance_axis(state, rows - 1)
    while True:
        y = state[_Y] + 1
        wraps = y == axis[g.COUNT]
        src_offset -= state[_OFFSET]
        outside -= state[_OUTSIDE]
        if state[_MORE]:
            _advance_axis(state, 1)
        else:
            _enter_axis(axis, state, 0 if wraps else y)
        dst_offset += axis[g.DST_PITCH] if not wraps else (1 - y) * axis[g.DST_PITCH]
        src_offset += state[_OFFSET]
        outside += state[_OUTSIDE]
        if not wraps:
            return dst_offset, src_offset, outside
        axis, state = words_at(axis, -g.AXIS_COLUMNS), words_at(state, -_STATE_WORDS)


let_kernels_call(__name__)
