"""torch.tile."""

import fastops as fo
from tests.ops._tables import Refusal, contract, tiles

CALLS = tiles("dims", ((3,), [2, 2]), ((2, 3), [3]), ((2, 3), []))

REFUSALS = [Refusal((2,), {"dims": [-1]}, ValueError, "dims must be at least 0")]

test_tile = contract(fo.torch.tile, CALLS, REFUSALS)
