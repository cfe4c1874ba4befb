"""ONNX Split."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((7, 2), {"split": [1, 0, 6]}, lambda x: np.split(x, [1, 1])),
    Call((2, 7), {"num_outputs": 3, "axis": -1}, lambda x: np.split(x, [3, 6], axis=1)),
    Call((4,), {"num_outputs": 3}, lambda x: np.split(x, [2, 4])),
    Call((0, 2), {"num_outputs": 2}, lambda x: [x, x]),
    Call((6,), {"split": [6]}, lambda x: [x]),
]

refuse = refuser((6,))
REFUSALS = [
    refuse(r"split must sum to 6, got \[1, 2\] \(axis 0, extent 6\)", split=[1, 2]),
    refuse("num_outputs must leave at least 0 elements .* got 4", ValueError, (5,), num_outputs=4),
    refuse("num_outputs must not be given together with split", split=[3, 3], num_outputs=2),
    refuse("split must have at least one length, or num_outputs be given, got None"),
    refuse("split must have at least one length", split=[]),
    refuse("input must have at least one axis", ValueError, (), num_outputs=1),
]

test_split = contract(fo.onnx.split, CALLS, REFUSALS)
