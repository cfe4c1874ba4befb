"""torch.permute."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3, 4), {"dims": [2, 0, 1]}, lambda x: np.transpose(x, (2, 0, 1))),
    Call((2, 3, 4), {"dims": [0, -1, 1]}, lambda x: np.transpose(x, (0, 2, 1))),
    Call((5,), {"dims": [0]}, lambda x: x),
    Call((), {"dims": []}, lambda x: x),
    Call((3, 0, 2), {"dims": [1, 2, 0]}, lambda x: np.transpose(x, (1, 2, 0))),
]

REFUSALS = [
    Refusal((2, 3), {"dims": [0]}, ValueError, r"dims must name each of the 2 axes once, got \[0\]"),
    Refusal((2, 3), {"dims": [0, 0]}, ValueError, r"dims must name each axis once, got \[0, 0\]"),
    Refusal((2, 3), {"dims": [0, 2]}, ValueError, r"dims must be in -2\.\.1"),
]

test_permute = contract(fo.torch.permute, CALLS, REFUSALS)
