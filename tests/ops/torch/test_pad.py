"""torch.nn.functional.pad."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

import fastops as fo
from tests.ops._contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {"pad": [1, 2]}, lambda x: np.pad(x, ((0, 0), (1, 2)))),
    Call((2, 3), {"pad": [1, 2, 3, 0], "mode": "replicate"}, lambda x: np.pad(x, ((3, 0), (1, 2)), "edge")),
    Call((3,), {"pad": [7, 8], "mode": "reflect"}, lambda x: np.pad(x, (7, 8), "reflect")),
    Call((2, 2, 2, 3), {"pad": [1] * 8, "mode": "circular"}, lambda x: np.pad(x, 1, "wrap")),
    Call((5,), {"pad": [-1, 2], "mode": "circular"}, lambda x: np.pad(x[1:], (0, 2), "wrap"), has_plan=False),
    Call((5,), {"pad": [-1, 2], "mode": "reflect"}, lambda x: x[[1, 2, 3, 4, 3, 2]]),
    Call((5,), {"pad": [-5, 3]}, lambda x: np.zeros(3, x.dtype)),
    Call((2, 3), {"pad": []}, lambda x: x),
    Call((2, 3), {"pad": [-1, -1], "mode": "circular"}, lambda x: x[:, 1:2]),
    Call((0, 3), {"pad": [1, 1], "mode": "replicate"}, lambda x: np.zeros((0, 5), x.dtype)),
    Call((2,), {"pad": [1, 1], "value": 5}, lambda x: np.pad(x, 1, constant_values=5), ("u1", "f4", "c8")),
    Call((2,), {"pad": [1, 1], "value": 1.5}, lambda x: np.pad(x, 1, constant_values=1.5), ("i8", "f2")),
    Call((), {"pad": []}, lambda x: x),
    Call((3,), {"pad": [1, 1], "mode": "reflect", "value": 0.0}, lambda x: np.pad(x, 1, "reflect")),
]

REFUSALS = [
    Refusal((3,), {"pad": [1]}, ValueError, r"pad must have two values an axis, for at most 1 axes, got \[1\]"),
    Refusal((3,), {"pad": [1] * 4}, ValueError, "pad must have two values an axis, for at most 1 axes"),
    Refusal((3,), {"pad": [-2, -2]}, ValueError, r"pad must not crop more than there is, got \[-2, -2\] \(axis 0"),
    Refusal((3,), {"pad": [-7, 9]}, ValueError, "pad must not crop more than there is"),
    Refusal(
        (3,), {"pad": [1, 1], "mode": "edge"}, ValueError, "mode must be one of constant, reflect, replicate, circular"
    ),
    Refusal(
        (3,), {"pad": [1, 1], "mode": "reflect", "value": 1}, ValueError, "value must be None or 0 in mode reflect"
    ),
    Refusal(
        (3,), {"pad": [1, 1], "mode": "circular", "value": 0.5}, ValueError, "value must be None or 0 in mode circular"
    ),
    Refusal((3,), {"pad": [1, 1], "value": "x"}, ValueError, "value must be a number that PyTorch converts"),
    Refusal((0,), {"pad": [1, 1], "mode": "circular"}, ValueError, "pad must be 0 on an empty axis"),
    Refusal((3,), {"pad": [1.0, 1]}, TypeError, "pad must hold integers only"),
]

test_pad = contract(fo.torch.pad, CALLS, REFUSALS)


@pytest.mark.parametrize("n", [2, 100_000])
def test_zeros_keep_their_signs_whatever_was_padded_before(n: int) -> None:
    x = torch.ones(n)
    for value in (0.0, -0.0, 0.0, 0):
        padded = fo.torch.pad(x, (1, 0), value=value)
        assert math.copysign(1.0, padded[0].item()) == math.copysign(1.0, value)
