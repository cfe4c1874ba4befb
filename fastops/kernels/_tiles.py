"""Tiles: two axes that are moved block by block, a tile after the other.

Computes: outputs of the outer axis times all of the inner one.
Memory: reads the source, writes each destination byte once.
Fast because the lines of a tile stay in the first-level cache on both sides, whichever of them the loop goes across.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._intrinsics._memory import load_int, shift
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._runs import move_row
from fastops.kernels._tables._gather import COUNT, DST_PITCH, SRC_PITCH

# A plane is moved in tiles of 32 x 128 blocks. Where one side crosses the other's memory order, a tile touches at
# most 128 + 32 * 2 cache lines of 4-byte elements, so both sides of it stay in a first-level cache of 32 KiB.
_TILE_INNER = 32
_TILE_OUTER = 128


@outlined(types.void(byte_pointer, byte_pointer, byte_pointer, byte_pointer, types.intp, types.intp))
def move_tiles(dst, src, inner, outer, n_outer, block):
    """Write n outputs of the outer axis times all of the inner one, in tiles that fit the first-level cache."""
    dst_inner = load_int(inner, DST_PITCH)
    src_inner = load_int(inner, SRC_PITCH)
    dst_outer = load_int(outer, DST_PITCH)
    src_outer = load_int(outer, SRC_PITCH)
    n_inner = load_int(inner, COUNT)
    for o in range(0, n_outer, _TILE_OUTER):
        n = min(_TILE_OUTER, n_outer - o)
        for i0 in range(0, n_inner, _TILE_INNER):
            for i in range(i0, min(i0 + _TILE_INNER, n_inner)):
                to = shift(dst, o * dst_outer + i * dst_inner)
                source = shift(src, o * src_outer + i * src_inner)
                move_row(to, dst_outer, source, src_outer, n, block, source)
