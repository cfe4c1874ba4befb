"""Views and copies, in the array API's words."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.helpers.strategies import LAYOUTS, array_of

Array = np.ndarray[Any, Any]

ML_DTYPES = [
    name for name, value in vars(ml_dtypes).items() if isinstance(value, type) and issubclass(value, np.generic)
]


@pytest.mark.parametrize("copy", [False, None])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_views_share_memory_with_data(copy: bool | None, layout: str) -> None:
    data = array_of((4, 5, 3), np.dtype("i4"), layout)
    for view, expected in (
        (
            fo.strided_slice(data, [-1, 0, 1], [-9, 5, 0], [-2, 3, 1], shrink_axis_mask=[0, 0, 1], copy=copy),
            data[::-2, ::3, 1],
        ),
        (fo.strided_slice(data, [0, 1], [0, 3], new_axis_mask=[1, 0], copy=copy), data[None, 1:3]),
        (fo.slice(data, [3, 0, 2], [4, 5, 3], [-1, 1, -1], copy=copy), data[::-1, :, ::-1]),
        (fo.variadic_split(data, 1, [2, -1], copy=copy)[1], data[:, 2:]),
        (fo.slice(data, [1, 0, 0], [2, 5, 3], mode="wrap", copy=copy), data[1:3]),
    ):
        np.testing.assert_array_equal(view, expected)
        assert np.shares_memory(view, data)
        assert view.flags.writeable == data.flags.writeable


def test_a_view_with_stride_zero_is_read_only() -> None:
    data = np.arange(6).reshape(2, 3)
    view = fo.slice(data, [1, 0], [4, 3], [0, 1], copy=False)
    np.testing.assert_array_equal(view, np.repeat(data[1:], 4, axis=0))
    assert np.shares_memory(view, data)
    assert not view.flags.writeable
    assert fo.slice(data, [9, 0], [4, 3], mode="clamp", copy=None).tolist() == [data[1].tolist()] * 4


@pytest.mark.parametrize("shape", [(0, 4), (3, 0), (7, 0)])
def test_views_without_elements(shape: tuple[int, int]) -> None:
    view = fo.slice(np.zeros((3, 4)), [5, 5], shape, copy=False)
    assert view.shape == shape
    assert view.dtype == float


@pytest.mark.parametrize("name", sorted(ML_DTYPES))
def test_views_of_all_types_of_ml_dtypes(name: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name))
    data = np.arange(4, dtype=np.uint8).repeat(dtype.itemsize).view(dtype)
    for view, expected in (
        (fo.strided_slice(data, [0], [0], copy=None), data[:0]),
        (fo.numpy.sliding_window_view(data, 2, copy=False), np.stack([data[:2], data[1:3], data[2:]])),
        (fo.strided_slice(data, [-1], [-9], [-2], copy=False), data[::-2]),
    ):
        assert view.dtype == dtype
        assert view.shape == expected.shape
        assert view.tobytes() == expected.tobytes()
    assert np.shares_memory(fo.numpy.sliding_window_view(data, 2, copy=False), data)


@pytest.mark.parametrize("dtype", [">f8", "S3", "M8[s]", ml_dtypes.bfloat16])
@pytest.mark.parametrize("shape", [(2, 0), (0,), (2, 3)])
def test_views_of_data_of_rank_0_keep_its_type(dtype: Any, shape: tuple[int, ...]) -> None:
    view = fo.numpy.broadcast_to(np.zeros((), dtype), shape, copy=None)
    assert (view.shape, view.dtype) == (shape, np.dtype(dtype))
    assert view.dtype.byteorder == np.dtype(dtype).byteorder


def test_a_view_that_cannot_be_is_an_error_or_a_copy() -> None:
    data = np.arange(4)
    with pytest.raises(ValueError, match="copy must be True or None for a result that reads out of bounds"):
        fo.slice(data, [-1], [4], mode="clamp", copy=False)
    copied = fo.slice(data, [-1], [4], mode="clamp", copy=None)
    assert copied.tolist() == [0, 0, 1, 2]
    with pytest.raises(ValueError, match="copy must be True or None for a result written into out"):
        fo.strided_slice(data, [0], [4], out=np.zeros(4, data.dtype), copy=False)
    with pytest.raises(ValueError, match="copy must be True or None for data that is not an array in memory"):
        fo.strided_slice([1, 2], [0], [1], copy=False)
    with pytest.raises(ValueError, match="copy must be True, False or None, got 'no'"):
        fo.strided_slice(data, [0], [1], copy="no")  # type: ignore[arg-type]
    out = np.zeros(2, data.dtype)
    assert fo.strided_slice(data, [1], [3], out=out, copy=None) is out


def test_a_copy_shares_nothing() -> None:
    data = np.arange(4)
    assert not any(
        np.shares_memory(data, x) for x in (fo.strided_slice(data, [], []), *fo.variadic_split(data, 0, [2, 2]))
    )
