"""OpenVINO Reverse-1."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((3, 4), {"axis": [0], "mode": "index"}, lambda x: x[::-1]),
    Call((3, 4), {"axis": [-1, 0, 1], "mode": "index"}, lambda x: x[::-1, ::-1]),
    Call((3, 4), {"axis": [False, True], "mode": "mask"}, lambda x: x[:, ::-1]),
    Call((3, 4), {"axis": [0, 0], "mode": "MASK"}, lambda x: x),
    Call((0, 2), {"axis": [0, 1], "mode": "index"}, lambda x: x),
    Call((), {"axis": [], "mode": "mask"}, lambda x: x),
]

REFUSALS = [
    Refusal((3, 4), {"axis": [2], "mode": "index"}, ValueError, "axis must be in -2..1, for data of rank 2, got 2"),
    Refusal((3, 4), {"axis": [1], "mode": "mask"}, ValueError, "axis must have 2 values, one for each axis of data"),
    Refusal((3,), {"axis": [2], "mode": "mask"}, ValueError, "axis must be a list of zeros and ones"),
    Refusal((3,), {"axis": [0], "mode": "other"}, ValueError, "mode must be one of index, mask, got 'other'"),
    Refusal((3,), {"axis": [True], "mode": "index"}, TypeError, "axis must hold integers only"),
]

test_reverse = contract(fo.openvino.reverse, CALLS, REFUSALS)
