"""ONNX Pad."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
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
    *[
        Call((2,), {"pads": [1, 1], "constant_value": value}, lambda x: np.pad(x, 1, constant_values=5), ("u1", "f4"))
        for value in (5, np.array([5], "u1"), np.array(5, "u1"), np.full((1,) * 64, 5, "u1"))
    ],
]

refuse = refuser((3,), pads=[1, 1])
REFUSALS = [
    refuse(r"pads must have 2 values, one for each side of each axis, got \[1\]$", pads=[1]),
    refuse(r"leave at least 0 elements of .*\(axis 0, extent 3\)", pads=[-2, -2]),
    *[
        refuse(f"leave an element of .* in mode {mode}", pads=[-3, 1], mode=mode)
        for mode in ("wrap", "reflect", "edge")
    ],
    refuse("be 0 on an empty axis in mode wrap", ValueError, (0,), mode="wrap"),
    refuse("constant_value must be a real number", TypeError, constant_value="x"),
    refuse("constant_value must be a scalar", constant_value=np.zeros((1, 2))),
]

test_pad = contract(fo.onnx.pad, CALLS, REFUSALS)
