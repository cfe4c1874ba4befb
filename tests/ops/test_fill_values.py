"""Fill values: which ones fit a type, and what they become."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo

RGB = np.dtype([("r", "u1"), ("g", "u1"), ("b", "u1")])
PAIRS = np.dtype([("pairs", [("x", "i4"), ("y", "i1")], (2,))])
NESTED = np.dtype([("id", ">i4"), ("at", "f4", 2), ("name", "S3")])


def filled(dtype: Any, value: Any) -> Any:
    """Return two elements before and behind which there is one of a fill value."""
    return fo.slice(np.zeros(2, dtype), [-1], [4], mode="fill", fill_value=value)


#: Types with values that stay what they are.
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
    ("S3", b"ab"),
    ("U3", "abc"),
    (">U3", "abc"),
    (RGB, np.array((1, 2, 3), RGB)[()]),
]

#: Types, values, and what these become.
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
    (NESTED, (7, 1.5, b"xyz"), np.array((7, [1.5, 1.5], b"xyz"), NESTED)[()]),
]


def test_fill_values_that_fit() -> None:
    plan = fo.plan.slice((2,), [-1], [4], mode="fill")
    for dtype, value, expected in [*[(dtype, each, each) for dtype, *values in KEPT for each in values], *CHANGED]:
        data, result = np.zeros(2, dtype), filled(dtype, value)
        assert result[0] == result[3] == expected, (dtype, value)
        assert result[1:3].tobytes() == data.tobytes()
        assert plan(data, fill_value=value).tobytes() == result.tobytes(), (dtype, value)


#: Types with values that do not fit.
WRONG_VALUES: list[tuple[Any, ...]] = [
    ("u1", 300, -1),
    ("i8", 2**63, 2**100),
    ("f8", 2**1024),
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
        # A value that is not needed is checked all the same.
        for copy in (True, None):
            with pytest.raises(error):
                fo.slice(data, [0], [2], mode="fill", fill_value=value, copy=copy)


def test_integers_beyond_64_bits_in_types_of_ml_dtypes() -> None:
    # Letters of NumPy's types stand for some of ml_dtypes too: G is a complex long double, and float8_e4m3fnuz.
    names = [name for name in vars(ml_dtypes) if name.startswith(("float", "bfloat", "int", "uint"))]
    fitting = {("bfloat16", 2**64), ("bfloat16", -(2**64)), ("float8_e8m0fnu", 2**64)}
    assert len(names) > 10
    for name, value in itertools.product(names, (2**64, -(2**64), 2**1100)):
        data = np.ones(1, getattr(ml_dtypes, name))
        if (name, value) in fitting:
            assert float(filled(data.dtype, value)[0]) == value
            continue
        for call in (lambda: filled(data.dtype, value), lambda: fo.onnx.pad(data, [1, 0], value)):  # noqa: B023
            with pytest.raises(ValueError, match=f"must be a value that {name} can express, got"):
                call()


def test_nans_of_every_float_and_their_bits() -> None:
    for dtype in ("f2", "f4", ">f8", "c8", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn):
        assert np.isnan(filled(dtype, float("nan")).astype(complex)).tolist() == [True, False, False, True]
        nan = np.full(np.dtype(dtype).itemsize, 0xFF, np.uint8).view(dtype)
        assert nan != nan
        padded = fo.numpy.pad(np.zeros(1, dtype), (0, 1), constant_values=nan[0])
        assert padded.tobytes()[nan.nbytes :] == filled(dtype, nan[0])[3:].tobytes() == nan.tobytes(), dtype


def test_zero_fills_each_slot_of_a_plan() -> None:
    once = fo.plan.numpy.pad((2, 2), ((1, 1), (0, 0)))
    plan = once.then(fo.plan.numpy.pad(once.shape, 1))
    for dtype in (
        "u1",
        "c16",
        "V40",
        "V64",
        "V100",
        "S40",
        "S64",
        "S100",
        "U9",
        ml_dtypes.bfloat16,
        ml_dtypes.float8_e4m3fn,
        NESTED,
    ):
        n = np.dtype(dtype).itemsize
        data = np.repeat(np.arange(1, 5, dtype="u1").reshape(2, 2), n, axis=1)
        expected = np.pad(data, ((2, 2), (n, n)))
        for _ in range(2):
            assert plan(data.view(dtype)).tobytes() == expected.tobytes(), dtype


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


def test_where_a_list_is_no_fill_value_the_message_says_what_is() -> None:
    data = np.zeros((2, 2, 3), np.uint8)
    calls: list[tuple[Callable[[Any], Any], str]] = [
        (
            lambda values: fo.tensorrt.slice(data, [-1] * 3, [4] * 3, [1] * 3, mode="fill", fill=values),
            "one value per channel",
        ),
        (lambda values: fo.lazy(data).pad(1, constant_values=values), "for one value per channel, give channel_axis"),
    ]
    for values, (call, message) in itertools.product(((1, 2, 3), [1, 2, 3], np.array([1, 2, 3])), calls):
        with pytest.raises(fo.AttributeValueError, match=message):
            call(values)


def test_a_type_without_zero_needs_a_fill_value() -> None:
    with pytest.raises(fo.AttributeValueError, match="fill_value must be given, because float8_e8m0fnu has no zero"):
        fo.slice(np.ones(2, ml_dtypes.float8_e8m0fnu), [-1], [4], mode="fill")
    assert fo.slice(np.ones(2, ml_dtypes.float8_e8m0fnu), [-1], [4], mode="fill", fill_value=2)[0] == 2
