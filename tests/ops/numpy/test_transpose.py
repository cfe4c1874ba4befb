"""numpy.transpose and numpy.permute_dims."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {}, np.transpose),
    Call((2, 3, 4), {"axes": None}, np.transpose),
    Call((2, 3, 4), {"axes": [2, 0, 1]}, lambda x: np.transpose(x, (2, 0, 1))),
    Call((2, 3, 4), {"axes": [0, -1, 1]}, lambda x: np.transpose(x, (0, -1, 1))),
    Call((5,), {"axes": [0]}, np.transpose),
    Call((5,), {"axes": 0}, np.transpose),
    Call((), {}, np.transpose),
    Call((3, 0, 2), {"axes": [1, 2, 0]}, lambda x: np.transpose(x, (1, 2, 0))),
    Call((1, 4, 1, 3), {"axes": [3, 2, 1, 0]}, np.transpose),
    Call((2, 1, 2, 3, 1, 2, 2, 2), {"axes": [7, 0, 5, 2, 1, 4, 3, 6]}, lambda x: x.transpose(7, 0, 5, 2, 1, 4, 3, 6)),
]

REFUSALS = [
    Refusal((2, 3), {"axes": [0]}, ValueError, r"axes must name each of the 2 axes once, got \[0\]"),
    Refusal((2, 3), {"axes": [0, 0]}, ValueError, r"axes must name each axis once, got \[0, 0\]"),
    Refusal((2, 3), {"axes": [0, 2]}, ValueError, "axes must be in -2..1"),
    Refusal((2, 3), {"axes": [0.5, 1]}, TypeError, "axes must hold integers only"),
    Refusal((2, 3), {"axes": 1}, ValueError, r"axes must name each of the 2 axes once, got 1"),
]

test_transpose = contract(fo.numpy.transpose, CALLS, REFUSALS)
test_permute_dims = contract(fo.numpy.permute_dims, CALLS, REFUSALS)
