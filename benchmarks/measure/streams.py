"""How many bytes of a large case leave past the caches, by the tables that its kernels run.

No clock, and no output: a table says of each part whether its lines are streamed. The scheduler makes it, interpreted;
versions without that have no such counter.
"""

from __future__ import annotations

from array import array
from math import prod
from types import ModuleType

import numpy as np

from benchmarks.cases import Case, outputs_of

# Room for the table of a case.
_TABLE_WORDS = 1 << 14


def streamed_bytes(library: ModuleType, case: Case) -> int | None:
    """Return the bytes of a case's outputs that are streamed, at its full size; None if this version does not tell."""
    try:
        return _of_range(library, case) if not case.takes_data else _of_slices(library, case)
    except (ImportError, AttributeError, TypeError):
        return None


def _of_slices(library: ModuleType, case: Case) -> int:
    from fastops._execution._execute import create_call
    from fastops.kernels._scheduler._schedule import Options, scratch_words, write_schedule
    from fastops.kernels._tables import _gather as t

    dtype = np.dtype(case.dtype)
    # Strides tell as much as an array does, without its memory.
    data = np.broadcast_to(np.zeros((), dtype), case.full.shape)
    byte_strides = tuple(dtype.itemsize * prod(data.shape[axis + 1 :]) for axis in range(data.ndim))
    plans = outputs_of(getattr(library.plan, case.operator)(case.full.shape, **case.attributes(case.full)))
    call = create_call(tuple([plan.geometry for plan in plans]))
    of_outputs = [dtype.itemsize * prod(shape[k + 1 :]) for shape in call.shapes for k in range(len(shape))]
    words, strides, scratch, table = [
        memoryview(array("q", numbers))
        for numbers in (call.words, [*byte_strides, *of_outputs, 0], [0] * scratch_words(64), [0] * _TABLE_WORDS)
    ]
    options = Options(int(call.size * dtype.itemsize >= t.STREAM_BYTES), t.SMALLEST_PEELED, 0, 0)
    write_schedule(words, strides, dtype.itemsize, options, scratch, 64, table, _TABLE_WORDS)
    streamed, row = 0, t.HEADER_COLUMNS
    for _ in range(table[t.PARTS]):
        streamed += table[row + t.GRAINS] * table[row + t.GRAIN_BYTES] * table[row + t.STREAMS]
        row += table[row + t.LENGTH]
    return streamed


def _of_range(library: ModuleType, case: Case) -> int:
    from fastops._execution._range_call import create_row, form_of
    from fastops.kernels._tables import _range as t

    plan, dtype = library.plan.range(**case.attributes(case.full)), np.dtype(case.dtype)
    row = create_row(plan.geometry, form_of(dtype))
    return plan.count * dtype.itemsize if row[t.STREAMS] else 0
