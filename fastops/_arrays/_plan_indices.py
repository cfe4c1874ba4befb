"""What the axes of plans read, as arrays of indices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from fastops._arrays._outputs import too_large
from fastops._errors import AttributeValueError, FastopsError
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import Geometry, size_of
from fastops._geometry._map_runs import cycle_of, runs_of
from fastops._geometry._run_map import Run
from fastops._geometry._source_runs import axis_number, in_source, windows_of

_OP = "SlicePlan.indices"

# Of outputs that read nothing.
_FILLED = -1

_INT64 = np.dtype(np.int64)

# As objects of Python they take a few megabytes.
_RUNS_AT_ONCE = 1 << 14


def indices_of(geometry: Geometry, axis: int) -> NDArray[np.int64]:
    """Return what each output along an axis reads: what `SlicePlan.indices` gives."""
    k = axis_number(_OP, geometry, axis)
    mapped, window = geometry.axes[k], windows_of(geometry)[k]
    if not size_of(geometry):
        return np.empty(0, _INT64)
    if max(mapped.extent, *geometry.source_shape) > np.iinfo(_INT64).max:
        raise AttributeValueError(_OP, "axis", "be of a source whose extents are below 2^63", axis)
    # Modes that go around are spelled out for one cycle, whatever the count is.
    cycle = min(cycle_of(mapped) or mapped.count, mapped.count)
    if type(mapped) is AxisMap and cycle < mapped.count:
        once = AxisMap.create(mapped.extent, mapped.start, mapped.stride, cycle, mapped.mode)
    else:
        once = mapped  # type: ignore[assignment]
    try:
        indices = _spelled_out((in_source(run, window) for run in runs_of(once)), cycle)
        return indices if cycle == mapped.count else np.resize(indices, mapped.count)
    except (MemoryError, ValueError, OverflowError) as error:
        too_many: FastopsError = too_large((mapped.count,), _INT64)
        too_many.add_context(_OP, {})
        raise too_many from error


def _spelled_out(runs: Iterator[Run], count: int) -> NDArray[np.int64]:
    """Return what each of so many outputs reads, a number of runs at a time: there may be one for each output."""
    part = list(islice(runs, _RUNS_AT_ONCE))
    if sum([run.count for run in part]) == count:
        return _indices_of_runs(part)
    indices, done = np.empty(count, _INT64), 0
    while part:
        found = _indices_of_runs(part)
        indices[done : done + len(found)] = found
        done += len(found)
        part = list(islice(runs, _RUNS_AT_ONCE))
    return indices


def _indices_of_runs(runs: list[Run]) -> NDArray[np.int64]:
    """Return what each output of runs reads: the sums of what leads from one to the next."""
    firsts = [_FILLED if run.first is None else run.first for run in runs]
    strides = [0 if run.first is None else run.stride for run in runs]
    lasts = [first + (run.count - 1) * by for first, by, run in zip(firsts, strides, runs, strict=True)]
    counts = np.array([run.count for run in runs], _INT64)
    indices = np.repeat(np.array(strides, _INT64), counts)
    jumps = [first - last for first, last in zip(firsts, [0, *lasts], strict=False)]
    indices[np.cumsum(counts) - counts] = jumps
    return np.cumsum(indices, out=indices)
