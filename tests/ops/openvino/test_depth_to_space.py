"""OpenVINO DepthToSpace-1."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract
from tests.helpers.layout_oracle import depth_to_space

CALLS = [
    Call((2, 8, 2, 3), {"mode": "blocks_first", "block_size": 2}, lambda x: depth_to_space(x, 2, depth_first=False)),
    Call((2, 8, 2, 3), {"mode": "depth_first", "block_size": 2}, lambda x: depth_to_space(x, 2, depth_first=True)),
    Call((1, 6, 4), {"mode": "DEPTH_FIRST", "block_size": 2}, lambda x: depth_to_space(x, 2, depth_first=True)),
    Call(
        (1, 16, 2, 1, 3), {"mode": "blocks_first", "block_size": 2}, lambda x: depth_to_space(x, 2, depth_first=False)
    ),
    Call(
        (1, 32, 1, 2, 1, 2), {"mode": "depth_first", "block_size": 2}, lambda x: depth_to_space(x, 2, depth_first=True)
    ),
    Call((1, 3, 2), {"mode": "depth_first"}, lambda x: depth_to_space(x, 1, depth_first=True)),
    Call((0, 4, 2, 2), {"mode": "blocks_first", "block_size": 2}, lambda x: depth_to_space(x, 2, depth_first=False)),
]

REFUSALS = [
    Refusal(
        (1, 6, 2, 2),
        {"mode": "blocks_first", "block_size": 2},
        ValueError,
        "block_size must divide the channels, to the power of 2, got 2",
    ),
    Refusal(
        (1, 3, 2),
        {"mode": "blocks_first", "block_size": 2},
        ValueError,
        r"block_size must divide the channels, got 2 \(axis 1, extent 3\)",
    ),
    Refusal(
        (1, 4, 2, 2), {"mode": "blocks_first", "block_size": 0}, ValueError, "block_size must be at least 1, got 0"
    ),
    Refusal(
        (1, 4, 2, 2),
        {"mode": "DCR", "block_size": 2},
        ValueError,
        "mode must be one of blocks_first, depth_first, got 'DCR'",
    ),
    Refusal((1, 4, 2, 2), {"mode": 1}, TypeError, "mode must be one of"),
    Refusal(
        (1, 4), {"mode": "blocks_first", "block_size": 2}, ValueError, r"data must have at least 3 axes, got \(1, 4\)"
    ),
]

test_depth_to_space = contract(fo.openvino.depth_to_space, CALLS, REFUSALS)
