"""tf.tile."""

import fastops as fo
from tests.ops._tables import Refusal, contract, tiles

CALLS = tiles("multiples")

REFUSALS = [
    Refusal((2, 3), {"multiples": [2]}, ValueError, "multiples must have 2 values, one for each axis of input"),
]

test_tile = contract(fo.tensorflow.tile, CALLS, REFUSALS)
