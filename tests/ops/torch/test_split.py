"""torch.split."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((5, 2), {"split_size_or_sections": 2}, lambda x: np.split(x, [2, 4])),
    Call((2, 5), {"split_size_or_sections": [1, 0, 4], "dim": -1}, lambda x: np.split(x, [1, 1], axis=1)),
    Call((5,), {"split_size_or_sections": 9}, lambda x: [x]),
    Call((0,), {"split_size_or_sections": 0}, lambda x: [x]),
]

REFUSALS = [
    Refusal((5,), {"split_size_or_sections": [1, 2]}, ValueError, "split_size_or_sections must sum to 5"),
    Refusal((5,), {"split_size_or_sections": [-1, 6]}, ValueError, "split_size_or_sections must be at least 0"),
    Refusal((5,), {"split_size_or_sections": 0}, ValueError, "split_size_or_sections must be at least 1"),
    Refusal((5,), {"split_size_or_sections": 1, "dim": 1}, ValueError, "dim must be in -1..0"),
    Refusal((), {"split_size_or_sections": 1}, ValueError, "tensor must have at least one axis"),
]

test_split = contract(fo.torch.split, CALLS, REFUSALS)
