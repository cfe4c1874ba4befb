"""Chunks: how work is shared between threads."""

# mypy: ignore-errors

from __future__ import annotations

from fastops.kernels._intrinsics._memory import loops


@loops
def chunk_start(total, chunk, chunks):
    """Where the share `chunk` of `chunks` equal ones begins: total * chunk // chunks, without the overflow."""
    return total // chunks * chunk + total % chunks * chunk // chunks if chunk else 0
