"""ONNX Slice."""

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((4, 6), {"starts": [1], "ends": [-1], "axes": [1]}, lambda x: x[:, 1:-1]),
    Call((4, 6), {"starts": [-1, 0], "ends": [-99, 5], "steps": [-1, 2]}, lambda x: x[::-1, 0:5:2]),
    Call((5,), {"starts": [-8], "ends": [-10], "axes": [0], "steps": [-1]}, lambda x: x[:1]),
    Call((4, 6), {"starts": [3, 0], "ends": [3, 6], "axes": [-1, 0]}, lambda x: x[0:6, 3:3]),
    Call((0, 3), {"starts": [0], "ends": [9], "axes": [0]}, lambda x: x),
    Call((), {"starts": [], "ends": []}, lambda x: x),
]

refuse = refuser((3,), starts=[0], ends=[1])
REFUSALS = [
    refuse(r"ends must have as many values as starts, 1, got \[1, 2\]", ends=[1, 2]),
    refuse(r"steps must not be 0, got \[0\] \(axis 0", steps=[0]),
    refuse("steps must not be 0", ValueError, (0,), steps=[0]),
    refuse("starts must have at most 1 value", starts=[0, 0], ends=[1, 1]),
]

test_slice = contract(fo.onnx.slice, CALLS, REFUSALS)
