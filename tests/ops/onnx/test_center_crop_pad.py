"""ONNX CenterCropPad."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((7, 4), {"shape": [4, 7]}, lambda x: np.pad(x[1:5], ((0, 0), (1, 2)))),
    Call((8, 3), {"shape": [5], "axes": [0]}, lambda x: x[1:6]),
    Call((3, 8), {"shape": [8], "axes": [-2]}, lambda x: np.pad(x, ((2, 3), (0, 0)))),
    Call((3,), {"shape": [0]}, lambda x: x[:0]),
    Call((0,), {"shape": [3]}, lambda x: np.zeros(3, x.dtype)),
    Call((4,), {"shape": [2]}, lambda x: x[1:3]),
]

refuse = refuser((3, 3), axes=[0])
REFUSALS = [
    refuse("shape must have 1 value, one for each axis", shape=[1, 2]),
]

test_center_crop_pad = contract(fo.onnx.center_crop_pad, CALLS, REFUSALS)
