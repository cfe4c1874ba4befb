"""What is known of a model's slicing node before the model runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops.plan._open_plan import OpenPlan
from fastops.plan._plan_list import PlanList
from fastops.plan._range_plan import RangePlan
from fastops.plan._slice_plan import SlicePlan


@dataclass(frozen=True, slots=True)
class NodePlan:
    """A slicing node of a model, and its plan, or why there is none before the model runs.

    Attributes
    ----------
    name : str
        The node's name, or that of its first output if it has none.
    op_type : str
        Its operator.
    plan : SlicePlan, RangePlan, PlanList, OpenPlan, list of OpenPlan or None
        What the function of `fastops.plan.onnx` or `fastops.plan.openvino` gives: a list for the parts of a split, and
        for the pieces of a result. An `OpenPlan`, or a list of them, where an ONNX model leaves dimensions of data open
        on which the plan does not depend. None if it is not known.
    reason : str
        Why it, or the fill value, is not known: a shape or an input that is known when the model runs only, or the
        error of the call. Empty where there is nothing more to know.
    fill_value : scalar, optional
        What a plan that fills is to be called with: ``node.plan(data, fill_value=node.fill_value)``. None stands for
        zero, and for plans that do not fill.
    """

    name: str
    op_type: str
    plan: SlicePlan | RangePlan | PlanList | OpenPlan | list[OpenPlan] | None
    reason: str = ""
    fill_value: Any = None


def fill_of_constant(argument: str, value: AnyArray) -> tuple[Any, str]:
    """Return what a constant fills with, as a scalar, or why that is not known."""
    elements = np.asarray(value).reshape(-1)
    return (elements[0], "") if elements.size else (None, f"{argument} must have an element, got none")


def fills(plan: object) -> bool:
    """True for a plan that is called with a fill value."""
    return isinstance(plan, SlicePlan | OpenPlan) and plan.fills > 0
