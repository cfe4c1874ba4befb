"""torch.roll."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, Refusal, contract

CALLS = [
    Call((3, 4), {"shifts": 1}, lambda x: np.roll(x, 1), is_flat=True),
    Call((3, 4), {"shifts": [1, 2], "dims": [0, 1]}, lambda x: np.roll(x, (1, 2), (0, 1))),
    Call((3, 4), {"shifts": [1, 2], "dims": [1, 1]}, lambda x: np.roll(x, 3, 1)),
    Call((3, 4), {"shifts": [2], "dims": []}, lambda x: np.roll(x, 2), is_flat=True),
    Call((), {"shifts": 1}, lambda x: x, is_flat=True),
]

REFUSALS = [
    Refusal((3, 4), {"shifts": [1, 2], "dims": 1}, ValueError, "shifts must have as many values as dims, 1"),
    Refusal((3, 4), {"shifts": [1, 2]}, ValueError, "shifts must have as many values as dims, 0"),
    Refusal((3, 4), {"shifts": []}, ValueError, r"shifts must have at least one value, got \[\]"),
    Refusal((3, 4), {"shifts": [], "dims": []}, ValueError, "shifts must have at least one value"),
    Refusal((0, 4), {"shifts": 1, "dims": 2}, ValueError, "dims must be in -2..1"),
    Refusal((), {"shifts": 1, "dims": 0}, ValueError, "dims must name no axis of data of rank 0"),
]

test_roll = contract(fo.torch.roll, CALLS, REFUSALS)
