"""tf.space_to_batch_nd."""

import numpy as np

import fastops as fo
from tests.helpers.layout_oracle import space_to_batch
from tests.ops._tables import SPACE_TO_BATCH, Call, contract, of_blocks, refuser

# Axes behind those of space, and none of these.
ROWS = [*SPACE_TO_BATCH, ((2, 3, 2, 3), [2], [1], [0], 2), ((2, 3), [], [], [], 1)]


def arguments(blocks, before, after):
    return {"block_shape": blocks, "paddings": list(zip(before, after, strict=True))}


CALLS = of_blocks(space_to_batch, ROWS, arguments)
NOTHING = {"block_shape": np.zeros(0, np.int32), "paddings": np.zeros((0, 2), np.int32)}
CALLS.append(Call((2, 4), NOTHING, lambda x: x))

refuse = refuser((2, 4), block_shape=[2], paddings=[[0, 0]])
REFUSALS = [
    refuse(r"block_shape must divide each axis with its pads, got \[3\] \(axis 1, extent 4\)", block_shape=[3]),
    refuse("block_shape must give at most 4096 pieces", ValueError, (1, 1), block_shape=[4097], paddings=[[1, 4095]]),
    refuse("paddings must be a list of integers", TypeError, block_shape=[], paddings=np.zeros((0, 2))),
    refuse("paddings must be a list", block_shape=[], paddings=np.zeros((0, 3), int)),
    refuse(r"paddings must be at least 0, got \[\[0, -1\]\]", paddings=[[0, -1]]),
    refuse("paddings must be 1 pair of integers", paddings=[[0, 0], [0, 0]]),
    refuse("paddings must be 1 pair of integers", paddings=[0]),
    refuse("paddings must be 1 pair of integers", TypeError, paddings=0),
    refuse(r"input must have at least 3 axes, got \(2, 4\)", block_shape=[1, 1], paddings=[[0, 0], [0, 0]]),
]

test_space_to_batch_nd = contract(fo.tensorflow.space_to_batch_nd, CALLS, REFUSALS)
