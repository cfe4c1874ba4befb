"""slice, strided_slice and variadic_split."""

from __future__ import annotations

import enum
import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import fastops as fo

MODES = ["strict_bounds", "wrap", "clamp", "fill", "reflect", "symmetric"]


def test_modes_are_those_of_numpy_pad_over_many_periods() -> None:
    for mode, word in {"wrap": "wrap", "clamp": "edge", "reflect": "reflect", "symmetric": "symmetric"}.items():
        for extent, before in itertools.product(range(1, 9), range(26)):
            expected = np.pad(np.arange(extent), (before, 25), mode=word)  # type: ignore[call-overload]
            result = fo.slice(np.arange(extent), [-before], [before + extent + 25], mode=mode)
            np.testing.assert_array_equal(result, expected, err_msg=f"{mode} {extent} {before}")


class Color(enum.Enum):
    reflect = "any value"


#: What stands for each mode beside its own name.
SPELLINGS: dict[str, list[Any]] = {
    "STRICT_BOUNDS": ["STRICT_BOUNDS", "default", "DEFAULT", 0],
    "WRAP": ["Wrap", "border_wrap", 1],
    "CLAMP": [2, "edge", "replicate", "BORDER_REPLICATE", SimpleNamespace(name="CLAMP"), SimpleNamespace(name="EDGE")],
    "FILL": [np.int64(3), "constant", "BORDER_CONSTANT"],
    "REFLECT": ["reflect", 4, Color.reflect, "reflect101", "reflect_101", "BORDER_REFLECT101", "BORDER_REFLECT_101"],
    "SYMMETRIC": [fo.SampleMode.SYMMETRIC, "BORDER_REFLECT"],
}


def test_modes_in_every_spelling() -> None:
    for member, each in [(member, each) for member, modes in SPELLINGS.items() for each in modes]:
        mode = fo.SampleMode[member]
        assert fo.plan.slice((5,), [1], [3], mode=each) == fo.plan.slice((5,), [1], [3], mode=mode), each
        if member == "STRICT_BOUNDS":
            with pytest.raises(fo.OutOfBoundsError):
                fo.plan.slice((5,), [-1], [7], mode=each)
        else:
            assert fo.plan.slice((5,), [-1], [7], mode=each).axes[0].mode is mode, each


def test_all_that_takes_a_mode_takes_the_same_names_and_repeats_them_in_errors() -> None:
    data = np.arange(5)
    expected = np.pad(data, 2, "edge")
    np.testing.assert_array_equal(fo.windows(data, [[-2]], [9], mode="replicate"), [expected])
    np.testing.assert_array_equal(fo.lazy(data).slice([-2], [9], mode="BORDER_REPLICATE").run(), expected)
    assert fo.plan.AxisMap.create(5, -2, 1, 9, "edge") == fo.plan.slice((5,), [-2], [9], mode="clamp").axes[0]  # type: ignore[arg-type]
    # TensorRT's own words are no more than they were.
    with pytest.raises(fo.AttributeValueError, match=r"reflect, default, or the number of one, got 'edge'$"):
        fo.tensorrt.slice(data, [-2], [9], [1], mode="edge")
    with pytest.raises(fo.AttributeValueError, match=r"^slice: fill_value must be given in mode fill only, got 1$"):
        fo.slice(np.zeros(2), [-1], [4], mode="edge", fill_value=1)
    values = ["linear_ramp", "mirror", "border_default", 6, -1, SimpleNamespace(name="nearest")]
    for modes, error in ((values, fo.AttributeValueError), ([True, 1.0, None], fo.DTypeError)):
        for mode in modes:
            with pytest.raises(error, match=r"^slice: mode must be"):
                fo.slice(data, [0], [5], mode=mode)  # type: ignore[arg-type]


#: Start, size, stride and axes, and what is wrong with them.
WRONG: list[tuple[tuple[Any, ...], type[Exception], str]] = [
    (([-1, 0], [4, 5]), IndexError, r"start must be in 0..3 in mode strict_bounds, got -1 \(axis 0, extent 4\)"),
    (([0, 2], [4, 4]), IndexError, r"size must keep coordinates 2..5 in 0..4 in .*, got 4 \(axis 1, extent 5\)"),
    (([3, 0], [2, 5], [-4, 1]), IndexError, r"size must keep coordinates 3..-1 in 0..3 in .*, got 2 \(axis 0"),
    (([0], [4]), ValueError, r"start must have 2 values, one for each axis of data, or as many as .*, got \[0\]"),
    (([0, 0], [4]), ValueError, "size must have 2 values"),
    (([0, 0], [4, 5], [1]), ValueError, "stride must have 2 values"),
    (([0, 0], [-1, 5]), ValueError, r"size must be at least 0, got \[-1, 5\] \(axis 0, extent 4\)"),
    (([0.5, 0], [1, 1]), TypeError, "start must hold integers only"),
    *[(([0], [1], None, [axis]), ValueError, "axes must be in -2..1") for axis in (2, -3)],
    (([0, 0], [1, 1], None, [0, -2]), ValueError, "axes must name each axis once"),
]


