"""tf.roll, tf.reverse, tf.transpose, tf.tile and tf.pad."""

import numpy as np

import fastops as fo
from tests.ops._tables import DTYPES, Call, Refusal, contract, refuser, tiles, transposes, wrong_orders

test_roll = contract(
    fo.tensorflow.roll,
    [
        Call((4, 3), {"shift": [1, -2], "axis": [0, 1]}, lambda x: np.roll(x, (1, -2), (0, 1))),
        Call((5,), {"shift": 2, "axis": 0}, lambda x: np.roll(x, 2)),
        Call((4, 3), {"shift": [3, 4], "axis": [0, -2]}, lambda x: np.roll(x, 7, 0)),
        Call((0, 2), {"shift": 1, "axis": 0}, lambda x: x),
    ],
    [
        Refusal((4, 3), {"shift": 1, "axis": [0, 1]}, ValueError, "shift must have 2 values, one for each axis"),
        Refusal((), {"shift": 1, "axis": 0}, ValueError, "input must have at least 1 axis"),
    ],
)


test_reverse = contract(
    fo.tensorflow.reverse,
    [
        Call((3, 4), {"axis": [0, -1]}, lambda x: x[::-1, ::-1]),
        Call((3, 4), {"axis": []}, lambda x: x),
        Call((0, 4), {"axis": [0]}, lambda x: x),
    ],
    [Refusal((3,), {"axis": 0}, ValueError, "axis must be a list of integers")],
)


test_transpose = contract(
    fo.tensorflow.transpose,
    [
        Call((2, 3), {}, np.transpose),
        Call((2, 3, 4), {"perm": [-3, -1, 1]}, lambda x: np.transpose(x, (0, 2, 1))),
        *transposes("perm"),
    ],
    [
        *wrong_orders("perm"),
        Refusal((2, 3), {"perm": []}, ValueError, r"perm must name each of the 2 axes once, got \[\]"),
        Refusal((2, 3), {"perm": 0}, ValueError, "perm must be a list of integers"),
    ],
)


test_tile = contract(
    fo.tensorflow.tile,
    tiles("multiples"),
    [
        Refusal((2, 3), {"multiples": [2]}, ValueError, "multiples must have 2 values, one for each axis of input"),
    ],
)


def pad(shape, paddings, expected, dtypes=DTYPES, **options):
    return Call(shape, {"paddings": paddings, **options}, expected, dtypes)


refuse = refuser((3,), paddings=[[1, 1]])

test_pad = contract(
    fo.tensorflow.pad,
    [
        pad((2, 3), [[1, 0], [2, 1]], lambda x: np.pad(x, ((1, 0), (2, 1)))),
        pad((2, 3), [(1, 1), (2, 2)], lambda x: np.pad(x, ((1, 1), (2, 2)), "reflect"), mode="reflect"),
        pad((2, 3), np.array([[2, 2], [3, 0]]), lambda x: np.pad(x, ((2, 2), (3, 0)), "symmetric"), mode="SYMMETRIC"),
        pad((2,), [[1, 1]], lambda x: np.pad(x, 1, constant_values=3), ("u1", "f4"), constant_values=3),
        pad((2,), [[0, 0]], lambda x: x),
        pad((0,), [[1, 2]], lambda x: np.zeros(3, x.dtype)),
        pad((0, 2), [[0, 0], [1, 1]], lambda x: np.zeros((0, 4), x.dtype), mode="SYMMETRIC"),
        pad((), [], lambda x: x),
    ],
    [
        refuse(
            "tensor must have no empty axis in mode reflect", ValueError, (0, 2), paddings=[[0, 0]] * 2, mode="REFLECT"
        ),
        refuse(r"paddings must be at least 0, got \[\[-1, 0\]\]", paddings=[[-1, 0]]),
        refuse("paddings must be at most 2 in mode reflect", paddings=[[3, 0]], mode="REFLECT"),
        refuse("paddings must be at most 3 in mode symmetric", paddings=[[0, 4]], mode="SYMMETRIC"),
        *[
            refuse("paddings must be 1 pair of integers", paddings=wrong)
            for wrong in ([[1, 1], [1, 1]], [[1, 1, 1]], [1])
        ],
        refuse("paddings must be 1 pair of integers", TypeError, paddings=1),
        refuse("paddings must hold integers only", TypeError, paddings=[[1.0, 1]]),
        refuse("constant_values must be a real number", TypeError, constant_values="x"),
    ],
)
