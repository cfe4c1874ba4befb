"""numpy.repeat."""

from __future__ import annotations

import itertools

import numpy as np

import fastops as fo
from tests.ops._tables import EIGHT, Call, contract, refuser

CALLS = [
    Call(shape, {"repeats": n, **axis}, lambda x, n=n, axis=axis: np.repeat(x, n, **axis))
    for shape, n, axis in (
        ((2, 3), 3, {}),
        ((2, 3), [2], {}),
        ((2, 3), 2, {"axis": 0}),
        ((2, 3, 4), 5, {"axis": -2}),
        ((2, 3), 1, {"axis": 1}),
        ((2, 3), 1, {}),
        ((2, 3), 0, {"axis": 1}),
        ((1, 4), 3, {"axis": 0}),
        ((3, 0), 2, {}),
        ((3, 0), 2, {"axis": 0}),
        ((), 4, {}),
        ((), 2, {"axis": -1}),
        (EIGHT, 2, {"axis": 3}),
        (EIGHT, 2, {}),
    )
]

refuse = refuser((3,), repeats=2)
REFUSALS = [
    refuse(r"repeats must be one integer, or a list of one, got \[1, 2, 3\]", repeats=[1, 2, 3]),
    refuse("repeats must be one integer, or a list of one", repeats=[]),
    refuse("repeats must be a list of integers, not nested", repeats=[[2]]),
]

test_repeat = contract(fo.numpy.repeat, CALLS, REFUSALS)


def test_sizes_and_widths() -> None:
    for dtype, shape in itertools.product(("u1", "f4", "c16", "V3"), ((2, 40, 30), (300, 7), (3, 1, 9))):
        data = np.random.default_rng(0).integers(0, 251, (*shape, np.dtype(dtype).itemsize), "u1").view(dtype)[..., 0]
        for axis, n in itertools.product((None, *range(len(shape))), (0, 1, 2, 3, 16, 301)):
            expected, result = np.repeat(data, n, axis), fo.numpy.repeat(data, n, axis)
            assert (result.shape, result.tobytes()) == (expected.shape, expected.tobytes()), (dtype, axis, n)
