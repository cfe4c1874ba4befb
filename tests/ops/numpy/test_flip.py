"""numpy.flip, numpy.fliplr and numpy.flipud."""

import numpy as np

import fastops as fo
from tests.ops._tables import EIGHT, Call, Refusal, contract

CALLS = {
    "flip": [
        Call((3, 4), {}, np.flip),
        Call((3, 4), {"axis": 1}, lambda x: np.flip(x, 1)),
        Call((3, 4, 2), {"axis": [-1, 0]}, lambda x: np.flip(x, (-1, 0))),
        Call((), {}, np.flip),
        Call((), {"axis": []}, lambda x: np.flip(x, ())),
        Call((0, 2), {"axis": 0}, lambda x: x),
    ],
    "fliplr": [Call(shape, {}, np.fliplr) for shape in [(3, 4), (3, 0), (0, 3), EIGHT]],
    "flipud": [Call(shape, {}, np.flipud) for shape in [(3, 4), (5,), (0, 3), (3, 0)]],
}

REFUSALS = {
    "flip": [
        Refusal((3,), {"axis": 1}, ValueError, "axis must be in -1..0"),
        Refusal((), {"axis": 0}, ValueError, "axis must name no axis of data of rank 0"),
        Refusal((3, 3), {"axis": [0, -2]}, ValueError, "axis must name each axis once"),
    ],
    "fliplr": [Refusal(shape, {}, ValueError, "m must have at least 2 axes") for shape in [(3,), ()]],
    "flipud": [Refusal((), {}, ValueError, r"m must have at least one axis, got \(\)")],
}

test_flip = contract(fo.numpy.flip, CALLS["flip"], REFUSALS["flip"])
test_fliplr = contract(fo.numpy.fliplr, CALLS["fliplr"], REFUSALS["fliplr"])
test_flipud = contract(fo.numpy.flipud, CALLS["flipud"], REFUSALS["flipud"])
