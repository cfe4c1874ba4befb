"""Fill values: which ones fit a type, and what they become."""

from __future__ import annotations

import datetime
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo

RGB = np.dtype([("r", "u1"), ("g", "u1"), ("b", "u1")])
PAIRS = np.dtype([("pairs", [("x", "i4"), ("y", "i1")], (2,))])
NESTED = np.dtype([("id", ">i4"), ("at", "f4", 2), ("name", "S3")])


@pytest.mark.parametrize(
    ("dtype", "value", "expected"),
    [
        ("u1", 255, 255),
        ("u1", np.int64(7), 7),
        ("i4", True, 1),
        ("?", True, True),
        ("?", 0, False),
        ("f4", 1, 1.0),
        ("f4", 0.1, np.float32(0.1)),
        ("f2", float("inf"), np.inf),
        (">f8", -0.0, -0.0),
        ("c8", 1 + 2j, 1 + 2j),
        ("f8", ml_dtypes.bfloat16(1.5), 1.5),
        ("f4", np.array(2.5), 2.5),
        ("u8", 2**64 - 1, 2**64 - 1),
        ("f4", 2**64, 2.0**64),
        ("f8", -(2**70), -(2.0**70)),
        (ml_dtypes.float8_e5m2, ml_dtypes.int4(3), 3),
        ("M8[ns]", np.datetime64("2020-01-01"), np.datetime64("2020-01-01")),
        ("M8[D]", datetime.date(2020, 1, 1), np.datetime64("2020-01-01")),
        ("m8[s]", datetime.timedelta(minutes=1), np.timedelta64(60, "s")),
        ("S3", b"ab", b"ab"),
        ("U3", "abc", "abc"),
        (">U3", "abc", "abc"),
        ("V2", b"ab", np.void(b"ab")),
        (RGB, (1, 2, 255), np.array((1, 2, 255), RGB)[()]),
        (RGB, np.array((1, 2, 3), RGB)[()], np.array((1, 2, 3), RGB)[()]),
        (NESTED, (7, [1.5, 2.0], b"xyz"), np.array((7, [1.5, 2.0], b"xyz"), NESTED)[()]),
        (ml_dtypes.int4, -8, -8),
        (NESTED, (7, range(2), b"xyz"), np.array((7, [0, 1], b"xyz"), NESTED)[()]),
        (PAIRS, ([(1, 2), (3, 4)],), np.array(([(1, 2), (3, 4)],), PAIRS)[()]),
        (ml_dtypes.bfloat16, 0.5, 0.5),
        # Up to half a step beyond the largest number.
        (ml_dtypes.float4_e2m1fn, 6.9, 6),
        (ml_dtypes.float6_e2m3fn, -7.7, -7.5),
        (ml_dtypes.float6_e3m2fn, 29.9, 28),
        ("g", 2**64 + 1, np.longdouble(2**64) + 1),
    ],
)
def test_fill_values_that_fit(dtype: Any, value: Any, expected: Any) -> None:
    data = np.zeros(2, dtype)
    result = fo.slice(data, [-1], [4], mode="fill", fill_value=value)
    assert result[0] == expected
    assert result[3] == expected
    assert result[1:3].tobytes() == data.tobytes()
    assert fo.plan.slice((2,), [-1], [4], mode="fill")(data, fill_value=value).tobytes() == result.tobytes()


# Letters of NumPy's types stand for some of ml_dtypes too: G is a complex long double, and float8_e4m3fnuz.
@pytest.mark.parametrize(
    "name", [name for name in vars(ml_dtypes) if name.startswith(("float", "bfloat", "int", "uint"))]
)
@pytest.mark.parametrize("value", [2**64, -(2**64), 2**1100], ids=["2^64", "-2^64", "2^1100"])
def test_integers_beyond_64_bits_in_types_of_ml_dtypes(name: str, value: int) -> None:
    data = np.ones(2, getattr(ml_dtypes, name))
    if (name, value) in (("bfloat16", 2**64), ("bfloat16", -(2**64)), ("float8_e8m0fnu", 2**64)):
        assert float(fo.slice(data, [-1], [2], mode="fill", fill_value=value)[0]) == value
        return
    for call in (
        lambda: fo.slice(data, [-1], [2], mode="fill", fill_value=value),
        lambda: fo.onnx.pad(data, [1, 0], value),
    ):
        with pytest.raises(ValueError, match=f"must be a value that {name} can express, got"):
            call()


@pytest.mark.parametrize("dtype", ["f2", "f4", ">f8", "c8", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2])
def test_a_nan_of_the_type_keeps_its_bits(dtype: Any) -> None:
    nan = np.full(np.dtype(dtype).itemsize, 0xFF, np.uint8).view(dtype)
    assert nan != nan
    assert fo.numpy.pad(np.zeros(1, dtype), (0, 1), constant_values=nan[0]).tobytes()[nan.nbytes :] == nan.tobytes()
    assert fo.slice(np.zeros(1, dtype), [1], [1], mode="fill", fill_value=nan[0]).tobytes() == nan.tobytes()


