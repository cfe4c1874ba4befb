"""numpy.flip."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((3, 4), {}, np.flip),
    Call((3, 4), {"axis": 1}, lambda x: np.flip(x, 1)),
    Call((3, 4, 2), {"axis": [-1, 0]}, lambda x: np.flip(x, (-1, 0))),
    Call((), {}, lambda x: x),
    Call((0, 2), {"axis": 0}, lambda x: x),
]

REFUSALS = [
    Refusal((3,), {"axis": 1}, ValueError, "axis must be in -1..0"),
    Refusal((3, 3), {"axis": [0, -2]}, ValueError, "axis must name each axis once"),
]

test_flip = contract(fo.numpy.flip, CALLS, REFUSALS)
