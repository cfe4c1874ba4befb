"""torch.nn.functional.pad."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import torch

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((2, 3), {"pad": [1, 2]}, lambda x: np.pad(x, ((0, 0), (1, 2)))),
    Call((2, 3), {"pad": [1, 2, 3, 0], "mode": "replicate"}, lambda x: np.pad(x, ((3, 0), (1, 2)), "edge")),
    Call((3,), {"pad": [7, 8], "mode": "reflect"}, lambda x: np.pad(x, (7, 8), "reflect")),
    Call((2, 2, 2, 3), {"pad": [1] * 8, "mode": "circular"}, lambda x: np.pad(x, 1, "wrap")),
    Call((5,), {"pad": [-1, 2], "mode": "circular"}, lambda x: np.pad(x[1:], (0, 2), "wrap")),
    Call((5,), {"pad": [-1, 2], "mode": "reflect"}, lambda x: x[[1, 2, 3, 4, 3, 2]]),
    Call((5,), {"pad": [-5, 3]}, lambda x: np.zeros(3, x.dtype)),
    Call((2, 3), {"pad": []}, lambda x: x),
    Call((2, 3), {"pad": [-1, -1], "mode": "circular"}, lambda x: x[:, 1:2]),
    Call((0, 3), {"pad": [1, 1], "mode": "replicate"}, lambda x: np.zeros((0, 5), x.dtype)),
    Call((2,), {"pad": [1, 1], "value": 5}, lambda x: np.pad(x, 1, constant_values=5), ("u1", "f4", "c8")),
    Call((2,), {"pad": [1, 1], "value": 1.5}, lambda x: np.pad(x, 1, constant_values=1.5), ("i8", "f2")),
    Call((), {"pad": []}, lambda x: x),
    Call((4,), {"pad": [-5, 3], "mode": "reflect"}, lambda x: x[[1, 0]]),
    Call((2,), {"pad": [-3, 5], "mode": "replicate"}, lambda x: x[[1, 1, 1, 1]]),
    Call((3,), {"pad": [1, 1], "mode": "reflect", "value": 0.0}, lambda x: np.pad(x, 1, "reflect")),
]

refuse = refuser((3,), pad=[1, 1])
REFUSALS = [
    refuse(r"pad must have two values per axis, for at most 1 axis, got \[1\]", pad=[1]),
    refuse("pad must have two values per axis, for at most 1 axis", pad=[1] * 4),
    refuse(r"pad must not crop more than there is, got \[-2, -2\] \(axis 0", pad=[-2, -2]),
    refuse("pad must not crop more than there is", pad=[-7, 9]),
    refuse("pad must be 0 on an empty axis", ValueError, (0,), mode="circular"),
    refuse("pad must leave at least 0 elements of each axis", pad=[-5, 0], mode="reflect"),
    refuse("mode must be one of constant, reflect, replicate, circular", mode="edge"),
    refuse("value must be None or 0 in mode reflect", mode="reflect", value=1),
    refuse("value must be None or 0 in mode circular", mode="circular", value=0.5),
    refuse("value must be a number that PyTorch converts", value="x"),
]

test_pad = contract(fo.torch.pad, CALLS, REFUSALS)


FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.float8_e4m3fn, torch.float8_e5m2]
INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool]
# Zeros of both signs, whatever was padded before.
VALUES: list[Any] = [0.0, -0.0, 0.0, 0, 1, 2.5, -1, -0.5, True, 127, 128, 255, 256, 448, 449.0, 65504, 65520.0, 2**31]
VALUES += [3.4e38, 1e40, math.inf, math.nan]


@pytest.mark.parametrize("dtype", FLOATS + INTEGERS, ids=str)
def test_values_are_converted_as_pytorch_does(dtype: torch.dtype) -> None:
    # What is moved with Python's lock, and without it.
    for x, value in itertools.product((torch.ones(2, dtype=dtype), torch.ones(100_000, dtype=dtype)), VALUES):
        try:
            expected = torch.nn.functional.pad(x, (1, 0), "constant", value)
        except RuntimeError:
            rule = f"value must be a number that PyTorch converts to {dtype}"
            with pytest.raises(fo.AttributeValueError, match=rule):
                fo.torch.pad(x, (1, 0), "constant", value)
        else:
            result = fo.torch.pad(x, (1, 0), "constant", value)
            assert torch.equal(result.view(torch.uint8), expected.view(torch.uint8)), value


def test_integers_stay_exact_and_complex_tensors_take_complex_values() -> None:
    for value in (2**53 + 1, 2**62 + 1, np.int64(2**62 + 1)):
        assert fo.torch.pad(torch.ones(1, dtype=torch.int64), (1, 0), value=value).tolist() == [value, 1]
    assert fo.torch.pad(torch.ones(1, dtype=torch.complex64), (1, 0), value=2j).tolist() == [2j, 1]


def test_a_value_that_changes_the_tensor_is_not_taken_for_another_type() -> None:
    x = torch.arange(1.0, 5)

    class Value(float):
        def __float__(self) -> float:
            x.data = torch.arange(1, 5, dtype=torch.int32)
            return 2.0

    fo.torch.pad(torch.arange(1, 5, dtype=torch.int32), (1, 1))
    with pytest.raises(fo.AttributeValueError, match="keep its shape, strides and type"):
        fo.torch.pad(x, (1, 1), value=Value(2.0))
