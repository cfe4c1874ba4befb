"""The gather kernel for a source that is no array of NumPy: memory at an address.

Computes: what `gather` does with one thread.
Memory: as there; the caller has checked that the source is as long as the table wants it. Runs with the GIL kept.
Fast because an array around that memory, which `gather` would want, takes longer to make than to be moved.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import types

from fastops.kernels._gather import UNITS as GATHER_UNITS
from fastops.kernels._gather import gather_chunk
from fastops.kernels._intrinsics._objects import memory_at
from fastops.kernels._intrinsics._types import array_address, array_addresses

# As in `_guard`.
_ORIGIN, _ALL = np.intp(0), np.intp(1)

SIGNATURE = types.void(array_addresses, types.intp, array_address, array_address)
OPTIONS = {"error_model": "numpy"}
UNITS = GATHER_UNITS


def gather_at(dsts, src, table, fill):
    """Run a table whose source is at the address ``src``; the rest is what `gather` takes.

    The checked form of the kernels cannot run it: an address has no bounds.
    """
    gather_chunk(dsts, memory_at(src), table, fill, _ORIGIN, _ALL)
