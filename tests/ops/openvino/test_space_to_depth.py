"""OpenVINO SpaceToDepth-1."""

import fastops as fo
from tests.helpers.layout_oracle import space_to_depth
from tests.ops._tables import Call, contract, refuser


def blocks(shape, mode, size=2):
    is_first = mode.lower() == "depth_first"
    return Call(shape, {"mode": mode, "block_size": size}, lambda x: space_to_depth(x, size, depth_first=is_first))


CALLS = [
    blocks((2, 2, 4, 6), "blocks_first"),
    blocks((2, 2, 4, 6), "depth_first"),
    blocks((1, 3, 4), "Blocks_First"),
    blocks((1, 2, 4, 2, 2), "depth_first"),
    blocks((1, 2, 0, 2), "depth_first"),
    Call((1, 2, 3), {"mode": "blocks_first"}, lambda x: x),
]

refuse = refuser((1, 2, 4, 3), mode="blocks_first", block_size=2)
REFUSALS = [
    refuse(r"block_size must divide the axis, got 2 \(axis 3, extent 3\)"),
    refuse(r"data must have at least 3 axes, got \(1, 2\)", ValueError, (1, 2)),
]

test_space_to_depth = contract(fo.openvino.space_to_depth, CALLS, REFUSALS)
