"""torch.narrow."""

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((3, 4), {"dim": 1, "start": 1, "length": 2}, lambda x: x[:, 1:3]),
    Call((3, 4), {"dim": -2, "start": -2, "length": 2}, lambda x: x[1:]),
    Call((3,), {"dim": 0, "start": 3, "length": 0}, lambda x: x[:0]),
    Call((0, 2), {"dim": 0, "start": 0, "length": 0}, lambda x: x),
]

refuse = refuser((3,), dim=0, start=1, length=1)
REFUSALS = [
    refuse(r"start must be in -3..3, got 4 \(axis 0, extent 3\)", start=4),
    refuse("length must be in 0..2, from 1 on, got 3", length=3),
    refuse("length must be in 0..2", length=-1),
    refuse("input must have at least one axis", ValueError, ()),
]

test_narrow = contract(fo.torch.narrow, CALLS, REFUSALS)
