"""OpenVINO Roll-7."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((4, 3), {"shift": [1, -2], "axes": [0, 1]}, lambda x: np.roll(x, (1, -2), (0, 1))),
    Call((4, 3), {"shift": 1, "axes": [0, 1]}, lambda x: np.roll(x, 1, (0, 1))),
    Call((5,), {"shift": 2, "axes": 0}, lambda x: np.roll(x, 2)),
    Call((4, 3), {"shift": [3, 4, -2], "axes": [0, 0, -2]}, lambda x: np.roll(x, 5, 0)),
    Call((7,), {"shift": [10**20], "axes": [0]}, lambda x: np.roll(x, 10**20 % 7)),
    Call((4,), {"shift": [-4], "axes": [0]}, lambda x: x),
    Call((0, 2), {"shift": [1], "axes": [0]}, lambda x: x),
    Call((2, 2), {"shift": [], "axes": []}, lambda x: x),
]

refuse = refuser((4, 3), shift=[1], axes=[0])
REFUSALS = [
    refuse(r"shift must be a scalar, or have as many values as axes, 2, got \[1\]", axes=[0, 1]),
    refuse("shift must be of type int32 or int64", TypeError, shift=np.array([1], "i1")),
]

test_roll = contract(fo.openvino.roll, CALLS, REFUSALS)
