"""Range-4: the published examples, the names of types, errors."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo


def test_published_examples() -> None:
    assert fo.range(2, 23, 3, "i32").tolist() == [2, 5, 8, 11, 14, 17, 20]
    # The page prints the values of step -3 beside step 3, which goes the wrong way.
    assert fo.range(23, 2, 3, "i32").tolist() == []
    assert fo.range(23, 2, -3, "i32").tolist() == [23, 20, 17, 14, 11, 8, 5]
    result = fo.range(1, 2.5, 0.5, "f32")
    assert result.tolist() == [1.0, 1.5, 2.0]
    assert result.dtype == np.float32


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("i8", np.int8),
        ("u8", np.uint8),
        ("i64", np.int64),
        ("f64", np.float64),
        ("bf16", ml_dtypes.bfloat16),
        ("f8e4m3", ml_dtypes.float8_e4m3fn),
        ("f8e5m2", ml_dtypes.float8_e5m2),
        ("i4", ml_dtypes.int4),
        ("float16", np.float16),
        ("bfloat16", ml_dtypes.bfloat16),
        ("<i4", np.int32),
        (">f4", ">f4"),
        (np.float32, np.float32),
        (np.dtype(">u2"), ">u2"),
        (int, np.int_),
        (float, np.float64),
        (ml_dtypes.float8_e4m3fnuz, ml_dtypes.float8_e4m3fnuz),
    ],
)
def test_output_types(name: Any, dtype: Any) -> None:
    result = fo.range(0, 4, 1, name)
    assert result.dtype == np.dtype(dtype)
    assert [float(v) for v in result] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "name",
    ["boolean", "bool", bool, "f4", "q", "c8", complex, "string", "S3", object, None, [1], "f 32", np.longdouble],
)
def test_types_that_are_no_numbers(name: Any) -> None:
    with pytest.raises(fo.DTypeError, match=r"^range: output_type must be"):
        fo.range(0, 4, 1, name)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((float("nan"), 1, 1, "f32"), fo.AttributeValueError, "start must be finite, got nan"),
        ((0, float("inf"), 1, "i32"), fo.AttributeValueError, "stop must be finite"),
        ((0, 1, -float("inf"), "f32"), fo.AttributeValueError, "step must be finite"),
        ((0, 5, 0, "i32"), fo.AttributeValueError, "step must not be 0, got 0"),
        ((0, 0, 0.5, "i32"), fo.AttributeValueError, "step must not truncate to 0 in an integral output type, got 0.5"),
        ((True, 5, 1, "i32"), fo.DTypeError, "start must be a real number, got True"),
        ((0, np.bool_(1), 1, "i32"), fo.DTypeError, "stop must be a real number"),
        ((0, 5j, 1, "i32"), fo.DTypeError, "stop must be a real number"),
        ((0, "5", 1, "i32"), fo.DTypeError, "stop must be a real number"),
        ((0, 5, None, "i32"), fo.DTypeError, "step must be a real number"),
        (([0], 5, 1, "i32"), fo.AttributeValueError, "start must be a scalar"),
        ((np.array([0]), 5, 1, "i32"), fo.AttributeValueError, "start must be a scalar"),
        ((-1e308, 1e308, 1e-300, "f64"), fo.AttributeValueError, "step must give a number of elements that float64"),
        (
            (0, 10**400, 1, "f64"),
            fo.AttributeValueError,
            r"stop must be below 2\^1023 for a float output type, got an integer",
        ),
        ((0, 1e300, 1, "f32"), fo.OutputError, "the output must fit in memory"),
    ],
)
def test_errors(arguments: tuple[Any, ...], error: type[fo.FastopsError], message: str) -> None:
    with pytest.raises(error, match=f"^range: {message}"):
        fo.range(*arguments)


def test_inputs_count_by_their_own_values() -> None:
    assert fo.range(np.uint64(2**64 - 2), 2**64, np.int8(1), "u64").tolist() == [2**64 - 2, 2**64 - 1]
    assert len(fo.range(np.float64(0), np.array(1.0), 0.1, "f16")) == 10
    assert len(fo.range(ml_dtypes.bfloat16(0), ml_dtypes.bfloat16(1), ml_dtypes.bfloat16(0.1), "f32")) == 10
    assert fo.range(1.7, 6.9, 1.9, "i64").tolist() == [1, 2, 3, 4, 5]


def test_integers_of_any_size_are_exact() -> None:
    assert fo.range(10**400, 0, -(10**399), "u8").tolist() == [(10**400 - i * 10**399) % 256 for i in range(10)]
    with pytest.raises(fo.OutputError, match="the output must fit in memory"):
        fo.range(0, 10**400, 1, "i64")


def test_zeros_of_both_signs_are_told_apart() -> None:
    for _ in range(2):
        assert np.signbit(fo.range(0.0, -1, -1, "f32")[0]) == np.signbit(
            np.float32(0.0) + np.float32(0) * np.float32(-1)
        )
        assert np.signbit(fo.range(-0.0, -1, -1, "f32")[0]) == np.signbit(
            np.float32(-0.0) + np.float32(0) * np.float32(-1)
        )


def test_values_are_not_accumulated() -> None:
    result = fo.range(0, 1000, 0.1, "f32")
    assert result[9999] == np.float32(9999) * np.float32(0.1)


def test_integers_beyond_the_type_wrap() -> None:
    assert fo.range(250, 260, 2, "u8").tolist() == [250, 252, 254, 0, 2]
    assert [int(v) for v in fo.range(6, 11, 1, "i4")] == [6, 7, -8, -7, -6]
