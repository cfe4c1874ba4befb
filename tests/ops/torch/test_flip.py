"""torch.flip."""

import fastops as fo
from tests.ops._tables import Call, Refusal, contract

CALLS = [
    Call((3, 4), {"dims": [0, -1]}, lambda x: x[::-1, ::-1]),
    Call((3, 4), {"dims": []}, lambda x: x),
    Call((), {"dims": [0]}, lambda x: x),
]

REFUSALS = [Refusal((3,), {"dims": 0}, ValueError, "dims must be a list of integers")]

test_flip = contract(fo.torch.flip, CALLS, REFUSALS)
