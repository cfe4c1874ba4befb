"""torch.tile."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {"dims": [2, 1]}, lambda x: np.tile(x, (2, 1))),
    Call((3,), {"dims": [2, 2]}, lambda x: np.tile(x, (2, 2))),
    Call((2, 3), {"dims": [3]}, lambda x: np.tile(x, 3)),
    Call((2, 3), {"dims": []}, lambda x: x),
    Call((2, 3), {"dims": [0, 2]}, lambda x: np.tile(x, (0, 2))),
]

REFUSALS = [
    Refusal((2,), {"dims": [-1]}, ValueError, "dims must be at least 0"),
    Refusal((2,), {"dims": [1.5]}, TypeError, "dims must hold integers only"),
]

test_tile = contract(fo.torch.tile, CALLS, REFUSALS)
