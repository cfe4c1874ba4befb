"""Axes: the runs between two outputs of an axis.

Computes: outputs [y0, y1) of an affine axis or of a walk, at an offset of the output.
Memory: reads the source and the table, writes each destination byte once.
Fast because an axis of any mode is a few runs, found by a division each at most: no element asks for the mode.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._gather_table import (
    ADVANCE,
    AFTER,
    BEFORE,
    CYCLE,
    DST_STEP,
    FILL,
    FIRST,
    FOLD,
    HI,
    INDEX_STEP,
    LO,
    PERIOD,
    START,
    STEP,
    TOP,
)
from fastops.kernels._memory import copy_block, copy_cells, load_int, loops, shift
from fastops.kernels._runs import replicate
from fastops.kernels._types import byte_pointer
from fastops.kernels._units import unit
from fastops.kernels._writer import (
    PATTERN_BYTES,
    PIECE_BYTES,
    cycles_of,
    emit_fill,
    emit_run,
    reserve,
    settle,
    streams_to,
)

# The writer and its output, an offset in it, the source, the table, an axis in it, two outputs, a block's bytes, the
# fill value and its bytes.
_AXIS = types.void(
    *(byte_pointer, byte_pointer, types.intp),
    *(byte_pointer, byte_pointer, types.intp, types.intp, types.intp),
    *(types.intp, byte_pointer, types.intp),
)

# Walks that turn more often than every 4 outputs are cheaper block by block than run by run.
_SHORTEST_TURN = 3

# Runs of fewer outputs are not worth a call.
_SHORTEST_RUN = 16


@loops
def _move_outside(writer, dst, offset, dst_step, src, src_offset, n, block, fill, cell):
    """Write the n outputs of an affine axis on one side of its run: one repeated block, or the fill value."""
    if n <= 0:
        return
    if src_offset == FILL:
        emit_fill(writer, dst, offset, dst_step, n, block, fill, cell)
    else:
        emit_run(writer, dst, offset, dst_step, shift(src, src_offset), 0, n, block)


@unit(_AXIS)
def move_affine(writer, dst, offset, src, table, axis, y0, y1, block, fill, cell):
    """Write outputs [y0, y1) of an affine axis: what lies before its run, the run, what lies after."""
    dst_step = load_int(table, axis + DST_STEP)
    lo = min(max(load_int(table, axis + LO), y0), y1)
    hi = min(max(load_int(table, axis + HI), lo), y1)
    before = load_int(table, axis + BEFORE)
    _move_outside(writer, dst, offset, dst_step, src, before, lo - y0, block, fill, cell)
    if hi > lo:
        src_step = load_int(table, axis + STEP)
        first = load_int(table, axis + FIRST) + (lo - load_int(table, axis + LO)) * src_step
        emit_run(writer, dst, offset + (lo - y0) * dst_step, dst_step, shift(src, first), src_step, hi - lo, block)
    after = load_int(table, axis + AFTER)
    _move_outside(writer, dst, offset + (hi - y0) * dst_step, dst_step, src, after, y1 - hi, block, fill, cell)


@loops
def walk_position(table, axis, y):
    """Position of output y on the circle: START + y * ADVANCE mod PERIOD, by doubling, so that nothing overflows."""
    period = load_int(table, axis + PERIOD)
    position = load_int(table, axis + START)
    advance = load_int(table, axis + ADVANCE)
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


@loops
def next_position(position, advance, period):
    """The position one output later; |advance| <= period."""
    position += advance
    if position >= period:
        position -= period
    elif position < 0:
        position += period
    return position


@loops
def _walk_blocks(dst, dst_step, src, index_step, position, advance, period, fold, n, block):
    """Write n blocks of a walk one by one, where runs are too short to pay; return the position of the next one."""
    for i in range(n):
        index = min(position, fold - position)
        copy_block(shift(dst, i * dst_step), shift(src, index * index_step), block)
        position = next_position(position, advance, period)
    return position


@loops
def _walk_runs(writer, dst, offset, dst_step, src, index_step, position, advance, period, fold, top, n, block):
    """Write n outputs of a walk, run by run: one division a run, and none where |advance| is 1."""
    done = 0
    while done < n:
        if position > top:  # on the way back from the fold: the index falls while the position rises
            index, step, room = fold - position, -advance, period - 1 - position
        elif advance > 0:
            index, step, room = position, advance, top - position
        else:
            index, step, room = position, advance, position
        stride = abs(advance)
        length = room + 1 if stride == 1 else room // stride + 1
        length = min(length, n - done)
        source = shift(src, index * index_step)
        to = offset + done * dst_step
        # Short runs are moved here: a call would take longer.
        is_short = length < _SHORTEST_RUN and not streams_to(writer, dst_step, block)
        if not is_short or copy_cells(shift(dst, to), dst_step, source, step * index_step, length, block) == 0:
            emit_run(writer, dst, to, dst_step, source, step * index_step, length, block)
        done += length
        position = next_position(position + (length - 1) * advance, advance, period)


@loops
def _walk_staged(writer, dst, offset, src, index_step, position, advance, period, fold, n, block):
    """Write n blocks of a walk one by one, through the stage."""
    most = max(PIECE_BYTES // block, 1)
    for i in range(0, n, most):
        m = min(n - i, most)
        to = reserve(writer, dst, offset + i * block, m * block)
        position = _walk_blocks(to, block, src, index_step, position, advance, period, fold, m, block)
        settle(writer, dst, src, 0)


@loops
def _emit_cycles(writer, dst, offset, src, index_step, position, advance, period, fold, cycle, n, block):
    """Stream n outputs of a walk with a short cycle, from as many cycles as fit into a scratch that stays in cache."""
    scratch = cycles_of(writer)
    _walk_blocks(scratch, block, src, index_step, position, advance, period, fold, cycle, block)
    most = PATTERN_BYTES // (cycle * block) * cycle
    replicate(scratch, cycle * block, most * block)
    for i in range(0, n, most):
        emit_run(writer, dst, offset + i * block, block, scratch, block, min(n - i, most), block)


@unit(_AXIS)
def move_walk(writer, dst, offset, src, table, axis, y0, y1, block, fill, cell):
    """Write outputs [y0, y1) of a walk: run by run or block by block; cycles of it from the first one."""
    dst_step = load_int(table, axis + DST_STEP)
    index_step = load_int(table, axis + INDEX_STEP)
    advance = load_int(table, axis + ADVANCE)
    period = load_int(table, axis + PERIOD)
    fold = load_int(table, axis + FOLD)
    top = load_int(table, axis + TOP)
    cycle = load_int(table, axis + CYCLE)
    position = walk_position(table, axis, y0)
    n = y1 - y0
    streams = streams_to(writer, dst_step, block)
    by_runs = top >= _SHORTEST_TURN * abs(advance) or block > PIECE_BYTES
    if streams and cycle * block <= PATTERN_BYTES // 2 and n * block >= 2 * PATTERN_BYTES:
        _emit_cycles(writer, dst, offset, src, index_step, position, advance, period, fold, cycle, n, block)
        return
    repeats = not streams and dst_step == block and cycle < n // 2
    fresh = cycle if repeats else n
    if by_runs:
        _walk_runs(writer, dst, offset, dst_step, src, index_step, position, advance, period, fold, top, fresh, block)
    elif streams:
        _walk_staged(writer, dst, offset, src, index_step, position, advance, period, fold, fresh, block)
    else:
        to = shift(dst, offset)
        _walk_blocks(to, dst_step, src, index_step, position, advance, period, fold, fresh, block)
    if repeats:
        replicate(shift(dst, offset), fresh * block, n * block)
