"""torch.transpose."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3, 4), {"dim0": 0, "dim1": 2}, lambda x: np.swapaxes(x, 0, 2)),
    Call((2, 3, 4), {"dim0": -1, "dim1": 1}, lambda x: np.swapaxes(x, -1, 1)),
    Call((2, 3), {"dim0": 1, "dim1": 1}, lambda x: x),
    Call((), {"dim0": 0, "dim1": -1}, lambda x: x),
    Call((0, 3), {"dim0": 0, "dim1": 1}, lambda x: np.swapaxes(x, 0, 1)),
]

REFUSALS = [
    Refusal((2, 3), {"dim0": 0, "dim1": 2}, ValueError, r"dim1 must be in -2\.\.1"),
    Refusal((2, 3), {"dim0": -3, "dim1": 0}, ValueError, r"dim0 must be in -2\.\.1"),
    Refusal((2, 3), {"dim0": 0.5, "dim1": 0}, TypeError, "dim0 must be an integer"),
]

test_transpose = contract(fo.torch.transpose, CALLS, REFUSALS)
