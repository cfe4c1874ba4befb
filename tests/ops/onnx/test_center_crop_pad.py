"""ONNX CenterCropPad."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((7, 4), {"shape": [4, 7]}, lambda x: np.pad(x[1:5], ((0, 0), (1, 2)))),
    Call((8, 3), {"shape": [5], "axes": [0]}, lambda x: x[1:6]),
    Call((3, 8), {"shape": [8], "axes": [-2]}, lambda x: np.pad(x, ((2, 3), (0, 0)))),
    Call((3,), {"shape": [0]}, lambda x: x[:0]),
    Call((0,), {"shape": [3]}, lambda x: np.zeros(3, x.dtype)),
    Call((4,), {"shape": [2]}, lambda x: x[1:3]),
]

REFUSALS = [
    Refusal((3,), {"shape": [-1]}, ValueError, "shape must be at least 0"),
    Refusal((3,), {"shape": [1, 2]}, ValueError, "shape must have 1 value, one for each axis"),
    Refusal((3,), {"shape": [1], "axes": [1]}, ValueError, "axes must be in -1..0"),
    Refusal((3, 3), {"shape": [1, 1], "axes": [0, -2]}, ValueError, "axes must name each axis once"),
]

test_center_crop_pad = contract(fo.onnx.center_crop_pad, CALLS, REFUSALS)
