"""The gather kernel: runs every slice plan, of any width, mode and number of parts.

Computes: for each part and output coordinate, destination bytes = source bytes at the offset that the table gives,
or the fill value.
Memory: owns none. Reads the source and the table, writes each destination byte once, keeps its counters on the stack.
Fast because the mode is gone before the inner loops: an axis is a few affine runs, and a run is a memcpy, a reversed,
strided or repeated copy, or a constant, for one cell width known at compile time.

`docs/design/gather.md` tells how a table comes about.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc"

from __future__ import annotations

import numpy as np
from numba import njit, prange, types

from fastops.kernels._memory import (
    address_of,
    array_address,
    array_addresses,
    as_cells,
    bytes_at,
    copy_bytes,
    keep_outlined,
    lanes_of,
    load,
    load_int,
    move_vector,
    shift,
    stack_words,
    store,
    store_int,
    width_of,
)
from fastops.kernels._gather_table import (
    ADVANCE,
    AFFINE,
    AFTER,
    AXES,
    AXIS_COLUMNS,
    BEFORE,
    BLOCK,
    CELL,
    COUNT,
    CYCLE,
    DST_INDEX,
    DST_OFFSET,
    DST_STEP,
    FILL,
    FIRST,
    FIRST_AXIS,
    FIRST_BYTE,
    FOLD,
    HEADER_COLUMNS,
    HI,
    INDEX_STEP,
    IS_PLANE,
    KIND,
    LO,
    PART_BYTES,
    PART_COLUMNS,
    PARTS,
    PERIOD,
    SRC_OFFSET,
    START,
    STEP,
    TOP,
    TOTAL_BYTES,
    UNIT_BYTES,
)

_loops = njit(nogil=True, error_model="numpy")

# A step of 0 and an output of 0, as arguments. They are NumPy integers because Numba compiles a function once more
# for every literal that it is called with.
_REPEATED = np.intp(0)
_ORIGIN = np.intp(0)

# A plane is moved tile by tile, so that both sides of a tile stay in the first-level cache (32 KiB) while one of them
# is crossed against its memory order: 32 rows of 128 cells touch at most 160 lines on the contiguous side and 128 on
# the crossed one.
_TILE_OUTER = 32
_TILE_INNER = 128

# Replication copies from the block that it has just written; 16 KiB of it stays in the first-level cache.
_REPLICA_BYTES = 16384

# Walks that turn around more often than every 8 outputs are cheaper cell by cell than run by run.
_SHORTEST_RUN = 8

# Words of state an outer axis needs: its coordinate, its source offset, whether it is outside (1) or not (0), and
# its position on the circle. NumPy has at most 64 axes.
_Y, _OFFSET, _OUTSIDE, _POSITION = 0, 1, 2, 3
_STATE_WORDS = 4
_ALL_STATE_WORDS = 4 * 64


# --- Runs: n elements along one axis, read at one step -------------------------------------------------------------


@_loops
def _move_cells(dst, dst_step, src, src_step, n):
    """Copy n cells, whole vectors where the destination is contiguous and a constant shuffle does it.

    The vectors are spelt out, not left to LLVM: its loop vectoriser made eight times as much code of these loops,
    which took as many times longer to compile, and was no faster.
    """
    w = width_of(dst)
    lanes = lanes_of(dst)
    done = 0
    if dst_step == w and n > lanes:
        if src_step == 0:
            for _ in range(n // lanes):
                move_vector(shift(dst, done * w), src, 0)
                done += lanes
        elif src_step == -w:
            for _ in range(n // lanes):
                move_vector(shift(dst, done * w), shift(src, -done * w), -1)
                done += lanes
        elif src_step == 2 * w:
            # One vector fewer: the loads of the last one would reach a cell beyond the last that is read.
            for _ in range((n - 1) // lanes):
                move_vector(shift(dst, done * w), shift(src, 2 * done * w), 2)
                done += lanes
    for i in range(done, n):
        store(shift(dst, i * dst_step), load(shift(src, i * src_step)))


@_loops
def _move_halves(dst, dst_step, src, src_step, n, last):
    """Copy n blocks of one to two cells each as a first and a last cell, which may overlap: no call, no loop a block."""
    for i in range(n):
        to = shift(dst, i * dst_step)
        source = shift(src, i * src_step)
        first_cell = load(source)
        last_cell = load(shift(source, last))
        store(to, first_cell)
        store(shift(to, last), last_cell)


@_loops
def _move_blocks(dst, dst_step, src, src_step, n, block):
    """Copy n blocks of a width that is no cell's."""
    if block <= 4:
        _move_halves(as_cells(dst, 2), dst_step, as_cells(src, 2), src_step, n, block - 2)
    elif block <= 8:
        _move_halves(as_cells(dst, 4), dst_step, as_cells(src, 4), src_step, n, block - 4)
    elif block <= 16:
        _move_halves(as_cells(dst, 8), dst_step, as_cells(src, 8), src_step, n, block - 8)
    elif block <= 32:
        _move_halves(as_cells(dst, 16), dst_step, as_cells(src, 16), src_step, n, block - 16)
    else:
        for i in range(n):
            copy_bytes(shift(dst, i * dst_step), shift(src, i * src_step), block)


