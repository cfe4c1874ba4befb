"""Axes: the runs between two outputs of an axis.

Computes: a list of runs for outputs [y0, y1) of an affine axis or of a walk. A run is n outputs that are read at one
pitch, or that have no source.
Memory: reads the table, writes the list.
Fast because an axis of any mode is a few runs, found by a division each at most: no element asks for the mode.

The odometer: where each row of a part begins, in the output and in the source.

Computes: for each place of the outer axes of a part, in turn, its two offsets and whether the source has it at all.
Memory: reads the table; its state, a few words an axis, lies on the stack of the chunk.
Fast because most rows lie as far from the one before as that one does from its own (`rows_alike`): the odometer turns
only where that ends. A turn costs one comparison for each axis that turns; divisions are for the first row alone.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._intrinsics._memory import ZERO, load_int, loops, shift, store_int
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._tables import _gather as g
from fastops.kernels._walks import lap_of, next_position, position_of


@loops
def axis_of(table, part, k):
    """The row of axis k of a part, which is a table itself."""
    return shift(table, 8 * (load_int(table, part + g.FIRST_AXIS) + k * g.AXIS_COLUMNS))


class Blocks(NamedTuple):
    """What moves along the last axis of a part.

    A tuple of named numbers costs as much as its fields as arguments, to run and to compile.
    """

    dst_pitch: Any  # from block to block in the output
    size: Any  # of a block
    width: Any  # of an element
    fill: Any  # the fill value


#: Its type, for the signatures of out-of-line kernels.
blocks_type = types.NamedTuple((types.intp, types.intp, types.intp, byte_pointer), Blocks)


# Words of a run in a list: its source offset or FILL, the source's pitch, and how many outputs.
RUN_SOURCE, RUN_PITCH, RUN_COUNT = 0, 1, 2
RUN_WORDS = 3

#: Runs of a list, at least the three that an affine axis may have.
MOST_RUNS = 16
LIST_WORDS = MOST_RUNS * RUN_WORDS


@loops
def listed_run(axis, i):
    """The words of run i of a listed axis."""
    return shift(axis, 8 * (load_int(axis, g.LIST) + i * g.LISTED_COLUMNS))


@loops
def find_run(axis, y):
    """Which run of a listed axis output y is of, by halving."""
    low, high = ZERO, load_int(axis, g.RUNS)
    while high - low > 1:
        middle = (low + high) >> 1
        if load_int(listed_run(axis, middle), g.RUN_BEGIN) <= y:
            low = middle
        else:
            high = middle
    return low


@loops
def _list_run(runs, i, source, src_pitch, count):
    """Write run i of a list."""
    run = shift(runs, 8 * RUN_WORDS * i)
    store_int(run, RUN_SOURCE, source)
    store_int(run, RUN_PITCH, src_pitch)
    store_int(run, RUN_COUNT, count)


@loops
def _list_affine(axis, y0, y1, runs):
    """List what lies before the run of an affine axis, the run, and what lies after it."""
    lo = min(max(load_int(axis, g.LO), y0), y1)
    hi = min(max(load_int(axis, g.HI), lo), y1)
    listed = ZERO
    if lo > y0:
        _list_run(runs, listed, load_int(axis, g.BEFORE), ZERO, lo - y0)
        listed += 1
    if hi > lo:
        src_pitch = load_int(axis, g.SRC_PITCH)
        first = load_int(axis, g.FIRST) + (lo - load_int(axis, g.LO)) * src_pitch
        _list_run(runs, listed, first, src_pitch, hi - lo)
        listed += 1
    if y1 > hi:
        _list_run(runs, listed, load_int(axis, g.AFTER), ZERO, y1 - hi)
        listed += 1
    return listed


@loops
def _copy_listed(axis, y0, y1, runs):
    """List runs of a listed axis, as `list_runs` does."""
    run = listed_run(axis, find_run(axis, y0))
    listed = ZERO
    while y0 < y1 and listed < MOST_RUNS:
        source, src_pitch = load_int(run, g.RUN_FIRST), load_int(run, g.RUN_SRC_PITCH)
        if source != g.FILL:
            source += (y0 - load_int(run, g.RUN_BEGIN)) * src_pitch
        run = shift(run, 8 * g.LISTED_COLUMNS)
        length = min(load_int(run, g.RUN_BEGIN), y1) - y0
        _list_run(runs, listed, source, src_pitch, length)
        listed += 1
        y0 += length
    return listed, y0


@loops
def list_runs(axis, y0, y1, runs):
    """List up to MOST_RUNS runs from output y0 on; return how many, and the output that follows the last of them."""
    kind = load_int(axis, g.KIND)
    if kind == g.AFFINE:
        return _list_affine(axis, y0, y1, runs), y1
    if kind == g.LISTED:
        return _copy_listed(axis, y0, y1, runs)
    advance = load_int(axis, g.ADVANCE)
    period = load_int(axis, g.PERIOD)
    index_pitch = load_int(axis, g.INDEX_PITCH)
    position = position_of(axis, y0)
    listed = ZERO
    while y0 < y1 and listed < MOST_RUNS:
        index, stride, more = lap_of(axis, position)
        length = min(more + 1, y1 - y0)
        _list_run(runs, listed, index * index_pitch, stride * index_pitch, length)
        listed += 1
        y0 += length
        position = next_position(position + (length - 1) * advance, advance, period)
    return listed, y0


@loops
def list_offsets(runs, n_runs, offsets):
    """Write the source offset of each output of a list of runs; return 0 if a run has no source, 1 otherwise."""
    listed = 0
    for i in range(n_runs):
        run = shift(runs, 8 * RUN_WORDS * i)
        offset = load_int(run, RUN_SOURCE)
        if offset == g.FILL:
            return 0
        for _ in range(load_int(run, RUN_COUNT)):
            store_int(offsets, listed, offset)
            offset += load_int(run, RUN_PITCH)
            listed += 1
    return 1


# Words of state that an outer axis needs: its output, its source offset, whether that is outside (1) or not (0), and
# its position on the circle, or which of its runs it is in. Axes have two outputs or more, so that no output that
# fits in memory has 64 of them.
_Y, _OFFSET, _OUTSIDE, _POSITION = 0, 1, 2, 3
_STATE_WORDS = 4
ODOMETER_WORDS = _STATE_WORDS * 64


@loops
def _set_source(axis, state, y):
    """Record where output y of an outer axis reads; its position is already recorded."""
    kind = load_int(axis, g.KIND)
    if kind == g.AFFINE:
        if y < load_int(axis, g.LO):
            offset = load_int(axis, g.BEFORE)
        elif y >= load_int(axis, g.HI):
            offset = load_int(axis, g.AFTER)
        else:
            outputs = y - load_int(axis, g.LO)
            offset = load_int(axis, g.FIRST) + outputs * load_int(axis, g.SRC_PITCH)
    elif kind == g.LISTED:
        run = listed_run(axis, load_int(state, _POSITION))
        offset = load_int(run, g.RUN_FIRST)
        if offset != g.FILL:
            offset += (y - load_int(run, g.RUN_BEGIN)) * load_int(run, g.RUN_SRC_PITCH)
    else:
        position = load_int(state, _POSITION)
        index = min(position, load_int(axis, g.FOLD) - position)
        offset = index * load_int(axis, g.INDEX_PITCH)
    outside = offset == g.FILL
    store_int(state, _Y, y)
    store_int(state, _OFFSET, 0 if outside else offset)
    store_int(state, _OUTSIDE, 1 if outside else 0)


@loops
def _enter_axis(axis, state, y):
    """Put an outer axis at output y, from anywhere."""
    kind = load_int(axis, g.KIND)
    if kind == g.LISTED:
        store_int(state, _POSITION, find_run(axis, y))
    elif kind != g.AFFINE:
        store_int(state, _POSITION, position_of(axis, y))
    _set_source(axis, state, y)


@loops
def _advance_axis(axis, state, y):
    """Put an outer axis at output y, from y - 1."""
    kind = load_int(axis, g.KIND)
    if kind == g.LISTED:
        position = load_int(state, _POSITION)
        if load_int(listed_run(axis, position + 1), g.RUN_BEGIN) == y:
            store_int(state, _POSITION, position + 1)
    elif kind != g.AFFINE:
        advance = load_int(axis, g.ADVANCE)
        period = load_int(axis, g.PERIOD)
        store_int(state, _POSITION, next_position(load_int(state, _POSITION), advance, period))
    _set_source(axis, state, y)


@loops
def enter_row(table, part, n_outer, states, row):
    """Put the outer axes at a row, from anywhere; return its two offsets, and how many axes are outside in it."""
    first_axis = axis_of(table, part, ZERO)
    dst_offset = load_int(table, part + g.DST_OFFSET)
    src_offset = load_int(table, part + g.SRC_OFFSET)
    outside = 0
    for k in range(n_outer - 1, -1, -1):
        axis = shift(first_axis, 8 * g.AXIS_COLUMNS * k)
        state = shift(states, 8 * _STATE_WORDS * k)
        count = load_int(axis, g.COUNT)
        y = 0
        if row:  # divisions are a good part of a tiny call
            y = row % count
            row //= count
        _enter_axis(axis, state, y)
        dst_offset += y * load_int(axis, g.DST_PITCH)
        src_offset += load_int(state, _OFFSET)
        outside += load_int(state, _OUTSIDE)
    return dst_offset, src_offset, outside


@loops
def next_row(table, part, n_outer, states, dst_offset, src_offset, outside):
    """Put the outer axes at the next row, as an odometer does; return what `enter_row` returns."""
    axis = axis_of(table, part, n_outer - 1)
    state = shift(states, 8 * _STATE_WORDS * (n_outer - 1))
    while True:
        y = load_int(state, _Y) + 1
        carry = y == load_int(axis, g.COUNT)
        dst_pitch = load_int(axis, g.DST_PITCH)
        src_offset -= load_int(state, _OFFSET)
        outside -= load_int(state, _OUTSIDE)
        if carry:
            dst_offset -= (y - 1) * dst_pitch
            _enter_axis(axis, state, ZERO)
        else:
            dst_offset += dst_pitch
            _advance_axis(axis, state, y)
        src_offset += load_int(state, _OFFSET)
        outside += load_int(state, _OUTSIDE)
        if not carry:
            return dst_offset, src_offset, outside
        axis = shift(axis, -8 * g.AXIS_COLUMNS)
        state = shift(state, -8 * _STATE_WORDS)


@loops
def rows_alike(table, part, n_outer, states):
    """Return how many rows follow this one, each at the same pitch from the one before, and the source's pitch."""
    axis = axis_of(table, part, n_outer - 1)
    state = shift(states, 8 * _STATE_WORDS * (n_outer - 1))
    y = load_int(state, _Y)
    kind = load_int(axis, g.KIND)
    if kind == g.LISTED:
        run = listed_run(axis, load_int(state, _POSITION))
        return load_int(shift(run, 8 * g.LISTED_COLUMNS), g.RUN_BEGIN) - 1 - y, load_int(run, g.RUN_SRC_PITCH)
    if kind != g.AFFINE:
        _, stride, more = lap_of(axis, load_int(state, _POSITION))
        return min(more, load_int(axis, g.COUNT) - 1 - y), stride * load_int(axis, g.INDEX_PITCH)
    if y < load_int(axis, g.LO):
        return load_int(axis, g.LO) - 1 - y, 0
    if y < load_int(axis, g.HI):
        return load_int(axis, g.HI) - 1 - y, load_int(axis, g.SRC_PITCH)
    return load_int(axis, g.COUNT) - 1 - y, 0


@loops
def skip_rows(table, part, n_outer, states, n, src_pitch):
    """Put the outer axes n rows further on, as many as `rows_alike` says or fewer."""
    axis = axis_of(table, part, n_outer - 1)
    state = shift(states, 8 * _STATE_WORDS * (n_outer - 1))
    store_int(state, _Y, load_int(state, _Y) + n)
    if not load_int(state, _OUTSIDE):
        store_int(state, _OFFSET, load_int(state, _OFFSET) + n * src_pitch)
    if load_int(axis, g.KIND) == g.WALK:
        store_int(state, _POSITION, load_int(state, _POSITION) + n * load_int(axis, g.ADVANCE))
