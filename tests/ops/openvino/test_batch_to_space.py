"""OpenVINO BatchToSpace-2."""

import fastops as fo
from tests.helpers.layout_oracle import batch_to_space
from tests.ops._tables import BATCH_TO_SPACE, contract, of_blocks, refuser


def arguments(blocks, before, after):
    return {"block_shape": [1, *blocks], "crops_begin": [0, *before], "crops_end": [0, *after]}


CALLS = of_blocks(batch_to_space, BATCH_TO_SPACE, arguments)

refuse = refuser((2, 3, 4), block_shape=[1, 1, 1], crops_begin=[0, 0, 0], crops_end=[0, 0, 0])
REFUSALS = [
    refuse(r"block_shape must .* divides the batch, got \[1, 4, 1\] \(axis 0, extent 2\)", block_shape=[1, 4, 1]),
    refuse("crops_begin must crop at most 3 elements together", crops_begin=[0, 3, 0], crops_end=[0, 2, 0]),
    refuse(r"crops_end .* at most 4 .* \[0, 0, 3\] \(axis 2, ext", crops_begin=[0, 0, 2], crops_end=[0, 0, 3]),
    refuse(r"crops_begin must have 3 values, .*, got \[0, 0\]", crops_begin=[0, 0]),
    refuse("block_shape must begin with 1, for the batch, got", block_shape=[2, 1, 1]),
]

test_batch_to_space = contract(fo.openvino.batch_to_space, CALLS, REFUSALS)
