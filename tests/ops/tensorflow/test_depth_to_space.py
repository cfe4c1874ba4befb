"""tf.nn.depth_to_space."""

import fastops as fo
from tests.helpers.layout_oracle import depth_to_space, with_channels_last, with_vectors_last
from tests.ops._tables import Call, contract, refuser

VECTORS = {"block_size": 2, "data_format": "NCHW_VECT_C"}
CALLS = [
    Call((1, 1, 2, 9), {"block_size": 3, "data_format": "NHWC"}, lambda x: with_channels_last(depth_to_space, x, 3)),
    Call((2, 8, 2, 3), {"block_size": 2, "data_format": "NCHW"}, lambda x: depth_to_space(x, 2, depth_first=False)),
    Call((1, 8, 2, 1, 4), VECTORS, lambda x: with_vectors_last(depth_to_space, x, 2)),
    *[
        Call(shape, {"block_size": 2}, lambda x: with_channels_last(depth_to_space, x, 2))
        for shape in [(2, 2, 3, 8), (0, 1, 2, 4), (1, 0, 4, 4), (1, 2, 2, 0)]
    ],
]

refuse = refuser((1, 4, 3, 4), block_size=2)
REFUSALS = [
    refuse(
        r"block_size must divide the channels, to the power of 2, got 2 \(axis 3, extent 6\)", ValueError, (1, 2, 2, 6)
    ),
    refuse(r"got 2 \(axis 1, extent 6\)", ValueError, (1, 6, 2, 4), data_format="NCHW"),
    refuse("block_size must be a scalar", block_size=[2]),
    refuse(r"input must have 5 axes in format NCHW_VECT_C, got \(1, 4, 3, 4\)", data_format="NCHW_VECT_C"),
    refuse("input must have a last axis of 4 in format", ValueError, (1, 4, 2, 2, 3), data_format="NCHW_VECT_C"),
]

test_depth_to_space = contract(fo.tensorflow.depth_to_space, CALLS, REFUSALS)
