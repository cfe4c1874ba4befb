"""numpy.moveaxis and numpy.swapaxes."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

EIGHT = (2, 1, 2, 3, 1, 2, 2, 2)

MOVES = [
    Call((2, 3, 4), {"source": 0, "destination": -1}, lambda x: np.moveaxis(x, 0, -1)),
    Call((2, 3, 4), {"source": [2], "destination": 0}, lambda x: np.moveaxis(x, 2, 0)),
    Call((2, 3, 4), {"source": [0, -1], "destination": [1, 0]}, lambda x: np.moveaxis(x, (0, -1), (1, 0))),
    Call((2, 3, 4), {"source": [], "destination": []}, lambda x: x),
    Call((), {"source": [], "destination": []}, lambda x: x),
    Call((3, 0, 2), {"source": 1, "destination": 2}, lambda x: np.moveaxis(x, 1, 2)),
    Call((5,), {"source": 0, "destination": 0}, lambda x: x),
    Call(EIGHT, {"source": [7, 0, 3], "destination": [1, 6, 4]}, lambda x: np.moveaxis(x, (7, 0, 3), (1, 6, 4))),
]

SWAPS = [
    Call((2, 3), {"axis1": 0, "axis2": 1}, lambda x: x.T),
    Call((2, 3, 4), {"axis1": -1, "axis2": 0}, lambda x: np.swapaxes(x, -1, 0)),
    Call((2, 3, 4), {"axis1": 1, "axis2": 1}, lambda x: x),
    Call((3, 0, 2), {"axis1": 1, "axis2": 2}, lambda x: np.swapaxes(x, 1, 2)),
    Call(EIGHT, {"axis1": 2, "axis2": 7}, lambda x: np.swapaxes(x, 2, 7)),
]

CALLS = {"moveaxis": MOVES, "swapaxes": SWAPS}

REFUSALS = {
    "moveaxis": [
        Refusal((2, 3), {"source": 2, "destination": 0}, ValueError, r"source must be in -2\.\.1"),
        Refusal((2, 3), {"source": 0, "destination": -3}, ValueError, r"destination must be in -2\.\.1"),
        Refusal((2, 3), {"source": [0, -2], "destination": [0, 1]}, ValueError, "source must name each axis once"),
        Refusal((2, 3), {"source": [0, 1], "destination": [1, 1]}, ValueError, "destination must name each axis once"),
        Refusal(
            (2, 3),
            {"source": [0], "destination": [0, 1]},
            ValueError,
            r"destination must have as many values as source, 1, got \[0, 1\]",
        ),
        Refusal((), {"source": 0, "destination": 0}, ValueError, "must name no axis of data of rank 0"),
        Refusal((2, 3), {"source": 0.5, "destination": 0}, TypeError, "source must be an integer"),
        Refusal((2, 3), {"source": 0, "destination": [[0]]}, ValueError, "destination must be a list of integers"),
    ],
    "swapaxes": [
        Refusal((2, 3), {"axis1": 2, "axis2": 0}, ValueError, r"axis1 must be in -2\.\.1, .* got 2"),
        Refusal((2, 3), {"axis1": 0, "axis2": -3}, ValueError, r"axis2 must be in -2\.\.1, .* got -3"),
        Refusal((), {"axis1": 0, "axis2": 0}, ValueError, "axis1 must name no axis of data of rank 0"),
        Refusal((2, 3), {"axis1": 0, "axis2": 1.0}, TypeError, "axis2 must be an integer"),
        Refusal((2, 3), {"axis1": [0, 1], "axis2": 1}, ValueError, "axis1 must be one integer"),
    ],
}

test_moveaxis = contract(fo.numpy.moveaxis, CALLS["moveaxis"], REFUSALS["moveaxis"])
test_swapaxes = contract(fo.numpy.swapaxes, CALLS["swapaxes"], REFUSALS["swapaxes"])
