"""tf.transpose."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, Refusal, contract, transposes, wrong_orders

CALLS = [
    Call((2, 3), {}, np.transpose),
    Call((2, 3, 4), {"perm": [-3, -1, 1]}, lambda x: np.transpose(x, (0, 2, 1))),
    *transposes("perm"),
]

REFUSALS = [
    *wrong_orders("perm"),
    Refusal((2, 3), {"perm": []}, ValueError, r"perm must name each of the 2 axes once, got \[\]"),
    Refusal((2, 3), {"perm": 0}, ValueError, "perm must be a list of integers"),
]

test_transpose = contract(fo.tensorflow.transpose, CALLS, REFUSALS)
