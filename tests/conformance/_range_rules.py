"""Which rule a recorded case of Range is about."""

from __future__ import annotations

from math import ceil, copysign, isinf, isnan, trunc
from typing import Any

import ml_dtypes
import numpy as np

Parameters = dict[str, Any]

INPUTS = ("start", "stop", "step")

#: The names of OpenVINO's types begin with these.
_KINDS = {"f": "float", "bf": "bfloat", "i": "int", "u": "uint"}


def numbers_of(case: Parameters) -> list[Any]:
    """start, stop and step; "nan" and "inf" stand as strings in the files."""
    return [float(case[name]) if isinstance(case[name], str) else case[name] for name in INPUTS]


def _type_name(name: str) -> str:
    """A NumPy type's name, of that or of OpenVINO's name."""
    letters = name.rstrip("0123456789")
    return name if "8e" in name or letters not in _KINDS else _KINDS[letters] + name[len(letters) :]


def output_type(case: Parameters) -> str:
    """The name of the type of the output."""
    return _type_name(case["dtype"] if "dtype" in case else case["output_type"])


def input_types(case: Parameters) -> set[str]:
    """The names of the types of the inputs."""
    return {_type_name(case["dtype"] if "dtype" in case else case[f"{name}_type"]) for name in INPUTS}


def steps_by_nothing(case: Parameters) -> bool:
    """Whether the step is 0 once it is an integer, and was none before."""
    start, stop, step = numbers_of(case)
    if any(isnan(each) or isinf(each) for each in (start, stop, step)):
        return False
    return output_type(case).startswith(("int", "uint")) and step != 0 and trunc(step) == 0


def is_beyond_float64(case: Parameters) -> bool:
    """Whether the range is one of integers that float64 cannot tell from their neighbours."""
    return output_type(case).startswith(("int", "uint")) and max(map(abs, numbers_of(case))) > 2**53


def is_one_float64(case: Parameters) -> bool:
    """Whether start and stop are the same number once they are float64."""
    start, stop, _ = numbers_of(case)
    return float(start) == float(stop)


def rule_of_range(case: Parameters) -> str:
    """The rule of Range."""
    start, stop, step = numbers_of(case)
    if isnan(step) or isinf(step):
        return f"step: {'NaN' if isnan(step) else 'infinite'}"
    if any(isnan(each) or isinf(each) for each in (start, stop)):
        return "start or stop: NaN or infinite"
    if step == 0:
        return "step: 0"
    if steps_by_nothing(case):
        return "floats into an integer type: the step is truncated to 0"
    if start == stop:
        return "no elements: start is stop"
    if (stop - start) * step < 0:
        return "no elements: the step leads away from stop"
    return _of_values(case, start, stop, step)


def _of_values(case: Parameters, start: Any, stop: Any, step: Any) -> str:
    name, inputs = output_type(case), input_types(case)
    if name.startswith("f8"):
        return "float8 output"
    if not name.startswith(("int", "uint")):
        return f"floats: {_of_floats(name, start, stop, step)}"
    if any("float" in each for each in inputs):
        return "floats into an integer type: each is truncated first"
    if is_beyond_float64(case):
        return "integers: beyond 2^53"
    least, most = (getattr(np.iinfo(name), which) for which in ("min", "max"))
    last = start + (ceil((stop - start) / step) - 1) * step
    if not all(least <= each <= most for each in (start, last)):
        return "integers: values that the type cannot hold"
    if len(inputs) > 1:
        return "integers: inputs of several types"
    return f"integers: {'positive' if step > 0 else 'negative'} step"


def _of_floats(name: str, start: Any, stop: Any, step: Any) -> str:
    if start == 0 and copysign(1, start) < 0:
        return "a start of -0.0"
    is_whole = start == int(start) and step == int(step)
    digits = ml_dtypes.finfo(name).nmant + 1
    if is_whole and max(abs(start), abs(stop)) > 2**digits:
        return "whole numbers that the type cannot tell apart"
    kind = "whole numbers" if is_whole else "fractions"
    return f"{kind}, {'float16 and bfloat16' if name.endswith('16') else name}"
