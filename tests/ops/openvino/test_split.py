"""OpenVINO Split-1."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((6, 4), {"axis": 0, "num_splits": 3}, lambda x: np.split(x, 3)),
    Call((6, 4), {"axis": -1, "num_splits": 2}, lambda x: np.split(x, 2, axis=1)),
    Call((0, 2), {"axis": 0, "num_splits": 2}, lambda x: [x, x]),
    Call((5,), {"axis": 0, "num_splits": 1}, lambda x: [x]),
]

REFUSALS = [
    Refusal((6,), {"axis": 0, "num_splits": 4}, ValueError, r"num_splits must divide 6, got 4 \(axis 0, extent 6\)"),
    Refusal((6,), {"axis": 0, "num_splits": 0}, ValueError, "num_splits must be at least 1, got 0"),
    Refusal((6,), {"axis": [0], "num_splits": 2}, ValueError, r"axis must be a scalar, got \[0\]"),
    Refusal((6,), {"axis": 1, "num_splits": 2}, ValueError, "axis must be in -1..0"),
    Refusal((), {"axis": 0, "num_splits": 1}, ValueError, "data must have at least one axis"),
    Refusal((0,), {"axis": 0, "num_splits": 1 << 21}, ValueError, "num_splits must give at most 1048576 parts"),
]

test_split = contract(fo.openvino.split, CALLS, REFUSALS)