def test_errors() -> None:
    for arguments, error, message in WRONG:
        names = ("start", "size", "stride", "axes")
        with pytest.raises(error, match=f"^slice: {message}") as info:
            fo.slice(np.zeros((4, 5)), **dict(zip(names, arguments, strict=False)))
        assert isinstance(info.value, fo.FastopsError)


def test_empty_axes_read_nothing_but_the_fill_value() -> None:
    data = np.zeros((0, 3))
    for mode in MODES:
        assert fo.slice(data, [7, -9], [0, 5], mode=mode).shape == (0, 5)
        if mode != "fill":
            with pytest.raises(fo.OutOfBoundsError, match="size must be 0 on an empty axis, got 2"):
                fo.slice(data, [0, 0], [2, 3], mode=mode)
    assert fo.slice(data, [0, 0], [2, 3], mode="fill", fill_value=4).tolist() == [[4] * 3] * 2


def test_a_begin_before_the_axis_is_its_first_element_under_a_negative_stride() -> None:
    assert fo.strided_slice(np.arange(5), [-8], [-10], [-1]).tolist() == [0]
    assert np.arange(5)[-8:-10:-1].tolist() == []
    # The page says that begin[0] = -1 means begin[0] = 3 for data [1, 2, 3]: it names the value, not the index.
    assert fo.strided_slice([1, 2, 3], [-1], [3]).tolist() == [3]


SHRUNK = {"begin": [0, 7], "end": [1, 1], "shrink_axis_mask": [0, 1]}
WRONG_STRIDED_SLICES: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"end": [1, 2]}, ValueError, r"end must have as many values as begin, 1, got \[1, 2\]"),
    ({"strides": []}, ValueError, "strides must have as many values as begin, 1"),
    ({"strides": [0]}, ValueError, r"strides must not be 0, got \[0\] \(axis 0, extent 4\)"),
    ({"begin": [0] * 3, "end": [1] * 3}, ValueError, "begin must name at most 2 axes, not 3, in data of rank 2"),
    ({"begin_mask": [2]}, ValueError, "begin_mask must be a list of zeros and ones"),
    ({"end_mask": 1}, ValueError, "end_mask must be a list of integers, got 1"),
    ({"end_mask": [0.0]}, TypeError, "end_mask must hold integers only"),
    ({"new_axis_mask": [np.array([False])]}, TypeError, "new_axis_mask must be a list of integers, not nested"),
    ({"begin_mask": [[1]]}, ValueError, r"begin_mask must be a list of integers, not nested, got \[\[1\]\]"),
    ({"ellipsis_mask": [1, 1]}, ValueError, r"ellipsis_mask must have at most one bit set, got \[1, 1\]"),
    (SHRUNK, IndexError, r"begin must be in -5..4 where shrink_axis_mask is set, got 7 \(axis 1, extent 5\)"),
]


def test_errors_of_strided_slice() -> None:
    for others, error, message in WRONG_STRIDED_SLICES:
        arguments = {"begin": [0], "end": [1], **others}
        for call, data in ((fo.strided_slice, np.zeros((4, 5))), (fo.plan.strided_slice, (4, 5))):
            with pytest.raises(error, match=rf"^strided_slice: {message}") as info:
                call(data, **arguments)  # type: ignore[operator]
            assert isinstance(info.value, fo.FastopsError)
            assert info.value.op == "strided_slice"


def test_empty_axes_and_strides_that_mean_nothing() -> None:
    empty, data = np.zeros((0, 3)), np.arange(6).reshape(2, 3)
    with pytest.raises(fo.OutOfBoundsError, match="begin must not take an element of an empty axis"):
        fo.strided_slice(empty, [0], [1], shrink_axis_mask=[1])
    with pytest.raises(fo.AttributeValueError, match="strides must not be 0"):
        fo.strided_slice(empty, [0], [1], [0])
    assert fo.strided_slice(data, [0, 1], [0, 9], [0, 0], ellipsis_mask=[1], shrink_axis_mask=[0, 1]).tolist() == [1, 4]
    assert fo.strided_slice(data, [9], [9], [0], new_axis_mask=[1]).shape == (1, 2, 3)
    for mask in ([True], (True,), [np.True_], np.array([True]), np.array([1], np.uint8)):
        assert fo.strided_slice(np.arange(6), [2], [4], begin_mask=mask).tolist() == [0, 1, 2, 3]


#: An axis, lengths, and what is wrong with them.
WRONG_VARIADIC_SPLITS: list[tuple[Any, Any, str]] = [
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


def test_errors_of_variadic_split() -> None:
    for axis, lengths, message in WRONG_VARIADIC_SPLITS:
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
