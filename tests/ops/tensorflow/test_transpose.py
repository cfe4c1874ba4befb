"""tf.transpose."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {}, np.transpose),
    Call((2, 3, 4), {"perm": None}, np.transpose),
    Call((2, 3, 4), {"perm": [2, 0, 1]}, lambda x: np.transpose(x, (2, 0, 1))),
    Call((2, 3, 4), {"perm": [-3, -1, 1]}, lambda x: np.transpose(x, (0, 2, 1))),
    Call((5,), {"perm": [0]}, np.transpose),
    Call((), {"perm": []}, np.transpose),
    Call((3, 0, 2), {"perm": [1, 2, 0]}, lambda x: np.transpose(x, (1, 2, 0))),
    Call((1, 2, 1, 3, 2, 2), {"perm": [5, 0, 3, 2, 1, 4]}, lambda x: np.transpose(x, (5, 0, 3, 2, 1, 4))),
]

REFUSALS = [
    Refusal((2, 3), {"perm": [0]}, ValueError, r"perm must name each of the 2 axes once, got \[0\]"),
    Refusal((2, 3), {"perm": []}, ValueError, r"perm must name each of the 2 axes once, got \[\]"),
    Refusal((2, 3), {"perm": [0, -2]}, ValueError, r"perm must name each axis once, got \[0, -2\]"),
    Refusal((2, 3), {"perm": [0, 2]}, ValueError, "perm must be in -2..1, for data of rank 2"),
    Refusal((2, 3), {"perm": [1.0, 0.0]}, TypeError, "perm must hold integers only"),
    Refusal((2, 3), {"perm": 0}, ValueError, "perm must be a list of integers"),
]

test_transpose = contract(fo.tensorflow.transpose, CALLS, REFUSALS)
