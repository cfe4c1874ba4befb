"""OpenVINO Tile-1."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {"repeats": [2, 1]}, lambda x: np.tile(x, (2, 1))),
    Call((3,), {"repeats": [2, 2]}, lambda x: np.tile(x, (2, 2))),
    Call((2, 3), {"repeats": [2]}, lambda x: np.tile(x, 2)),
    Call((2, 3), {"repeats": [-4, 2]}, lambda x: np.tile(x, (0, 2))),
    Call((), {"repeats": [3]}, lambda x: np.tile(x, 3)),
]

REFUSALS = [
    Refusal((2,), {"repeats": [1.5]}, TypeError, "repeats must hold integers only"),
    Refusal((2,), {"repeats": 3}, ValueError, "repeats must be a list of integers"),
]

test_tile = contract(fo.openvino.tile, CALLS, REFUSALS)
