"""ONNX DepthToSpace."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract
from tests.helpers.layout_oracle import depth_to_space

CALLS = [
    Call((2, 8, 2, 3), {"blocksize": 2}, lambda x: depth_to_space(x, 2, depth_first=False)),
    Call((2, 8, 2, 3), {"blocksize": 2, "mode": "CRD"}, lambda x: depth_to_space(x, 2, depth_first=True)),
    Call((1, 9, 1, 2), {"blocksize": 3, "mode": "DCR"}, lambda x: depth_to_space(x, 3, depth_first=False)),
    Call((1, 3, 2, 2), {"blocksize": 1}, lambda x: depth_to_space(x, 1, depth_first=False)),
    Call((1, 0, 2, 2), {"blocksize": 2}, lambda x: depth_to_space(x, 2, depth_first=False)),
    Call((1, 4, 0, 2), {"blocksize": 2, "mode": "CRD"}, lambda x: depth_to_space(x, 2, depth_first=True)),
]

REFUSALS = [
    Refusal((1, 6, 2, 2), {"blocksize": 2}, ValueError, "blocksize must divide the channels, to the power of 2, got 2"),
    Refusal((1, 4, 2, 2), {"blocksize": 5}, ValueError, r"got 5 \(axis 1, extent 4\)"),
    Refusal((1, 4, 2, 2), {"blocksize": 0}, ValueError, "blocksize must be at least 1, got 0"),
    Refusal((1, 4, 2, 2), {"blocksize": 2.0}, TypeError, "blocksize must be an integer"),
    Refusal((1, 4, 2, 2), {"blocksize": 2, "mode": "dcr"}, ValueError, "mode must be one of DCR, CRD, got 'dcr'"),
    Refusal((1, 4, 2), {"blocksize": 2}, ValueError, r"input must have 4 axes, got \(1, 4, 2\)"),
]

test_depth_to_space = contract(fo.onnx.depth_to_space, CALLS, REFUSALS)
