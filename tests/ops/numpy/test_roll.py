"""numpy.roll."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import fastops as fo
from fastops import _errors
from fastops._operators import _gather_runner
from tests.ops._tables import Call, contract, refuser

# NumPy cuts floats to integers, after it has made one array of all shifts.
SHIFTS: list[Any] = [
    True,
    1.5,
    -1.5,
    [True, 2.75],
    np.array([1.5, -2.5]),
    [np.float32(2.5), np.True_],
    [2**53 + 1, 0.5],
]


def rolled(shift: Any, x: Any, axis: Any = None) -> Any:
    """Return what NumPy gives for floats, which it takes from version 2.2 on."""
    return np.roll(x, np.asarray(shift).astype(np.int64), axis)


CALLS = [
    Call((3, 4), {"shift": 1}, lambda x: np.roll(x, 1), is_flat=True),
    Call((3, 4), {"shift": [1, 2], "axis": [0, 1]}, lambda x: np.roll(x, (1, 2), (0, 1))),
    Call((3, 4), {"shift": 5, "axis": [0, -1]}, lambda x: np.roll(x, 5, (0, -1))),
    Call((3, 4), {"shift": [1, 2], "axis": 0}, lambda x: np.roll(x, (1, 2), 0)),
    Call((3, 4), {"shift": [1, 2]}, lambda x: np.roll(x, (1, 2)), is_flat=True),
    Call((3, 4), {"shift": [], "axis": 0}, lambda x: x),
    Call((3, 4), {"shift": np.array([]), "axis": np.array([])}, lambda x: np.roll(x, np.array([]), np.array([]))),
    Call((), {"shift": 3}, lambda x: x, is_flat=True),
    Call((0, 3), {"shift": 3}, lambda x: x, is_flat=True),
    *[
        Call((3, 4), {"shift": shift, **axis}, partial(rolled, shift, **axis), is_flat=not axis)
        for shift, axis in zip(SHIFTS, [{}, {"axis": [0, 1]}] * len(SHIFTS), strict=False)
    ],
]

refuse = refuser((3,))
REFUSALS = [
    refuse("shift must have as many values as axis, 2, or one", ValueError, (3, 4), shift=[1, 2, 3], axis=[0, 1]),
    refuse("shift must be an integer", TypeError, shift="1"),
    refuse("shift must hold integers only", TypeError, shift=[1j]),
    refuse("shift must hold finite numbers, got nan", shift=float("nan")),
    refuse("shift must be a list of at most 4096 integers", shift=np.zeros(10**4)),
]

test_roll = contract(fo.numpy.roll, CALLS, REFUSALS)


class _OwnError(ValueError):
    """What a number of the caller's own raises."""


def test_what_a_number_s_own_code_raises_comes_out_as_it_is() -> None:
    def fail(_: object) -> Any:
        raise error

    real: Any = type("Real", (float,), {"__float__": fail})(1.5)
    whole: Any = type("Whole", (int,), {"__int__": fail})(3)
    classes = _errors._derive.cache_info().currsize
    for error in (ValueError("mine"), OverflowError("mine"), KeyError("mine"), _OwnError("mine")):
        for shift, axis in itertools.product((real, [real, 1], [1.5, real], [True, whole]), (None, 0)):
            with pytest.raises(type(error)) as raised:
                fo.numpy.roll(np.arange(6), shift, axis)
            assert raised.value is error
    # Nothing is kept of the caller's types.
    assert _errors._derive.cache_info().currsize == classes


def test_infinity_and_nan_are_the_errors_of_numpy_by_their_values() -> None:
    for number, error in ((float("inf"), OverflowError), (float("nan"), ValueError)):
        for shift in (number, [1, -number], np.float32(number), np.array([number]), np.longdouble(number)):
            with pytest.raises(error, match=r"numpy\.roll: shift must hold finite numbers") as raised:
                fo.numpy.roll(np.arange(6), shift, 0)
            assert isinstance(raised.value, fo.AttributeValueError)
            assert raised.value.__cause__ is None
            assert isinstance(raised.value, OverflowError) == (error is OverflowError)


def test_integers_beyond_64_bits_and_masked_numbers_beside_floats() -> None:
    for shift in ([10**400, 1.5], [2**64, 0.5], [-(2**63) - 1, 2.0], [2**70 + 1, np.float32(1.5)]):
        expected = np.roll(np.arange(7), sum(map(int, shift)))
        assert fo.numpy.roll(np.arange(7), shift, 0).tolist() == expected.tolist()
    for masked in (np.ma.array(1, mask=True), np.ma.array(1.5, mask=True), np.ma.masked):
        for each in (masked, [masked], [1.5, masked]):
            with pytest.raises(fo.DTypeError, match=r"numpy\.roll: shift must (be an integer|hold integers only)"):
                fo.numpy.roll(np.arange(6), each)
    assert fo.numpy.roll(np.arange(3), np.ma.array(1)).tolist() == [2, 0, 1]


def test_copy_is_checked_for_every_layout_of_out_and_an_error_behind_the_roll_names_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for step, copy in itertools.product((1, 2), (False, 7)):
        out = np.zeros(8 * step, np.float32)[::step]
        with pytest.raises(fo.AttributeValueError, match=r"numpy\.roll: copy must be"):
            fo.numpy.roll(np.arange(8, dtype=np.float32), 1, out=out, copy=copy)  # type: ignore[arg-type]
        assert not out.any()
    error = fo.OutputError.about("the output", "fit in memory", (4,))
    monkeypatch.setattr(_gather_runner, "allocate", Mock(side_effect=error))
    with pytest.raises(fo.OutputError, match=r"numpy\.roll: the output must fit in memory, got \(4,\)"):
        fo.numpy.roll(np.arange(4), 1, out=np.zeros(8, int)[::2])
