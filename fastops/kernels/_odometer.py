"""The odometer: where each row of a part begins, in the output and in the source.

Computes: for each place of the outer axes of a part, in turn, its two offsets and whether the source has it at all.
Memory: reads the table; its state, a few words an axis, lies on the stack of the chunk.
Fast because most rows lie as far from the one before as that one does from its own (`rows_alike`): the odometer turns
only where that ends. A turn costs one comparison for each axis that turns; divisions are for the first row alone.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._axes import axis_of, find_run, listed_run
from fastops.kernels._intrinsics._memory import ZERO, load_int, loops, shift, store_int
from fastops.kernels._tables import _gather as g
from fastops.kernels._walks import lap_of, next_position, position_of

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
