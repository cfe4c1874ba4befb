"""What a slice plan does when it is called."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import Element, encode_fill
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
        if call is not None and (fill_value is None or _is_element_of(call, fill_value)):
            results = execute_guarded(call, data, outs, fill_value)
            if results is not None:
                return results[0]
        source, _pinned = as_source(data)
        if source.shape != plan.source_shape:
            raise AttributeValueError.about("data", f"have shape {shown(plan.source_shape)}", source.shape)
        call = prepare_plans((plan,), source.strides, source.dtype)
        if type(fill_value) is not Element and (plan.fills > 1 or _is_list(fill_value)):
            fill_value = _fill_of(plan, source, fill_value)
        results = execute_checked(call, source, outs, fill_value)
    except FastopsError as error:
        error.add_context("plan", {})
        raise
    plan._prepare(call)
    return results[0]


def _is_element_of(call: PreparedCall, fill_value: object) -> bool:
    """True for an element of the type of the call that is kept, which is that of the last data, not of these."""
    return type(fill_value) is Element and fill_value.array.dtype == call.dtype


def _fill_of(plan: SlicePlan, source: AnyArray, fill_value: Any) -> Element | None:
    """Return the fill values of a plan's slots, of one value for all of them, or of a sequence of one for each."""
    if fill_value is None:
        return None
    dtype = source.dtype
    elements = np.zeros(max(plan.fills, 1), dtype)
    if not _is_list(fill_value) or (type(fill_value) is tuple and dtype.names is not None):
        elements[:] = encode_fill(dtype, fill_value)
        return Element(elements)
    if len(fill_value) != plan.fills:
        raise AttributeValueError.about("fill_value", f"be one value, or a list of {plan.fills}", fill_value)
    for i, value in enumerate(tuple(fill_value)):
        elements[i : i + 1] = encode_fill(dtype, value)
    return Element(elements)


def _is_list(fill_value: Any) -> bool:
    """True for a list of values, one for each slot."""
    return type(fill_value) in (list, tuple) or (type(fill_value) is np.ndarray and fill_value.ndim == 1)


SlicePlan._run = run_slice_plan  # type: ignore[method-assign, assignment]
