"""numpy.transpose and numpy.permute_dims."""

import numpy as np

import fastops as fo
from tests.ops._tables import EIGHT, Call, Refusal, contract, transposes, wrong_orders

CALLS = [
    Call((2, 3), {}, np.transpose),
    Call((2, 3, 4), {"axes": [0, -1, 1]}, lambda x: np.transpose(x, (0, -1, 1))),
    Call((5,), {"axes": 0}, np.transpose),
    Call(EIGHT, {"axes": [7, 0, 5, 2, 1, 4, 3, 6]}, lambda x: x.transpose(7, 0, 5, 2, 1, 4, 3, 6)),
    *transposes("axes"),
]

REFUSALS = [
    *wrong_orders("axes"),
    Refusal((2, 3), {"axes": 1}, ValueError, r"axes must name each of the 2 axes once, got 1"),
]

test_transpose = contract(fo.numpy.transpose, CALLS, REFUSALS)
test_permute_dims = contract(fo.numpy.permute_dims, CALLS, REFUSALS)
