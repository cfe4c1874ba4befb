"""How a case is run: by how many threads, in how many launches, which of these are serial; or by the guarded kernel."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fastops._execution._records import Guard
from fastops._runtime._kernels import load_entry
from fastops._schedules._byte_strides import span_of
from fastops.kernels._tables import _trace as trace
from tests.fuzz._choices import Choices
from tests.fuzz._memory import AnyArray

#: For each launch of a call whether it is serial after all, and the threads of a launch.
Launches = tuple[tuple[bool, ...], int]


def draw_launches(choices: Choices) -> Launches:
    """Draw them; one serial launch is the most frequent."""
    launches = choices.pick((1, 1, 1, 1, 2, 3))
    workers = choices.pick((1, 1, 1, 2, 3, 5)) if launches == 1 else choices.pick((2, 3, 5))
    return tuple([not choices.is_rare(2) for _ in range(launches)]), workers


def run_guarded(outs: Sequence[AnyArray], source: AnyArray, table: AnyArray, fill: AnyArray) -> bool:
    """Run a table if its guard takes the arrays; return whether it does."""
    span = span_of(source.shape, source.strides, source.itemsize)
    arrays = (source.shape, source.strides, span, source.dtype, [out.shape for out in outs])
    guard = Guard(*arrays, table, fill, moves=True)
    own = (np.empty(trace.MOST_VALUES, np.int64), np.empty(trace.MOST_OUTPUTS, np.int64))
    run = load_entry("gather_traced")
    done = run(tuple(outs), source, (), None, guard.order, *own, 0, trace.ONLY_WITH_GIL)
    return bool(done == trace.DONE)
