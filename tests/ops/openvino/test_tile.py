"""OpenVINO Tile-1."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, Refusal, contract, tiles

CALLS = [
    *tiles("repeats", ((3,), [2, 2]), ((2, 3), [2]), ((), [3])),
    Call((2, 3), {"repeats": [-4, 2]}, lambda x: np.tile(x, (0, 2))),
]

REFUSALS = [Refusal((2,), {"repeats": 3}, ValueError, "repeats must be a list of integers")]

test_tile = contract(fo.openvino.tile, CALLS, REFUSALS)
