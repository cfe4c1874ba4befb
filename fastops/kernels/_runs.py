"""Runs: n elements along one axis, read at one pitch, or none at all, in one row or in many.

Computes: copies, reversals, strided and repeated copies, and constants, of elements of any width.
Memory: reads what it is pointed at, writes each destination byte once, or twice alike where loads or vectors overlap.
Nothing is checked.
Fast because a contiguous copy is a memcpy, and what a constant shuffle makes of contiguous cells is moved by vectors.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._intrinsics._memory import ONE, ZERO, copy_blocks, copy_bytes, loops, shift
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._vectors import SHORTEST_VECTOR, move_vectors

# Replication copies from the block that it has just written; 16 KiB of it stays in the first-level cache.
_REPLICA_BYTES = 16384


class Rows(NamedTuple):
    """Rows that lie as far from each other as the first two do."""

    count: Any
    dst_pitch: Any
    src_pitch: Any


#: Its type, for the signatures of out-of-line kernels.
rows_type = types.NamedUniTuple(types.intp, len(Rows._fields), Rows)


class Run(NamedTuple):
    """n blocks, read every src_pitch and written every dst_pitch bytes."""

    n: Any
    block: Any
    dst_pitch: Any
    src_pitch: Any


#: Its type.
run_type = types.NamedUniTuple(types.intp, len(Run._fields), Run)


@outlined(types.void(byte_pointer, byte_pointer, rows_type, run_type))
def copy_rows(dst, src, rows, run):
    """Copy one run in each of many rows, block by block.

    A function of its own, so that its loops have the registers to themselves: in `move_rows` they counted on the stack.
    """
    for i in range(rows.count):
        to, source = shift(dst, i * rows.dst_pitch), shift(src, i * rows.src_pitch)
        copy_blocks(to, run.dst_pitch, source, run.src_pitch, run.n, run.block)


@outlined(types.void(byte_pointer, byte_pointer, rows_type, run_type, byte_pointer))
def move_rows(dst, src, rows, run, ahead):
    """Copy one run in each of many rows; what is read next lies at `ahead`, and moves on with the rows.

    What a run needs is chosen once for all rows: that took as long as to move 256 bytes.
    """
    n, block, dst_pitch, src_pitch = run.n, run.block, run.dst_pitch, run.src_pitch
    if n == 0:
        return
    if src_pitch == block and dst_pitch == block:
        copy_rows(dst, src, Rows(ONE, ZERO, ZERO), Run(rows.count, n * block, rows.dst_pitch, rows.src_pitch))
        return
    done = 0
    if dst_pitch == block and n * block >= SHORTEST_VECTOR:
        done = move_vectors(dst, rows.dst_pitch, src, rows.src_pitch, rows.count, n, block, src_pitch, ahead)
    if done < n:
        rest = Run(n - done, block, dst_pitch, src_pitch)
        copy_rows(shift(dst, done * dst_pitch), shift(src, done * src_pitch), rows, rest)


@loops
def move_row(dst, dst_pitch, src, src_pitch, n, block, ahead):
    """Copy n blocks, read every src_pitch and written every dst_pitch bytes; what is read next lies at `ahead`."""
    move_rows(dst, src, Rows(ONE, ZERO, ZERO), Run(n, block, dst_pitch, src_pitch), ahead)


@loops
def replicate(dst, have, total):
    """Extend the first `have` bytes at dst periodically to `total` bytes, copying what is still in the cache."""
    size = have
    while have < total:
        n = min(size, total - have)
        copy_bytes(shift(dst, have), dst, n)
        have += n
        if size < _REPLICA_BYTES:
            size = have


@outlined(types.void(byte_pointer, types.intp, types.intp, types.intp, byte_pointer, types.intp))
def fill_run(dst, dst_pitch, n, block, fill, width):
    """Write the fill value, of `width` bytes, over n blocks: as one run of them, or else block by block."""
    is_cell = width <= 16 and width & (width - 1) == 0
    if block == width and (is_cell or dst_pitch != block):
        move_row(dst, dst_pitch, fill, 0, n, block, fill)
        return
    total = n * block if dst_pitch == block else block
    if is_cell:
        move_row(dst, width, fill, 0, total // width, width, fill)
    else:
        copy_bytes(dst, fill, width)
        replicate(dst, width, total)
    if dst_pitch != block:
        # Blocks with gaps are copies of the first one.
        copy_blocks(shift(dst, dst_pitch), dst_pitch, dst, 0, n - 1, block)
