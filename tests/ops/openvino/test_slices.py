"""OpenVINO's Slice, Split and Pad."""

import numpy as np

import fastops as fo
from tests.ops._tables import DTYPES, Call, contract, refuser

refuse = refuser((3,), start=[0], stop=[1], step=[1])

test_slice = contract(
    fo.openvino.slice,
    [
        Call((4, 6), {"start": [1], "stop": [-1], "step": [2], "axes": [1]}, lambda x: x[:, 1:-1:2]),
        Call((4, 6), {"start": [-1, 0], "stop": [-99, 5], "step": [-1, 2]}, lambda x: x[::-1, 0:5:2]),
        Call((5,), {"start": [-8], "stop": [-10], "step": [-1], "axes": [0]}, lambda x: x[:1]),
        Call((4, 6), {"start": [3], "stop": [3], "step": [1], "axes": [-1]}, lambda x: x[:, 3:3]),
        Call((), {"start": [], "stop": [], "step": []}, lambda x: x),
    ],
    [
        refuse("step must have 1 value, one for each start", step=[1, 1]),
        refuse(r"step must not be 0, got \[0\] \(axis 0", step=[0]),
    ],
)


refuse = refuser((6,), axis=0, num_splits=2)

test_split = contract(
    fo.openvino.split,
    [
        Call((6, 4), {"axis": 0, "num_splits": 3}, lambda x: np.split(x, 3)),
        Call((6, 4), {"axis": -1, "num_splits": 2}, lambda x: np.split(x, 2, axis=1)),
        Call((0, 2), {"axis": 0, "num_splits": 2}, lambda x: [x, x]),
        Call((5,), {"axis": 0, "num_splits": 1}, lambda x: [x]),
    ],
    [
        refuse(r"num_splits must divide 6, got 4 \(axis 0, extent 6\)", num_splits=4),
        refuse("num_splits must give at most 1048576 parts", ValueError, (0,), num_splits=1 << 21),
        refuse(r"axis must be a scalar, got \[0\]", axis=[0]),
        refuse("data must have at least one axis", ValueError, ()),
    ],
)


def pad(shape, begin, end, mode, expected, dtypes=DTYPES, **value):
    return Call(shape, {"pads_begin": begin, "pads_end": end, "pad_mode": mode, **value}, expected, dtypes)


refuse = refuser((3,), pads_begin=[1], pads_end=[0], pad_mode="edge")

test_pad = contract(
    fo.openvino.pad,
    [
        pad((3, 4), [0, 1], [2, 3], "constant", lambda x: np.pad(x, ((0, 2), (1, 3)))),
        pad((3, 4), [2, 3], [1, 0], "reflect", lambda x: np.pad(x, ((2, 1), (3, 0)), "reflect")),
        pad((3,), [3], [3], "SYMMETRIC", lambda x: np.pad(x, 3, "symmetric")),
        pad((3,), [7], [1], "edge", lambda x: np.pad(x, (7, 1), "edge")),
        pad((5,), [-2], [2], "reflect", lambda x: x[[2, 3, 4, 3, 2]]),
        pad((0, 3), [0, 1], [0, 1], "reflect", lambda x: np.zeros((0, 5), x.dtype)),
        pad((4,), [-1], [0], "edge", lambda x: x[1:]),
        pad((2,), [1], [1], "constant", lambda x: np.pad(x, 1, constant_values=5), ("u1", "f4"), pad_value=5),
        pad((2,), [1], [1], "edge", lambda x: np.pad(x, 1, "edge"), pad_value=5),
        pad((), [], [], "edge", lambda x: x),
    ],
    [
        refuse(r"pads_begin must be at most 2 in mode reflect, .*\(axis 0, ext", pads_begin=[3], pad_mode="reflect"),
        refuse("pads_end must be at most 3 in mode symmetric", pads_end=[4], pad_mode="symmetric"),
        refuse("leave at least 0 elements of each axis", pads_begin=[-2], pads_end=[-2]),
        refuse("be 0 on an empty axis in mode edge", ValueError, (0,)),
        refuse("pads_begin must have 1 value, one for each axis of arg", pads_begin=[1, 1]),
        refuse("pads_end must be a list of integers, got None", TypeError, pads_end=None),
        refuse("pad_value must be a real number", TypeError, pad_mode="constant", pad_value="x"),
    ],
)
