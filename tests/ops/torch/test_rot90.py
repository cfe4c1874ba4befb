"""torch.rot90."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {}, np.rot90),
    Call((2, 3), {"k": 2}, lambda x: np.rot90(x, 2)),
    Call((2, 3), {"k": -1}, lambda x: np.rot90(x, -1)),
    Call((2, 3, 4), {"k": 7, "dims": [1, 2]}, lambda x: np.rot90(x, 7, (1, 2))),
    Call((2, 3, 4), {"k": 1, "dims": [-1, 0]}, lambda x: np.rot90(x, 1, (-1, 0))),
    Call((2, 3), {"k": 4}, lambda x: x),
]

REFUSALS = [
    Refusal((3,), {}, ValueError, "input must have at least two axes|dims must"),
    Refusal((2, 3), {"dims": [0, 0]}, ValueError, "dims must"),
    Refusal((2, 3), {"dims": [0]}, ValueError, "dims must"),
    Refusal((2, 3), {"k": 0.5}, TypeError, "k must be an integer"),
]

test_rot90 = contract(fo.torch.rot90, CALLS, REFUSALS)
