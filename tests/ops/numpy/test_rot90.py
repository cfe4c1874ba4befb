"""numpy.rot90."""

from __future__ import annotations

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {}, np.rot90),
    Call((2, 3), {"k": 0}, lambda x: x),
    Call((2, 3, 4), {"k": 2}, lambda x: np.rot90(x, 2)),
    Call((2, 3, 4), {"k": 3, "axes": [2, 0]}, lambda x: np.rot90(x, 3, (2, 0))),
    Call((2, 3, 4), {"k": -1, "axes": [1, -1]}, lambda x: np.rot90(x, -1, (1, -1))),
    Call((2, 3), {"k": 4 * 10**30 + 1}, np.rot90),
    Call((0, 3), {}, np.rot90),
    Call((1, 1), {"k": 3}, lambda x: x),
    Call((2, 1, 2, 3, 1, 2, 2, 2), {"k": 5, "axes": [3, 6]}, lambda x: np.rot90(x, 1, (3, 6))),
]

REFUSALS = [
    Refusal((2, 3), {"axes": [0]}, ValueError, r"axes must name two axes, got \[0\]"),
    Refusal((2, 3, 4), {"axes": [0, 1, 2]}, ValueError, r"axes must name two axes, got \[0, 1, 2\]"),
    Refusal((2, 3), {"axes": [0, -2]}, ValueError, r"axes must name each axis once, got \[0, -2\]"),
    Refusal((2, 3), {"axes": [0, 2]}, ValueError, r"axes must be in -2\.\.1"),
    Refusal((3,), {}, ValueError, r"axes must be in -1\.\.0"),
    Refusal((), {"k": 0}, ValueError, "axes must name no axis of data of rank 0"),
    Refusal((2, 3), {"k": 0.5}, TypeError, "k must be an integer"),
    Refusal((2, 3), {"k": [1, 2]}, ValueError, "k must be one integer"),
    Refusal((2, 3), {"axes": [0.0, 1]}, TypeError, "axes must hold integers only"),
]

test_rot90 = contract(fo.numpy.rot90, CALLS, REFUSALS)


@pytest.mark.parametrize("k", range(-5, 6))
@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (2, 0), (-1, 1)])
def test_quarters_add_up(k: int, axes: tuple[int, int]) -> None:
    data = np.arange(24).reshape(2, 3, 4)
    turned = data
    for _ in range(k % 4):
        turned = fo.numpy.rot90(turned, axes=axes)
    assert np.array_equal(fo.numpy.rot90(data, k, axes), turned)
