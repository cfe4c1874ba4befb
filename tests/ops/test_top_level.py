"""The functions of the top level on random calls, of which some are wrong, against the oracle and NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.conformance._live import Array, Function, check_live
from tests.conformance._slice_draws import draw_slice, draw_strided_slice, draw_variadic_split, windows
from tests.helpers.oracle import strided_slice
from tests.helpers.seeds import scale


def variadic_split(data: Array, axis: int, split_lengths: Any) -> list[Array]:
    extent = data.shape[axis]
    known = [extent - sum(n for n in split_lengths if n >= 0) if n == -1 else n for n in split_lengths]
    if list(split_lengths).count(-1) > 1 or min(known, default=-1) < 0 or sum(known) != extent:
        raise ValueError(split_lengths)
    return np.split(data, np.cumsum(known)[:-1].tolist(), axis)


@pytest.mark.parametrize(
    "function",
    [
        Function("slice", draw_slice, windows, fo.slice),
        Function("strided_slice", draw_strided_slice, strided_slice, fo.strided_slice),
        Function("variadic_split", draw_variadic_split, variadic_split, fo.variadic_split),
    ],
    ids=lambda function: function.name,
)
def test_random_calls(function: Function) -> None:
    check_live(function, (), scale(2_000, 20_000))
