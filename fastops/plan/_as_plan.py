"""The functions of `fastops.plan` and its modules: each makes the plans of one operator."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from fastops._execution._docstrings import describe_arguments
from fastops._geometry._geometry import Geometry
from fastops._geometry._range_and_windows import RangeGeometry
from fastops._lowering._windows import Lowering
from fastops.plan._range_and_windows_plan import PlanList, RangePlan, WindowsPlan
from fastops.plan._slice_plan import SlicePlan, slice_plan

# The type of plan for each type that a lowering returns, as the lowering's annotation names it.
_PLANS = {"Windows": SlicePlan, "WindowsGeometry": WindowsPlan, "list[Windows]": PlanList, "Assembly": PlanList}

_DOCSTRING = """Return the plan of `{operator}`, from shapes alone.

Parameters
----------
{arguments}

Returns
-------
{result}

Raises
------
FastopsError
    `{operator}` raises this error for these arguments too."""


def plan_of(made: Any) -> Any:
    """Return the plan of a geometry, or the list of plans of parts or pieces."""
    if type(made) is Geometry:
        return slice_plan(made)
    if type(made) is list:
        return PlanList(map(slice_plan, made))
    return RangePlan(*made) if type(made) is RangeGeometry else WindowsPlan(*made[:-1])


@cache
def as_plan(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that makes the plans of an operator, from the operator's public function.

    ``as_plan(fastops.onnx.pad)`` is ``fastops.plan.onnx.pad``. It takes a shape in place of the operator's data, and
    those other arguments of the operator that the geometry depends on.
    """
    lowering: Any = function.lowering  # type: ignore[attr-defined]
    lower_call, signature = lowering.lower_call, lowering.signature

    def made(*args: Any, **kwargs: Any) -> Any:
        return plan_of(lower_call(*args, **kwargs))

    plan: Any = made
    result, shape = RangePlan.__name__, ""
    if isinstance(lowering, Lowering):
        plan.lowering = lowering
        result = _PLANS[lowering.returns].__name__
        shape = f"{next(iter(signature.parameters))} : list of int\n    The shape of data.\n"
    # `typing.get_type_hints` would look up the types of ``made`` in the operator's module.
    plan.__wrapped__, plan.__annotations__ = function, {}
    plan.__name__ = plan.__qualname__ = function.__name__
    plan.__module__ = function.__module__.rpartition(".")[0].replace("fastops.ops", "fastops.plan")
    plan.__signature__ = signature.replace(return_annotation=result)
    operator = f"{plan.__module__.replace('fastops.plan', 'fastops')}.{plan.__name__}"
    plan.__doc__ = _DOCSTRING.format(
        operator=operator, result=result, arguments=shape + describe_arguments(function, signature.parameters)
    )
    return made


def plans_of(module: str) -> dict[str, Callable[..., Any]]:
    """Return the functions that make the plans of a module's operators, which are its public names."""
    public = vars(import_module(module))
    return {name: as_plan(public[name]) for name in public.get("__all__", list(public)) if name[0] != "_"}
