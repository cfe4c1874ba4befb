"""Frames: rows of one long contiguous run with a few cells on either side, as rows of a padded image.

Computes: rows that read alike, each a few cells, a run and a few cells, or the fill value in place of cells.
Memory: reads the source, the fill value and the frame, writes each destination byte once, or twice alike where vectors
overlap.
Fast because a row costs no call and no choice: what its cells read is listed once, and the run is moved by vectors.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._axes import RUN_COUNT, RUN_PITCH, RUN_SOURCE, RUN_WORDS
from fastops.kernels._intrinsics._memory import ONE, ZERO, load_int, loops, shift, store_int
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._units import unit
from fastops.kernels._intrinsics._vectors import FRAMED_CELLS, SHORTEST_VECTOR, copy_framed
from fastops.kernels._tables._gather import FILL

# Words of a frame: what `copy_framed` reads, then whether the cells before the run and behind it are the fill value.
_BEFORE, _BEHIND, _SOURCE, _BYTES, _OFFSETS = 0, 1, 2, 3, 4
_FILLS = _OFFSETS + 2 * FRAMED_CELLS
FRAME_WORDS = _FILLS + 2


@loops
def _list_cells(runs, first, end, frame, side):
    """List the cells of runs [first, end) on a side of a frame: 0 before, 1 behind; return 0 if that cannot be."""
    listed = 0
    filled = 0
    for i in range(first, end):
        run = shift(runs, 8 * RUN_WORDS * i)
        offset = load_int(run, RUN_SOURCE)
        n = load_int(run, RUN_COUNT)
        if listed + n > FRAMED_CELLS:
            return 0
        fills = offset == FILL
        filled += n if fills else 0
        for _ in range(n):
            store_int(frame, _OFFSETS + side * FRAMED_CELLS + listed, 0 if fills else offset)
            offset += 0 if fills else load_int(run, RUN_PITCH)
            listed += 1
    if filled and filled < listed:
        return 0
    store_int(frame, _BEFORE + side, listed)
    store_int(frame, _FILLS + side, 1 if filled else 0)
    return 1


@unit(types.intp(byte_pointer, types.intp, types.intp, byte_pointer))
def frame_runs(runs, n_runs, block, frame):
    """Make a frame of a list of runs of blocks that are elements; return 0 if they are none, 1 otherwise."""
    if block > 16 or block & (block - 1):
        return 0
    middle = 0
    longest = 0
    for i in range(n_runs):
        run = shift(runs, 8 * RUN_WORDS * i)
        n = load_int(run, RUN_COUNT)
        if n > longest and load_int(run, RUN_PITCH) == block and load_int(run, RUN_SOURCE) != FILL:
            middle = i
            longest = n
    if longest * block < SHORTEST_VECTOR:
        return 0
    store_int(frame, _SOURCE, load_int(shift(runs, 8 * RUN_WORDS * middle), RUN_SOURCE))
    store_int(frame, _BYTES, longest * block)
    before = _list_cells(runs, ZERO, middle, frame, ZERO)
    return before & _list_cells(runs, middle + 1, n_runs, frame, ONE)


@unit(
    types.void(
        *(byte_pointer, types.intp, byte_pointer, types.intp, types.intp),
        *(byte_pointer, byte_pointer, types.intp),
    )
)
def move_framed(dst, dst_pitch, src, src_pitch, rows, frame, fill, cell):
    """Write rows that lie dst_pitch bytes apart, each read src_pitch bytes from the one before, by a frame."""
    before = fill if load_int(frame, _FILLS) else src
    behind = fill if load_int(frame, _FILLS + 1) else src
    copy_framed(dst, dst_pitch, src, src_pitch, rows, frame, before, behind, cell)
