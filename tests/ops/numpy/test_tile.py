"""numpy.tile."""

import numpy as np

import fastops as fo
from tests.ops._tables import contract, refuser, tiles

CALLS = tiles("reps", ((3,), [2, 2]), ((2, 3), 2), ((), 3), ((2, 3), 0), ((2, 3), np.array([])))

refuse = refuser((2,))
REFUSALS = [
    refuse("reps must be a list of integers", TypeError, reps=np.array([1.0])),
    refuse("reps must be a list of integers", TypeError, reps=np.zeros((0, 2))),
]

test_tile = contract(fo.numpy.tile, CALLS, REFUSALS)
