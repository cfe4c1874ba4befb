"""The axes of a plan in coordinates of its source: what of the source each of them reads, and in which runs."""

from __future__ import annotations

from itertools import islice

from fastops._errors import AttributeValueError, FastopsError
from fastops._geometry._factors import NO_AXIS, Factor, find_factors
from fastops._geometry._map_runs import runs_of
from fastops._geometry._numbers import as_index
from fastops._geometry._plan_fields import SourceWindow
from fastops._geometry._run_map import MOST_RUNS, Run
from fastops._geometry._slice_plan import SlicePlan


def windows_of(plan: SlicePlan) -> tuple[SourceWindow, ...]:
    """Return what of the source each axis of a plan reads."""
    if plan.windows is not None:
        return plan.windows
    factors = find_factors(plan.extents, plan.source_shape) or [Factor(NO_AXIS, 0)] * len(plan.axes)
    return tuple([SourceWindow(axis, 0, place) for axis, place in factors])


def axis_number(op: str, plan: SlicePlan, axis: int) -> int:
    """Return the number of an axis, which may be counted from the last; ``op`` is who asks."""
    n = len(plan.axes)
    try:
        k = as_index("axis", axis)
    except FastopsError as error:
        error.add_context(op, {"axis": axis})
        raise
    if not -n <= k < n:
        raise AttributeValueError(op, "axis", f"be in {-n}..{n - 1}", axis)
    return k % n


def source_runs(plan: SlicePlan, axis: int) -> tuple[Run, ...]:
    """Return the runs of an axis: what `SlicePlan.runs` gives."""
    k = axis_number("SlicePlan.runs", plan, axis)
    runs = tuple(islice(runs_of(plan.axes[k]), MOST_RUNS + 1)) if plan.size else ()
    if len(runs) > MOST_RUNS:
        rule = f"have at most {MOST_RUNS} runs"
        raise AttributeValueError("SlicePlan.runs", "axis", rule, axis, k, plan.axes[k].extent)
    window = windows_of(plan)[k]
    return tuple([in_source(run, window) for run in runs])


def in_source(run: Run, window: SourceWindow) -> Run:
    """Return a run of a window as one of the source's axis."""
    if run.first is None:
        return run
    _, offset, step = window
    return Run(run.count, offset + step * run.first, step * run.stride if run.count > 1 else 1)
