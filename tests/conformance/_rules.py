"""The page on conformance: the rule that a recorded case is about, and what is said about some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.conformance._batch_rules import rule_of_batch_to_space, rule_of_space_to_batch
from tests.conformance._family_rules import (
    rule_of_broadcast,
    rule_of_pad,
    rule_of_reverse,
    rule_of_roll,
    rule_of_split,
    rule_of_tile,
)
from tests.conformance._layout_rules import (
    rule_of_copy,
    rule_of_depth_to_space,
    rule_of_flip,
    rule_of_move_axis,
    rule_of_repeat,
    rule_of_rotation,
    rule_of_shuffle_channels,
    rule_of_space_to_depth,
    rule_of_swap_axes,
    rule_of_take_slice,
    rule_of_transpose,
)
from tests.conformance._patch_rules import rule_of_patches
from tests.conformance._range_rules import rule_of_range
from tests.conformance._slice_rules import rule_of_slice, rule_of_strided_slice, rule_of_tensorrt_slice

Parameters = dict[str, Any]

#: From an operator to the function that gives a case's rule. A case has one rule, the first that it meets.
RULES: dict[str, Callable[[Parameters], str]] = {
    "BatchToSpace": rule_of_batch_to_space,
    "Broadcast": rule_of_broadcast,
    "Copy": rule_of_copy,
    "DepthToSpace": rule_of_depth_to_space,
    "Flip": rule_of_flip,
    "MoveAxis": rule_of_move_axis,
    "Pad": rule_of_pad,
    "Patches": rule_of_patches,
    "Range": rule_of_range,
    "Repeat": rule_of_repeat,
    "Reverse": rule_of_reverse,
    "Roll": rule_of_roll,
    "Rot90": rule_of_rotation,
    "ShuffleChannels": rule_of_shuffle_channels,
    "Slice": rule_of_slice,
    "SpaceToBatch": rule_of_space_to_batch,
    "SpaceToDepth": rule_of_space_to_depth,
    "Split": rule_of_split,
    "StridedSlice": rule_of_strided_slice,
    "SwapAxes": rule_of_swap_axes,
    "TensorRT Slice": rule_of_tensorrt_slice,
    "TakeSlice": rule_of_take_slice,
    "Tile": rule_of_tile,
    "Transpose": rule_of_transpose,
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


def _always(case: Parameters) -> bool:
    return True


@dataclass(frozen=True)
class Verdict:
    """What a framework does in some cases.

    It is about the cases of one rule, or of all, for which ``when`` is true. ``leaves`` says whether the framework
    departs from its own specification, ``alike`` that fastops answers these cases as the framework does.
    """

    framework: str
    operator: str
    text: str
    leaves: bool
    rule: str | None = None
    when: Callable[[Parameters], bool] = _always
    alike: bool = False
    example: str | None = None

    def is_about(self, framework: str, operator: str, case: Parameters, *, alike: bool) -> bool:
        """Whether the verdict is about a case, and about whether the two answer it alike."""
        if (framework, operator, alike) != (self.framework, self.operator, self.alike):
            return False
        return self.rule in (None, RULES[operator](case)) and self.when(case)
