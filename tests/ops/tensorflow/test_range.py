"""tf.range."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops as fo


def test_one_number_is_the_limit() -> None:
    assert fo.tensorflow.range(3).tolist() == [0, 1, 2]
    assert fo.tensorflow.range(1.5, delta=0.5).tolist() == [0, 0.5, 1]
    assert str(fo.plan.tensorflow.range(3)) == str(fo.plan.range(0, 3, 1, "i32"))
    out = np.zeros(3, np.int32)
    assert fo.tensorflow.range(3, out=out) is out
    assert out.tolist() == [0, 1, 2]


def test_the_type_is_the_widest_of_the_inputs_or_has_tensorflow_s_name() -> None:
    for numbers, dtype, own in (
        ((3,), None, "int32"),
        ((0, 3, 1.0), None, "float32"),
        ((np.int64(0), 3), None, "int64"),
        ((np.int64(0), 3, np.float32(1)), None, "float32"),
        ((np.float64(0), 3), None, "float64"),
        ((2**31, 2**31 + 3), None, "int64"),
        ((0, 3, 2**40), None, "int64"),
        ((0, 3), float, "float32"),
        ((0, 3), "float", "float32"),
        ((0, 3), "double", "float64"),
        ((0, 3), "int32", "int32"),
    ):
        for _ in range(2):
            assert fo.tensorflow.range(*numbers, dtype=dtype).dtype == own, (numbers, dtype)
        assert fo.plan.tensorflow.range(*numbers, dtype=dtype) == fo.plan.tensorflow.range(*numbers, dtype=own)


def test_floats_of_python_are_float32_first() -> None:
    start = float(np.float32(0.001))
    assert fo.tensorflow.range(0.001, np.float64(2.0), 1.0).tolist() == [start, start + 1]
    assert fo.tensorflow.range(0.001, 2.0, 1.0, dtype="float64").tolist() == [0.001, 1.001]
    assert len(fo.tensorflow.range(0.1, 7.0, np.float64(0.3))) == 23
    # Which way the range leads is seen after they are rounded.
    for numbers in ((1.00000001, 1.0), (1.0, 1.00000001, -1.0), (0.0, 1e-60, -1.0)) * 2:
        result = fo.tensorflow.range(*numbers)
        assert (result.shape, result.dtype) == ((0,), np.float32)


def test_refusals() -> None:
    cases: list[tuple[tuple[Any, ...], Any, type[Exception], str]] = [
        ((0, 5, 0), None, ValueError, "delta must not be 0, got 0"),
        *[(numbers, None, ValueError, "delta must lead from start to limit") for numbers in ((0, 5, -1), (5, 0, 1))],
        ((2**63,), None, ValueError, "start must be a value that int64 can express"),
        ((1.5,), "i32", TypeError, "start must be an integer, for a range of int32, got 1.5"),
        ((1.5,), "f16", TypeError, "dtype must not be a float type of less than 32 bits"),
        ((np.int16(5),), None, TypeError, "start must be of type int32, int64, float32, float64"),
        ((0, float("nan")), None, ValueError, "limit must not be NaN"),
        (("3",), None, TypeError, "start must be a real number"),
    ]
    for call in (fo.tensorflow.range, fo.plan.tensorflow.range):
        for numbers, dtype, error, message in cases:
            with pytest.raises(error, match=f"^tensorflow.range: {message}"):
                call(*numbers, dtype=dtype)
