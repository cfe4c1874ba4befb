"""ONNX Slice."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((4, 6), {"starts": [1], "ends": [-1], "axes": [1]}, lambda x: x[:, 1:-1]),
    Call((4, 6), {"starts": [-1, 0], "ends": [-99, 5], "steps": [-1, 2]}, lambda x: x[::-1, 0:5:2]),
    Call((4, 6), {"starts": [2], "ends": [99]}, lambda x: x[2:]),
    Call((5,), {"starts": [-8], "ends": [-10], "axes": [0], "steps": [-1]}, lambda x: x[:1]),
    Call((4, 6), {"starts": [3, 0], "ends": [3, 6], "axes": [-1, 0]}, lambda x: x[0:6, 3:3]),
    Call((0, 3), {"starts": [0], "ends": [9], "axes": [0]}, lambda x: x),
    Call((), {"starts": [], "ends": []}, lambda x: x),
]

REFUSALS = [
    Refusal(
        (3,), {"starts": [0], "ends": [1, 2]}, ValueError, r"ends must have as many values as starts, 1, got \[1, 2\]"
    ),
    Refusal((3,), {"starts": [0], "ends": [1], "steps": [0]}, ValueError, r"steps must not be 0, got \[0\] \(axis 0"),
    Refusal((0,), {"starts": [0], "ends": [1], "steps": [0]}, ValueError, "steps must not be 0"),
    Refusal((3,), {"starts": [0], "ends": [1], "axes": [1]}, ValueError, "axes must be in -1..0"),
    Refusal((3,), {"starts": [0] * 2, "ends": [1] * 2, "axes": [0, -1]}, ValueError, "axes must name each axis once"),
    Refusal((3,), {"starts": [0] * 2, "ends": [1] * 2}, ValueError, "starts must have at most 1 value"),
    Refusal((3,), {"starts": [True], "ends": [1]}, TypeError, "starts must hold integers only"),
]

test_slice = contract(fo.onnx.slice, CALLS, REFUSALS)
