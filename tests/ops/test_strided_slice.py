"""StridedSlice-1: the published examples, the rules of its masks, random calls against the oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from tests.helpers import oracle as _oracle
from tests.helpers.torture import scale


def test_published_example_of_begin_mask_and_end_mask() -> None:
    data = np.arange(24).reshape(2, 3, 4)
    result = fo.strided_slice(data, [1, 0, 0], [0, 0, 2], [1, 1, 1], begin_mask=[0, 1, 1], end_mask=[1, 1, 0])
    assert result.shape == (1, 3, 2)
    np.testing.assert_array_equal(result, data[1:, :, :2])


def test_published_example_of_new_axis_mask() -> None:
    data = np.arange(24).reshape(2, 3, 4)
    for n in (2, 3):  # the page gives ports of 2 values, and masks of 3
        lists = [[0] * n, [0, 2, 3][:n], [1] * n]
        result = fo.strided_slice(data, *lists, begin_mask=[0, 1, 1], end_mask=[0, 1, 1], new_axis_mask=[1, 0, 0])
        assert result.shape == (1, 2, 3, 4)
        np.testing.assert_array_equal(result, data[None])


def test_published_example_of_shrink_axis_mask() -> None:
    data = np.arange(1 * 2 * 384 * 640 * 8, dtype=np.int32).reshape(1, 2, 384, 640, 8)
    masks = {"begin_mask": [1, 0, 1, 1, 1], "end_mask": [1, 0, 1, 1, 1], "shrink_axis_mask": [0, 1, 0, 0, 0]}
    for index in (0, 1, -1):
        result = fo.strided_slice(data, [0, index, 0, 0, 0], [0] * 5, [1] * 5, **masks)
        assert result.shape == (1, 384, 640, 8)
        np.testing.assert_array_equal(result, data[:, index])


def test_published_remark_on_negative_indices() -> None:
    # The page says that begin[0] = -1 means begin[0] = 3 for data [1, 2, 3]: it names the value, not the index.
    assert fo.strided_slice([1, 2, 3], [-1], [3]).tolist() == [3]


def test_begin_before_the_axis_differs_from_numpy_under_a_negative_stride() -> None:
    data = np.arange(5)
    assert fo.strided_slice(data, [-8], [-10], [-1]).tolist() == [0]
    assert data[-8:-10:-1].tolist() == []


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"begin": [0], "end": [1, 2]},
            fo.AttributeValueError,
            r"end must have as many values as begin, 1, got \[1, 2\]",
        ),
        (
            {"begin": [0], "end": [1], "strides": []},
            fo.AttributeValueError,
            "strides must have as many values as begin, 1",
        ),
        (
            {"begin": [0], "end": [1], "strides": [0]},
            fo.AttributeValueError,
            r"strides must not be 0, got \[0\] \(axis 0, extent 4\)",
        ),
        (
            {"begin": [0] * 3, "end": [1] * 3},
            fo.AttributeValueError,
            r"begin must name at most 2 axes, not 3, in data of rank 2, got \[0, 0, 0\]",
        ),
        (
            {"begin": [0], "end": [1], "begin_mask": [2]},
            fo.AttributeValueError,
            "begin_mask must be a list of zeros and ones",
        ),
        (
            {"begin": [0], "end": [1], "end_mask": 1},
            fo.AttributeValueError,
            "end_mask must be a list of integers, got 1",
        ),
        ({"begin": [0], "end": [1], "end_mask": [0.0]}, fo.DTypeError, "end_mask must hold integers only"),
        (
            {"begin": [0], "end": [1], "new_axis_mask": [np.array([False])]},
            fo.DTypeError,
            "new_axis_mask must hold integers only",
        ),
        (
            {"begin": [0], "end": [1], "begin_mask": [[1]]},
            fo.AttributeValueError,
            r"begin_mask must be a list of integers, not nested, got \[\[1\]\]",
        ),
        (
            {"begin": [0, 0], "end": [0, 0], "ellipsis_mask": [1, 1]},
            fo.AttributeValueError,
            r"ellipsis_mask must have at most one bit set, got \[1, 1\]",
        ),
        (
            {"begin": [0, 7], "end": [1, 1], "shrink_axis_mask": [0, 1]},
            fo.OutOfBoundsError,
            r"begin must be in -5..4 where shrink_axis_mask is set, got 7 \(axis 1, extent 5\)",
        ),
    ],
)
def test_errors(arguments: dict[str, Any], error: type[fo.FastopsError], message: str) -> None:
    with pytest.raises(error, match=rf"^strided_slice: {message}") as info:
        fo.strided_slice(np.zeros((4, 5)), **arguments)
    assert info.value.op == "strided_slice"
    with pytest.raises(error, match=message):
        fo.plan.strided_slice((4, 5), **arguments)


def test_an_empty_axis_cannot_be_shrunk_and_a_stride_of_zero_is_refused_on_it() -> None:
    data = np.zeros((0, 3))
    with pytest.raises(fo.OutOfBoundsError, match="begin must not shrink an empty axis"):
        fo.strided_slice(data, [0], [1], shrink_axis_mask=[1])
    with pytest.raises(fo.AttributeValueError, match="strides must not be 0"):
        fo.strided_slice(data, [0], [1], [0])


def test_strides_are_ignored_where_they_mean_nothing() -> None:
    data = np.arange(6).reshape(2, 3)
    assert fo.strided_slice(data, [0, 1], [0, 9], [0, 0], ellipsis_mask=[1], shrink_axis_mask=[0, 1]).tolist() == [1, 4]
    assert fo.strided_slice(data, [9], [9], [0], new_axis_mask=[1]).shape == (1, 2, 3)


def test_masks_of_booleans() -> None:
    data = np.arange(6)
    for mask in ([True], (True,), [np.True_], np.array([True]), np.array([1], np.uint8)):
        assert fo.strided_slice(data, [2], [4], begin_mask=mask).tolist() == [0, 1, 2, 3]


bits = st.lists(st.integers(0, 1), max_size=6)
bounds = st.integers(-8, 8) | st.sampled_from([2**31, -(2**31), 2**63 - 1, -(2**63), 2**64 - 1])


@settings(max_examples=scale(500, 1500), deadline=None)
@given(st.data())
def test_random_calls_agree_with_the_oracle(data: st.DataObject) -> None:
    draw = data.draw
    shape = draw(st.lists(st.integers(0, 5), max_size=4))
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    n = draw(st.integers(0, 5))
    begin, end = (draw(st.lists(bounds, min_size=n, max_size=n)) for _ in range(2))
    strides = draw(st.lists(st.sampled_from([1, 1, 2, -1, -2, 3, 0, 2**62, -(2**63)]), min_size=n, max_size=n))
    masks = [draw(bits) for _ in range(4)]
    ellipsis = draw(st.sampled_from([[], [1], [0, 1], [0, 0, 1], [0, 0, 0, 0, 0, 1], [1, 1]]))
    names = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask")
    options = dict(zip(names, masks, strict=True), ellipsis_mask=ellipsis)
    try:
        expected = _oracle.strided_slice(array, begin, end, strides, **options)
    except (ValueError, IndexError):
        with pytest.raises(fo.FastopsError):
            fo.strided_slice(array, begin, end, strides, **options)
        return
    result = fo.strided_slice(array, begin, end, strides, **options)
    assert result.shape == expected.shape == fo.plan.strided_slice(shape, begin, end, strides, **options).shape
    np.testing.assert_array_equal(result, expected)
