"""ONNX Expand."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((3, 1), {"shape": [2, 1, 4]}, lambda x: np.broadcast_to(x, (2, 3, 4))),
    Call((3,), {"shape": [1]}, lambda x: x),
    Call((2, 1, 2), {"shape": [3, 1]}, lambda x: np.broadcast_to(x, (2, 3, 2))),
    Call((1,), {"shape": [0]}, lambda x: x[:0]),
    Call((), {"shape": [2, 3]}, lambda x: np.broadcast_to(x, (2, 3))),
    Call((0,), {"shape": [2, 1]}, lambda x: np.zeros((2, 0), x.dtype)),
]

refuse = refuser((3,))
REFUSALS = [
    refuse(r"shape must be 1 or 3, got \[2\] \(axis 0, extent 3\)", shape=[2]),
    refuse("shape must be at least 0", ValueError, (1,), shape=[-1]),
    refuse("shape must be a list of integers", shape=3),
]

test_expand = contract(fo.onnx.expand, CALLS, REFUSALS)
