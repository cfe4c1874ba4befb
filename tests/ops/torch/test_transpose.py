"""torch.transpose."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, Refusal, contract

CALLS = [
    Call((2, 3, 4), {"dim0": 0, "dim1": 2}, lambda x: np.swapaxes(x, 0, 2)),
    Call((2, 3, 4), {"dim0": -1, "dim1": 1}, lambda x: np.swapaxes(x, -1, 1)),
    Call((2, 3), {"dim0": 1, "dim1": 1}, lambda x: x),
    Call((), {"dim0": 0, "dim1": -1}, lambda x: x),
    Call((0, 3), {"dim0": 0, "dim1": 1}, lambda x: np.swapaxes(x, 0, 1)),
]

# Axes that are not there: `test_arguments`.
REFUSALS: list[Refusal] = []

test_transpose = contract(fo.torch.transpose, CALLS, REFUSALS)
