"""numpy.roll."""

from __future__ import annotations

import itertools
from unittest.mock import Mock

import numpy as np
import pytest

import fastops as fo
from fastops._execution import _gather_runner
from tests.ops._tables import Call, contract, refuser

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
]

refuse = refuser((3,))
REFUSALS = [
    refuse("shift must have as many values as axis, 2, or one", ValueError, (3, 4), shift=[1, 2, 3], axis=[0, 1]),
    refuse("shift must be an integer", TypeError, shift="1"),
    refuse("shift must hold integers only", TypeError, shift=[1j]),
    refuse("shift must be a list of at most 4096 integers", shift=np.zeros(10**4, int)),
]

test_roll = contract(fo.numpy.roll, CALLS, REFUSALS)


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
