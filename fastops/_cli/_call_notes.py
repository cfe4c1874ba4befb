"""What `fastops explain` says of calls that have notes: those of the four operators, in whatever module they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastops import plan
from fastops._cli._range_notes import explain_range
from fastops._cli._slice_notes import explain_slice, explain_variadic_split
from fastops._cli._strided_slice_notes import explain_strided_slice
from fastops._cli._words import Block

_EXPLAIN: dict[Callable[..., Any], Callable[..., list[Block]]] = {
    plan.strided_slice: explain_strided_slice,
    plan.variadic_split: explain_variadic_split,
    plan.slice: explain_slice,
    plan.range: explain_range,
}


def has_notes(function: Callable[..., Any]) -> bool:
    """True for a function of plans whose calls have notes."""
    return function in _EXPLAIN


def lines_with_notes(function: Callable[..., Any], values: Mapping[str, Any]) -> list[str]:
    """Return the lines of a call of a function of plans, with notes on what may surprise in it."""
    lines = []
    for i, block in enumerate(_EXPLAIN[function](**values)):
        indent = "  " if i else ""
        lines.append(indent + block.line)
        lines += [f"{indent}  {line}" for line in block.picture]
        lines += [f"{indent}  note: {note}" for note in block.notes]
    return lines
