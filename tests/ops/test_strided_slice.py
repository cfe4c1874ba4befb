"""StridedSlice-1: the rules of its masks, random calls against the oracle."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers import oracle as _oracle
from tests.helpers.torture import scale


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
    ({"new_axis_mask": [np.array([False])]}, TypeError, "new_axis_mask must hold integers only"),
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


def test_random_calls_agree_with_the_oracle() -> None:
    rng = random.Random(0)
    far = [2**31, -(2**31), 2**63 - 1, -(2**63), 2**64 - 1]
    names = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask")
    ellipses = [[], [], [1], [0, 1], [0, 0, 1], [0, 0, 0, 0, 0, 1], [1, 1]]
    right = 0
    for _ in range(scale(1500, 20_000)):
        shape = [rng.randint(0, 5) for _ in range(rng.randint(0, 4))]
        array = np.arange(np.prod(shape, dtype=int)).reshape(shape)
        n = rng.randint(0, 5)
        begin, end = ([rng.choice([*range(-8, 9), *far]) for _ in range(n)] for _ in range(2))
        strides = rng.choices([1, 2, -1, -2, 3, 2**62, -(2**63), 0], [4, 2, 2, 2, 2, 1, 1, 0.5], k=n)
        options = {name: rng.choices([0, 1], [2, 1], k=rng.randint(0, 6)) for name in names}
        options["ellipsis_mask"] = rng.choice(ellipses)
        call = (begin, end, strides)
        try:
            expected = _oracle.strided_slice(array, *call, **options)
        except (ValueError, IndexError):
            with pytest.raises(fo.FastopsError):
                fo.strided_slice(array, *call, **options)
            continue
        result = fo.strided_slice(array, *call, **options)
        np.testing.assert_array_equal(result, expected, strict=True, err_msg=str((shape, call, options)))
        assert fo.plan.strided_slice(shape, *call, **options).shape == expected.shape
        right += 1
    assert right > 100
