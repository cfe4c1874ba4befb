"""How many bytes of a large case leave past the caches, by the tables that its kernels run.

No clock, and no output: a table says of each part whether its lines are streamed. It is read where fastops has it, so
versions that have it elsewhere have no such counter.
"""

from __future__ import annotations

from math import prod
from types import ModuleType

import numpy as np

from benchmarks.cases import Case, outputs_of


def streamed_bytes(library: ModuleType, case: Case) -> int | None:
    """Return the bytes of a case's outputs that are streamed, at its full size; None if this version does not tell."""
    try:
        return _of_range(library, case) if not case.takes_data else _of_slices(library, case)
    except (ImportError, AttributeError, TypeError):
        return None


def _of_slices(library: ModuleType, case: Case) -> int:
    from fastops._execution._prepared_call import create_call
    from fastops.kernels._tables import _gather as t

    dtype = np.dtype(case.dtype)
    # Strides tell as much as an array does, without its memory.
    data = np.broadcast_to(np.zeros((), dtype), case.full.shape)
    byte_strides = tuple(dtype.itemsize * prod(data.shape[axis + 1 :]) for axis in range(data.ndim))
    plans = outputs_of(getattr(library.plan, case.operator)(case.full.shape, **case.attributes(case.full)))
    table = create_call(tuple([plan.geometry for plan in plans]), byte_strides, dtype).table
    rows = [t.HEADER_COLUMNS + i * t.PART_COLUMNS for i in range(table[t.PARTS])]
    return sum(int(table[row + t.GRAINS] * table[row + t.GRAIN_BYTES]) for row in rows if table[row + t.STREAMS])


def _of_range(library: ModuleType, case: Case) -> int:
    from fastops._execution._range_call import prepare_range
    from fastops.kernels._tables import _range as t

    plan = library.plan.range(**case.attributes(case.full))
    call = prepare_range(plan.geometry, np.dtype(case.dtype))
    return int(call.total_bytes if call.table[t.STREAMS] else 0)
