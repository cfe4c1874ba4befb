"""torch.narrow."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((3, 4), {"dim": 1, "start": 1, "length": 2}, lambda x: x[:, 1:3]),
    Call((3, 4), {"dim": -2, "start": -2, "length": 2}, lambda x: x[1:]),
    Call((3,), {"dim": 0, "start": 3, "length": 0}, lambda x: x[:0]),
    Call((0, 2), {"dim": 0, "start": 0, "length": 0}, lambda x: x),
]

REFUSALS = [
    Refusal(
        (3,), {"dim": 0, "start": 4, "length": 0}, ValueError, r"start must be in -3..3, got 4 \(axis 0, extent 3\)"
    ),
    Refusal((3,), {"dim": 0, "start": 1, "length": 3}, ValueError, "length must be in 0..2, from 1 on, got 3"),
    Refusal((3,), {"dim": 0, "start": 1, "length": -1}, ValueError, "length must be in 0..2"),
    Refusal((3,), {"dim": 1, "start": 1, "length": 1}, ValueError, "dim must be in -1..0"),
    Refusal((), {"dim": 0, "start": 0, "length": 1}, ValueError, "input must have at least one axis"),
]

test_narrow = contract(fo.torch.narrow, CALLS, REFUSALS)
