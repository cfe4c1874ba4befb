"""What `fastops explain` says of calls, with notes: of the four operators in any module, and of slices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastops import plan
from fastops._cli._bounds_notes import note_onnx_slice, note_openvino_slice
from fastops._cli._plan_outputs import Plans, plans_in_words
from fastops._cli._range_notes import explain_range
from fastops._cli._slice_notes import explain_slice, explain_variadic_split
from fastops._cli._strided_slice_notes import explain_strided_slice
from fastops._cli._words import Block

# The blocks of a call, in place of what the plan says.
_EXPLAIN: dict[Callable[..., Any], Callable[..., list[Block]]] = {
    plan.strided_slice: explain_strided_slice,
    plan.variadic_split: explain_variadic_split,
    plan.slice: explain_slice,
    plan.range: explain_range,
}

# Notes behind what the plan says.
_NOTES: dict[Callable[..., Any], Callable[..., list[str]]] = {
    plan.onnx.slice: note_onnx_slice,
    plan.openvino.slice: note_openvino_slice,
}


def call_in_words(op: str, function: Callable[..., Any], values: Mapping[str, Any], made: Plans) -> list[str]:
    """Return the lines of a call of a function of plans, with notes on what may surprise in it."""
    if function in _EXPLAIN:
        lines = []
        for i, block in enumerate(_EXPLAIN[function](**values)):
            indent = "  " if i else ""
            lines.append(indent + block.line)
            lines += [f"{indent}  {line}" for line in block.picture]
            lines += [f"{indent}  note: {note}" for note in block.notes]
        return lines
    notes = _NOTES[function](**values) if function in _NOTES else []
    return [*plans_in_words(op, made), *[f"  note: {note}" for note in notes]]
