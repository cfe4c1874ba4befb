"""Windows of a table, moved: by the thread that calls, or by several.

Computes: what `_windows` does, for a table whose windows are looked at first.
Memory: reads the source and the table, writes the destination, and which window may be wrong into the table.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._intrinsics._memory import load_int, store_int
from fastops.kernels._intrinsics._objects import output_at
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import array_address, array_addresses
from fastops.kernels._parallel import gather
from fastops.kernels._tables._window import DOUBTFUL, IS_CHECKED
from fastops.kernels._windows import first_doubtful, move_windows


@outlined(types.intp(array_address))
def is_refused(table_address):
    """1 for windows of which one may be wrong, which the table tells then; else 0."""
    table = output_at(table_address)
    if load_int(table, IS_CHECKED):
        return 0
    doubtful = first_doubtful(table_address)
    store_int(table, DOUBTFUL, doubtful)
    return 1 if doubtful >= 0 else 0


@outlined(
    types.void(
        *(array_addresses, array_address, array_address, array_address),
        *(types.intp, types.intp, types.intp),
    )
)
def run_gather(dsts, src, table, fill, workers, launch, launches):
    """Write one of `launches` equal shares of the windows of a table, that which `launch` counts.

    It is done by several threads for more workers than one: then `gather` must be compiled.
    """
    if workers > 1:
        gather(dsts, src, table, fill, workers, launch, launches)
    elif not is_refused(table):
        move_windows(dsts, src, table, fill, launch, launches)
