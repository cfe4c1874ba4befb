"""Chunks: how work is shared between launches and threads.

Chunk `c` of `n` is the interval from `c / n` to `(c + 1) / n` of all work, and where an interval begins depends on that
fraction alone. So chunks adjoin each other however the others are cut: one thread may do a whole launch of a call, as
chunk 0 of 2, and two threads the next one, as chunks 2 and 3 of 4.
"""

# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._memory import loops


@loops
def chunk_start(total, chunk, chunks):
    """The first of `total` elements that lies in a chunk: total * chunk // chunks, without the overflow."""
    return total // chunks * chunk + total % chunks * chunk // chunks if chunk else 0


@loops
def chunk_remainder(total, chunk, chunks):
    """How many of the `chunks` equal shares of the element where a chunk begins belong to the chunk before it."""
    return total % chunks * chunk % chunks
