"""ONNX's Transpose, DepthToSpace, SpaceToDepth, Tile and Expand."""

import numpy as np

import fastops as fo
from tests.helpers.oracle import depth_to_space, space_to_depth
from tests.ops._tables import Call, Refusal, contract, refuser, tiles, transposes, wrong_orders

test_transpose = contract(
    fo.onnx.transpose,
    [Call((2, 3), {}, np.transpose), *transposes("perm")],
    [
        *wrong_orders("perm"),
        Refusal((2, 3), {"perm": [-1, 0]}, ValueError, r"perm must be in 0..1, for data of rank 2, got \[-1, 0\]"),
        Refusal((2, 3), {"perm": 1}, ValueError, "perm must be a list of integers"),
    ],
)


refuse = refuser((1, 6, 2, 2), blocksize=2)

test_depth_to_space = contract(
    fo.onnx.depth_to_space,
    [
        Call((2, 8, 2, 3), {"blocksize": 2}, lambda x: depth_to_space(x, 2, depth_first=False)),
        Call((2, 8, 2, 3), {"blocksize": 2, "mode": "CRD"}, lambda x: depth_to_space(x, 2, depth_first=True)),
        Call((1, 9, 1, 2), {"blocksize": 3, "mode": "DCR"}, lambda x: depth_to_space(x, 3, depth_first=False)),
        Call((1, 3, 2, 2), {"blocksize": 1}, lambda x: depth_to_space(x, 1, depth_first=False)),
        Call((1, 0, 2, 2), {"blocksize": 2}, lambda x: depth_to_space(x, 2, depth_first=False)),
        Call((1, 4, 0, 2), {"blocksize": 2, "mode": "CRD"}, lambda x: depth_to_space(x, 2, depth_first=True)),
    ],
    [
        refuse("blocksize must divide the channels, to the power of 2, got 2"),
        refuse(r"got 7 \(axis 1, extent 6\)", blocksize=7),
        refuse(r"input must have 4 axes, got \(1, 4, 2\)", ValueError, (1, 4, 2)),
    ],
)


refuse = refuser((1, 2, 4, 3), blocksize=2)

test_space_to_depth = contract(
    fo.onnx.space_to_depth,
    [
        Call((2, 2, 4, 6), {"blocksize": 2, "mode": "CRD"}, lambda x: space_to_depth(x, 2, depth_first=True)),
        Call((1, 2, 3, 6), {"blocksize": 3}, lambda x: space_to_depth(x, 3, depth_first=False)),
        Call((1, 2, 3, 5), {"blocksize": 1}, lambda x: space_to_depth(x, 1, depth_first=False)),
        Call((1, 1, 0, 4), {"blocksize": 2}, lambda x: space_to_depth(x, 2, depth_first=False)),
    ],
    [
        refuse(r"blocksize must divide the axis, got 2 \(axis 3, extent 3\)"),
        refuse(r"input must have 4 axes, got \(4, 4\)", ValueError, (4, 4)),
    ],
)


refuse = refuser((2, 3))

test_tile = contract(
    fo.onnx.tile,
    tiles("repeats"),
    [
        refuse(r"repeats must have 2 values, one for each axis of input, got \[2\]", repeats=[2]),
        refuse("repeats must be a list of integers, got 2", repeats=2),
    ],
)


refuse = refuser((3,))

test_expand = contract(
    fo.onnx.expand,
    [
        Call((3, 1), {"shape": [2, 1, 4]}, lambda x: np.broadcast_to(x, (2, 3, 4))),
        Call((3,), {"shape": [1]}, lambda x: x),
        Call((2, 1, 2), {"shape": [3, 1]}, lambda x: np.broadcast_to(x, (2, 3, 2))),
        Call((1,), {"shape": [0]}, lambda x: x[:0]),
        Call((), {"shape": [2, 3]}, lambda x: np.broadcast_to(x, (2, 3))),
        Call((0,), {"shape": [2, 1]}, lambda x: np.zeros((2, 0), x.dtype)),
    ],
    [
        refuse(r"shape must be 1 or 3, got \[2\] \(axis 0, extent 3\)", shape=[2]),
        refuse("shape must be at least 0", ValueError, (1,), shape=[-1]),
        refuse("shape must be a list of integers", shape=3),
    ],
)
