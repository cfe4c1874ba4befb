"""OpenVINO Reverse-1."""

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((3, 4), {"axis": [0], "mode": "index"}, lambda x: x[::-1]),
    Call((3, 4), {"axis": [-1, 0, 1], "mode": "index"}, lambda x: x[::-1, ::-1]),
    Call((3, 4), {"axis": [False, True], "mode": "mask"}, lambda x: x[:, ::-1]),
    Call((3, 4), {"axis": [0, 0], "mode": "MASK"}, lambda x: x),
    Call((0, 2), {"axis": [0, 1], "mode": "index"}, lambda x: x),
    Call((), {"axis": [], "mode": "mask"}, lambda x: x),
]

refuse = refuser((3, 4), mode="mask")
REFUSALS = [
    refuse("axis must have 2 values, one for each axis of data", axis=[1]),
    refuse("axis must be a list of zeros and ones", axis=[2, 0]),
    refuse("axis must hold integers only", TypeError, axis=[True], mode="index"),
]

test_reverse = contract(fo.openvino.reverse, CALLS, REFUSALS)
