"""Plans of geometry, and of what lowers to it: what the functions of `fastops.plan` and its modules are."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, overload

from fastops._geometry._geometry import Geometry
from fastops._geometry._range_and_windows import RangeGeometry, WindowsGeometry
from fastops.plan._range_and_windows_plan import PlanList, RangePlan, WindowsPlan
from fastops.plan._slice_plan import SlicePlan, slice_plan

P = ParamSpec("P")


def plan_of(made: Any) -> Any:
    """Return the plan of what an operator has lowered to, or those of its parts or pieces."""
    if type(made) is Geometry:
        return slice_plan(made)
    if type(made) is list:
        return PlanList(map(slice_plan, made))
    return RangePlan(*made) if type(made) is RangeGeometry else WindowsPlan(*made[:-1])


@overload
def as_plan(lower: Callable[P, Geometry]) -> Callable[P, SlicePlan]: ...
@overload
def as_plan(lower: Callable[P, RangeGeometry]) -> Callable[P, RangePlan]: ...
@overload
def as_plan(lower: Callable[P, WindowsGeometry]) -> Callable[P, WindowsPlan]: ...
@overload
def as_plan(lower: Callable[P, list[Geometry]]) -> Callable[P, PlanList]: ...
def as_plan(lower: Callable[..., Any]) -> Callable[..., Any]:
    """Return the public form of an operator's lowering, which gives plans, and has the operator's name.

    That is ``fastops.plan.onnx.pad`` for ``lower_pad`` of ``fastops.ops.onnx._pads``.
    """

    @wraps(lower)
    def plan(*args: Any, **kwargs: Any) -> Any:
        return plan_of(lower(*args, **kwargs))

    signature = inspect.signature(lower)
    own = {"Geometry": "SlicePlan", "list[Geometry]": "PlanList"}
    returns = own.get(signature.return_annotation) or signature.return_annotation.replace("Geometry", "Plan")
    plan.__signature__ = signature.replace(return_annotation=returns)  # type: ignore[attr-defined]
    plan.__annotations__ = {**lower.__annotations__, "return": returns}
    plan.__module__ = lower.__module__.rpartition(".")[0].replace("fastops.ops", "fastops.plan")
    plan.__name__ = plan.__qualname__ = lower.__name__.removeprefix("lower_")
    return plan
