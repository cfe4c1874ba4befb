"""The axes of a plan in coordinates of its source: what of the source each of them reads, and in which runs."""

from __future__ import annotations

from itertools import islice

from fastops._errors import AttributeValueError
from fastops._geometry._factors import NO_AXIS, find_factors
from fastops._geometry._geometry import Geometry, SourceWindow, extents_of, size_of
from fastops._geometry._map_runs import runs_of
from fastops._geometry._numbers import named_indices
from fastops._geometry._run_map import MOST_RUNS, Run


def windows_of(geometry: Geometry) -> tuple[SourceWindow, ...]:
    """Return what of the source each axis of a plan reads."""
    if geometry.windows is not None:
        return geometry.windows
    factors = find_factors(extents_of(geometry), geometry.source_shape) or [(NO_AXIS, 0)] * len(geometry.axes)
    return tuple([SourceWindow(axis, 0, place) for axis, place in factors])


def axis_number(op: str, geometry: Geometry, axis: int) -> int:
    """Return the number of an axis, which may be counted from the last; ``op`` is who asks."""
    n = len(geometry.axes)
    (k,) = named_indices(op, axis=axis)
    if not -n <= k < n:
        raise AttributeValueError(op, "axis", f"be in {-n}..{n - 1}", axis)
    return k % n


def source_runs(geometry: Geometry, axis: int) -> tuple[Run, ...]:
    """Return the runs of an axis: what `SlicePlan.runs` gives."""
    k = axis_number("SlicePlan.runs", geometry, axis)
    runs = tuple(islice(runs_of(geometry.axes[k]), MOST_RUNS + 1)) if size_of(geometry) else ()
    if len(runs) > MOST_RUNS:
        rule = f"have at most {MOST_RUNS} runs"
        raise AttributeValueError("SlicePlan.runs", "axis", rule, axis, k, geometry.axes[k].extent)
    window = windows_of(geometry)[k]
    return tuple([in_source(run, window) for run in runs])


def in_source(run: Run, window: SourceWindow) -> Run:
    """Return a run of a window as one of the source's axis."""
    if run.first is None:
        return run
    _, offset, step = window
    return Run(run.count, offset + step * run.first, step * run.stride if run.count > 1 else 1)
