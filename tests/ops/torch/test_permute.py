"""torch.permute."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, transposes, wrong_orders

CALLS = [*transposes("dims"), Call((2, 3, 4), {"dims": [0, -1, 1]}, lambda x: np.transpose(x, (0, 2, 1)))]

REFUSALS = wrong_orders("dims")

test_permute = contract(fo.torch.permute, CALLS, REFUSALS)
