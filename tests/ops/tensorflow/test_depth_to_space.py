"""tf.nn.depth_to_space."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract
from tests.helpers.layout_oracle import depth_to_space, with_channels_last, with_vectors_last

CALLS = [
    Call((2, 2, 3, 8), {"block_size": 2}, lambda x: with_channels_last(depth_to_space, x, 2)),
    Call((1, 1, 2, 9), {"block_size": 3, "data_format": "NHWC"}, lambda x: with_channels_last(depth_to_space, x, 3)),
    Call(
        (2, 8, 2, 3),
        {"block_size": 2, "data_format": "NCHW"},
        lambda x: depth_to_space(x, 2, depth_first=False),
    ),
    Call(
        (1, 8, 2, 1, 4),
        {"block_size": 2, "data_format": "NCHW_VECT_C"},
        lambda x: with_vectors_last(depth_to_space, x, 2),
    ),
    Call((0, 1, 2, 4), {"block_size": 2}, lambda x: with_channels_last(depth_to_space, x, 2)),
    Call((1, 0, 4, 4), {"block_size": 2}, lambda x: with_channels_last(depth_to_space, x, 2)),
    Call((1, 2, 2, 0), {"block_size": 2}, lambda x: with_channels_last(depth_to_space, x, 2)),
]

REFUSALS = [
    Refusal(
        (1, 2, 2, 6),
        {"block_size": 2},
        ValueError,
        r"block_size must have a square that divides the axis, got 2 \(axis 3, extent 6\)",
    ),
    Refusal((1, 6, 2, 4), {"block_size": 2, "data_format": "NCHW"}, ValueError, r"got 2 \(axis 1, extent 6\)"),
    Refusal((1, 2, 2, 4), {"block_size": 1}, ValueError, "block_size must be at least 2, got 1"),
    Refusal((1, 2, 2, 4), {"block_size": 0}, ValueError, "block_size must be at least 2, got 0"),
    Refusal((1, 2, 2, 4), {"block_size": "2"}, TypeError, "block_size must be an integer"),
    Refusal(
        (1, 2, 2, 4),
        {"block_size": 2, "data_format": "NWHC"},
        ValueError,
        "data_format must be one of NHWC, NCHW, NCHW_VECT_C, got 'NWHC'",
    ),
    Refusal((2, 2, 4), {"block_size": 2}, ValueError, r"input must have 4 axes in format NHWC, got \(2, 2, 4\)"),
    Refusal(
        (1, 4, 2, 2, 2),
        {"block_size": 2, "data_format": "NCHW_VECT_C"},
        ValueError,
        r"input must have a last axis of 4 in format NCHW_VECT_C, got \(1, 4, 2, 2, 2\)",
    ),
]

test_depth_to_space = contract(fo.tensorflow.depth_to_space, CALLS, REFUSALS)
