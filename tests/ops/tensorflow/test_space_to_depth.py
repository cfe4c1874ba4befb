"""tf.nn.space_to_depth."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract
from tests.helpers.layout_oracle import space_to_depth, with_channels_last, with_vectors_last

CALLS = [
    Call((2, 4, 6, 3), {"block_size": 2}, lambda x: with_channels_last(space_to_depth, x, 2)),
    Call((1, 3, 6, 2), {"block_size": 3, "data_format": "NHWC"}, lambda x: with_channels_last(space_to_depth, x, 3)),
    Call(
        (2, 3, 4, 6),
        {"block_size": 2, "data_format": "NCHW"},
        lambda x: space_to_depth(x, 2, depth_first=False),
    ),
    Call(
        (1, 2, 4, 2, 4),
        {"block_size": 2, "data_format": "NCHW_VECT_C"},
        lambda x: with_vectors_last(space_to_depth, x, 2),
    ),
    Call((0, 2, 4, 1), {"block_size": 2}, lambda x: with_channels_last(space_to_depth, x, 2)),
    Call((1, 0, 4, 1), {"block_size": 2}, lambda x: with_channels_last(space_to_depth, x, 2)),
    Call((1, 2, 2, 0), {"block_size": 2}, lambda x: with_channels_last(space_to_depth, x, 2)),
]

REFUSALS = [
    Refusal((1, 4, 3, 2), {"block_size": 2}, ValueError, r"must divide the axis, got 2 \(axis 2, extent 3\)"),
    Refusal((1, 4, 3, 2), {"block_size": 2, "data_format": "NCHW"}, ValueError, r"got 2 \(axis 2, extent 3\)"),
    Refusal((1, 4, 4, 2), {"block_size": 1}, ValueError, "block_size must be at least 2, got 1"),
    Refusal((1, 4, 4, 2), {"block_size": -2}, ValueError, "block_size must be at least 2, got -2"),
    Refusal((1, 4, 4, 2), {"block_size": 2.0}, TypeError, "block_size must be an integer"),
    Refusal((1, 4, 4, 2), {"block_size": [2]}, ValueError, "block_size must be a scalar"),
    Refusal(
        (1, 4, 4, 2),
        {"block_size": 2, "data_format": "nhwc"},
        ValueError,
        "data_format must be one of NHWC, NCHW, NCHW_VECT_C, got 'nhwc'",
    ),
    Refusal((1, 4, 4), {"block_size": 2}, ValueError, r"input must have 4 axes in format NHWC, got \(1, 4, 4\)"),
    Refusal(
        (1, 4, 4, 2),
        {"block_size": 2, "data_format": "NCHW_VECT_C"},
        ValueError,
        r"input must have 5 axes in format NCHW_VECT_C, got \(1, 4, 4, 2\)",
    ),
    Refusal(
        (1, 4, 4, 2, 3),
        {"block_size": 2, "data_format": "NCHW_VECT_C"},
        ValueError,
        r"input must have a last axis of 4 in format NCHW_VECT_C, got \(1, 4, 4, 2, 3\)",
    ),
]

test_space_to_depth = contract(fo.tensorflow.space_to_depth, CALLS, REFUSALS)
