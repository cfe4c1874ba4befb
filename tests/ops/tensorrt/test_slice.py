"""TensorRT ISliceLayer in its own words."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

MODE_RULE = "mode must be one of strict_bounds, wrap, clamp, fill, reflect, default, or the number of one, got"

CALLS = [
    Call((3, 4), {"start": [1, 3], "shape": [2, 2], "stride": [1, -2]}, lambda x: x[1:, 3::-2]),
    Call(
        (3, 4), {"start": [1, 3], "shape": [2, 2], "stride": [1, -2], "mode": "STRICT_BOUNDS"}, lambda x: x[1:, 3::-2]
    ),
    Call((5,), {"start": [-2], "shape": [9], "stride": [1], "mode": 4}, lambda x: np.pad(x, 2, "reflect")),
    Call(
        (3, 4),
        {"start": [-3], "shape": [10], "stride": [1], "axes": [-1], "mode": fo.SampleMode.WRAP},
        lambda x: np.pad(x, ((0, 0), (3, 3)), "wrap"),
    ),
    Call((3,), {"start": [-1], "shape": [5], "stride": [1], "mode": "FILL"}, lambda x: np.pad(x, 1)),
    Call(
        (3,),
        {"start": [-1], "shape": [5], "stride": [1], "mode": "FILL", "fill": 7},
        lambda x: np.pad(x, 1, constant_values=7),
        ("u1", "f4"),
    ),
    Call((3,), {"start": [2], "shape": [4], "stride": [0], "mode": "DEFAULT"}, lambda x: x[[2] * 4]),
    Call((), {"start": [], "shape": [], "stride": [], "mode": "CLAMP"}, lambda x: x),
]

REFUSALS = [
    Refusal(
        (3,),
        {"start": [1], "shape": [3], "stride": [1], "mode": 0},
        IndexError,
        r"shape must keep coordinates 1..3 in 0..2 .* got 3 \(axis 0, extent 3\)",
    ),
    Refusal((3,), {"start": [-1], "shape": [1], "stride": [1], "mode": 0}, IndexError, "start must be in 0..2"),
    Refusal(
        (3,),
        {"start": [0], "shape": [-1], "stride": [1], "mode": 1},
        ValueError,
        r"shape must be at least 0, got \[-1\]",
    ),
    Refusal(
        (3,),
        {"start": [0], "shape": [1], "stride": [1], "mode": "SYMMETRIC"},
        ValueError,
        MODE_RULE,
    ),
    *[
        Refusal((3,), {"start": [0], "shape": [1], "stride": [1], "mode": mode}, ValueError, MODE_RULE)
        for mode in (5, -1, 6, "mirror", fo.SampleMode.SYMMETRIC)
    ],
    Refusal((3,), {"start": [1], "shape": [3], "stride": [1]}, IndexError, "shape must keep coordinates 1..3 in 0..2"),
    Refusal(
        (3,),
        {"start": [0], "shape": [1], "stride": [1], "mode": "CLAMP", "fill": 1},
        ValueError,
        "fill must be given in mode FILL only, not in CLAMP",
    ),
    Refusal(
        (3,),
        {"start": [0], "shape": [1], "stride": [1], "mode": "FILL", "fill": "x"},
        TypeError,
        "fill must be a real number",
    ),
    Refusal((3, 3), {"start": [0], "shape": [1], "stride": [1], "mode": 1}, ValueError, "start must have 2 values"),
    Refusal(
        (3,),
        {"start": np.array([0], "i2"), "shape": [1], "stride": [1], "mode": 1},
        TypeError,
        "start must be of type int32 or int64",
    ),
]

test_slice = contract(fo.tensorrt.slice, CALLS, REFUSALS)
