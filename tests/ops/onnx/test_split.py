"""ONNX Split."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((7, 2), {"split": [1, 0, 6]}, lambda x: np.split(x, [1, 1])),
    Call((2, 7), {"num_outputs": 3, "axis": -1}, lambda x: np.split(x, [3, 6], axis=1)),
    Call((4,), {"num_outputs": 3}, lambda x: np.split(x, [2, 4])),
    Call((0, 2), {"num_outputs": 2}, lambda x: [x, x]),
    Call((6,), {"split": [6]}, lambda x: [x]),
]

REFUSALS = [
    Refusal((6,), {"split": [1, 2]}, ValueError, r"split must sum to 6, got \[1, 2\] \(axis 0, extent 6\)"),
    Refusal((6,), {"split": [-1, 7]}, ValueError, "split must be at least 0"),
    Refusal((5,), {"num_outputs": 4}, ValueError, "num_outputs must leave at least 0 elements .* got 4"),
    Refusal((5,), {"num_outputs": 0}, ValueError, "num_outputs must be at least 1, got 0"),
    Refusal((6,), {"split": [3, 3], "num_outputs": 2}, ValueError, "num_outputs must not be given together with split"),
    Refusal((6,), {}, ValueError, "split must have at least one length, or num_outputs be given, got None"),
    Refusal((6,), {"split": []}, ValueError, "split must have at least one length"),
    Refusal((), {"num_outputs": 1}, ValueError, "input must have at least one axis"),
    Refusal((6,), {"num_outputs": 1, "axis": 1}, ValueError, "axis must be in -1..0"),
    Refusal((6,), {"num_outputs": 1.0}, TypeError, "num_outputs must be an integer"),
]

test_split = contract(fo.onnx.split, CALLS, REFUSALS)
