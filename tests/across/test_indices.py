"""Index lists: every integer type, and nothing else."""

from __future__ import annotations

import itertools
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo

Array = np.ndarray[Any, Any]


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8"])
def test_indices_of_every_integer_type(dtype: str) -> None:
    data = np.arange(10)
    begin, end = np.array([2], dtype), np.array([np.iinfo(dtype).max], dtype)
    assert fo.strided_slice(data, begin, end).tolist() == data[2:].tolist()
    assert fo.slice(data, begin, begin).tolist() == [2, 3]
    assert [len(p) for p in fo.variadic_split(data, begin[0] - begin[0], np.array([4, 6], dtype))] == [4, 6]


def test_indices_of_ml_dtypes() -> None:
    assert fo.strided_slice(np.arange(10), np.array([-8], ml_dtypes.int4), np.array([7], ml_dtypes.int4)).tolist() == [
        2,
        3,
        4,
        5,
        6,
    ]


@pytest.mark.parametrize(
    "bad", [[1.0], [True], np.array([1.0]), np.array([True]), np.array([], bool), ["1"], "1", [None], None, 1.0, {1}]
)
def test_floats_booleans_and_strings_are_no_indices(bad: Any) -> None:
    data = np.arange(5)
    calls = [
        lambda: fo.strided_slice(data, bad, [3]),
        lambda: fo.strided_slice(data, [1], bad),
        lambda: fo.variadic_split(data, 0, bad),
        lambda: fo.slice(data, bad, [1]),
        lambda: fo.slice(data, [0], bad),
        lambda: fo.plan.slice((5,), bad, [1]),
    ]
    if bad is not None:
        calls += [lambda: fo.strided_slice(data, [1], [3], bad), lambda: fo.slice(data, [0], [1], axes=bad)]
    # A float equals an integer as a key: the caches must not take one for the other.
    fo.strided_slice(data, [1], [3], [1])
    fo.slice(data, [1], [1])
    for call in calls:
        with pytest.raises(fo.DTypeError):
            call()


@pytest.mark.parametrize("bad", [1, [[1]], np.array(1), np.array([[1]]), [(1,)]])
def test_nested_lists_and_scalars_are_no_lists(bad: Any) -> None:
    with pytest.raises(fo.AttributeValueError, match="begin must be a list of integers"):
        fo.strided_slice(np.arange(5), bad, [3])


def test_sequential_results_do_not_depend_on_the_cache() -> None:
    data = np.arange(24).reshape(4, 6)
    for begin, end in itertools.product(range(-5, 6), repeat=2):
        for _ in range(2):
            np.testing.assert_array_equal(fo.strided_slice(data, [begin], [end]), data[begin:end])
            np.testing.assert_array_equal(fo.strided_slice(data.T, [begin], [end]), data.T[begin:end])
            np.testing.assert_array_equal(fo.strided_slice(data.astype("u1"), [begin], [end]), data[begin:end])
