"""numpy.broadcast_to."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, Refusal, contract

CALLS = [
    Call((3, 1), {"shape": [2, 3, 4]}, lambda x: np.broadcast_to(x, (2, 3, 4))),
    Call((1,), {"shape": 5}, lambda x: np.broadcast_to(x, 5)),
    Call((), {"shape": []}, lambda x: x),
    Call((1, 2), {"shape": [0, 2]}, lambda x: np.broadcast_to(x, (0, 2))),
]

REFUSALS = [
    Refusal((3,), {"shape": [1]}, ValueError, "shape must be 3 where the data's length is not 1"),
    Refusal((3, 3), {"shape": [3]}, ValueError, "shape must have at least 2 values"),
    Refusal((1,), {"shape": -1}, ValueError, "shape must be at least 0"),
]

test_broadcast_to = contract(fo.numpy.broadcast_to, CALLS, REFUSALS)
