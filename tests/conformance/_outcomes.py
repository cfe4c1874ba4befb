"""What a call comes to: an array, a list of arrays for a split, or an error, and that in a few words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

#: None is an error.
Outcome = Array | list[Array] | None

#: Shapes and values, one pair an array; None is an error. Recorded outcomes are such ones.
Values = list[tuple[tuple[int, ...], list[Any]]] | None

AN_ERROR = "an error"

#: What is said of a result that is not the same each time.
UNDEFINED = "no defined result"


def outcome_of(function: Callable[[], Any], errors: type[Exception]) -> Outcome:
    """Return what a function gives, or None where it raises one of these errors."""
    try:
        result = function()
    except errors:
        return None
    return list(result) if isinstance(result, list | tuple) else result


def are_alike(first: Outcome, second: Outcome) -> bool:
    """Whether two outcomes are one: errors, or arrays of the same dtypes, shapes and bytes."""
    if first is None or second is None:
        return first is second
    if isinstance(first, list) or isinstance(second, list):
        if not (isinstance(first, list) and isinstance(second, list)) or len(first) != len(second):
            return False
        return all(map(are_alike, first, second))
    return (first.dtype, first.shape, first.tobytes()) == (second.dtype, second.shape, second.tobytes())


def has_elements(outcome: Outcome) -> bool:
    """Whether there is something in it that could be wrong."""
    if outcome is None:
        return False
    return any(each.size for each in outcome) if isinstance(outcome, list) else outcome.size > 0


def values_of(outcome: Outcome) -> Values:
    """Return shapes and values of an outcome."""
    if outcome is None:
        return None
    arrays: Iterable[Array] = outcome if isinstance(outcome, list) else [outcome]
    return [(each.shape, [_number(value) for value in each.ravel().tolist()]) for each in arrays]


def _number(value: Any) -> Any:
    if isinstance(value, float) or type(value).__module__ == "ml_dtypes":
        return repr(float(value))
    return int(value) if isinstance(value, int) else repr(value)


def said(values: Values) -> str:
    """Return shapes and values in a few words."""
    if values is None:
        return AN_ERROR
    texts = []
    for shape, numbers in values:
        shown = ", ".join(map(str, numbers[:8])) + (", …" if len(numbers) > 8 else "")
        texts.append(f"{'x'.join(map(str, shape)) or 'scalar'} [{shown}]")
    return "; ".join(texts) or "no part"
