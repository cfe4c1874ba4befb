"""VariadicSplit-1: its errors, the forms of its axis, many parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops as fo

#: An axis, lengths, and what is wrong with them.
WRONG: list[tuple[Any, Any, str]] = [
    *((2, [6], "axis must be in -2..1, for data of rank 2, got 2"), (-3, [6], "axis must be in -2..1")),
    *[(axis, [6], "axis must be one integer, or a list of one, got") for axis in ([0, 1], [])],
    *[(axis, [6], "axis must be an integer, got") for axis in (0.0, True)],
    (0, [1, 2], r"split_lengths must sum to 6, got \[1, 2\] \(axis 0, extent 6\)"),
    (0, [8, -1], "split_lengths must sum to 6, with at least 0 for -1, got"),
    (0, [8, -2], "split_lengths must be at least 0, or -1 once"),
    (0, [-1, 7, -1], "split_lengths must have -1 at most once"),
    (0, [], "split_lengths must have at least one length"),
    (0, [[6]], "split_lengths must be a list of integers, not nested"),
    (0, 6, "split_lengths must be a list of integers, got 6"),
    (0, [2**63, 2**63], "split_lengths must sum to 6"),
]


def test_errors() -> None:
    for axis, lengths, message in WRONG:
        error = fo.DTypeError if "be an integer" in message else fo.AttributeValueError
        for call, data in ((fo.variadic_split, np.zeros((6, 4))), (fo.plan.variadic_split, (6, 4))):
            with pytest.raises(error, match=rf"^variadic_split: {message}"):
                call(data, axis, lengths)  # type: ignore[operator]
    with pytest.raises(fo.AttributeValueError, match=r"data must have at least one axis, got \(\)"):
        fo.variadic_split(np.array(1), 0, [1])


def test_an_axis_in_every_form() -> None:
    for axis in (1, -1, [1], (-1,), np.int8(1), np.array(-1), np.array([1], np.int16)):
        assert [part.shape for part in fo.variadic_split(np.zeros((2, 3)), axis, [1, -1])] == [(2, 1), (2, 2)]


def test_a_thousand_parts() -> None:
    data = np.arange(3000).reshape(3, 1000)
    parts = fo.variadic_split(data, 1, [1] * 1000)
    np.testing.assert_array_equal(np.concatenate(parts, axis=1), data)
    again = fo.variadic_split(data, 1, [1] * 1000, out=[np.empty((3, 1), data.dtype) for _ in parts])
    np.testing.assert_array_equal(np.concatenate(again, axis=1), data)
