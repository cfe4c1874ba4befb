"""tf.nn.space_to_depth."""

import fastops as fo
from tests.helpers.layout_oracle import space_to_depth, with_channels_last, with_vectors_last
from tests.ops._tables import Call, contract, refuser

VECTORS = {"block_size": 2, "data_format": "NCHW_VECT_C"}
CALLS = [
    Call((1, 3, 6, 2), {"block_size": 3, "data_format": "NHWC"}, lambda x: with_channels_last(space_to_depth, x, 3)),
    Call((2, 3, 4, 6), {"block_size": 2, "data_format": "NCHW"}, lambda x: space_to_depth(x, 2, depth_first=False)),
    Call((1, 2, 4, 2, 4), VECTORS, lambda x: with_vectors_last(space_to_depth, x, 2)),
    *[
        Call(shape, {"block_size": 2}, lambda x: with_channels_last(space_to_depth, x, 2))
        for shape in [(2, 4, 6, 3), (0, 2, 4, 1), (1, 0, 4, 1), (1, 2, 2, 0)]
    ],
]

refuse = refuser((1, 4, 3, 4), block_size=2)
REFUSALS = [
    refuse(r"block_size must divide the axis, got 2 \(axis 2, extent 3\)"),
    refuse(r"got 2 \(axis 2, extent 3\)", data_format="NCHW"),
    refuse("block_size must be a scalar", block_size=[2]),
    refuse(r"input must have 4 axes in format NHWC, got \(1, 4, 4\)", ValueError, (1, 4, 4)),
]

test_space_to_depth = contract(fo.tensorflow.space_to_depth, CALLS, REFUSALS)
