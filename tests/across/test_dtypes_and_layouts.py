"""Every dtype is moved bit for bit; which data is an array, a copy or a view."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.helpers.chains import array_of
from tests.helpers.contract import Array, without_numpy

ML_DTYPES = [
    np.dtype(each) for each in vars(ml_dtypes).values() if isinstance(each, type) and issubclass(each, np.generic)
]
CODES = ("?", "b", "B", "h", "H", "i", "I", "l", "L", "q", "Q", "e", "f", "d", "g", "F", "D", "G", "M8[ns]", "m8[us]")
CODES += ("S1", "S7", "U3", "V1", "V3", ">i2", ">f8", ">U2", "V0")
RECORDS = [
    np.dtype([("a", "u1"), ("b", "<f2")]),
    np.dtype([("a", "u1"), ("b", "<f8")], align=True),
    np.dtype([("rgb", "u1", 3)]),
    np.dtype([("x", [("y", ">i4"), ("z", "S3")])]),
]
ALL_DTYPES = [*map(np.dtype, CODES), *RECORDS, *ML_DTYPES]


def raw(array: Array) -> Array:
    """View elements as plain bytes, because NumPy does not copy the padding between fields."""
    return array.view(f"V{array.itemsize}") if array.itemsize else array


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_every_dtype_is_moved_bit_for_bit(dtype: np.dtype[Any]) -> None:
    data = array_of((5, 6), dtype, "C") if dtype.itemsize else np.ndarray((5, 6), dtype)
    wrapped = raw(data)[np.arange(-1, 6) % 5][:, np.arange(-2, 9) % 6]
    results = {
        "crop": (fo.strided_slice(data, [1, -1], [4, -9], [1, -2]), raw(data)[1:4, ::-2]),
        "part": (fo.variadic_split(data, 1, [1, -1, 2])[1], raw(data)[:, 1:4]),
        "wrapped": (fo.slice(data, [-1, -2], [7, 11], mode="wrap"), wrapped),
        "view": (fo.slice(data, [4, 0], [5, 6], [-1, 1], copy=False), raw(data)[::-1]),
        "windows": (fo.numpy.sliding_window_view(data[0], 5, copy=False), raw(data)[0, [[*range(5)], [*range(1, 6)]]]),
        "no elements": (fo.strided_slice(data, [0], [0], copy=None), raw(data)[:0]),
    }
    for name, (result, expected) in results.items():
        assert (result.dtype, result.shape) == (dtype, expected.shape), name
        assert raw(result).tobytes() == expected.tobytes(), name
    assert np.shares_memory(results["view"][0], data) == (dtype.itemsize > 0)
    if dtype != np.dtype(ml_dtypes.float8_e8m0fnu):
        filled = fo.slice(data, [-1, 0], [7, 6], mode="fill")
        assert filled[1:6].tobytes() == raw(data).tobytes()
        assert set(filled[0].tobytes() + filled[6].tobytes()) <= {0}


@pytest.mark.parametrize("dtype", [np.dtype(object), np.dtype([("a", object)]), np.dtypes.StringDType()], ids=str)
def test_references_are_refused(dtype: Any) -> None:
    data = np.zeros(3, dtype)
    for function, arguments in ((fo.strided_slice, ([0], [1])), (fo.variadic_split, (0, [3])), (fo.slice, ([0], [1]))):
        with pytest.raises(fo.DTypeError, match="data must not have elements of object or StringDType"):
            function(data, *arguments)  # type: ignore[operator]


def test_subclasses_and_masks_are_dropped() -> None:
    class Subclass(np.ndarray[Any, Any]):
        def __array_finalize__(self, obj: object) -> None:
            assert obj is None or isinstance(obj, np.ndarray)

    masked = np.ma.masked_array([1, 2, 3], [0, 1, 0])
    for data in (masked, np.arange(3).view(Subclass), [[1, 2, 3]], (1, 2, 3), range(3), memoryview(b"abc")):
        result = fo.strided_slice(data, [0], [9])
        assert type(result) is np.ndarray
        np.testing.assert_array_equal(result, np.asarray(data))


def test_memory_maps(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(24).reshape(4, 6))
    data = np.load(tmp_path / "a.npy", mmap_mode="r")
    out = np.lib.format.open_memmap(tmp_path / "b.npy", "w+", data.dtype, (4, 3))
    assert fo.strided_slice(data, [0, 0], [4, 6], [1, 2], out=out) is out
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), np.arange(24).reshape(4, 6)[:, ::2])


def test_errors_show_data_that_is_no_array() -> None:
    for data, got in (([[1], [1, 2]], ""), (None, ", got None")):
        for call in (lambda data: fo.slice(data, [0], [1]), fo.numpy.flip):
            with without_numpy(), pytest.raises(fo.DTypeError, match=f"must be an array, or nested lists .*shape{got}"):
                call(data)


def test_a_view_with_stride_zero_is_read_only() -> None:
    data = np.arange(6).reshape(2, 3)
    view = fo.slice(data, [1, 0], [4, 3], [0, 1], copy=False)
    np.testing.assert_array_equal(view, np.repeat(data[1:], 4, axis=0))
    assert np.shares_memory(view, data)
    assert not view.flags.writeable
    assert fo.slice(data, [0, 0], [2, 3], copy=False).flags.writeable
    assert fo.slice(data, [9, 0], [4, 3], mode="clamp", copy=None).tolist() == [data[1].tolist()] * 4
    for shape in [(0, 4), (3, 0), (7, 0)]:
        view = fo.slice(np.zeros((3, 4)), [5, 5], shape, copy=False)
        assert (view.shape, view.dtype) == (shape, float)


def test_views_of_data_of_rank_0_keep_its_type() -> None:
    for dtype in (">f8", "S3", "M8[s]", ml_dtypes.bfloat16):
        for shape in [(2, 0), (0,), (2, 3)]:
            view = fo.numpy.broadcast_to(np.zeros((), dtype), shape, copy=None)
            assert (view.shape, view.dtype) == (shape, np.dtype(dtype))
            assert view.dtype.byteorder == np.dtype(dtype).byteorder


def test_copy_of_other_data_and_other_values_of_copy() -> None:
    with pytest.raises(ValueError, match="copy must be True or None for data that is not an array in memory"):
        fo.strided_slice([1, 2], [0], [1], copy=False)
    with pytest.raises(ValueError, match="copy must be True, False or None, got 'no'"):
        fo.strided_slice(np.arange(4), [0], [1], copy="no")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="copy must be True or None for a result written into out"):
        fo.slice(np.arange(4), [0], [4], out=np.zeros(4, int), copy=False)
