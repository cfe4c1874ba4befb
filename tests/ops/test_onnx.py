"""The operators of fo.onnx but the range: moves, blocks, slices, splits and pads."""

import numpy as np

import fastops as fo
from tests.helpers.oracle import depth_to_space, space_to_depth
from tests.ops._tables import Call, alike, contract, refuse, tiles, transposes

test_transpose = contract(fo.onnx.transpose, (2, 3))(
    *alike(np.transpose, "perm", ((2, 3),)),
    *transposes("perm"),
    refuse(r"perm must be in 0..1, for data of rank 2, got \[-1, 0\]", perm=[-1, 0]),
    refuse("perm must be a list of integers", perm=1),
)
test_tile = contract(fo.onnx.tile, (2, 3))(
    *tiles("repeats"),
    refuse(r"repeats must have 2 values, one for each axis of input, got \[2\]", repeats=[2]),
    refuse("repeats must be a list of integers, got 2", repeats=2),
)


def moved(function):
    """Return a function that calls an oracle with a size, and a mode by ONNX's name."""
    return lambda x, size, mode="DCR": function(x, size, depth_first=mode == "CRD")


ROWS = [((2, 8, 2, 3), 2), ((2, 8, 2, 3), 2, "CRD"), ((1, 9, 1, 2), 3, "DCR"), ((1, 3, 2, 2), 1), ((1, 0, 2, 2), 2)]
test_depth_to_space = contract(fo.onnx.depth_to_space, (1, 6, 2, 2), blocksize=2)(
    *alike(moved(depth_to_space), "blocksize mode", *ROWS, ((1, 4, 0, 2), 2, "CRD")),
    refuse("blocksize must divide the channels, to the power of 2, got 2"),
    refuse(r"got 7 \(axis 1, extent 6\)", blocksize=7),
    refuse(r"input must have 4 axes, got \(1, 4, 2\)", ValueError, (1, 4, 2)),
)

ROWS = [((2, 2, 4, 6), 2, "CRD"), ((1, 2, 3, 6), 3), ((1, 2, 3, 5), 1), ((1, 1, 0, 4), 2)]
test_space_to_depth = contract(fo.onnx.space_to_depth, (1, 2, 4, 3), blocksize=2)(
    *alike(moved(space_to_depth), "blocksize mode", *ROWS),
    refuse(r"blocksize must divide the axis, got 2 \(axis 3, extent 3\)"),
    refuse(r"input must have 4 axes, got \(4, 4\)", ValueError, (4, 4)),
)

test_expand = contract(fo.onnx.expand, (3,))(
    Call((3, 1), {"shape": [2, 1, 4]}, lambda x: np.broadcast_to(x, (2, 3, 4))),
    Call((3,), {"shape": [1]}, lambda x: x),
    Call((2, 1, 2), {"shape": [3, 1]}, lambda x: np.broadcast_to(x, (2, 3, 2))),
    Call((1,), {"shape": [0]}, lambda x: x[:0]),
    Call((), {"shape": [2, 3]}, lambda x: np.broadcast_to(x, (2, 3))),
    Call((0,), {"shape": [2, 1]}, lambda x: np.zeros((2, 0), x.dtype)),
    refuse(r"shape must be 1 or 3, got \[2\] \(axis 0, extent 3\)", shape=[2]),
    refuse("shape must be a list of integers", shape=3),
)

test_slice = contract(fo.onnx.slice, (3,), starts=[0], ends=[1])(
    Call((4, 6), {"starts": [1], "ends": [-1], "axes": [1]}, lambda x: x[:, 1:-1]),
    Call((4, 6), {"starts": [-1, 0], "ends": [-99, 5], "steps": [-1, 2]}, lambda x: x[::-1, 0:5:2]),
    Call((5,), {"starts": [-8], "ends": [-10], "axes": [0], "steps": [-1]}, lambda x: x[:1]),
    Call((4, 6), {"starts": [3, 0], "ends": [3, 6], "axes": [-1, 0]}, lambda x: x[0:6, 3:3]),
    Call((0, 3), {"starts": [0], "ends": [9], "axes": [0]}, lambda x: x),
    Call((), {"starts": [], "ends": []}, lambda x: x),
    refuse(r"ends must have 1 value, one for each start, got \[1, 2\]", ends=[1, 2]),
    refuse(r"steps must not be 0, got \[0\] \(axis 0", steps=[0]),
    refuse("steps must not be 0", ValueError, (0,), steps=[0]),
    refuse("starts must have at most 1 value", starts=[0, 0], ends=[1, 1]),
)

