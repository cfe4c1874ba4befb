"""Fill values: which values fit a type, and their conversion; lists for channels, compared with loops over elements."""

from __future__ import annotations

import datetime
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

import dask.array as da
import h5py
import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.helpers.chains import LAYOUTS, lay_out
from tests.helpers.contract import Array, has_torch
from tests.helpers.seeds import chooser, noted, scale

RGB = np.dtype([("r", "u1"), ("g", "u1"), ("b", "u1")])
PAIRS = np.dtype([("pairs", [("x", "i4"), ("y", "i1")], (2,))])
NESTED = np.dtype([("id", ">i4"), ("at", "f4", 2), ("name", "S3")])


def filled(dtype: Any, value: Any) -> Any:
    """Return two elements between two fill values."""
    return fo.slice(np.zeros(2, dtype), [-1], [4], mode="fill", fill_value=value)


#: Types, and values that they hold unchanged.
KEPT: list[tuple[Any, ...]] = [
    ("u1", 255, np.int64(7)),
    ("i4", True),
    ("?", True, 0),
    ("f4", 1, np.array(2.5), 2**64),
    ("f2", float("inf")),
    ("f8", ml_dtypes.bfloat16(1.5), -(2**70)),
    (">f8", -0.0),
    ("c8", 1 + 2j),
    ("u8", 2**64 - 1),
    (ml_dtypes.bfloat16, 0.5),
    (ml_dtypes.float8_e5m2, ml_dtypes.int4(3)),
    (ml_dtypes.int4, -8),
    ("M8[ns]", np.datetime64("2020-01-01")),
    (">M8[us]", np.datetime64("2020-01-01")),
    ("S3", b"ab"),
    ("U3", "abc"),
    (">U3", "abc"),
    (RGB, np.array((1, 2, 3), RGB)[()]),
]

#: Types, values, and the elements that these become.
CHANGED: list[tuple[Any, Any, Any]] = [
    ("f4", 0.1, np.float32(0.1)),
    ("M8[D]", datetime.date(2020, 1, 1), np.datetime64("2020-01-01")),
    ("m8[s]", datetime.timedelta(minutes=1), np.timedelta64(60, "s")),
    ("V2", b"ab", np.void(b"ab")),
    (RGB, (1, 2, 255), np.array((1, 2, 255), RGB)[()]),
    (NESTED, (7, [1.5, 2.0], b"xyz"), np.array((7, [1.5, 2.0], b"xyz"), NESTED)[()]),
    (NESTED, (7, range(2), b"xyz"), np.array((7, [0, 1], b"xyz"), NESTED)[()]),
    (PAIRS, ([(1, 2), (3, 4)],), np.array(([(1, 2), (3, 4)],), PAIRS)[()]),
    (ml_dtypes.float4_e2m1fn, 5.1, 6),
    (ml_dtypes.bfloat16, 2**64, 2.0**64),
    (NESTED, (7, 1.5, b"xyz"), np.array((7, [1.5, 1.5], b"xyz"), NESTED)[()]),
]


def test_fill_values_that_fit() -> None:
    plan = fo.plan.slice((2,), [-1], [4], mode="fill")
    for dtype, value, expected in [*[(dtype, each, each) for dtype, *values in KEPT for each in values], *CHANGED]:
        data, result = np.zeros(2, dtype), filled(dtype, value)
        assert result[0] == result[3] == expected, (dtype, value)
        assert result[1:3].tobytes() == data.tobytes()
        assert plan(data, fill_value=value).tobytes() == result.tobytes(), (dtype, value)


@pytest.mark.filterwarnings("ignore:The 'generic' unit:DeprecationWarning")
def test_times_without_a_unit() -> None:
    assert np.isnat(filled(">M8[us]", np.datetime64("NaT"))[[0, 3]]).all()


#: Types with values that do not fit.
WRONG_VALUES: list[tuple[Any, ...]] = [
    ("u1", 300, -1),
    ("i8", 2**63, 2**100),
    ("f8", 2**1024),
    # NumPy's letter for this type, G, is also that of a complex long double.
    (ml_dtypes.float8_e4m3fnuz, 2**64, -(2**64)),
    ("f4", 2**128, 1e300, range(3), [1.0], np.array([1.0])),
    ("f2", 70000),
    (ml_dtypes.float8_e4m3fn, float("inf"), 1e4),
    (ml_dtypes.float4_e2m1fn, 6.1),
    (ml_dtypes.float6_e2m3fn, -7.75),
    (ml_dtypes.float6_e3m2fn, 30.0, -(2**63)),
    (ml_dtypes.int4, 8),
    *(("S2", b"abc"), ("U2", "abc"), ("V2", b"abc"), ("M8[D]", np.datetime64("2020-01-01T05"))),
    (RGB, (1, 2, 256)),
    (NESTED, (7, [1.5, 1, 2], b"xyz"), (7, "ab", b"xyz")),
    (PAIRS, ([(1, 2), (3, 4, 5)],)),
    ("?", 2),
]
WRONG_TYPES: list[tuple[Any, ...]] = [
    *(("i4", 1.5, 2.0), ("?", 0.0), ("f4", 1j, "1", object()), ("U2", b"a"), ("S2", 1), ("M8[D]", 3)),
    (RGB, (1, 2), 0),
    ("f4", np.ma.masked, np.ma.array(1.0, mask=True)),
]


