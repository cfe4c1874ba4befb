"""tf.pad."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {"paddings": [[1, 0], [2, 1]]}, lambda x: np.pad(x, ((1, 0), (2, 1)))),
    Call((2, 3), {"paddings": [(1, 1), (2, 2)], "mode": "reflect"}, lambda x: np.pad(x, ((1, 1), (2, 2)), "reflect")),
    Call(
        (2, 3),
        {"paddings": np.array([[2, 2], [3, 0]]), "mode": "SYMMETRIC"},
        lambda x: np.pad(x, ((2, 2), (3, 0)), "symmetric"),
    ),
    Call((2,), {"paddings": [[1, 1]], "constant_values": 3}, lambda x: np.pad(x, 1, constant_values=3), ("u1", "f4")),
    Call((2,), {"paddings": [[0, 0]]}, lambda x: x),
    Call((0,), {"paddings": [[1, 2]]}, lambda x: np.zeros(3, x.dtype)),
    Call((0, 2), {"paddings": [[0, 0], [1, 1]], "mode": "SYMMETRIC"}, lambda x: np.zeros((0, 4), x.dtype)),
    Call((), {"paddings": []}, lambda x: x),
]

REFUSALS = [
    Refusal(
        (0, 2),
        {"paddings": [[0, 0], [1, 1]], "mode": "REFLECT"},
        ValueError,
        r"tensor must have no empty axis in mode reflect, got \(0, 2\)",
    ),
    Refusal((3,), {"paddings": [[-1, 0]]}, ValueError, r"paddings must be at least 0, got \[\[-1, 0\]\]"),
    Refusal((3,), {"paddings": [[3, 0]], "mode": "REFLECT"}, ValueError, "paddings must be at most 2 in mode reflect"),
    Refusal(
        (3,), {"paddings": [[0, 4]], "mode": "SYMMETRIC"}, ValueError, "paddings must be at most 3 in mode symmetric"
    ),
    Refusal((3,), {"paddings": [[1, 1], [1, 1]]}, ValueError, "paddings must be 1 pair of integers"),
    Refusal((3,), {"paddings": [[1, 1, 1]]}, ValueError, "paddings must be 1 pair of integers"),
    Refusal((3,), {"paddings": [1]}, ValueError, "paddings must be 1 pair of integers"),
    Refusal((3,), {"paddings": 1}, TypeError, "paddings must be 1 pair of integers"),
    Refusal((3,), {"paddings": [[1.0, 1]]}, TypeError, "paddings must hold integers only"),
    Refusal(
        (3,),
        {"paddings": [[1, 1]], "mode": "EDGE"},
        ValueError,
        "mode must be one of constant, reflect, symmetric, got 'EDGE'",
    ),
    Refusal((3,), {"paddings": [[1, 1]], "constant_values": "x"}, TypeError, "constant_values must be a real number"),
]

test_pad = contract(fo.tensorflow.pad, CALLS, REFUSALS)
