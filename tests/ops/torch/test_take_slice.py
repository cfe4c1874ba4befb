"""Basic indexing of tensors."""

from __future__ import annotations

import numpy as np
import torch

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((4, 5, 6), {"index": (0, ..., slice(None, None, 2))}, lambda x: x[0, ..., ::2]),
    Call((4, 5), {"index": slice(1, -1)}, lambda x: x[1:-1]),
    Call((4, 5), {"index": (None, slice(None), -1)}, lambda x: x[None, :, -1]),
    Call((4, 5), {"index": (3, 4)}, lambda x: np.asarray(x[3, 4])),
    Call((4,), {"index": slice(9, 2)}, lambda x: x[9:2]),
    Call((4, 5), {"index": torch.tensor(2)}, lambda x: x[2]),
]

REFUSALS = [
    Refusal((4,), {"index": slice(None, None, -1)}, ValueError, "index must have no slice of a negative step"),
    Refusal((4,), {"index": slice(None, None, 0)}, ValueError, "index must have no slice of step 0"),
    Refusal((4,), {"index": 4}, IndexError, r"index must be in -4\.\.3, got 4"),
    Refusal((4,), {"index": (0, 0)}, ValueError, "index must name at most 1 axis"),
    Refusal((4,), {"index": [0]}, TypeError, "index must be a basic index"),
    # Masks, for PyTorch.
    Refusal((4,), {"index": torch.tensor(True)}, TypeError, "index must be a basic index"),
    Refusal((4,), {"index": (torch.tensor(False),)}, TypeError, "index must be a basic index"),
    Refusal((4,), {"index": torch.tensor(2, dtype=torch.uint8)}, TypeError, "index must be a basic index"),
    Refusal((4,), {"index": torch.tensor(1.0)}, TypeError, "index must be an integer"),
]

test_take_slice = contract(fo.torch.take_slice, CALLS, REFUSALS)
