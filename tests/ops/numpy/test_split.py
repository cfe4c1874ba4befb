"""numpy.split and numpy.array_split."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = {
    "split": [
        Call((6, 4), {"indices_or_sections": 3}, lambda x: np.split(x, 3)),
        Call((6, 4), {"indices_or_sections": [1, -2], "axis": 1}, lambda x: np.split(x, [1, -2], 1)),
        Call((6,), {"indices_or_sections": [4, 2, 99]}, lambda x: np.split(x, [4, 2, 99])),
        Call((6,), {"indices_or_sections": []}, lambda x: np.split(x, [])),
    ],
    "array_split": [
        Call((8, 2), {"indices_or_sections": 3}, lambda x: np.array_split(x, 3)),
        Call((2, 8), {"indices_or_sections": 3, "axis": -1}, lambda x: np.array_split(x, 3, -1)),
        Call((2,), {"indices_or_sections": 4}, lambda x: np.array_split(x, 4)),
        Call((6,), {"indices_or_sections": [5, 1]}, lambda x: np.array_split(x, [5, 1])),
    ],
}

REFUSALS = {
    "split": [
        Refusal((6,), {"indices_or_sections": 4}, ValueError, "indices_or_sections must divide 6, got 4"),
        Refusal((6,), {"indices_or_sections": 0}, ValueError, "indices_or_sections must be at least 1"),
        Refusal((6,), {"indices_or_sections": 2, "axis": 1}, ValueError, "axis must be in -1..0"),
        Refusal((), {"indices_or_sections": 1}, ValueError, "ary must have at least one axis"),
    ],
    "array_split": [
        Refusal((6,), {"indices_or_sections": 0}, ValueError, "indices_or_sections must be at least 1"),
        Refusal((6,), {"indices_or_sections": [1.5]}, TypeError, "indices_or_sections must hold integers only"),
    ],
}

test_split = contract(fo.numpy.split, CALLS["split"], REFUSALS["split"])
test_array_split = contract(fo.numpy.array_split, CALLS["array_split"], REFUSALS["array_split"])
