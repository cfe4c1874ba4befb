"""Arrays and lists that change while a call reads them, or say what is not so: a right answer or an error, no crash."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.hostile_values import (
    FillHook,
    FinalizeRaises,
    FinalizeReshapes,
)
from tests.helpers.processes import run_python
from tests.helpers.torture import scale

Array = np.ndarray[Any, Any]

# NumPy deprecates in 2.5 what callers may do all the same.
pytestmark = pytest.mark.filterwarnings("ignore:Setting the .* on a NumPy array:DeprecationWarning")

# Of each call that an array changes under.
SECONDS = scale(0.1, 15)


def test_arrays_that_another_thread_changes_crash_nothing() -> None:
    done = run_python("-m", "tests.helpers.hammer", SECONDS, seconds=60 + 60 * SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr


# What is moved with Python's global lock held, by one thread without it, by several.
@pytest.mark.parametrize("n", [20, 1 << 14, 1 << 18])
def test_arrays_that_change_while_a_fill_value_is_read(n: int) -> None:
    plan = fo.plan.slice((n,), [0], [n + 2], mode="fill")
    calls: list[Callable[..., Any]] = [plan, partial(fo.slice, start=[0], size=[n + 2], mode="fill")]
    changes: list[Callable[[Array], Any]] = [
        lambda array: array.resize(1, refcheck=False),
        lambda array: setattr(array, "shape", (2, -1)),
        lambda array: setattr(array, "dtype", "u8"),
    ]
    expected = [*range(n), 7.0, 7.0]
    for call, change, _ in itertools.product(calls, changes, range(3)):
        data, out = np.arange(float(n)), np.zeros(n + 2)
        assert call(data, fill_value=7, out=out).tolist() == expected

        def changed(array: Array, change: Callable[[Array], Any] = change) -> None:
            # Where it is held already, NumPy refuses to resize it.
            with suppress(ValueError):
                change(array)

        try:
            result = call(data, fill_value=FillHook(partial(changed, out)), out=out).tolist()
        except fo.OutputError as error:
            result = None
            assert re.search("out must have (shape|dtype)", str(error))  # noqa: PT017
        assert result == (expected if out.shape == (n + 2,) and out.dtype == np.float64 else None)
        # What is read is a view of data from before.
        assert call(data, fill_value=FillHook(partial(changed, data))).tolist() == expected


def test_views_of_all_kinds_are_taken_with_indices_of_all_kinds() -> None:
    numbers = np.arange(24, dtype="i2")

    class Lying(np.ndarray):
        @property
        def __array_interface__(self) -> Any:
            raise ZeroDivisionError

    ring = np.lib.stride_tricks.as_strided(numbers, (24,), (2,))
    ring.base.base = ring.base
    lost = np.lib.stride_tricks.as_strided(numbers, (24,), (2,))
    del lost.base.base
    iterator = np.nditer([numbers.copy()], [], [["readwrite", "updateifcopy"]], op_dtypes=["f8"], casting="unsafe")
    with iterator:
        arrays = [numbers[::-1], numbers.reshape(4, 6).T[1:], numbers.view(Lying)[2:], np.asarray(numbers.view(Lying))]
        arrays += [np.broadcast_to(numbers, (3, 24)), np.lib.stride_tricks.sliding_window_view(numbers, 3)]
        arrays += [numbers.view("u1")[1:-1].view("i2"), numbers.view([("a", "i1"), ("b", "i1")])["b"]]
        arrays += [numbers.astype("c8").imag, np.frombuffer(bytes(48), "i2"), numbers[5:5], ring, lost]
        for data in (*arrays, iterator.operands[0][1:]):
            start, size = np.zeros(data.ndim, "u1"), np.array(data.shape, "i4")
            np.testing.assert_array_equal(fo.slice(data, start, size), data)
            np.testing.assert_array_equal(fo.strided_slice(data, start, size), data)


def test_subclasses_are_taken_for_what_they_are() -> None:
    data = np.arange(20.0).reshape(4, 5)
    # It has become one-dimensional, as an array of its own.
    odd, out = data.view(FinalizeReshapes), np.zeros((4, 5)).view(FinalizeReshapes)
    assert fo.slice(odd, [0], [20]).tolist() == fo.slice(odd, [0], [20], out=out).tolist() == [*range(20)]
    for armed in (data.view(FinalizeRaises), np.zeros((4, 5)).view(FinalizeRaises)):
        armed.armed = True
        assert fo.slice(armed, [0, 0], [4, 5]).tolist() == np.asarray(armed).tolist()
        assert fo.slice(data, [0, 0], [4, 5], out=armed) is armed
        np.testing.assert_array_equal(np.asarray(armed), data)
