"""ONNX Tile."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {"repeats": [2, 1]}, lambda x: np.tile(x, (2, 1))),
    Call((2, 3), {"repeats": [3, 5]}, lambda x: np.tile(x, (3, 5))),
    Call((1, 3), {"repeats": [4, 1]}, lambda x: np.tile(x, (4, 1))),
    Call((2, 3), {"repeats": [0, 2]}, lambda x: np.tile(x, (0, 2))),
    Call((), {"repeats": []}, lambda x: x),
]

REFUSALS = [
    Refusal((2, 3), {"repeats": [2]}, ValueError, r"repeats must have 2 values, one for each axis of input, got \[2\]"),
    Refusal((2,), {"repeats": [-1]}, ValueError, r"repeats must be at least 0, got \[-1\]"),
    Refusal((2,), {"repeats": 2}, ValueError, "repeats must be a list of integers, got 2"),
]

test_tile = contract(fo.onnx.tile, CALLS, REFUSALS)
