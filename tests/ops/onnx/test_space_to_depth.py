"""ONNX SpaceToDepth."""

import fastops as fo
from tests.helpers.layout_oracle import space_to_depth
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((2, 2, 4, 6), {"blocksize": 2, "mode": "CRD"}, lambda x: space_to_depth(x, 2, depth_first=True)),
    Call((1, 2, 3, 6), {"blocksize": 3}, lambda x: space_to_depth(x, 3, depth_first=False)),
    Call((1, 2, 3, 5), {"blocksize": 1}, lambda x: space_to_depth(x, 1, depth_first=False)),
    Call((1, 1, 0, 4), {"blocksize": 2}, lambda x: space_to_depth(x, 2, depth_first=False)),
]

refuse = refuser((1, 2, 4, 3), blocksize=2)
REFUSALS = [
    refuse(r"blocksize must divide the axis, got 2 \(axis 3, extent 3\)"),
    refuse(r"input must have 4 axes, got \(4, 4\)", ValueError, (4, 4)),
]

test_space_to_depth = contract(fo.onnx.space_to_depth, CALLS, REFUSALS)