@_loops
def _move_run(dst, dst_step, src, src_step, n, block):
    """Copy n blocks, read every src_step and written every dst_step bytes."""
    keep_outlined()
    if src_step == block and dst_step == block:
        copy_bytes(dst, src, n * block)
    elif block == 1:
        _move_cells(dst, dst_step, src, src_step, n)
    elif block == 2:
        _move_cells(as_cells(dst, 2), dst_step, as_cells(src, 2), src_step, n)
    elif block == 4:
        _move_cells(as_cells(dst, 4), dst_step, as_cells(src, 4), src_step, n)
    elif block == 8:
        _move_cells(as_cells(dst, 8), dst_step, as_cells(src, 8), src_step, n)
    elif block == 16:
        _move_cells(as_cells(dst, 16), dst_step, as_cells(src, 16), src_step, n)
    else:
        _move_blocks(dst, dst_step, src, src_step, n, block)


@_loops
def _replicate(dst, have, total):
    """Extend the first `have` bytes at dst periodically to `total` bytes, copying what is still in the cache."""
    size = have
    while have < total:
        step = min(size, total - have)
        copy_bytes(shift(dst, have), dst, step)
        have += step
        if size < _REPLICA_BYTES:
            size = have


@_loops
def _fill_contiguous(dst, total, fill, cell):
    """Write the fill value, of `cell` bytes, over `total` contiguous bytes."""
    if cell <= 16 and cell & (cell - 1) == 0:
        _move_run(dst, cell, fill, _REPEATED, total // cell, cell)
    elif total > 0:
        copy_bytes(dst, fill, cell)
        _replicate(dst, cell, total)


@_loops
def _fill_run(dst, dst_step, n, block, fill, cell):
    """Write the fill value over n blocks."""
    if dst_step == block:
        _fill_contiguous(dst, n * block, fill, cell)
    elif block == cell:
        _move_run(dst, dst_step, fill, _REPEATED, n, block)
    else:
        for i in range(n):
            _fill_contiguous(shift(dst, i * dst_step), block, fill, cell)


# --- Axes: runs between two outputs of the last axis ---------------------------------------------------------------


@_loops
def _move_outside(dst, dst_step, src, offset, n, block, fill, cell):
    """Write the n outputs of an affine axis on one side of its run: one repeated block, or the fill value."""
    if n <= 0:
        return
    if offset == FILL:
        _fill_run(dst, dst_step, n, block, fill, cell)
    else:
        _move_run(dst, dst_step, shift(src, offset), _REPEATED, n, block)


@_loops
def _move_affine(dst, src, table, axis, y0, y1, block, fill, cell):
    """Write outputs [y0, y1) of an affine axis: what lies before its run, the run, what lies after."""
    dst_step = load_int(table, axis + DST_STEP)
    lo = min(max(load_int(table, axis + LO), y0), y1)
    hi = min(max(load_int(table, axis + HI), lo), y1)
    _move_outside(dst, dst_step, src, load_int(table, axis + BEFORE), lo - y0, block, fill, cell)
    if hi > lo:
        src_step = load_int(table, axis + STEP)
        first = load_int(table, axis + FIRST) + (lo - load_int(table, axis + LO)) * src_step
        _move_run(shift(dst, (lo - y0) * dst_step), dst_step, shift(src, first), src_step, hi - lo, block)
    after = shift(dst, (hi - y0) * dst_step)
    _move_outside(after, dst_step, src, load_int(table, axis + AFTER), y1 - hi, block, fill, cell)


@_loops
def _walk_position(table, axis, y):
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


@_loops
def _next_position(position, advance, period):
    """The position one output later; |advance| <= period."""
    position += advance
    if position >= period:
        position -= period
    elif position < 0:
        position += period
    return position


@_loops
def _walk_cells(dst, dst_step, src, index_step, position, advance, period, fold, n):
    """Write n cells of a walk one by one: for walks whose runs are too short to pay for being found."""
    for i in range(n):
        index = min(position, fold - position)
        store(shift(dst, i * dst_step), load(shift(src, index * index_step)))
        position = _next_position(position, advance, period)


@_loops
def _walk_blocks(dst, dst_step, src, index_step, position, advance, period, fold, n, block):
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
            position = _next_position(position, advance, period)


@_loops
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
        _move_run(to, dst_step, shift(src, index * index_step), step * index_step, length, block)
        done += length
        position = _next_position(position + (length - 1) * advance, advance, period)


@_loops
def _move_walk(dst, src, table, axis, y0, y1, block):
    """Write outputs [y0, y1) of a walk: one cycle of it from the source, the rest from that cycle."""
    dst_step = load_int(table, axis + DST_STEP)
    index_step = load_int(table, axis + INDEX_STEP)
    advance = load_int(table, axis + ADVANCE)
    period = load_int(table, axis + PERIOD)
    fold = load_int(table, axis + FOLD)
    top = load_int(table, axis + TOP)
    cycle = load_int(table, axis + CYCLE)
    position = _walk_position(table, axis, y0)
    n = y1 - y0
    repeats = dst_step == block and cycle < n // 2
    fresh = cycle if repeats else n
    if top < _SHORTEST_RUN * abs(advance):
        _walk_blocks(dst, dst_step, src, index_step, position, advance, period, fold, fresh, block)
    else:
        _walk_runs(dst, dst_step, src, index_step, position, advance, period, fold, top, fresh, block)
    if repeats:
        _replicate(dst, fresh * block, n * block)


@_loops
def _move_plane(dst, src, table, inner, outer, y0, y1, block):
    """Write outputs [y0, y1) of the outer axis times all of the inner one, in tiles that fit the first-level cache."""
    dst_inner = load_int(table, inner + DST_STEP)
    src_inner = load_int(table, inner + STEP)
    dst_outer = load_int(table, outer + DST_STEP)
    src_outer = load_int(table, outer + STEP)
    n_inner = load_int(table, inner + COUNT)
    first = load_int(table, inner + FIRST) + load_int(table, outer + FIRST)
    for o in range(y0, y1, _TILE_INNER):
        n = min(_TILE_INNER, y1 - o)
        for i0 in range(0, n_inner, _TILE_OUTER):
            for i in range(i0, min(i0 + _TILE_OUTER, n_inner)):
                to = shift(dst, (o - y0) * dst_outer + i * dst_inner)
                source = shift(src, first + o * src_outer + i * src_inner)
                _move_run(to, dst_outer, source, src_outer, n, block)


# --- Outer axes: an odometer --------------------------------------------------------------------------------------


@_loops
def _set_source(table, axis, state, y):
    """Record where output y of an outer axis reads; its position on the circle is already recorded."""
    if load_int(table, axis + KIND) == AFFINE:
        if y < load_int(table, axis + LO):
            offset = load_int(table, axis + BEFORE)
        elif y >= load_int(table, axis + HI):
            offset = load_int(table, axis + AFTER)
        else:
            steps = y - load_int(table, axis + LO)
            offset = load_int(table, axis + FIRST) + steps * load_int(table, axis + STEP)
    else:
        position = load_int(state, _POSITION)
        index = min(position, load_int(table, axis + FOLD) - position)
        offset = index * load_int(table, axis + INDEX_STEP)
    outside = offset == FILL
    store_int(state, _Y, y)
    store_int(state, _OFFSET, 0 if outside else offset)
    store_int(state, _OUTSIDE, 1 if outside else 0)


@_loops
def _enter_axis(table, axis, state, y):
    """Put an outer axis at output y, from anywhere."""
    if load_int(table, axis + KIND) != AFFINE:
        store_int(state, _POSITION, _walk_position(table, axis, y))
    _set_source(table, axis, state, y)


@_loops
def _step_axis(table, axis, state, y):
    """Put an outer axis at output y, from y - 1."""
    if load_int(table, axis + KIND) != AFFINE:
        advance = load_int(table, axis + ADVANCE)
        period = load_int(table, axis + PERIOD)
        store_int(state, _POSITION, _next_position(load_int(state, _POSITION), advance, period))
    _set_source(table, axis, state, y)


@_loops
def _run_part(dst, src, table, part, unit0, unit1, fill):
    """Write units [unit0, unit1) of a part: a unit is one output of the last axis at one place of the outer ones."""
    block = load_int(table, part + BLOCK)
    cell = load_int(table, part + CELL)
    plane = load_int(table, part + IS_PLANE)
    first_axis = load_int(table, part + FIRST_AXIS)
    last = first_axis + (load_int(table, part + AXES) - 1) * AXIS_COLUMNS
    n_outer = load_int(table, part + AXES) - 1 - plane
    count = load_int(table, last + COUNT)
    kind = load_int(table, last + KIND)
    last_dst_step = load_int(table, last + DST_STEP)

    states = stack_words(_ALL_STATE_WORDS)
    row = unit0 // count
    y = unit0 - row * count
    dst_offset = load_int(table, part + DST_OFFSET)
    src_offset = load_int(table, part + SRC_OFFSET)
    outside = 0
    for k in range(n_outer - 1, -1, -1):
        axis = first_axis + k * AXIS_COLUMNS
        state = shift(states, 8 * _STATE_WORDS * k)
        extent = load_int(table, axis + COUNT)
        at = row % extent
        row //= extent
        _enter_axis(table, axis, state, at)
        dst_offset += at * load_int(table, axis + DST_STEP)
        src_offset += load_int(state, _OFFSET)
        outside += load_int(state, _OUTSIDE)

    left = unit1 - unit0
    while True:
        n = min(count - y, left)
        to = shift(dst, dst_offset + y * last_dst_step)
        if plane:
            if outside:
                inner = last - AXIS_COLUMNS
                for i in range(load_int(table, inner + COUNT)):
                    row_start = shift(to, i * load_int(table, inner + DST_STEP))
                    _fill_run(row_start, last_dst_step, n, block, fill, cell)
            else:
                _move_plane(to, shift(src, src_offset), table, last - AXIS_COLUMNS, last, y, y + n, block)
        elif outside:
            _fill_run(to, last_dst_step, n, block, fill, cell)
        elif kind == AFFINE:
            _move_affine(to, shift(src, src_offset), table, last, y, y + n, block, fill, cell)
        else:
            _move_walk(to, shift(src, src_offset), table, last, y, y + n, block)
        left -= n
        if left <= 0:
            break
        y = 0
        k = n_outer - 1
        while True:
            axis = first_axis + k * AXIS_COLUMNS
            state = shift(states, 8 * _STATE_WORDS * k)
            at = load_int(state, _Y) + 1
            carry = at == load_int(table, axis + COUNT)
            dst_step = load_int(table, axis + DST_STEP)
            src_offset -= load_int(state, _OFFSET)
            outside -= load_int(state, _OUTSIDE)
            if carry:
                dst_offset -= (at - 1) * dst_step
                _enter_axis(table, axis, state, _ORIGIN)
            else:
                dst_offset += dst_step
                _step_axis(table, axis, state, at)
            src_offset += load_int(state, _OFFSET)
            outside += load_int(state, _OUTSIDE)
            if not carry:
                break
            k -= 1


@_loops
def _run_chunk(dsts, src_address, table_address, fill_address, chunk, chunks):
    """Write one of `chunks` equal shares of the bytes of all parts."""
    keep_outlined()
    src = bytes_at(src_address)
    table = bytes_at(table_address)
    fill = bytes_at(fill_address)
    total = load_int(table, TOTAL_BYTES)
    byte0 = total // chunks * chunk + total % chunks * chunk // chunks
    byte1 = total // chunks * (chunk + 1) + total % chunks * (chunk + 1) // chunks
    for p in range(load_int(table, PARTS)):
        part = HEADER_COLUMNS + p * PART_COLUMNS
        first = load_int(table, part + FIRST_BYTE)
        end = first + load_int(table, part + PART_BYTES)
        # A unit belongs to the chunk in which its first byte lies.
        unit = load_int(table, part + UNIT_BYTES)
        unit0 = (max(byte0, first) - first + unit - 1) // unit
        unit1 = (min(byte1, end) - first + unit - 1) // unit
        if unit0 < unit1:
            dst = bytes_at(address_of(dsts, load_int(table, part + DST_INDEX)))
            _run_part(dst, src, table, part, unit0, unit1, fill)


SIGNATURE = types.void(array_addresses, array_address, array_address, array_address, types.intp)


def gather(dsts, src, table, fill, workers):
    """Run a table: write every part's destination from the source, with `workers` threads, or serially for 1.

    dsts is a tuple of the destination arrays, src the source array, table an int64 array as `_gather_table` lays it out,
    fill an array whose first element is the fill value in the source's dtype. The serial branch lies inside the same
    compiled function, so tiny work pays for no launch.
    """
    if workers == 1:
        _run_chunk(dsts, src, table, fill, _ORIGIN, workers)
    else:
        for chunk in prange(workers):
            _run_chunk(dsts, src, table, fill, chunk, workers)


