"""From a slice plan and an array to a running kernel: what a plan does when it is called."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastops._errors import AttributeValueError, shown
from fastops._hold import hold
from fastops._launch import Launch, as_source, prepare_guard, prepare_launch, run_fresh, run_launch
from fastops._plan import SlicePlan
from fastops._runtime import run_kernel


def run_slice_plan(plan: SlicePlan, data: ArrayLike, out: Any = None, fill_value: Any = None) -> Any:
    """Run one plan on an array: what a plan does when it is called."""
    launch: Launch | None = plan._prepared
    if launch is not None and type(data) is np.ndarray and fill_value is None:
        _held = hold(data)
        if out is None:
            if data.dtype is launch.dtype and data.strides == launch.byte_strides and data.shape == plan.source_shape:
                return run_fresh("plan", launch, data)
        elif type(out) is np.ndarray:
            _held_out = hold(out)
            if launch.fits(out, data, launch.guard):  # type: ignore[misc]
                # Written out as in `run_into`: another call would take a tenth of this one.
                run, fill = launch.run_small, launch.fill
                if run is None:
                    run_kernel("gather", launch.needs, launch.total_bytes, (out,), data, launch.table, fill)
                else:
                    run((out,), data, launch.table, fill, 1)
                return out
    source = as_source("plan", data)
    _held = hold(source)
    shape, byte_strides, dtype = source.shape, source.strides, source.dtype
    if shape != plan.source_shape:
        raise AttributeValueError("plan", "data", f"have shape {shown(plan.source_shape)}", shape)
    launch = prepare_launch((plan,), byte_strides, dtype)
    result = run_launch("plan", launch, source, None if out is None else (out,), fill_value)[0]
    if launch.is_single:
        prepare_guard(launch)
        plan._prepare(launch)
    return result


SlicePlan._run = run_slice_plan
