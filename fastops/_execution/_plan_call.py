"""What a slice plan does when it is called."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastops._arrays._fill_values import Element, encode_fills, is_fill_list
from fastops._arrays._inputs import as_source
from fastops._errors import AttributeValueError, FastopsError, shown
from fastops._execution._execute import execute_checked, execute_guarded
from fastops._execution._kinds import DataCall, find_kind
from fastops._execution._prepared_call import PreparedCall, prepare_plans
from fastops._geometry._planned_output import PlannedOutput
from fastops._geometry._slice_plan import SlicePlan


def run_slice_plan(plan: SlicePlan, data: ArrayLike, out: Any = None, fill_value: Any = None) -> Any:
    """Run one plan on an array; the call that it prepares is kept with the plan, for the next one."""
    outs = None if out is None else (out,)
    call: PreparedCall | None = plan._prepared
    try:
        if call is not None and (fill_value is None or _is_element_of(call, fill_value)):
            results = execute_guarded(call, data, outs, fill_value)
            if results is not None:
                return results[0]
        kind = None if type(data) is np.ndarray else find_kind(data)
        if kind is not None:
            return kind.run(_call_of(plan, fill_value), data, out)
        source, _pinned = as_source(data)
        _check_shape(plan, source.shape)
        call = prepare_plans((plan,), source.strides, source.dtype)
        if fill_value is not None and type(fill_value) is not Element and (plan.fills > 1 or is_fill_list(fill_value)):
            fill_value = Element(encode_fills(source.dtype, plan.fills, fill_value))
        results = execute_checked(call, source, outs, fill_value)
    except FastopsError as error:
        error.add_context("plan", {})
        raise
    plan._prepare(call)
    return results[0]


def _call_of(plan: SlicePlan, fill_value: Any) -> DataCall:
    """Return the call of a plan on data of other kinds."""

    def lower(shape: tuple[int, ...]) -> list[PlannedOutput]:
        _check_shape(plan, shape)
        return [PlannedOutput.of_plan(plan)]

    return DataCall(lambda array, out: run_slice_plan(plan, array, out, fill_value), lower, fill_value)


def _check_shape(plan: SlicePlan, shape: tuple[int, ...]) -> None:
    if shape != plan.source_shape:
        raise AttributeValueError.about("data", f"have shape {shown(plan.source_shape)}", shape)


def _is_element_of(call: PreparedCall, fill_value: object) -> bool:
    """True for an element of the type of the call that is kept, which is that of the last data, not of these."""
    return type(fill_value) is Element and fill_value.array.dtype == call.dtype


SlicePlan._run = run_slice_plan  # type: ignore[method-assign, assignment]
