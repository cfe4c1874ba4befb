"""Plans of a model's nodes, also for data with open dimensions, if the node reads these dimensions unchanged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from fastops._errors import FastopsError
from fastops._geometry._axis_map import AxisMap, Map
from fastops._geometry._geometry import Geometry, size_of
from fastops._geometry._json import open_to_json
from fastops.plan._range_and_windows_plan import PlanList, RangePlan
from fastops.plan._slice_plan import SlicePlan
from fastops.plan._text import notes_of, window_text

#: A shape whose open dimensions are names, or None if the model gives no name.
OpenShape = tuple[int | str | None, ...]

# Lengths that stand for open dimensions, so large that no other number of a plan is likely to equal them.
_LENGTHS = 1_000_000_007, 3_000_000_019


@dataclass(frozen=True, slots=True)
class OpenPlan:
    """The plan of a model's node on data with open dimensions, which the node reads unchanged.

    It cannot be called: `fastops.onnx.plans` with ``shapes`` gives the plan of each length.

    Attributes
    ----------
    source_shape, shape : tuple of int, str or None
        The shapes of data and of the result: an open dimension is a name, or None if the model gives no name.
    axes : tuple of AxisMap, RunMap, str or None
        How each axis is read, as in a `SlicePlan`; for an open dimension, its name or None.
    order : tuple of int
        The axis that comes first in the result, the axis that comes next, and so on.
    """

    source_shape: OpenShape
    shape: OpenShape
    axes: tuple[Map | str | None, ...]
    order: tuple[int, ...]
    # The geometry for one choice of lengths of the open dimensions.
    _geometry: Geometry = field(repr=False, compare=False)

    @property
    def fills(self) -> int:
        """The number of fill values that a call of a plan may give."""
        return self._geometry.fills

    def explain(self) -> str:
        """Return the plan in words, as `str` does."""
        return str(self)

    def to_json(self) -> str:
        """Return the plan as JSON, on one line; an open dimension is its name, or null."""
        return open_to_json(self.source_shape, self.shape, self.axes, self.order)

    def __str__(self) -> str:
        geometry = self._geometry
        lines = [f"{shape_text(self.source_shape)} -> {shape_text(self.shape)}"]
        for k, axis in enumerate(self.axes):
            is_open = axis is None or isinstance(axis, str)
            text = f"{axis or '?'}, as it is" if is_open else f"{axis}{window_text(geometry, k)}"
            lines.append(f"  axis {k}: {text}")
        return "\n".join([*lines, *[f"  {line}" for line in notes_of(geometry)]])


def open_plan(lower: Callable[[tuple[int, ...]], Any], shape: OpenShape) -> OpenPlan | list[OpenPlan] | None:
    """Return the plan that ``lower`` gives for a shape with open dimensions; None if it depends on their lengths.

    Examples
    --------
    >>> from fastops import plan
    >>> print(open_plan(lambda shape: plan.onnx.slice(shape, [2], [6], axes=[1]), ("n", 8)))
    (n, 8) -> (n, 4)
      axis 0: n, as it is
      axis 1: extent 8, start 2, stride 1, count 4, strict_bounds
    >>> open_plan(lambda shape: plan.onnx.slice(shape, [2], [6], axes=[0]), ("n", 8)) is None
    True
    """
    made = []
    for length in _LENGTHS:
        lengths = count(length)
        # Dimensions of one name are equally long.
        named = {n: next(lengths) for n in shape if isinstance(n, str)}
        own = tuple([n if isinstance(n, int) else named[n] if n else next(lengths) for n in shape])
        try:
            plans = lower(own)
        except FastopsError:
            return None
        made.append([_named(plan.geometry, shape, own) for plan in (plans if isinstance(plans, list) else [plans])])
    found, other = made
    if found != other or None in found:
        return None
    opened = [plan for plan in found if plan is not None]
    return opened if isinstance(plans, list) else opened[0]


def _named(geometry: Geometry, shape: OpenShape, lengths: Sequence[int]) -> OpenPlan | None:
    """Return a plan with the names of open dimensions; None unless one axis reads each open dimension unchanged."""
    names = {length: n for length, n in zip(lengths, shape, strict=True) if not isinstance(n, int)}
    whole = [axis.extent in names and axis == AxisMap.whole(axis.extent) for axis in geometry.axes]
    if not size_of(geometry) or sum(whole) != sum([not isinstance(n, int) for n in shape]):
        return None
    pairs = zip(geometry.axes, whole, strict=True)
    axes = tuple([names[axis.extent] if is_whole else axis for axis, is_whole in pairs])
    result = tuple([names.get(n, n) for n in geometry.shape])
    return OpenPlan(shape, result, axes, geometry.order, geometry)


def shape_text(shape: Sequence[int | str | None]) -> str:
    """Return a shape with the names of its open dimensions.

    Examples
    --------
    >>> shape_text(("n", 3, None)), shape_text(("n",))
    ('(n, 3, ?)', '(n,)')
    """
    lengths = [n or "?" if n is None or isinstance(n, str) else str(n) for n in shape]
    return f"({', '.join(lengths)}{',' if len(lengths) == 1 else ''})"


@dataclass(frozen=True, slots=True)
class NodePlan:
    """A slicing node of a model with its plan, or the reason why the plan is not known before the model runs.

    Attributes
    ----------
    name : str
        The node's name, or the name of its first output if the node has no name.
    op_type : str
        The node's operator.
    plan : SlicePlan, RangePlan, PlanList, OpenPlan, list of OpenPlan or None
        The result of the function of `fastops.plan.onnx` or `fastops.plan.openvino`: a list for the parts of a split,
        and for the pieces of a result. An `OpenPlan` or a list of `OpenPlan` if an ONNX model leaves dimensions of
        data open and the plan does not depend on their lengths. None if the plan is not known.
    reason : str
        The reason why the plan or the fill value is not known: a shape or an input is known only when the model runs,
        or the call is an error. Empty if both are known.
    fill_value : scalar, optional
        The fill value for calls of a plan that fills: ``node.plan(data, fill_value=node.fill_value)``. None stands for
        zero, and for plans that do not fill.
    """

    name: str
    op_type: str
    plan: SlicePlan | RangePlan | PlanList | OpenPlan | list[OpenPlan] | None
    reason: str = ""
    fill_value: Any = None
