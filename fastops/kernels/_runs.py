"""Runs: n elements along one axis, read at one step, or none at all.

Computes: copies, reversals, strided and repeated copies, and constants, of elements of any width.
Memory: reads what it is pointed at, writes each destination byte once. Nothing is checked.
Fast because each loop moves cells of a width known at compile time, whole vectors of them where a constant shuffle of
contiguous cells gives contiguous cells.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from fastops.kernels._memory import (
    as_cells,
    copy_bytes,
    keep_outlined,
    lanes_of,
    load,
    loops,
    move_vector,
    shift,
    store,
    width_of,
)

# A step of 0, as an argument: a NumPy integer, because Numba compiles a function once more for every literal that it
# is called with.
REPEATED = np.intp(0)

# Replication copies from the block that it has just written; 16 KiB of it stays in the first-level cache.
_REPLICA_BYTES = 16384


@loops
def _move_cells(dst, dst_step, src, src_step, n):
    """Copy n cells, whole vectors where the destination is contiguous and a constant shuffle does it.

    The vectors are spelt out, not left to LLVM: its loop vectoriser made three times as much code of the five widths
    of this function, and each function above compiles that code again.
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


@loops
def _move_halves(dst, dst_step, src, src_step, n, last):
    """Copy n blocks of one to two cells as a first and a last cell, which may overlap: no call and no loop a block."""
    for i in range(n):
        to = shift(dst, i * dst_step)
        source = shift(src, i * src_step)
        first_cell = load(source)
        last_cell = load(shift(source, last))
        store(to, first_cell)
        store(shift(to, last), last_cell)


@loops
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


@loops
def move_run(dst, dst_step, src, src_step, n, block):
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


@loops
def replicate(dst, have, total):
    """Extend the first `have` bytes at dst periodically to `total` bytes, copying what is still in the cache."""
    size = have
    while have < total:
        step = min(size, total - have)
        copy_bytes(shift(dst, have), dst, step)
        have += step
        if size < _REPLICA_BYTES:
            size = have


@loops
def _fill_contiguous(dst, total, fill, cell):
    """Write the fill value, of `cell` bytes, over `total` contiguous bytes."""
    if cell <= 16 and cell & (cell - 1) == 0:
        move_run(dst, cell, fill, REPEATED, total // cell, cell)
    elif total > 0:
        copy_bytes(dst, fill, cell)
        replicate(dst, cell, total)


@loops
def fill_run(dst, dst_step, n, block, fill, cell):
    """Write the fill value over n blocks."""
    if dst_step == block:
        _fill_contiguous(dst, n * block, fill, cell)
    elif block == cell:
        move_run(dst, dst_step, fill, REPEATED, n, block)
    else:
        for i in range(n):
            _fill_contiguous(shift(dst, i * dst_step), block, fill, cell)