@pytest.mark.parametrize("dtype", ["u1", "c16", "V100", "U9", ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, NESTED])
def test_zero_fills_each_slot_of_a_plan(dtype: Any) -> None:
    once = fo.plan.numpy.pad((2, 2), ((1, 1), (0, 0)))
    plan = once.then(fo.plan.numpy.pad(once.shape, 1))
    data = np.frombuffer(bytes(range(1, 5)) * np.dtype(dtype).itemsize, "V1").view(f"V{np.dtype(dtype).itemsize}")
    expected = np.zeros((6, 4), data.dtype)
    expected[2:4, 1:3] = data.reshape(2, 2)
    for _ in range(2):
        assert plan(data.reshape(2, 2).view(dtype)).tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", ["f2", "f4", ml_dtypes.float8_e4m3fn, ml_dtypes.bfloat16, "c8"])
def test_nan_is_a_fill_value_of_every_float(dtype: Any) -> None:
    result = fo.slice(np.zeros(1, dtype), [0], [2], mode="fill", fill_value=float("nan"))
    assert np.isnan(result.astype(complex)).tolist() == [False, True]


@pytest.mark.parametrize(
    ("dtype", "value", "error"),
    [
        ("u1", 300, fo.AttributeValueError),
        ("u1", -1, fo.AttributeValueError),
        ("i4", 1.5, fo.DTypeError),
        ("i4", 2.0, fo.DTypeError),
        ("i8", 2**63, fo.AttributeValueError),
        ("i8", 2**100, fo.AttributeValueError),
        ("f8", 2**1024, fo.AttributeValueError),
        ("f4", 2**128, fo.AttributeValueError),
        ("f4", range(2), fo.AttributeValueError),
        ("?", 2, fo.DTypeError),
        ("?", 0.0, fo.DTypeError),
        ("f4", 1e300, fo.AttributeValueError),
        ("f2", 70000, fo.AttributeValueError),
        ("f4", 1j, fo.DTypeError),
        (ml_dtypes.float8_e4m3fn, float("inf"), fo.AttributeValueError),
        (ml_dtypes.float8_e4m3fn, 1e4, fo.AttributeValueError),
        (ml_dtypes.float4_e2m1fn, 7, fo.AttributeValueError),
        (ml_dtypes.float6_e2m3fn, -7.75, fo.AttributeValueError),
        (ml_dtypes.float6_e3m2fn, 30.0, fo.AttributeValueError),
        (ml_dtypes.float6_e3m2fn, -(2**63), fo.AttributeValueError),
        ("f4", np.ma.masked, fo.AttributeValueError),
        ("f4", np.ma.array(1.0, mask=True), fo.AttributeValueError),
        (ml_dtypes.int4, 8, fo.AttributeValueError),
        ("S2", b"abc", fo.AttributeValueError),
        ("U2", "abc", fo.AttributeValueError),
        ("U2", b"a", fo.DTypeError),
        ("S2", 1, fo.DTypeError),
        ("V2", b"abc", fo.AttributeValueError),
        ("M8[D]", np.datetime64("2020-01-01T05"), fo.AttributeValueError),
        ("M8[D]", 3, fo.DTypeError),
        ("f4", "1", fo.DTypeError),
        ("f4", [1.0], fo.AttributeValueError),
        ("f4", np.array([1.0]), fo.AttributeValueError),
        ("f4", object(), fo.DTypeError),
        (RGB, (1, 2), fo.DTypeError),
        (RGB, 0, fo.DTypeError),
        (RGB, (1, 2, 256), fo.AttributeValueError),
        (NESTED, (7, [1.5], b"xyz"), fo.AttributeValueError),
        (NESTED, (7, 1.5, b"xyz"), fo.AttributeValueError),
        (NESTED, (7, "ab", b"xyz"), fo.AttributeValueError),
        (PAIRS, ([(1, 2), (3, 4, 5)],), fo.DTypeError),
    ],
)
def test_fill_values_that_do_not_fit(dtype: Any, value: Any, error: type[fo.FastopsError]) -> None:
    out = np.ones(4, np.uint8).repeat(np.dtype(dtype).itemsize).view(dtype)
    before = out.tobytes()
    with pytest.raises(error, match=r"^slice: fill_value must"):
        fo.slice(np.zeros(2, dtype), [-1], [4], mode="fill", fill_value=value, out=out)
    assert out.tobytes() == before
    # A value that is not needed is checked all the same.
    for copy in (True, None):
        with pytest.raises(error):
            fo.slice(np.zeros(2, dtype), [0], [2], mode="fill", fill_value=value, copy=copy)


