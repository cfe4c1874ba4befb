"""tf.roll."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, Refusal, contract

CALLS = [
    Call((4, 3), {"shift": [1, -2], "axis": [0, 1]}, lambda x: np.roll(x, (1, -2), (0, 1))),
    Call((5,), {"shift": 2, "axis": 0}, lambda x: np.roll(x, 2)),
    Call((4, 3), {"shift": [3, 4], "axis": [0, -2]}, lambda x: np.roll(x, 7, 0)),
    Call((0, 2), {"shift": 1, "axis": 0}, lambda x: x),
]

REFUSALS = [
    Refusal((4, 3), {"shift": 1, "axis": [0, 1]}, ValueError, "shift must have as many values as axis, 2"),
    Refusal((), {"shift": 1, "axis": 0}, ValueError, "input must have at least one axis"),
]

test_roll = contract(fo.tensorflow.roll, CALLS, REFUSALS)
