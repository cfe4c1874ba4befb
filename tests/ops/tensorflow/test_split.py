"""tf.split."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((6, 4), {"num_or_size_splits": 3}, lambda x: np.split(x, 3)),
    Call((6, 4), {"num_or_size_splits": [1, -1], "axis": -1, "num": 2}, lambda x: np.split(x, [1], axis=1)),
    Call((3,), {"num_or_size_splits": [0, 3]}, lambda x: [x[:0], x]),
]

REFUSALS = [
    Refusal((6,), {"num_or_size_splits": 4}, ValueError, "num_or_size_splits must divide 6, got 4"),
    Refusal((6,), {"num_or_size_splits": [1, 2]}, ValueError, r"num_or_size_splits must sum to 6, got \[1, 2\]"),
    Refusal((6,), {"num_or_size_splits": [-1, -1]}, ValueError, "num_or_size_splits must have -1 at most once"),
    Refusal((6,), {"num_or_size_splits": [6], "num": 2}, ValueError, "num must be the number of sizes, 1, got 2"),
    Refusal((6,), {"num_or_size_splits": []}, ValueError, "num_or_size_splits must have at least one length"),
    Refusal((6,), {"num_or_size_splits": 2, "axis": 1}, ValueError, "axis must be in -1..0"),
    Refusal((), {"num_or_size_splits": 1}, ValueError, "value must have at least one axis"),
]

test_split = contract(fo.tensorflow.split, CALLS, REFUSALS)
