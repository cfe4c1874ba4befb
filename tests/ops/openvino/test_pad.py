"""OpenVINO Pad-1 and Pad-12."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call(
        (3, 4),
        {"pads_begin": [0, 1], "pads_end": [2, 3], "pad_mode": "constant"},
        lambda x: np.pad(x, ((0, 2), (1, 3))),
    ),
    Call(
        (3, 4),
        {"pads_begin": [2, 3], "pads_end": [1, 0], "pad_mode": "reflect"},
        lambda x: np.pad(x, ((2, 1), (3, 0)), "reflect"),
    ),
    Call((3,), {"pads_begin": [3], "pads_end": [3], "pad_mode": "SYMMETRIC"}, lambda x: np.pad(x, 3, "symmetric")),
    Call((3,), {"pads_begin": [7], "pads_end": [1], "pad_mode": "edge"}, lambda x: np.pad(x, (7, 1), "edge")),
    Call((5,), {"pads_begin": [-2], "pads_end": [2], "pad_mode": "reflect"}, lambda x: x[[2, 3, 4, 3, 2]]),
    Call(
        (0, 3), {"pads_begin": [0, 1], "pads_end": [0, 1], "pad_mode": "reflect"}, lambda x: np.zeros((0, 5), x.dtype)
    ),
    Call((4,), {"pads_begin": [-1], "pads_end": [0], "pad_mode": "edge"}, lambda x: x[1:]),
    Call(
        (2,),
        {"pads_begin": [1], "pads_end": [1], "pad_mode": "constant", "pad_value": 5},
        lambda x: np.pad(x, 1, constant_values=5),
        ("u1", "f4"),
    ),
    Call(
        (2,), {"pads_begin": [1], "pads_end": [1], "pad_mode": "edge", "pad_value": 5}, lambda x: np.pad(x, 1, "edge")
    ),
    Call((), {"pads_begin": [], "pads_end": [], "pad_mode": "edge"}, lambda x: x),
]

REFUSALS = [
    Refusal(
        (3,),
        {"pads_begin": [3], "pads_end": [0], "pad_mode": "reflect"},
        ValueError,
        r"be at most 2 in mode reflect, .*\(axis 0, extent 3\)",
    ),
    Refusal(
        (3,),
        {"pads_begin": [0], "pads_end": [4], "pad_mode": "symmetric"},
        ValueError,
        "be at most 3 in mode symmetric",
    ),
    Refusal(
        (3,),
        {"pads_begin": [-2], "pads_end": [-2], "pad_mode": "edge"},
        ValueError,
        "leave at least 0 elements of each axis",
    ),
    Refusal(
        (0,),
        {"pads_begin": [1], "pads_end": [0], "pad_mode": "edge"},
        ValueError,
        "be 0 on an empty axis in mode edge",
    ),
    Refusal(
        (3,),
        {"pads_begin": [1, 1], "pads_end": [0], "pad_mode": "edge"},
        ValueError,
        "pads_begin must have 1 value, one for each axis of arg",
    ),
    Refusal(
        (3,),
        {"pads_begin": [1], "pads_end": [0], "pad_mode": "wrap"},
        ValueError,
        "pad_mode must be one of constant, edge, reflect, symmetric, got 'wrap'",
    ),
    Refusal(
        (3,),
        {"pads_begin": [1], "pads_end": [0], "pad_mode": "constant", "pad_value": "x"},
        TypeError,
        "pad_value must be a real number",
    ),
    Refusal(
        (3,),
        {"pads_begin": [1], "pads_end": None, "pad_mode": "edge"},
        TypeError,
        "pads_end must be a list of integers, got None",
    ),
]

test_pad = contract(fo.openvino.pad, CALLS, REFUSALS)
