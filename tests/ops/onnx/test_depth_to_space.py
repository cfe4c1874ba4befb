"""ONNX DepthToSpace."""

import fastops as fo
from tests.helpers.layout_oracle import depth_to_space
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((2, 8, 2, 3), {"blocksize": 2}, lambda x: depth_to_space(x, 2, depth_first=False)),
    Call((2, 8, 2, 3), {"blocksize": 2, "mode": "CRD"}, lambda x: depth_to_space(x, 2, depth_first=True)),
    Call((1, 9, 1, 2), {"blocksize": 3, "mode": "DCR"}, lambda x: depth_to_space(x, 3, depth_first=False)),
    Call((1, 3, 2, 2), {"blocksize": 1}, lambda x: depth_to_space(x, 1, depth_first=False)),
    Call((1, 0, 2, 2), {"blocksize": 2}, lambda x: depth_to_space(x, 2, depth_first=False)),
    Call((1, 4, 0, 2), {"blocksize": 2, "mode": "CRD"}, lambda x: depth_to_space(x, 2, depth_first=True)),
]

refuse = refuser((1, 6, 2, 2), blocksize=2)
REFUSALS = [
    refuse("blocksize must divide the channels, to the power of 2, got 2"),
    refuse(r"got 7 \(axis 1, extent 6\)", blocksize=7),
    refuse(r"input must have 4 axes, got \(1, 4, 2\)", ValueError, (1, 4, 2)),
]

test_depth_to_space = contract(fo.onnx.depth_to_space, CALLS, REFUSALS)
