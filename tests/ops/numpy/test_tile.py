"""numpy.tile."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {"reps": [2, 1]}, lambda x: np.tile(x, (2, 1))),
    Call((3,), {"reps": [2, 2]}, lambda x: np.tile(x, (2, 2))),
    Call((2, 3), {"reps": 2}, lambda x: np.tile(x, 2)),
    Call((), {"reps": 3}, lambda x: np.tile(x, 3)),
    Call((2, 3), {"reps": 0}, lambda x: np.tile(x, 0)),
    Call((2, 3), {"reps": np.array([])}, lambda x: np.tile(x, np.array([]))),
]

REFUSALS = [
    Refusal((2,), {"reps": -1}, ValueError, "reps must be at least 0"),
    Refusal((2,), {"reps": 1.5}, TypeError, "reps must be an integer"),
    Refusal((2,), {"reps": np.array([1.0])}, TypeError, "reps must be a list of integers"),
    Refusal((2,), {"reps": np.zeros((0, 2))}, TypeError, "reps must be a list of integers"),
]

test_tile = contract(fo.numpy.tile, CALLS, REFUSALS)
