"""torch.repeat_interleave, by an integer."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, Refusal, contract

CALLS = [
    Call((2, 3), {"repeats": 2}, lambda x: np.repeat(x, 2)),
    Call((2, 3), {"repeats": 3, "dim": 0}, lambda x: np.repeat(x, 3, 0)),
    Call((2, 3), {"repeats": 2, "dim": -1}, lambda x: np.repeat(x, 2, -1)),
    Call((2, 3), {"repeats": 0, "dim": 1}, lambda x: np.repeat(x, 0, 1)),
]

REFUSALS = [
    Refusal((2, 3), {"repeats": [1, 2], "dim": 0}, ValueError, "repeats must be"),
]

test_repeat_interleave = contract(fo.torch.repeat_interleave, CALLS, REFUSALS)