@pytest.mark.skipif(np.finfo("g").maxexp < 16000, reason="long double has no wider range here")
def test_fill_values_of_a_wider_range() -> None:
    wide = np.longdouble("1e4000")
    result = fo.slice(np.zeros(1, "g"), [0], [2], mode="fill", fill_value=10**400)
    assert abs(result[1] / np.longdouble("1e400") - 1) < 1e-15
    for value in (wide, -wide, 10**5000):
        for dtype in (
            "f2",
            "f4",
            "f8",
            "c8",
            ml_dtypes.bfloat16,
            *(() if isinstance(value, np.longdouble) else ("g", "G")),
        ):
            with pytest.raises(fo.AttributeValueError, match=r"fill_value must be a value that .* can express"):
                fo.slice(np.zeros(1, dtype), [0], [2], mode="fill", fill_value=value)
    largest = np.ldexp(np.longdouble(1), 16383)
    for value, expected in ((10**4500, np.longdouble("1e4500")), (2**16383 + 1, largest), (-(2**16383), -largest)):
        assert fo.slice(np.zeros(1, "g"), [0], [2], mode="fill", fill_value=value)[1] == expected
    with pytest.raises(fo.AttributeValueError, match="can express"):
        fo.slice(np.zeros(1, "g"), [0], [2], mode="fill", fill_value=2**16384 - 1)
    for dtype in ("g", "G"):
        assert fo.slice(np.zeros(1, dtype), [0], [2], mode="fill", fill_value=wide)[1] == wide


def test_equal_fill_values_of_other_types_and_signs_are_told_apart() -> None:
    data = np.zeros(1)
    for value in (0.0, -0.0, False, 0, np.float32(-0.0), 0.0):
        result = fo.slice(data, [0], [2], mode="fill", fill_value=value)
        assert np.signbit(result[1]) == np.signbit(value)
    assert fo.slice(np.zeros(1, "i4"), [0], [2], mode="fill", fill_value=1)[1] == 1
    with pytest.raises(fo.DTypeError):
        fo.slice(np.zeros(1, "i4"), [0], [2], mode="fill", fill_value=1.0)


def test_a_fill_value_belongs_to_mode_fill() -> None:
    with pytest.raises(fo.AttributeValueError, match="fill_value must be given in mode fill only, got 0"):
        fo.slice(np.zeros(2), [-1], [4], mode="wrap", fill_value=0)


PER_CHANNEL = r"\(for one value per channel, call it for each channel: data\[\.\.\., c\] with out=out\[\.\.\., c\]\)"


@pytest.mark.parametrize("values", [(1, 2, 3), [1, 2, 3], np.array([1, 2, 3])], ids=type)
def test_values_of_channels_are_calls_of_their_own(values: Any) -> None:
    data, options = np.zeros((2, 2, 3), np.uint8), {"axes": [0], "mode": "fill"}
    for call in (
        lambda: fo.slice(data, [-1], [4], fill_value=values, **options),
        lambda: fo.windows(data, [[-1]], [4], fill_value=values, **options),
        lambda: fo.lazy(data).slice([-1], [4], fill_value=values, **options),
    ):
        with pytest.raises(fo.AttributeValueError, match=PER_CHANNEL):
            call()
    with pytest.raises(fo.AttributeValueError, match="for one value per channel, pad each channel alone"):
        fo.lazy(data).pad(1, constant_values=values)
    # What the messages say does it.
    expected = np.stack([np.pad(data[..., c], ((1, 1), (0, 0)), constant_values=values[c]) for c in range(3)], -1)
    sliced, padded = np.empty((4, 2, 3), np.uint8), np.empty((4, 2, 3), np.uint8)
    cut = np.empty((1, 4, 2, 3), np.uint8)
    for c, value in enumerate(values):
        fo.slice(data[..., c], [-1], [4], fill_value=value, out=sliced[..., c], **options)
        fo.windows(data[..., c], [[-1]], [4], fill_value=value, out=cut[..., c], **options)
        fo.lazy(data[..., c]).pad(((1, 1), (0, 0)), constant_values=value).run(padded[..., c])
    for result in (sliced, padded, cut[0]):
        np.testing.assert_array_equal(result, expected)


def test_a_type_without_zero_needs_a_fill_value() -> None:
    data = np.ones(2, ml_dtypes.float8_e8m0fnu)
    with pytest.raises(fo.AttributeValueError, match="fill_value must be given, because float8_e8m0fnu has no zero"):
        fo.slice(data, [-1], [4], mode="fill")
    assert fo.slice(data, [-1], [4], mode="fill", fill_value=2)[0] == 2
