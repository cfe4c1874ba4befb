"""From a slice plan and an array to a running kernel: what a plan does when it is called."""

from __future__ import annotations

from typing import Any

# By itself, before anything of it: where another thread is amid its import, Python waits for it here, but not for the
# package of a module that it is asked for.
import numpy  # noqa: F401
from numpy.typing import ArrayLike

from fastops._errors import AttributeValueError, shown
from fastops._execution._execute import as_source, load_guarded, move_fresh, move_into, run_launch
from fastops._execution._prepared_call import Launch, prepare_launch
from fastops._execution._tables import NO_TABLE
from fastops._plans._slice_plan import SlicePlan


def run_slice_plan(plan: SlicePlan, data: ArrayLike, out: Any = None, fill_value: Any = None) -> Any:
    """Run one plan on an array: what a plan does when it is called."""
    launch: Launch | None = plan._prepared
    if launch is not None and fill_value is None:
        if out is None:
            result = move_fresh(launch, data, launch.fill)
            if result is not None:
                return result
        elif move_into(launch, data, (out,), launch.fill):
            return out
    # Before code of the caller's runs, if it does: an __array__, or what converts a fill value.
    source, _held = as_source("plan", data, (out,))
    shape, byte_strides, dtype = source.shape, source.strides, source.dtype
    if shape != plan.source_shape:
        raise AttributeValueError("plan", "data", f"have shape {shown(plan.source_shape)}", shape)
    launch = prepare_launch((plan,), byte_strides, dtype)
    result = run_launch("plan", launch, source, None if out is None else (out,), fill_value)[0]
    if launch.guard is not NO_TABLE:
        if launch.run_guarded is None:
            load_guarded(launch)
        plan._prepare(launch)
    return result


SlicePlan._run = run_slice_plan  # type: ignore[method-assign, assignment]
