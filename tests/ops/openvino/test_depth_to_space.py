"""OpenVINO DepthToSpace-1."""

import fastops as fo
from tests.helpers.layout_oracle import depth_to_space
from tests.ops._tables import Call, contract, refuser


def blocks(shape, mode, size=2):
    is_first = mode.lower() == "depth_first"
    return Call(shape, {"mode": mode, "block_size": size}, lambda x: depth_to_space(x, size, depth_first=is_first))


CALLS = [
    blocks((2, 8, 2, 3), "blocks_first"),
    blocks((2, 8, 2, 3), "depth_first"),
    blocks((1, 6, 4), "DEPTH_FIRST"),
    blocks((1, 16, 2, 1, 3), "blocks_first"),
    blocks((1, 32, 1, 2, 1, 2), "depth_first"),
    blocks((0, 4, 2, 2), "blocks_first"),
    Call((1, 3, 2), {"mode": "depth_first"}, lambda x: x),
]

refuse = refuser((1, 6, 2, 2), mode="blocks_first", block_size=2)
REFUSALS = [
    refuse("block_size must divide the channels, to the power of 2, got 2"),
    refuse(r"block_size must divide the channels, got 2 \(axis 1, extent 3\)", ValueError, (1, 3, 2)),
    refuse(r"data must have at least 3 axes, got \(1, 4\)", ValueError, (1, 4)),
]

test_depth_to_space = contract(fo.openvino.depth_to_space, CALLS, REFUSALS)
