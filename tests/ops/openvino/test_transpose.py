"""OpenVINO Transpose-1."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {"input_order": []}, np.transpose),
    Call((2, 3, 4), {"input_order": [2, 0, 1]}, lambda x: np.transpose(x, (2, 0, 1))),
    Call((5,), {"input_order": [0]}, np.transpose),
    Call((), {"input_order": []}, np.transpose),
    Call((3, 0, 2), {"input_order": [1, 2, 0]}, lambda x: np.transpose(x, (1, 2, 0))),
    Call((1, 4, 1, 3), {"input_order": [0, 3, 2, 1]}, lambda x: np.transpose(x, (0, 3, 2, 1))),
]

REFUSALS = [
    Refusal((2, 3), {"input_order": [0]}, ValueError, r"input_order must name each of the 2 axes once, got \[0\]"),
    Refusal((2, 3), {"input_order": [1, 1]}, ValueError, r"input_order must name each axis once, got \[1, 1\]"),
    Refusal(
        (2, 3), {"input_order": [-1, 0]}, ValueError, r"input_order must be in 0..1, for data of rank 2, got \[-1, 0\]"
    ),
    Refusal((2, 3), {"input_order": [0, 2]}, ValueError, "input_order must be in -2..1"),
    Refusal((2, 3), {"input_order": [0.5, 1]}, TypeError, "input_order must hold integers only"),
    Refusal((2, 3), {"input_order": 1}, ValueError, "input_order must be a list of integers"),
]

test_transpose = contract(fo.openvino.transpose, CALLS, REFUSALS)
