"""numpy.repeat."""

from __future__ import annotations

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {"repeats": 3}, lambda x: np.repeat(x, 3)),
    Call((2, 3), {"repeats": [2]}, lambda x: np.repeat(x, 2)),
    Call((2, 3), {"repeats": 2, "axis": 0}, lambda x: np.repeat(x, 2, 0)),
    Call((2, 3, 4), {"repeats": 5, "axis": -2}, lambda x: np.repeat(x, 5, 1)),
    Call((2, 3), {"repeats": 1, "axis": 1}, lambda x: x),
    Call((2, 3), {"repeats": 1}, np.ravel),
    Call((2, 3), {"repeats": 0, "axis": 1}, lambda x: np.repeat(x, 0, 1)),
    Call((2, 3), {"repeats": 0}, lambda x: np.repeat(x, 0)),
    Call((1, 4), {"repeats": 3, "axis": 0}, lambda x: np.repeat(x, 3, 0)),
    Call((3, 0), {"repeats": 2}, lambda x: np.repeat(x, 2)),
    Call((3, 0), {"repeats": 2, "axis": 0}, lambda x: np.repeat(x, 2, 0)),
    Call((), {"repeats": 4}, lambda x: np.repeat(x, 4)),
    Call((), {"repeats": 2, "axis": -1}, lambda x: np.repeat(x, 2, -1)),
    Call((2, 1, 2, 3, 1, 2, 2, 2), {"repeats": 2, "axis": 3}, lambda x: np.repeat(x, 2, 3)),
    Call((2, 1, 2, 3, 1, 2, 2, 2), {"repeats": 2}, lambda x: np.repeat(x, 2)),
]

REFUSALS = [
    Refusal((3,), {"repeats": -1}, ValueError, "repeats must be at least 0, got -1"),
    Refusal(
        (3,), {"repeats": [1, 2, 3]}, ValueError, r"repeats must be one integer, or a list of one, got \[1, 2, 3\]"
    ),
    Refusal((3,), {"repeats": []}, ValueError, "repeats must be one integer, or a list of one"),
    Refusal((3,), {"repeats": [[2]]}, ValueError, "repeats must be a list of integers, not nested"),
    Refusal((3,), {"repeats": 1.5}, TypeError, "repeats must be an integer, got 1.5"),
    Refusal((3,), {"repeats": True}, TypeError, "repeats must be an integer, got True"),
    Refusal((3,), {"repeats": 2, "axis": 1}, ValueError, r"axis must be in -1\.\.0"),
    Refusal((), {"repeats": 2, "axis": 1}, ValueError, r"axis must be in -1\.\.0"),
    Refusal((3,), {"repeats": 2, "axis": 0.0}, TypeError, "axis must be an integer"),
]

test_repeat = contract(fo.numpy.repeat, CALLS, REFUSALS)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 16, 301])
@pytest.mark.parametrize("shape", [(2, 40, 30), (300, 7), (3, 1, 9)])
@pytest.mark.parametrize("dtype", ["u1", "f4", "c16", "V3"])
def test_sizes_and_widths(n: int, shape: tuple[int, ...], dtype: str) -> None:
    data = np.random.default_rng(0).integers(0, 251, (*shape, np.dtype(dtype).itemsize), "u1").view(dtype)[..., 0]
    for axis in (None, *range(len(shape))):
        expected = np.repeat(data, n, axis)
        result = fo.numpy.repeat(data, n, axis)
        assert (result.shape, result.tobytes()) == (expected.shape, expected.tobytes())
