"""tf.raw_ops.BatchToSpaceND."""

import fastops as fo
from tests.helpers.layout_oracle import batch_to_space
from tests.ops._tables import BATCH_TO_SPACE, contract, of_blocks, refuser

# Axes behind those of space, and none of these.
ROWS = [*BATCH_TO_SPACE, ((4, 3, 2, 3), [2], [1], [0], 2), ((2, 3), [], [], [], 1)]


def arguments(blocks, before, after):
    return {"block_shape": blocks, "crops": list(zip(before, after, strict=True))}


CALLS = of_blocks(batch_to_space, ROWS, arguments)

refuse = refuser((2, 4), block_shape=[2], crops=[[0, 0]])
REFUSALS = [
    refuse(r"block_shape must have a product that divides the batch, got \[4\] \(axis 0, extent 2\)", block_shape=[4]),
    refuse(r"crops must crop at most 8 elements together, got \[\[4, 5\]\] \(axis 1, extent 4\)", crops=[[4, 5]]),
    refuse(r"crops must be at least 0, got \[\[0, -1\]\]", crops=[[0, -1]]),
    refuse("crops must be 1 pair of integers", crops=[[0, 0], [0, 0]]),
    refuse("crops must be 1 pair of integers", TypeError, crops=0),
    refuse(r"input must have at least 3 axes, got \(2, 4\)", block_shape=[1, 1], crops=[[0, 0], [0, 0]]),
]

test_batch_to_space_nd = contract(fo.tensorflow.batch_to_space_nd, CALLS, REFUSALS)
