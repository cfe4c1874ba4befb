"""tf.pad."""

import numpy as np

import fastops as fo
from tests.ops._tables import DTYPES, Call, contract, refuser


def pad(shape, paddings, expected, dtypes=DTYPES, **options):
    return Call(shape, {"paddings": paddings, **options}, expected, dtypes)


CALLS = [
    pad((2, 3), [[1, 0], [2, 1]], lambda x: np.pad(x, ((1, 0), (2, 1)))),
    pad((2, 3), [(1, 1), (2, 2)], lambda x: np.pad(x, ((1, 1), (2, 2)), "reflect"), mode="reflect"),
    pad((2, 3), np.array([[2, 2], [3, 0]]), lambda x: np.pad(x, ((2, 2), (3, 0)), "symmetric"), mode="SYMMETRIC"),
    pad((2,), [[1, 1]], lambda x: np.pad(x, 1, constant_values=3), ("u1", "f4"), constant_values=3),
    pad((2,), [[0, 0]], lambda x: x),
    pad((0,), [[1, 2]], lambda x: np.zeros(3, x.dtype)),
    pad((0, 2), [[0, 0], [1, 1]], lambda x: np.zeros((0, 4), x.dtype), mode="SYMMETRIC"),
    pad((), [], lambda x: x),
]

refuse = refuser((3,), paddings=[[1, 1]])
REFUSALS = [
    refuse("tensor must have no empty axis in mode reflect", ValueError, (0, 2), paddings=[[0, 0]] * 2, mode="REFLECT"),
    refuse(r"paddings must be at least 0, got \[\[-1, 0\]\]", paddings=[[-1, 0]]),
    refuse("paddings must be at most 2 in mode reflect", paddings=[[3, 0]], mode="REFLECT"),
    refuse("paddings must be at most 3 in mode symmetric", paddings=[[0, 4]], mode="SYMMETRIC"),
    *[refuse("paddings must be 1 pair of integers", paddings=wrong) for wrong in ([[1, 1], [1, 1]], [[1, 1, 1]], [1])],
    refuse("paddings must be 1 pair of integers", TypeError, paddings=1),
    refuse("paddings must hold integers only", TypeError, paddings=[[1.0, 1]]),
    refuse("constant_values must be a real number", TypeError, constant_values="x"),
]

test_pad = contract(fo.tensorflow.pad, CALLS, REFUSALS)
