"""What `fastops run` runs: a call of an operator, or a plan, of which all is known but the data."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

from fastops._arrays._dtypes import AnyDType
from fastops._arrays._fill_values import Element, encode_fills
from fastops._cli._fill_texts import read_fill_value
from fastops._cli._npy import reason_of
from fastops._errors import AttributeValueError
from fastops._geometry._planned_output import PlannedOutput
from fastops._interop._files import check_regular_file
from fastops._lowering._decorator import lowering_of
from fastops.plan._slice_plan import SlicePlan

# Longer files hold no plan: more bytes than the longest document has.
_MOST_BYTES = 1 << 22


class Written(NamedTuple):
    """A file that was written."""

    path: str
    shape: tuple[int, ...]
    dtype: AnyDType


class Lowered(NamedTuple):
    """What a call gives of data of a shape.

    Attributes
    ----------
    outputs : list of PlannedOutput
    has_parts : bool
        True if each of them is a part, with a number in its file's name.
    """

    outputs: list[PlannedOutput]
    has_parts: bool = False


@dataclass(frozen=True, slots=True)
class RunCall:
    """A call of an operator or of a plan.

    Attributes
    ----------
    op : str
        How errors call it.
    lower : callable
        Returns what the call gives of data of a shape.
    fill_text : str or None
        The fill value, as it was written.
    may_have_fill : bool
        True if a fill value is right even where nothing reads it.
    """

    op: str
    lower: Callable[[tuple[int, ...]], Lowered]
    fill_text: str | None = None
    may_have_fill: bool = False

    def fill(self, lowered: Lowered, dtype: AnyDType) -> Element:
        """Return the fill values of all slots, in the data's type."""
        fills = max([output.fills for output in lowered.outputs], default=0)
        if self.fill_text is None:
            return Element(encode_fills(dtype, fills, None))
        if fills == 0 and not self.may_have_fill:
            rule = "be given where an output reads it only: all of these read IN"
            raise AttributeValueError(self.op, "fill_value", rule, self.fill_text)
        return Element(encode_fills(dtype, fills, read_fill_value(self.op, self.fill_text, dtype)))


def lower_call(
    function: Callable[..., Any], shape_name: str, values: dict[str, Any], shape: tuple[int, ...]
) -> Lowered:
    """Return what an operator gives of data of a shape, by the function that gives its plans."""
    # Its errors speak the caller's words.
    function(**{shape_name: shape}, **values)
    lowering, parameters = lowering_of(function), inspect.signature(function).parameters
    written = [values.get(name, parameters[name].default) for name in lowering.names]
    outputs = lowering.outputs(shape, lowering.read(written))
    if len(shape) != 1 and [output.source_shape for output in outputs] == [(prod(shape),)]:
        # Only rolls flatten data, where no axes are given.
        rule = "say which axes of IN are rolled: files are not flattened"
        raise AttributeValueError(lowering.op, lowering.names[1], rule, None)
    return Lowered(outputs, lowering.has_parts)


def lower_plan(plan: SlicePlan, shape: tuple[int, ...]) -> Lowered:
    """Return what a plan gives of data, whose shape has to be that of its source."""
    if shape != plan.source_shape:
        raise AttributeValueError("plan", "IN", f"have shape {plan.source_shape}, the plan's source_shape", shape)
    return Lowered([PlannedOutput.of_geometry(plan.geometry)])


def read_plan(path: str) -> SlicePlan:
    """Return the plan of a file that `SlicePlan.to_json` wrote."""
    check_regular_file("plan", "plan", path)
    try:
        with open(path, "rb") as file:
            text = file.read(_MOST_BYTES)
    except OSError as error:
        raise AttributeValueError("plan", "plan", f"be a file that can be read ({reason_of(error)})", path) from error
    return SlicePlan.from_json(text)
