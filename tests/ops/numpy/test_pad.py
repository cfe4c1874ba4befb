"""numpy.pad."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.ops._contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {"pad_width": 2}, lambda x: np.pad(x, 2)),
    Call((2, 3), {"pad_width": [1, 2], "mode": "edge"}, lambda x: np.pad(x, (1, 2), "edge")),
    Call((2, 3), {"pad_width": [[0, 1], [7, 8]], "mode": "reflect"}, lambda x: np.pad(x, ((0, 1), (7, 8)), "reflect")),
    Call((2, 3), {"pad_width": [[1], [2]], "mode": "symmetric"}, lambda x: np.pad(x, ((1,), (2,)), "symmetric")),
    Call((2, 3), {"pad_width": {-1: (1, 4)}, "mode": "wrap"}, lambda x: np.pad(x, ((0, 0), (1, 4)), "wrap")),
    Call((2, 3), {"pad_width": {0: 1}}, lambda x: np.pad(x, ((1, 1), (0, 0)))),
    Call((2, 1), {"pad_width": 3, "mode": "reflect", "reflect_type": "even"}, lambda x: np.pad(x, 3, "reflect")),
    Call((0, 2), {"pad_width": [[1, 2], [0, 0]]}, lambda x: np.pad(x, ((1, 2), (0, 0)))),
    Call((0, 2), {"pad_width": [[0, 0], [1, 1]], "mode": "edge"}, lambda x: np.pad(x, ((0, 0), (1, 1)), "edge")),
    Call((2, 3), {"pad_width": 0, "mode": "edge"}, lambda x: x),
    Call((), {"pad_width": 3}, lambda x: np.pad(x, 3)),
    Call(
        (2, 3),
        {"pad_width": 1, "constant_values": 5},
        lambda x: np.pad(x, 1, constant_values=5),
        ("u1", "f4", "c8", "?"),
    ),
    Call((2, 3), {"pad_width": 1, "constant_values": 1.5}, lambda x: np.pad(x, 1, constant_values=1.5), ("i8", "f4")),
    Call((2,), {"pad_width": 1, "constant_values": 300}, lambda x: np.pad(x, 1, constant_values=300), ("u1", "f2")),
    Call((2,), {"pad_width": 1}, lambda x: np.pad(x, 1), ("U2", "S2", "V3", "M8[s]")),
    Call(
        (2, 3),
        {"pad_width": 2, "constant_values": (1, 2)},
        lambda x: np.pad(x, 2, constant_values=(1, 2)),
        ("u1", "f4"),
    ),
    Call(
        (2, 3),
        {"pad_width": [[1, 2], [3, 4]], "constant_values": ((1, 2), (3, 4))},
        lambda x: np.pad(x, ((1, 2), (3, 4)), constant_values=((1, 2), (3, 4))),
        ("u1", "f4", ">i4"),
    ),
    Call(
        (0, 3),
        {"pad_width": [[1, 2], [0, 4]], "constant_values": ((1, 2), (3, 4))},
        lambda x: np.pad(x, ((1, 2), (0, 4)), constant_values=((1, 2), (3, 4))),
        ("u1",),
    ),
]

REFUSALS = [
    Refusal((3,), {"pad_width": -1}, ValueError, r"pad_width must be at least 0, got -1 \(axis 0, extent 3\)"),
    Refusal((3,), {"pad_width": 1.5}, TypeError, "pad_width must be an integer, or pairs of them"),
    Refusal((3,), {"pad_width": True}, TypeError, "pad_width must be an integer, or pairs of them"),
    Refusal((3,), {"pad_width": [1, 2, 3]}, ValueError, "pad_width must be an integer, or pairs of them"),
    Refusal((3,), {"pad_width": []}, TypeError, "pad_width must be an integer, or pairs of them"),
    Refusal((3,), {"pad_width": {1: 1}}, ValueError, "pad_width must be in -1..0"),
    Refusal((0,), {"pad_width": 1, "mode": "edge"}, ValueError, "pad_width must be 0 on an empty axis in mode edge"),
    Refusal(
        (3,),
        {"pad_width": 1, "mode": "mean"},
        ValueError,
        "mode must be one of .*; numpy.pad has the others, got 'mean'",
    ),
    Refusal((3,), {"pad_width": 1, "mode": "empty"}, ValueError, "numpy.pad has the others"),
    Refusal((3,), {"pad_width": 1, "mode": max}, TypeError, "numpy.pad has the others"),
    Refusal(
        (3,),
        {"pad_width": 1, "mode": "edge", "constant_values": 1},
        ValueError,
        "constant_values must not be given in mode edge",
    ),
    Refusal(
        (3,), {"pad_width": 1, "reflect_type": "even"}, ValueError, "reflect_type must not be given in mode constant"
    ),
    Refusal(
        (3,),
        {"pad_width": 1, "mode": "reflect", "reflect_type": "odd"},
        ValueError,
        "reflect_type must be one of even; numpy.pad has odd",
    ),
    Refusal(
        (3,), {"pad_width": 1, "constant_values": [1, 2, 3]}, ValueError, "constant_values must be a scalar, or pairs"
    ),
    Refusal(
        (3,),
        {"pad_width": 1, "constant_values": "x"},
        ValueError,
        "constant_values must be what NumPy converts to float32",
    ),
]

test_pad = contract(fo.numpy.pad, CALLS, REFUSALS)
