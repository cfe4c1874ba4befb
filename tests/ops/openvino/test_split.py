"""OpenVINO Split-1."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((6, 4), {"axis": 0, "num_splits": 3}, lambda x: np.split(x, 3)),
    Call((6, 4), {"axis": -1, "num_splits": 2}, lambda x: np.split(x, 2, axis=1)),
    Call((0, 2), {"axis": 0, "num_splits": 2}, lambda x: [x, x]),
    Call((5,), {"axis": 0, "num_splits": 1}, lambda x: [x]),
]

refuse = refuser((6,), axis=0, num_splits=2)
REFUSALS = [
    refuse(r"num_splits must divide 6, got 4 \(axis 0, extent 6\)", num_splits=4),
    refuse("num_splits must give at most 1048576 parts", ValueError, (0,), num_splits=1 << 21),
    refuse(r"axis must be a scalar, got \[0\]", axis=[0]),
    refuse("data must have at least one axis", ValueError, ()),
]

test_split = contract(fo.openvino.split, CALLS, REFUSALS)
