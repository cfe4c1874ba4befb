"""numpy.roll."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._operators import _gather_runner
from tests.helpers.contract import Call, Refusal, contract

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


def _rolled(shift: Any, x: Any, axis: Any = None) -> Any:
    """Return what NumPy gives for floats, which it takes from version 2.2 on."""
    return np.roll(x, np.asarray(shift).astype(np.int64), axis)


AXES: list[dict[str, Any]] = [{}, {"axis": [0, 1]}]

CALLS = [
    Call((3, 4), {"shift": 1}, lambda x: np.roll(x, 1), is_flat=True),
    Call((3, 4), {"shift": [1, 2], "axis": [0, 1]}, lambda x: np.roll(x, (1, 2), (0, 1))),
    Call((3, 4), {"shift": 5, "axis": [0, -1]}, lambda x: np.roll(x, 5, (0, -1))),
    Call((3, 4), {"shift": [1, 2], "axis": 0}, lambda x: np.roll(x, (1, 2), 0)),
    Call((3, 4), {"shift": [1, 2]}, lambda x: np.roll(x, (1, 2)), is_flat=True),
    Call((3, 4), {"shift": [], "axis": 0}, lambda x: x),
    Call((3, 4), {"shift": np.array([]), "axis": np.array([])}, lambda x: np.roll(x, np.array([]), np.array([]))),
    Call((), {"shift": 3}, lambda x: x, is_flat=True),
    *[
        Call((3, 4), {"shift": shift, **axis}, partial(_rolled, shift, **axis), is_flat=not axis)
        for shift in SHIFTS
        for axis in AXES
    ],
    Call((0, 3), {"shift": 3}, lambda x: x, is_flat=True),
]

REFUSALS = [
    Refusal(
        (3, 4), {"shift": [1, 2, 3], "axis": [0, 1]}, ValueError, "shift must have as many values as axis, 2, or one"
    ),
    Refusal((3,), {"shift": 1, "axis": 1}, ValueError, "axis must be in -1..0"),
    Refusal((3,), {"shift": "1"}, TypeError, "shift must be an integer"),
    Refusal((3,), {"shift": [1j]}, TypeError, "shift must hold integers only"),
    Refusal((3,), {"shift": float("nan")}, ValueError, "shift must hold finite numbers, got nan"),
    Refusal((3,), {"shift": [1, -float("inf")]}, OverflowError, "shift must hold finite numbers"),
    Refusal((3,), {"shift": np.zeros(10**4)}, ValueError, "shift must be a list of at most 4096 integers"),
]

test_roll = contract(fo.numpy.roll, CALLS, REFUSALS)


@pytest.mark.parametrize("copy", [False, 7])
@pytest.mark.parametrize("step", [1, 2])
def test_copy_is_checked_for_every_layout_of_out(step: int, copy: Any) -> None:
    out = np.zeros(8 * step, np.float32)[::step]
    with pytest.raises(fo.AttributeValueError, match=r"numpy\.roll: copy must be"):
        fo.numpy.roll(np.arange(8, dtype=np.float32), 1, out=out, copy=copy)
    assert not out.any()


def test_an_error_behind_the_roll_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        raise fo.OutputError.about("the output", "fit in memory", shape)

    monkeypatch.setattr(_gather_runner, "allocate", refuse)
    with pytest.raises(fo.OutputError, match=r"numpy\.roll: the output must fit in memory, got \(4,\)"):
        fo.numpy.roll(np.arange(4), 1, out=np.zeros(8, int)[::2])
