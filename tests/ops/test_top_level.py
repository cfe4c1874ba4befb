"""The functions of the top level on random calls, of which some are wrong, against the oracle and NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.conformance._draws import strided_slices, variadic_splits, window_slices, windows
from tests.conformance._live import Array, Function, check_live
from tests.helpers.oracle import strided_slice
from tests.helpers.torture import scale


def variadic_split(data: Array, axis: int, split_lengths: Any) -> list[Array]:
    extent = data.shape[axis]
    known = [extent - sum(n for n in split_lengths if n >= 0) if n == -1 else n for n in split_lengths]
    if list(split_lengths).count(-1) > 1 or min(known, default=-1) < 0 or sum(known) != extent:
        raise ValueError(split_lengths)
    return np.split(data, np.cumsum(known)[:-1].tolist(), axis)


@pytest.mark.parametrize(
    "function",
    [
        Function("slice", window_slices(), windows, fo.slice),
        Function("strided_slice", strided_slices(zeros=0.1), strided_slice, fo.strided_slice),
        Function("variadic_split", variadic_splits(), variadic_split, fo.variadic_split),
    ],
    ids=lambda function: function.name,
)
def test_random_calls(function: Function) -> None:
    check_live(function, (), scale(2_000, 20_000))
