"""VariadicSplit-1: the published examples, its errors, random calls against NumPy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo


@pytest.mark.parametrize(("lengths", "extents"), [([1, 2, 3], [1, 2, 3]), ([-1, 2], [4, 2])])
def test_published_examples(lengths: list[int], extents: list[int]) -> None:
    data = np.arange(6 * 12 * 10 * 24).reshape(6, 12, 10, 24)
    parts = fo.variadic_split(data, 0, lengths)
    assert [part.shape for part in parts] == [(n, 12, 10, 24) for n in extents]
    np.testing.assert_array_equal(np.concatenate(parts), data)


@pytest.mark.parametrize(
    ("axis", "lengths", "error", "message"),
    [
        (2, [6], fo.AttributeValueError, "axis must be in -2..1, for data of rank 2, got 2"),
        (-3, [6], fo.AttributeValueError, "axis must be in -2..1"),
        ([0, 1], [6], fo.AttributeValueError, r"axis must be one integer, or a list of one, got \[0, 1\]"),
        ([], [6], fo.AttributeValueError, "axis must be one integer, or a list of one"),
        (0.0, [6], fo.DTypeError, "axis must be an integer, got 0.0"),
        (True, [6], fo.DTypeError, "axis must be an integer, got True"),
        (0, [1, 2], fo.AttributeValueError, r"split_lengths must sum to 6, got \[1, 2\] \(axis 0, extent 6\)"),
        (0, [8, -1], fo.AttributeValueError, "split_lengths must sum to 6, with at least 0 for -1, got"),
        (0, [8, -2], fo.AttributeValueError, "split_lengths must be at least 0, or -1 once"),
        (0, [-1, 7, -1], fo.AttributeValueError, "split_lengths must have -1 at most once"),
        (0, [], fo.AttributeValueError, "split_lengths must have at least one length"),
        (0, [[6]], fo.AttributeValueError, "split_lengths must be a list of integers, not nested"),
        (0, 6, fo.AttributeValueError, "split_lengths must be a list of integers, got 6"),
        (0, [2**63, 2**63], fo.AttributeValueError, "split_lengths must sum to 6"),
    ],
)
def test_errors(axis: Any, lengths: Any, error: type[fo.FastopsError], message: str) -> None:
    with pytest.raises(error, match=rf"^variadic_split: {message}"):
        fo.variadic_split(np.zeros((6, 4)), axis, lengths)
    with pytest.raises(error, match=message):
        fo.plan.variadic_split((6, 4), axis, lengths)


def test_a_scalar_cannot_be_split() -> None:
    with pytest.raises(fo.AttributeValueError, match=r"data must have at least one axis, got \(\)"):
        fo.variadic_split(np.array(1), 0, [1])


@pytest.mark.parametrize("axis", [1, -1, [1], (-1,), np.int8(1), np.array(1), np.array([-1], np.int16)])
def test_the_axis_in_every_form(axis: Any) -> None:
    assert [p.shape for p in fo.variadic_split(np.zeros((6, 4)), axis, [1, -1])] == [(6, 1), (6, 3)]


def test_a_thousand_parts() -> None:
    data = np.arange(3000).reshape(3, 1000)
    parts = fo.variadic_split(data, 1, [1] * 1000)
    np.testing.assert_array_equal(np.concatenate(parts, axis=1), data)
    again = fo.variadic_split(data, 1, [1] * 1000, out=[np.empty((3, 1), data.dtype) for _ in parts])
    np.testing.assert_array_equal(np.concatenate(again, axis=1), data)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=3), st.data())
def test_random_splits_agree_with_numpy(shape: list[int], data: st.DataObject) -> None:
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    cuts = sorted(data.draw(st.lists(st.integers(0, shape[axis]), max_size=4)))
    edges = [0, *cuts, shape[axis]]
    lengths = [b - a for a, b in itertools.pairwise(edges)]
    if data.draw(st.booleans()):
        lengths[data.draw(st.integers(0, len(lengths) - 1))] = -1
    parts = fo.variadic_split(array, axis, lengths)
    for part, expected in zip(parts, np.split(array, cuts, axis=axis), strict=True):
        np.testing.assert_array_equal(part, expected)
