"""Axes: the runs between two outputs of an axis.

Computes: a list of runs for outputs [y0, y1) of an affine axis or of a walk. A run is n outputs that are read at one
pitch, or that have no source.
Memory: reads the table, writes the list.
Fast because an axis of any mode is a few runs, found by a division each at most: no element asks for the mode.
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
