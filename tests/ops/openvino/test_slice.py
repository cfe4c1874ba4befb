"""OpenVINO Slice-8."""

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((4, 6), {"start": [1], "stop": [-1], "step": [2], "axes": [1]}, lambda x: x[:, 1:-1:2]),
    Call((4, 6), {"start": [-1, 0], "stop": [-99, 5], "step": [-1, 2]}, lambda x: x[::-1, 0:5:2]),
    Call((5,), {"start": [-8], "stop": [-10], "step": [-1], "axes": [0]}, lambda x: x[:1]),
    Call((4, 6), {"start": [3], "stop": [3], "step": [1], "axes": [-1]}, lambda x: x[:, 3:3]),
    Call((), {"start": [], "stop": [], "step": []}, lambda x: x),
]

refuse = refuser((3,), start=[0], stop=[1], step=[1])
REFUSALS = [
    refuse("step must have as many values as start, 1", step=[1, 1]),
    refuse(r"step must not be 0, got \[0\] \(axis 0", step=[0]),
]

test_slice = contract(fo.openvino.slice, CALLS, REFUSALS)
