"""What all operators promise of data: every dtype, every layout, bit for bit."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.helpers.strategies import LAYOUTS, array_of

Array = np.ndarray[Any, Any]

NUMPY_DTYPES = [
    np.dtype(code)
    for code in ("?", "b", "B", "h", "H", "i", "I", "l", "L", "q", "Q", "e", "f", "d", "g", "F", "D", "G")
] + [np.dtype(code) for code in ("M8[ns]", "m8[us]", "S1", "S7", "U3", "V1", "V3", ">i2", ">f8", ">U2", "V0")]
STRUCTURED = [
    np.dtype([("a", "u1"), ("b", "<f2")]),
    np.dtype([("a", "u1"), ("b", "<f8")], align=True),
    np.dtype([("rgb", "u1", 3)]),
    np.dtype([("x", [("y", ">i4"), ("z", "S3")])]),
]
ML_DTYPES = [
    np.dtype(getattr(ml_dtypes, name))
    for name in dir(ml_dtypes)
    if name.startswith(("bfloat", "float", "int", "uint", "complex", "bcomplex"))
    and isinstance(getattr(ml_dtypes, name), type)
]
ALL_DTYPES = NUMPY_DTYPES + STRUCTURED + ML_DTYPES


def random_array(shape: tuple[int, ...], dtype: np.dtype[Any], layout: str = "C") -> Array:
    if dtype.itemsize == 0:
        return np.ndarray(shape, dtype)
    return array_of(shape, dtype, layout)


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_every_dtype_is_moved_bit_for_bit(dtype: np.dtype[Any]) -> None:
    data = random_array((5, 6), dtype)
    # NumPy leaves the padding of structured elements out of its copies: compare with copies of plain bytes.
    raw = data.view(f"V{dtype.itemsize}") if dtype.itemsize else data
    crop = fo.strided_slice(data, [1, -1], [4, -9], [1, -2])
    assert crop.dtype == dtype
    assert crop.tobytes() == raw[1:4, ::-2].tobytes()
    assert crop.flags.c_contiguous
    parts = fo.variadic_split(data, 1, [1, -1, 2])
    assert [part.tobytes() for part in parts] == [p.tobytes() for p in np.split(raw, [1, 4], axis=1)]
    wrapped = fo.slice(data, [-1, -2], [7, 11], mode="wrap")
    assert wrapped.tobytes() == raw[np.arange(-1, 6) % 5][:, np.arange(-2, 9) % 6].tobytes()
    assert wrapped.dtype == dtype
    if dtype != np.dtype(ml_dtypes.float8_e8m0fnu):
        filled = fo.slice(data, [-1, 0], [7, 6], mode="fill")
        assert filled[1:6].tobytes() == raw.tobytes()
        assert set(filled[0].tobytes() + filled[6].tobytes()) <= {0}


def test_nan_payloads_and_negative_zeros_survive() -> None:
    bits = np.array([0x7FF0000000000001, 0xFFF8DEADBEEF0000, 0x8000000000000000, 0x7FF8000000000000], np.uint64)
    for result in (
        fo.slice(bits.view(np.float64), [-4], [12], mode="wrap"),
        fo.slice(bits.view(np.complex128), [-2], [6], mode="wrap").view(np.float64),
    ):
        assert result.view(np.uint64).tolist() == bits.tolist() * 3
    halves = np.array([0x7D01, 0xFE02, 0x8000], np.uint16)
    assert fo.strided_slice(halves.view(np.float16), [-1], [-9], [-1]).view(np.uint16).tolist() == halves[::-1].tolist()


@pytest.mark.parametrize("dtype", [np.dtype(object), np.dtype([("a", object)]), np.dtypes.StringDType()], ids=str)
def test_references_are_refused(dtype: Any) -> None:
    data = np.zeros(3, dtype)
    for call in (
        lambda: fo.strided_slice(data, [0], [1]),
        lambda: fo.variadic_split(data, 0, [3]),
        lambda: fo.slice(data, [0], [1]),
    ):
        with pytest.raises(fo.DTypeError, match="data must not have elements of object or StringDType"):
            call()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 0, 2), (3, 4), (2, 3, 2, 1, 2, 2, 1, 3)])
def test_every_layout_and_rank(layout: str, shape: tuple[int, ...]) -> None:
    data = array_of(shape, np.dtype("i4"), layout)
    data.flags.writeable = False
    assert fo.strided_slice(data, [], []).tobytes() == data.tobytes()
    whole = fo.slice(data, [0] * data.ndim, shape)
    assert whole.tobytes() == data.tobytes()
    assert whole.shape == shape
    assert whole.flags.writeable
    if data.ndim:
        assert fo.variadic_split(data, -1, [-1])[0].tobytes() == data.tobytes()


def test_subclasses_and_masks_are_dropped() -> None:
    class Subclass(np.ndarray[Any, Any]):
        def __array_finalize__(self, obj: object) -> None:
            assert obj is None or isinstance(obj, np.ndarray)

    masked = np.ma.masked_array([1, 2, 3], [0, 1, 0])
    for data in (masked, np.arange(3).view(Subclass), [[1, 2, 3]], (1, 2, 3), range(3), memoryview(b"abc")):
        result = fo.strided_slice(data, [0], [9])
        assert type(result) is np.ndarray
        np.testing.assert_array_equal(result, np.asarray(data))


def test_memory_maps(tmp_path: Any) -> None:
    np.save(tmp_path / "a.npy", np.arange(24).reshape(4, 6))
    data = np.load(tmp_path / "a.npy", mmap_mode="r")
    out = np.lib.format.open_memmap(tmp_path / "b.npy", "w+", data.dtype, (4, 3))
    assert fo.strided_slice(data, [0, 0], [4, 6], [1, 2], out=out) is out
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), np.arange(24).reshape(4, 6)[:, ::2])


def test_ragged_data_is_an_error_of_fastops() -> None:
    with pytest.raises(fo.DTypeError, match="data must be an array, or nested lists of one shape"):
        fo.slice([[1], [1, 2]], [0], [1])


def test_what_is_no_array_is_named() -> None:
    for call in (lambda: fo.slice(None, [0], [1]), lambda: fo.numpy.flip(None)):  # type: ignore[arg-type]
        with pytest.raises(fo.DTypeError, match="must be an array, or nested lists of one shape, got None"):
            call()