test_split = contract(fo.onnx.split, (6,))(
    Call((7, 2), {"split": [1, 0, 6]}, lambda x: np.split(x, [1, 1])),
    Call((2, 7), {"num_outputs": 3, "axis": -1}, lambda x: np.split(x, [3, 6], axis=1)),
    Call((4,), {"num_outputs": 3}, lambda x: np.split(x, [2, 4])),
    Call((0, 2), {"num_outputs": 2}, lambda x: [x, x]),
    Call((6,), {"split": [6]}, lambda x: [x]),
    refuse(r"split must sum to 6, got \[1, 2\] \(axis 0, extent 6\)", split=[1, 2]),
    refuse("num_outputs must leave at least 0 elements .* got 4", ValueError, (5,), num_outputs=4),
    refuse("num_outputs must not be given together with split", split=[3, 3], num_outputs=2),
    refuse("split must have at least one length, or num_outputs be given, got None"),
    refuse("split must have at least one length", split=[]),
    refuse("input must have at least one axis", ValueError, (), num_outputs=1),
)

FIVES = (5, np.array([5], "u1"), np.array(5, "u1"), np.full((1,) * 64, 5, "u1"))
test_pad = contract(fo.onnx.pad, (3,), pads=[1, 1])(
    Call((3, 4), {"pads": [0, 1, 2, 3]}, lambda x: np.pad(x, ((0, 2), (1, 3)))),
    Call((3, 4), {"pads": [2, 5, 1, 0], "mode": "reflect"}, lambda x: np.pad(x, ((2, 1), (5, 0)), "reflect")),
    Call((3, 4), {"pads": [1, 0], "axes": [-1], "mode": "edge"}, lambda x: np.pad(x, ((0, 0), (1, 0)), "edge")),
    Call((2, 3), {"pads": [0, 7, 0, 8], "mode": "wrap"}, lambda x: np.pad(x, ((0, 0), (7, 8)), "wrap")),
    Call((5, 2), {"pads": [-1, 1, -2, 0]}, lambda x: np.pad(x[1:3], ((0, 0), (1, 0)))),
    Call((5,), {"pads": [-1, 2], "mode": "wrap"}, lambda x: np.pad(x[1:], (0, 2), "wrap")),
    Call((5,), {"pads": [2, -3], "mode": "reflect"}, lambda x: np.pad(x[:2], (2, 0), "reflect")),
    Call((3, 2), {"pads": [-3, 0, 1, -2], "mode": "reflect"}, lambda x: np.zeros((1, 0), x.dtype)),
    Call((0, 2), {"pads": [1, 0, 1, 0]}, lambda x: np.zeros((2, 2), x.dtype)),
    Call((), {"pads": [], "mode": "reflect"}, lambda x: x),
    Call((2,), {"pads": [1, 1], "constant_value": 5, "mode": "edge"}, lambda x: np.pad(x, 1, "edge")),
    *alike(
        lambda x, pads, value: np.pad(x, pads, constant_values=np.ravel(value)[0]),
        "pads constant_value",
        *[((2,), [1, 1], value) for value in FIVES],
        dtypes=("u1", "f4"),
    ),
    refuse(r"pads must have 2 values, one for each side of each axis, got \[1\]$", pads=[1]),
    refuse(r"leave at least 0 elements of .*\(axis 0, extent 3\)", pads=[-2, -2]),
    *[
        refuse(f"leave an element of .* in mode {mode}", pads=[-3, 1], mode=mode)
        for mode in ("wrap", "reflect", "edge")
    ],
    refuse("be 0 on an empty axis in mode wrap", ValueError, (0,), mode="wrap"),
    refuse("constant_value must be a real number", TypeError, constant_value="x"),
    refuse("constant_value must be a scalar", constant_value=np.zeros((1, 2))),
)

test_center_crop_pad = contract(fo.onnx.center_crop_pad, (3, 3), axes=[0])(
    Call((7, 4), {"shape": [4, 7]}, lambda x: np.pad(x[1:5], ((0, 0), (1, 2)))),
    Call((8, 3), {"shape": [5], "axes": [0]}, lambda x: x[1:6]),
    Call((3, 8), {"shape": [8], "axes": [-2]}, lambda x: np.pad(x, ((2, 3), (0, 0)))),
    Call((3,), {"shape": [0]}, lambda x: x[:0]),
    Call((0,), {"shape": [3]}, lambda x: np.zeros(3, x.dtype)),
    Call((4,), {"shape": [2]}, lambda x: x[1:3]),
    refuse("shape must have 1 value, one for each axis", shape=[1, 2]),
)
