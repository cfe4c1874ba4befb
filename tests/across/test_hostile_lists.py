"""Deep slices, records of any depth, lists as data and as fields, and hooks that raise."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.hostile_values import HookError
from tests.helpers.places import NUMBERS
from tests.helpers.seeds import noted


def test_slices_of_slices_are_errors_however_deep_they_lie() -> None:
    for depth in (2, 2001):
        index: Any = 1
        for _ in range(depth):
            index = slice(index)
        with pytest.raises(fo.DTypeError, match="take_slice: index must"):
            fo.numpy.take_slice(np.zeros(3), index)


def test_data_for_which_there_is_no_memory_is_an_error() -> None:
    with pytest.raises(fo.AttributeValueError, match="slice: data must fit in memory as an array, got range"):
        fo.slice(range(2**62), [0], [1])


def test_records_within_records_are_taken_however_deep_they_lie() -> None:
    dtype = np.dtype("u1")
    for _ in range(3000):
        dtype = np.dtype([("inner", dtype)])
    data = np.frombuffer(bytes(range(5)), dtype)
    assert fo.slice(data, [1], [3]).tobytes() == bytes([1, 2, 3])


class ArrayLike:
    """What has the methods of an array, as series and tensors of other libraries, and no other class."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, k: int) -> float:
        return [3.0, 9.0][k]


def test_fields_of_several_elements_take_lists_and_what_is_like_an_array() -> None:
    data = np.zeros(1, [("pair", "f4", 2)])
    for parts in ({5: 1, 7: 2}, {3.0, 9.0}, "ab", b"ab", [1, 2, 3]):
        with pytest.raises(fo.FastopsError, match="fill_value must be a value that NumPy assigns to"):
            fo.slice(data, [-1], [1], mode="fill", fill_value=(parts,))
    for pair in ([3, 9], (3, 9), np.array([3, 9]), deque([3, 9]), ArrayLike()):
        filled = fo.slice(data, [-1], [1], mode="fill", fill_value=(pair,))
        assert filled["pair"].tolist() == [[3, 9]]


def test_lists_of_as_many_axes_as_arrays_can_have_are_data() -> None:
    for depth in (1, 2, 32, 64):
        lists: Any = [1, 2]
        for _ in range(depth - 1):
            lists = [lists]
        assert fo.slice(lists, [0] * depth, [1] * depth).shape == (1,) * depth
    assert fo.slice([[], ()], [0, 0], [1, 0]).shape == (1, 0)


def test_what_a_hook_raises_comes_out_as_it_is() -> None:
    class Hook:
        def __index__(self) -> int:
            raise error

        __float__ = __array__ = __index__

    calls: list[Callable[[Any], Any]] = [
        # Widths of `numpy.pad` are read by NumPy, which raises the same types for what is no width.
        *[place.call for name, place in NUMBERS.items() if name not in ("a pad by name", "a pad of two")],
        lambda hook: fo.slice(hook, [0], [1]),
        lambda hook: fo.slice(np.zeros(3), [0], [1], mode=hook),
        lambda hook: fo.slice(np.zeros(3), [-1], [5], mode="fill", fill_value=hook),
        lambda hook: fo.plan.slice([hook], [0], [1]),
    ]
    for error in (HookError(), fo.DTypeError("a", "b", "be", ()), ValueError("x"), TypeError("x")):
        for i, call in enumerate(calls):
            with noted(f"call {i}"), pytest.raises(type(error)) as raised:
                call(Hook())
            assert raised.value is error
