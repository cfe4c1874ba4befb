"""ONNX Tile."""

import fastops as fo
from tests.ops._tables import contract, refuser, tiles

CALLS = tiles("repeats")

refuse = refuser((2, 3))
REFUSALS = [
    refuse(r"repeats must have 2 values, one for each axis of input, got \[2\]", repeats=[2]),
    refuse("repeats must be a list of integers, got 2", repeats=2),
]

test_tile = contract(fo.onnx.tile, CALLS, REFUSALS)
