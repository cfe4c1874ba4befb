"""What may surprise in a call of range: pure functions of its arguments."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from fastops import plan
from fastops._arrays._dtypes import AnyDType, as_output_type, bits_of, kind_of
from fastops._cli._words import Block
from fastops.plan._range_plan import RangePlan

_PREVIEW = 5

# Integers up to here have a float32 of their own.
_FLOAT32_EXACT = 2**24


def explain_range(start: int | float, stop: int | float, step: int | float, output_type: Any) -> list[Block]:
    """Return a block for the call, then one for its plan and one for its values.

    Raises what the operator raises where the call is wrong.
    """
    made = plan.range(start, stop, step, output_type)
    dtype = as_output_type("output_type", output_type)
    head = f"range: start {start}, stop {stop}, step {step} -> {made.shape}, {dtype}"
    notes = note_truncation(start, stop, step) if kind_of(dtype) in "iu" else ()
    if made.count == 0:
        equal = "start equals stop" if start == stop else "stop is not reached from start by step"
        return [Block(head, (*notes, f"no values: {equal}"))]
    shown = [str(value_at(made, dtype, i)) for i in range(min(made.count, _PREVIEW))]
    last = value_at(made, dtype, made.count - 1)
    more = " ..." if made.count > _PREVIEW else ""
    return [
        Block(head, notes),
        Block(f"plan: start {made.start}, step {made.step}, count {made.count}"),
        Block(f"values: {' '.join(shown)}{more}; the last is {last!s}", note_values(made, dtype)),
    ]


def note_truncation(start: int | float, stop: int | float, step: int | float) -> tuple[str, ...]:
    """Return notes on inputs that are truncated for an integral output type."""
    written = (("start", start), ("stop", stop), ("step", step))
    return tuple(
        f"{name} {value} is truncated to {int(value)}, because the output type is integral"
        for name, value in written
        if value != int(value)
    )


def note_values(made: RangePlan, dtype: AnyDType) -> tuple[str, ...]:
    """Return notes on values that are not ``start + i * step``, for a plan that has some."""
    if kind_of(dtype) in "iu":
        bits = bits_of(dtype)
        ends = (int(made.start), int(made.start) + (made.count - 1) * int(made.step))
        lowest, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if kind_of(dtype) == "i" else (0, 2**bits - 1)
        if min(ends) < lowest or max(ends) > most:
            return (f"values leave {lowest}..{most}: they wrap modulo 2^{bits}",)
        return ()
    notes = []
    if not isfinite(float(value_at(made, dtype, made.count - 1))):
        notes.append(f"the values leave the range of {dtype}")
    if dtype.newbyteorder("=") != np.float64:
        if made.count > _FLOAT32_EXACT:
            notes.append("positions above 2^24 are rounded to float32 before they are multiplied by step")
        if made.count > 1 and value_at(made, dtype, 0) == value_at(made, dtype, 1):
            notes.append(f"step is lost: {dtype} rounds the first two values to the same number")
    return tuple(notes)


def value_at(made: RangePlan, dtype: AnyDType, i: int) -> Any:
    """Return value ``i`` in the output type: an integer, or a scalar of a float type."""
    if kind_of(dtype) in "iu":
        bits = bits_of(dtype)
        value = (int(made.start) + i * int(made.step)) % 2**bits
        return value - 2**bits if kind_of(dtype) == "i" and value >= 2 ** (bits - 1) else value
    working: Any = np.float64 if dtype.newbyteorder("=") == np.float64 else np.float32
    with np.errstate(all="ignore"):
        numbers = (made.start, i, made.step)
        start, index, step = (np.asarray(number).astype(working)[()] for number in numbers)
        return (start + index * step).astype(dtype)[()]
