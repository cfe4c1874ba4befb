"""What a slice plan does when it is called."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from fastops._arrays._inputs import as_source
from fastops._errors import AttributeValueError, FastopsError, shown
from fastops._execution._execute import execute_checked, execute_guarded
from fastops._execution._prepared_call import PreparedCall, prepare_plans
from fastops._plans._slice_plan import SlicePlan


def run_slice_plan(plan: SlicePlan, data: ArrayLike, out: Any = None, fill_value: Any = None) -> Any:
    """Run one plan on an array; the call that it prepares is kept with the plan, for the next one."""
    outs = None if out is None else (out,)
    call: PreparedCall | None = plan._prepared
    try:
        if call is not None and fill_value is None:
            results = execute_guarded(call, data, outs, None)
            if results is not None:
                return results[0]
        source, _pinned = as_source(data)
        if source.shape != plan.source_shape:
            raise AttributeValueError.about("data", f"have shape {shown(plan.source_shape)}", source.shape)
        call = prepare_plans((plan,), source.strides, source.dtype)
        results = execute_checked(call, source, outs, fill_value)
    except FastopsError as error:
        error.add_context("plan", {})
        raise
    plan._prepare(call)
    return results[0]


SlicePlan._run = run_slice_plan  # type: ignore[method-assign, assignment]
