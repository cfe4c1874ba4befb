"""The operators of the page on conformance: how a recorded case is assigned to a rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.conformance._pad_rules import (
    rule_of_broadcast,
    rule_of_pad,
    rule_of_reverse,
    rule_of_roll,
    rule_of_split,
    rule_of_tile,
)
from tests.conformance._range_rules import rule_of_range
from tests.conformance._slice_rules import rule_of_slice, rule_of_strided_slice, rule_of_tensorrt_slice

Parameters = dict[str, Any]

#: From an operator to the function that gives a case's rule. A case has one rule, the first that it meets.
RULES: dict[str, Callable[[Parameters], str]] = {
    "Broadcast": rule_of_broadcast,
    "Pad": rule_of_pad,
    "Range": rule_of_range,
    "Reverse": rule_of_reverse,
    "Roll": rule_of_roll,
    "Slice": rule_of_slice,
    "Split": rule_of_split,
    "StridedSlice": rule_of_strided_slice,
    "TensorRT Slice": rule_of_tensorrt_slice,
    "Tile": rule_of_tile,
}

# Files of one operator. Cases of other files name theirs.
_OPERATORS = {
    "openvino_strided_slice": "StridedSlice",
    "openvino_variadic_split": "Split",
    "openvino_slice8": "Slice",
    "openvino_split": "Split",
    "openvino_pad12": "Pad",
    "openvino_range": "Range",
    "onnx_slice": "Slice",
    "onnx_pad": "Pad",
    "onnx_range": "Range",
    "tf_strided_slice": "StridedSlice",
    "tf_range": "Range",
    "numpy_pad": "Pad",
    "trt_slice_formula": "TensorRT Slice",
}


def operator_of(name: str, case: Parameters) -> str:
    """Return the operator of a case of a file, by which it has a section of the page."""
    operator: str = case.get("op") or _OPERATORS[name]
    return "Broadcast" if operator == "Expand" else operator
