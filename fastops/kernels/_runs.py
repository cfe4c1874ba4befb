"""Runs: n elements along one axis, read at one pitch, or none at all.

Computes: copies, reversals, strided and repeated copies, and constants, of elements of any width.
Memory: reads what it is pointed at, writes each destination byte once, or twice alike where loads or vectors overlap.
Nothing is checked.
Fast because a contiguous copy is a memcpy, and what a constant shuffle makes of contiguous cells is moved by vectors.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._intrinsics._memory import copy_block, copy_blocks, copy_bytes, loops, shift
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._units import unit
from fastops.kernels._intrinsics._vectors import SHORTEST_VECTOR, move_vectors

# Replication copies from the block that it has just written; 16 KiB of it stays in the first-level cache.
_REPLICA_BYTES = 16384


@unit(types.void(byte_pointer, types.intp, byte_pointer, types.intp, types.intp, types.intp, byte_pointer))
def move_run(dst, dst_pitch, src, src_pitch, n, block, ahead):
    """Copy n blocks, read every src_pitch and written every dst_pitch bytes; what is read next lies at `ahead`."""
    if src_pitch == block and dst_pitch == block:
        copy_block(dst, src, n * block)
        return
    done = 0
    if dst_pitch == block and n * block >= SHORTEST_VECTOR:
        done = move_vectors(dst, src, n, block, src_pitch, ahead)
    dst = shift(dst, done * dst_pitch)
    src = shift(src, done * src_pitch)
    n -= done
    copy_blocks(dst, dst_pitch, src, src_pitch, n, block)


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


@unit(types.void(byte_pointer, types.intp, types.intp, types.intp, byte_pointer, types.intp))
def fill_run(dst, dst_pitch, n, block, fill, width):
    """Write the fill value, of `width` bytes, over n blocks: as one run of them, or else block by block."""
    if block == width:
        move_run(dst, dst_pitch, fill, 0, n, block, fill)
        return
    total = n * block if dst_pitch == block else block
    if width <= 16 and width & (width - 1) == 0:
        move_run(dst, width, fill, 0, total // width, width, fill)
    else:
        copy_bytes(dst, fill, width)
        replicate(dst, width, total)
    if dst_pitch != block:
        # Blocks with gaps are copies of the first one.
        copy_blocks(shift(dst, dst_pitch), dst_pitch, dst, 0, n - 1, block)
