"""tf.tile."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {"multiples": [2, 1]}, lambda x: np.tile(x, (2, 1))),
    Call((3,), {"multiples": [0]}, lambda x: x[:0]),
    Call((), {"multiples": []}, lambda x: x),
]

REFUSALS = [
    Refusal((2, 3), {"multiples": [2]}, ValueError, "multiples must have 2 values, one for each axis of input"),
    Refusal((2,), {"multiples": [-1]}, ValueError, "multiples must be at least 0"),
]

test_tile = contract(fo.tensorflow.tile, CALLS, REFUSALS)