@pytest.mark.parametrize(
    ("error", "rows"), [(fo.AttributeValueError, WRONG_VALUES), (fo.DTypeError, WRONG_TYPES)], ids=["values", "types"]
)
def test_fill_values_that_do_not_fit(error: type[fo.FastopsError], rows: list[tuple[Any, ...]]) -> None:
    for dtype, value in [(dtype, each) for dtype, *values in rows for each in values]:
        data, out = np.zeros(2, dtype), np.ones(4, np.uint8).repeat(np.dtype(dtype).itemsize).view(dtype)
        before = out.tobytes()
        with pytest.raises(error, match=r"^slice: fill_value must"):
            fo.slice(data, [-1], [4], mode="fill", fill_value=value, out=out)
        assert out.tobytes() == before
        # Values are checked even if no output reads them.
        for copy in (True, None):
            with pytest.raises(error):
                fo.slice(data, [0], [2], mode="fill", fill_value=value, copy=copy)


def test_nans_of_every_float_and_their_bits() -> None:
    for dtype in ("f2", "f4", ">f8", "c8", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn):
        assert np.isnan(filled(dtype, float("nan")).astype(complex)).tolist() == [True, False, False, True]
        nan = np.full(np.dtype(dtype).itemsize, 0xFF, np.uint8).view(dtype)
        assert nan != nan
        padded = fo.numpy.pad(np.zeros(1, dtype), (0, 1), constant_values=nan[0])
        assert padded.tobytes()[nan.nbytes :] == filled(dtype, nan[0])[3:].tobytes() == nan.tobytes(), dtype


@pytest.mark.skipif(np.finfo("g").maxexp < 16000, reason="long double has no wider range here")
def test_fill_values_of_a_wider_range() -> None:
    wide = np.longdouble("1e4000")
    cases: list[tuple[Any, Any]] = [("g", 10**400), ("G", 10**5000)]
    narrow = ("f2", "f4", "f8", "c8", ml_dtypes.bfloat16)
    for dtype, value in cases + [(dtype, value) for dtype in narrow for value in (wide, -wide, 10**5000)]:
        with pytest.raises(fo.AttributeValueError, match=r"fill_value must be a value that .* can express"):
            filled(dtype, value)
    for dtype in ("g", "G"):
        assert filled(dtype, wide)[0] == wide


def test_equal_fill_values_of_other_types_and_signs_are_told_apart() -> None:
    for value in (0.0, -0.0, False, 0, np.float32(-0.0), 0.0):
        assert np.signbit(filled("f8", value)[0]) == np.signbit(value)
    assert filled("i4", 1)[0] == 1
    with pytest.raises(fo.DTypeError):
        filled("i4", 1.0)


def test_errors_of_lists_name_the_way_to_give_one_value_per_channel() -> None:
    data = np.zeros((2, 2, 3), np.uint8)
    for values in ((1, 2, 3), [1, 2, 3], np.array([1, 2, 3])):
        with pytest.raises(fo.AttributeValueError, match="one value per channel"):
            fo.tensorrt.slice(data, [-1] * 3, [4] * 3, [1] * 3, mode="fill", fill=values)
        with pytest.raises(fo.AttributeValueError, match="for one value per channel, give channel_axis"):
            fo.lazy(data).pad(1, constant_values=values)


RECORD = np.dtype([("a", "u1"), ("b", ">i2")])
CHANNEL_DTYPES = ("u1", "f4", ">f4", "f8", "i2", "c16", "?", "m8[s]", "S3", ml_dtypes.bfloat16, RECORD)


def window_of(x: Array, start: Any, size: Any, stride: Any, fill: Any, axis: int) -> Array:
    """Return a window with a fill value for each index along an axis."""
    result = np.empty(size, x.dtype)
    for index in np.ndindex(*size):
        read = [s + i * t for s, i, t in zip(start, index, stride, strict=True)]
        is_inside = all(0 <= at < extent for at, extent in zip(read, x.shape, strict=True))
        result[index] = x[tuple(read)] if is_inside else fill[index[axis]]
    return result


