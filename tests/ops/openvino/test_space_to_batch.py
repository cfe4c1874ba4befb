"""OpenVINO SpaceToBatch-2."""

import fastops as fo
from tests.helpers.layout_oracle import space_to_batch
from tests.ops._tables import SPACE_TO_BATCH, contract, of_blocks, refuser


def arguments(blocks, before, after):
    return {"block_shape": [1, *blocks], "pads_begin": [0, *before], "pads_end": [0, *after]}


CALLS = of_blocks(space_to_batch, SPACE_TO_BATCH, arguments)

refuse = refuser((2, 3, 4), block_shape=[1, 1, 1], pads_begin=[0, 0, 0], pads_end=[0, 0, 0])
REFUSALS = [
    refuse(r"block_shape must divide each axis with its pads, got \[1, 2, 1\] \(axis 1, ext", block_shape=[1, 2, 1]),
    refuse("block_shape must give at most 4096 pieces", block_shape=[1, 4097, 1], pads_end=[0, 4094, 0]),
    refuse("block_shape must have 3 values, one for each axis of data", block_shape=[1, 1]),
    refuse("pads_end must begin with 0, for the batch, got", pads_end=[1, 0, 0]),
    refuse("data must have at least 2 axes", ValueError, (2,), block_shape=[1], pads_begin=[0], pads_end=[0]),
]

test_space_to_batch = contract(fo.openvino.space_to_batch, CALLS, REFUSALS)
