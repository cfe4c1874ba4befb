"""OpenVINO SpaceToDepth-1."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract
from tests.helpers.layout_oracle import space_to_depth

CALLS = [
    Call((2, 2, 4, 6), {"mode": "blocks_first", "block_size": 2}, lambda x: space_to_depth(x, 2, depth_first=False)),
    Call((2, 2, 4, 6), {"mode": "depth_first", "block_size": 2}, lambda x: space_to_depth(x, 2, depth_first=True)),
    Call((1, 3, 4), {"mode": "Blocks_First", "block_size": 2}, lambda x: space_to_depth(x, 2, depth_first=False)),
    Call((1, 2, 4, 2, 2), {"mode": "depth_first", "block_size": 2}, lambda x: space_to_depth(x, 2, depth_first=True)),
    Call((1, 2, 3), {"mode": "blocks_first"}, lambda x: space_to_depth(x, 1, depth_first=False)),
    Call((1, 2, 0, 2), {"mode": "depth_first", "block_size": 2}, lambda x: space_to_depth(x, 2, depth_first=True)),
]

REFUSALS = [
    Refusal(
        (1, 2, 4, 3),
        {"mode": "blocks_first", "block_size": 2},
        ValueError,
        r"block_size must divide the axis, got 2 \(axis 3, extent 3\)",
    ),
    Refusal(
        (1, 2, 4, 4), {"mode": "blocks_first", "block_size": -2}, ValueError, "block_size must be at least 1, got -2"
    ),
    Refusal(
        (1, 2, 4, 4), {"mode": "", "block_size": 2}, ValueError, "mode must be one of blocks_first, depth_first, got ''"
    ),
    Refusal(
        (1, 2), {"mode": "blocks_first", "block_size": 2}, ValueError, r"data must have at least 3 axes, got \(1, 2\)"
    ),
]

test_space_to_depth = contract(fo.openvino.space_to_depth, CALLS, REFUSALS)
