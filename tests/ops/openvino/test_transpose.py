"""OpenVINO Transpose-1."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, Refusal, contract, transposes, wrong_orders

CALLS = [Call((2, 3), {"input_order": []}, np.transpose), *transposes("input_order")]

REFUSALS = [
    *wrong_orders("input_order"),
    Refusal((2, 3), {"input_order": [-1, 0]}, ValueError, r"input_order must be in 0..1, .*, got \[-1, 0\]"),
    Refusal((2, 3), {"input_order": 1}, ValueError, "input_order must be a list of integers"),
]

test_transpose = contract(fo.openvino.transpose, CALLS, REFUSALS)
