"""torch.split."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((5, 2), {"split_size_or_sections": 2}, lambda x: np.split(x, [2, 4])),
    Call((2, 5), {"split_size_or_sections": [1, 0, 4], "dim": -1}, lambda x: np.split(x, [1, 1], axis=1)),
    Call((5,), {"split_size_or_sections": 9}, lambda x: [x]),
    Call((0,), {"split_size_or_sections": 0}, lambda x: [x]),
]

refuse = refuser((5,), split_size_or_sections=1)
REFUSALS = [
    refuse("split_size_or_sections must sum to 5", split_size_or_sections=[1, 2]),
    refuse("split_size_or_sections must be at least 0", split_size_or_sections=[-1, 6]),
    refuse("split_size_or_sections must be at least 1", split_size_or_sections=0),
    refuse("tensor must have at least one axis", ValueError, ()),
]

test_split = contract(fo.torch.split, CALLS, REFUSALS)
