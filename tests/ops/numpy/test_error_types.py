"""Errors of fo.numpy are caught by what catches those of NumPy, for each refusal in the tables of operators."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import Refusal, all_operators, tables_of

OPERATORS = [each for each in all_operators() if getattr(fo.numpy, each.__name__, None) is each]
LIKE_NUMPY = {each.__name__: getattr(np, each.__name__, None) for each in OPERATORS}
LIKE_NUMPY["sliding_window_view"] = np.lib.stride_tricks.sliding_window_view
CASES = [(each, refusal) for each in OPERATORS if LIKE_NUMPY[each.__name__] for refusal in tables_of(each)[1]]

# What NumPy's code runs into before it checks an argument, or raises for arguments that it does not have.
QUIRKS = {
    "moveaxis": ("cannot be interpreted as an integer",),
    "pad": ("Expected code to be unreachable", "MemoryError"),
    "rot90": ("unsupported operand", "only integers, slices"),
    "sliding_window_view": ("unexpected keyword argument 'step'",),
    "split": ("integer modulo by zero",),
    "array_split": ("integer modulo by zero",),
    "swapaxes": ("cannot be interpreted as an integer",),
}


@pytest.mark.parametrize(("function", "refusal"), CASES)
def test_what_catches_numpys_error_catches_this_one(function: Callable[..., Any], refusal: Refusal) -> None:
    name = function.__name__
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            LIKE_NUMPY[name](np.zeros(refusal.shape), **refusal.arguments)
    except Exception as error:
        if any(quirk in f"{type(error).__name__}: {error}" for quirk in QUIRKS.get(name, ())):
            return
        with pytest.raises(type(error)):
            function(np.zeros(refusal.shape), **refusal.arguments)


@pytest.mark.parametrize(
    "call",
    [
        lambda lib, x: lib.flip(x, 2),
        lambda lib, x: lib.roll(x, 1, -3),
        lambda lib, x: lib.repeat(x, 2, 5),
        lambda lib, x: lib.moveaxis(x, 0, 2),
        lambda lib, x: lib.swapaxes(x, 2, 0),
        lambda lib, x: lib.transpose(x, (0, 2)),
        lambda lib, x: lib.permute_dims(x, (0, -3)),
        lambda lib, x: lib.split(x, 1, 2),
        lambda lib, x: lib.array_split(x, 1, 2),
        lambda lib, x: lib.split(x[0, 0], 1),
        lambda lib, x: lib.pad(x, {2: 1}),
        lambda lib, x: lib.pad(x, {-3: (1, 2)}),
        lambda lib, x: lib.flip(x[0, 0], 0),
    ],
)
def test_an_axis_that_is_not_there(call: Any) -> None:
    with pytest.raises(IndexError) as theirs:
        call(np, np.zeros((2, 3)))
    with pytest.raises(type(theirs.value)) as ours:
        call(fo.numpy, np.zeros((2, 3)))
    assert isinstance(ours.value, fo.AxisError)
