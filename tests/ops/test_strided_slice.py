"""StridedSlice-1: the rules of its masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops as fo


def test_a_begin_before_the_axis_is_its_first_element_under_a_negative_stride() -> None:
    assert fo.strided_slice(np.arange(5), [-8], [-10], [-1]).tolist() == [0]
    assert np.arange(5)[-8:-10:-1].tolist() == []
    # The page says that begin[0] = -1 means begin[0] = 3 for data [1, 2, 3]: it names the value, not the index.
    assert fo.strided_slice([1, 2, 3], [-1], [3]).tolist() == [3]


SHRUNK = {"begin": [0, 7], "end": [1, 1], "shrink_axis_mask": [0, 1]}
WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
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


def test_errors() -> None:
    for others, error, message in WRONG:
        arguments = {"begin": [0], "end": [1], **others}
        for call, data in ((fo.strided_slice, np.zeros((4, 5))), (fo.plan.strided_slice, (4, 5))):
            with pytest.raises(error, match=rf"^strided_slice: {message}") as info:
                call(data, **arguments)  # type: ignore[operator]
            assert isinstance(info.value, fo.FastopsError)
            assert info.value.op == "strided_slice"


def test_empty_axes_and_strides_that_mean_nothing() -> None:
    empty, data = np.zeros((0, 3)), np.arange(6).reshape(2, 3)
    with pytest.raises(fo.OutOfBoundsError, match="begin must not shrink an empty axis"):
        fo.strided_slice(empty, [0], [1], shrink_axis_mask=[1])
    with pytest.raises(fo.AttributeValueError, match="strides must not be 0"):
        fo.strided_slice(empty, [0], [1], [0])
    assert fo.strided_slice(data, [0, 1], [0, 9], [0, 0], ellipsis_mask=[1], shrink_axis_mask=[0, 1]).tolist() == [1, 4]
    assert fo.strided_slice(data, [9], [9], [0], new_axis_mask=[1]).shape == (1, 2, 3)
    for mask in ([True], (True,), [np.True_], np.array([True]), np.array([1], np.uint8)):
        assert fo.strided_slice(np.arange(6), [2], [4], begin_mask=mask).tolist() == [0, 1, 2, 3]
