"""torch.rot90."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, Refusal, contract

CALLS = [
    Call((2, 3), {}, np.rot90),
    Call((2, 3), {"k": 2}, lambda x: np.rot90(x, 2)),
    Call((2, 3, 4), {"k": 7, "dims": [1, 2]}, lambda x: np.rot90(x, 7, (1, 2))),
    Call((2, 3, 4), {"k": 1, "dims": [-1, 0]}, lambda x: np.rot90(x, 1, (-1, 0))),
    Call((2, 3), {"k": -4}, lambda x: x),
]

REFUSALS = [
    Refusal((3,), {}, ValueError, "input must have at least 2 axes"),
    Refusal((2, 3), {"dims": [0]}, ValueError, "dims must have 2 values"),
]

test_rot90 = contract(fo.torch.rot90, CALLS, REFUSALS)
