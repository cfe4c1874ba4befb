"""tf.split."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((6, 4), {"num_or_size_splits": 3}, lambda x: np.split(x, 3)),
    Call((6, 4), {"num_or_size_splits": [1, -1], "axis": -1, "num": 2}, lambda x: np.split(x, [1], axis=1)),
    Call((3,), {"num_or_size_splits": [0, 3]}, lambda x: [x[:0], x]),
]

refuse = refuser((6,), num_or_size_splits=2)
REFUSALS = [
    refuse("num_or_size_splits must divide 6, got 4", num_or_size_splits=4),
    refuse(r"num_or_size_splits must sum to 6, got \[1, 2\]", num_or_size_splits=[1, 2]),
    refuse("num_or_size_splits must have -1 at most once", num_or_size_splits=[-1, -1]),
    refuse("num_or_size_splits must have at least one length", num_or_size_splits=[]),
    refuse("num must be the number of sizes, 1, got 2", num_or_size_splits=[6], num=2),
    refuse("value must have at least one axis", ValueError, ()),
]

test_split = contract(fo.tensorflow.split, CALLS, REFUSALS)
