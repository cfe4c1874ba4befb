"""Axes: the runs between two outputs of an axis.

Computes: outputs [y0, y1) of an affine axis, of a walk, or of a plane of two affine axes.
Memory: reads the source and the table, writes each destination byte once.
Fast because an axis of any mode is a few runs, found by a division each at most: no element asks for the mode.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._gather_table import (
    ADVANCE,
    AFTER,
    BEFORE,
    COUNT,
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
from fastops.kernels._memory import as_cells, copy_bytes, load, load_int, loops, shift, store
from fastops.kernels._runs import REPEATED, fill_run, move_run, replicate

# A plane is moved in tiles of 32 x 128 elements. Where one side crosses the other's memory order, a tile touches at
# most 128 + 32 * 2 cache lines of 4-byte cells, so both sides of it stay in a first-level cache of 32 KiB.
_TILE_INNER = 32
_TILE_OUTER = 128

# Walks that turn more often than every 8 outputs are cheaper cell by cell than run by run.
_SHORTEST_RUN = 8


@loops
def _move_outside(dst, dst_step, src, offset, n, block, fill, cell):
    """Write the n outputs of an affine axis on one side of its run: one repeated block, or the fill value."""
    if n <= 0:
        return
    if offset == FILL:
        fill_run(dst, dst_step, n, block, fill, cell)
    else:
        move_run(dst, dst_step, shift(src, offset), REPEATED, n, block)


@loops
def move_affine(dst, src, table, axis, y0, y1, block, fill, cell):
    """Write outputs [y0, y1) of an affine axis: what lies before its run, the run, what lies after."""
    dst_step = load_int(table, axis + DST_STEP)
    lo = min(max(load_int(table, axis + LO), y0), y1)
    hi = min(max(load_int(table, axis + HI), lo), y1)
    _move_outside(dst, dst_step, src, load_int(table, axis + BEFORE), lo - y0, block, fill, cell)
    if hi > lo:
        src_step = load_int(table, axis + STEP)
        first = load_int(table, axis + FIRST) + (lo - load_int(table, axis + LO)) * src_step
        move_run(shift(dst, (lo - y0) * dst_step), dst_step, shift(src, first), src_step, hi - lo, block)
    after = shift(dst, (hi - y0) * dst_step)
    _move_outside(after, dst_step, src, load_int(table, axis + AFTER), y1 - hi, block, fill, cell)


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
def _walk_cells(dst, dst_step, src, index_step, position, advance, period, fold, n):
    """Write n cells of a walk one by one: for walks whose runs are too short to pay for being found."""
    for i in range(n):
        index = min(position, fold - position)
        store(shift(dst, i * dst_step), load(shift(src, index * index_step)))
        position = next_position(position, advance, period)


@loops
def walk_blocks(dst, dst_step, src, index_step, position, advance, period, fold, n, block):
    """Write n blocks of a walk one by one, of any width."""
    if block == 1:
        _walk_cells(dst, dst_step, src, index_step, position, advance, period, fold, n)
    elif block == 2:
        _walk_cells(as_cells(dst, 2), dst_step, as_cells(src, 2), index_step, position, advance, period, fold, n)
    elif block == 4:
        _walk_cells(as_cells(dst, 4), dst_step, as_cells(src, 4), index_step, position, advance, period, fold, n)
    elif block == 8:
        _walk_cells(as_cells(dst, 8), dst_step, as_cells(src, 8), index_step, position, advance, period, fold, n)
    else:
        for i in range(n):
            index = min(position, fold - position)
            copy_bytes(shift(dst, i * dst_step), shift(src, index * index_step), block)
            position = next_position(position, advance, period)


@loops
def _walk_runs(dst, dst_step, src, index_step, position, advance, period, fold, top, n, block):
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
        to = shift(dst, done * dst_step)
        move_run(to, dst_step, shift(src, index * index_step), step * index_step, length, block)
        done += length
        position = next_position(position + (length - 1) * advance, advance, period)


@loops
def move_walk(dst, src, table, axis, y0, y1, block):
    """Write outputs [y0, y1) of a walk: one cycle of it from the source, the rest from that cycle."""
    dst_step = load_int(table, axis + DST_STEP)
    index_step = load_int(table, axis + INDEX_STEP)
    advance = load_int(table, axis + ADVANCE)
    period = load_int(table, axis + PERIOD)
    fold = load_int(table, axis + FOLD)
    top = load_int(table, axis + TOP)
    cycle = load_int(table, axis + CYCLE)
    position = walk_position(table, axis, y0)
    n = y1 - y0
    repeats = dst_step == block and cycle < n // 2
    fresh = cycle if repeats else n
    if top < _SHORTEST_RUN * abs(advance):
        walk_blocks(dst, dst_step, src, index_step, position, advance, period, fold, fresh, block)
    else:
        _walk_runs(dst, dst_step, src, index_step, position, advance, period, fold, top, fresh, block)
    if repeats:
        replicate(dst, fresh * block, n * block)


@loops
def move_plane(dst, src, table, inner, outer, y0, y1, block):
    """Write outputs [y0, y1) of the outer axis times all of the inner one, in tiles that fit the first-level cache."""
    dst_inner = load_int(table, inner + DST_STEP)
    src_inner = load_int(table, inner + STEP)
    dst_outer = load_int(table, outer + DST_STEP)
    src_outer = load_int(table, outer + STEP)
    n_inner = load_int(table, inner + COUNT)
    first = load_int(table, inner + FIRST) + load_int(table, outer + FIRST)
    for o in range(y0, y1, _TILE_OUTER):
        n = min(_TILE_OUTER, y1 - o)
        for i0 in range(0, n_inner, _TILE_INNER):
            for i in range(i0, min(i0 + _TILE_INNER, n_inner)):
                to = shift(dst, (o - y0) * dst_outer + i * dst_inner)
                source = shift(src, first + o * src_outer + i * src_inner)
                move_run(to, dst_outer, source, src_outer, n, block)
