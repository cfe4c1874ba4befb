"""Basic indexing of tensors."""

import numpy as np
import torch

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((4, 5, 6), {"index": (0, ..., slice(None, None, 2))}, lambda x: x[0, ..., ::2]),
    Call((4, 5), {"index": slice(1, -1)}, lambda x: x[1:-1]),
    Call((4, 5), {"index": (None, slice(None), -1)}, lambda x: x[None, :, -1]),
    Call((4, 5), {"index": (3, 4)}, lambda x: np.asarray(x[3, 4])),
    Call((4,), {"index": slice(9, 2)}, lambda x: x[9:2]),
    Call((4, 5), {"index": torch.tensor(2)}, lambda x: x[2]),
]

refuse = refuser((4,))
# What PyTorch takes for masks.
MASKS = torch.tensor(True), (torch.tensor(False),), torch.tensor(2, dtype=torch.uint8)
REFUSALS = [
    refuse("index must have no slice of a negative step", index=slice(None, None, -1)),
    refuse("index must have no slice of step 0", index=slice(None, None, 0)),
    refuse(r"index must be in -4\.\.3, got 4", IndexError, index=4),
    refuse("index must name at most 1 axis", index=(0, 0)),
    *[refuse("index must be a basic index", TypeError, index=index) for index in ([0], *MASKS)],
    refuse("index must be a basic index", TypeError, index=torch.tensor(1.0)),
]

test_take_slice = contract(fo.torch.take_slice, CALLS, REFUSALS)
