"""numpy.rot90."""

import numpy as np

import fastops as fo
from tests.ops._tables import EIGHT, Call, contract, refuser

CALLS = [
    Call((2, 3), {}, np.rot90),
    Call((2, 3), {"k": 0}, lambda x: x),
    Call((2, 3, 4), {"k": 2}, lambda x: np.rot90(x, 2)),
    Call((2, 3, 4), {"k": 3, "axes": [2, 0]}, lambda x: np.rot90(x, 3, (2, 0))),
    Call((2, 3, 4), {"k": -1, "axes": [1, -1]}, lambda x: np.rot90(x, -1, (1, -1))),
    Call((2, 3), {"k": 4 * 10**30 + 1}, np.rot90),
    Call((0, 3), {}, np.rot90),
    Call(EIGHT, {"k": 5, "axes": [3, 6]}, lambda x: np.rot90(x, 1, (3, 6))),
]

refuse = refuser((2, 3))
REFUSALS = [
    refuse(r"axes must name two axes, got \[0\]", axes=[0]),
    refuse(r"axes must name two axes, got \[0, 1, 2\]", ValueError, (2, 3, 4), axes=[0, 1, 2]),
    refuse("k must be one integer", k=[1, 2]),
]

test_rot90 = contract(fo.numpy.rot90, CALLS, REFUSALS)