def some(rng: Random, shape: Any, dtype: Any) -> Array:
    return np.array([rng.randrange(2) for _ in range(int(np.prod(shape)))], "u1").astype(dtype).reshape(shape)


def test_slices_fill_channels() -> None:
    for k in range(scale(400, 4000)):
        rng = chooser(f"channels {k}")
        dtype, axis = np.dtype(rng.choice(CHANNEL_DTYPES)), rng.choice([0, 1, 2, 2, 2])
        shape = [rng.randint(0 if rng.random() < 0.1 else 1, 5) for _ in range(3)]
        x = lay_out(some(rng, shape, dtype), rng.choice(LAYOUTS))
        start, size, stride = [[rng.randint(*ends) for _ in range(3)] for ends in ((-3, 4), (0, 5), (-1, 2))]
        axes = [0, 1, 2]
        if rng.random() < 0.7:
            # Take channels whole, and do not name their axis.
            start[axis], size[axis], stride[axis] = 0, shape[axis], 1
            axes.remove(axis)
        fill = some(rng, [size[axis]], dtype)
        with noted(shape, x.strides, dtype, axis, start, size, stride, axes):
            expected = window_of(x, start, size, stride, fill, axis)
            given = [[own[k] for k in axes] for own in (start, size, stride)]
            options: dict[str, Any] = {"axes": axes, "mode": "fill", "channel_axis": rng.choice([axis, axis - 3])}
            result = fo.slice(x, *given, fill_value=rng.choice([list, np.asarray])(fill), **options)
            assert (result.dtype, result.tobytes()) == (dtype, expected.tobytes())
            assert result.flags.c_contiguous


def test_windows_of_other_kinds_of_data_fill_channels() -> None:
    x = np.arange(4 * 5 * 3, dtype=np.float32).reshape(4, 5, 3)
    start, size = [-1, -2, 0], [6, 9, 3]
    for axis, fill in ((2, (7, 8, 9)), (0, (1, 2, 3, 4, 5, 6))):
        expected = window_of(x, start, size, [1] * 3, fill, axis)
        call: Any = partial(fo.windows, starts=[start], size=size, mode="fill", fill_value=fill, channel_axis=axis)
        np.testing.assert_array_equal(call(da.from_array(x, chunks=2)).compute(scheduler="sync"), [expected])
        with h5py.File("channels.h5", "w", driver="core", backing_store=False) as file:
            np.testing.assert_array_equal(call(file.create_dataset("data", data=x)), [expected])
        if has_torch():
            torch = import_module("torch")
            assert torch.equal(call(torch.from_numpy(x))[0], torch.from_numpy(expected))


def test_errors_of_values_of_channels() -> None:
    x = np.zeros((3, 4, 3), np.uint8)
    counted = r"must be a scalar, or a list of 3, as many as the result has along channel_axis, got"
    calls: list[Any] = [
        lambda fill, axis: fo.slice(x, [-1] * 2, [4] * 2, axes=[0, 1], mode="fill", fill_value=fill, channel_axis=axis),
        lambda fill, axis: fo.windows(x, [[-1]], [4], axes=[0], mode="fill", fill_value=fill, channel_axis=axis),
    ]
    for call in calls:
        for fill in ((1, 2), [1, 2, 3, 4], [[1, 2, 3]], np.ones((1, 3))):
            with pytest.raises(fo.AttributeValueError, match=f"fill_value {counted}"):
                call(fill, -1)
        for fill, error in (((1, 2, 300), ValueError), ([1, 2, 1.5], TypeError), ([1, 2, "a"], TypeError)):
            with pytest.raises(error, match="fill_value must be"):
                call(fill, -1)
        with pytest.raises(fo.AxisError, match=r"channel_axis must be in -3\.\.2"):
            call((1, 2, 3), 3)
        with pytest.raises(fo.DTypeError, match="channel_axis must be an integer"):
            call((1, 2, 3), 1.5)
    with pytest.raises(fo.AttributeValueError, match=f"constant_values {counted}"):
        fo.numpy.pad(x, ((1, 1), (0, 0), (0, 0)), constant_values=[1, 2], channel_axis=2)
    with pytest.raises(fo.AttributeValueError, match="channel_axis must not be given in mode edge"):
        fo.numpy.pad(x, 1, "edge", channel_axis=2)
    with pytest.raises(fo.AttributeValueError, match="channel_axis must not be axis 0, which items index"):
        fo.windows(x, [[0, 0]], [1, 1], items=[0], mode="fill", fill_value=[1], channel_axis=0)
