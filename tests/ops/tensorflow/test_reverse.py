"""tf.reverse."""

import fastops as fo
from tests.ops._tables import Call, Refusal, contract

CALLS = [
    Call((3, 4), {"axis": [0, -1]}, lambda x: x[::-1, ::-1]),
    Call((3, 4), {"axis": []}, lambda x: x),
    Call((0, 4), {"axis": [0]}, lambda x: x),
]

REFUSALS = [Refusal((3,), {"axis": 0}, ValueError, "axis must be a list of integers")]

test_reverse = contract(fo.tensorflow.reverse, CALLS, REFUSALS)
