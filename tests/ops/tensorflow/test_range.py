"""tf.range."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo


@settings(deadline=None)
@given(st.sampled_from(["i4", "i8"]), st.integers(-100, 100), st.integers(-100, 100), st.integers(1, 9))
def test_integers_are_python_s_range(dtype: str, start: int, limit: int, delta: int) -> None:
    step = delta if limit >= start else -delta
    result = fo.tensorflow.range(start, limit, step, dtype=np.dtype(dtype))
    assert result.dtype == dtype
    assert result.tolist() == list(range(start, limit, step))


@settings(deadline=None)
@given(st.sampled_from(["f4", "f8"]), *[st.floats(-100, 100, width=32)] * 2, st.floats(0.25, 9, width=32))
def test_floats_are_counted_and_computed_in_their_type(dtype: str, start: float, limit: float, delta: float) -> None:
    scalar = np.dtype(dtype).type
    first, last, step = scalar(start), scalar(limit), scalar(delta if limit >= start else -delta)
    n = int(np.ceil(abs((last - first) / step)))
    expected = [first + scalar(i) * step for i in range(n)]
    assert fo.tensorflow.range(first, last, step).tobytes() == np.array(expected, dtype).tobytes()


def test_one_number_is_the_limit() -> None:
    assert fo.tensorflow.range(3).tolist() == [0, 1, 2]
    assert fo.tensorflow.range(1.5, delta=0.5).tolist() == [0, 0.5, 1]
    assert str(fo.plan.tensorflow.range(3)) == str(fo.plan.range(0, 3, 1, "i32"))


@pytest.mark.parametrize(
    ("numbers", "dtype"),
    [
        ((3,), "int32"),
        ((0, 3, 1.0), "float32"),
        ((np.int64(0), 3), "int64"),
        ((np.int64(0), 3, np.float32(1)), "float32"),
        ((np.float64(0), 3), "float64"),
        ((2**31, 2**31 + 3), "int64"),
        ((0, 3, 2**40), "int64"),
    ],
)
def test_the_type_is_the_widest_of_the_inputs(numbers: tuple[Any, ...], dtype: str) -> None:
    for _ in range(2):
        assert fo.tensorflow.range(*numbers).dtype == dtype


@pytest.mark.parametrize(
    ("dtype", "own"), [(float, "float32"), ("float", "float32"), ("double", "float64"), ("int32", "int32")]
)
def test_types_have_tensorflow_s_names(dtype: Any, own: str) -> None:
    for _ in range(2):
        assert fo.tensorflow.range(0, 3, dtype=dtype).dtype == own
    assert fo.plan.tensorflow.range(1, 3, dtype=dtype) == fo.plan.tensorflow.range(1, 3, dtype=own)


def test_floats_of_python_are_float32_first() -> None:
    start = float(np.float32(0.001))
    assert fo.tensorflow.range(0.001, np.float64(2.0), 1.0).tolist() == [start, start + 1]
    assert fo.tensorflow.range(0.001, 2.0, 1.0, dtype="float64").tolist() == [0.001, 1.001]
    assert len(fo.tensorflow.range(0.1, 7.0, np.float64(0.3))) == 23


@pytest.mark.parametrize("numbers", [(1.00000001, 1.0), (1.0, 1.00000001, -1.0), (0.0, 1e-60, -1.0)])
def test_the_direction_is_that_of_rounded_numbers(numbers: tuple[float, ...]) -> None:
    for _ in range(2):
        result = fo.tensorflow.range(*numbers)
        assert (result.shape, result.dtype) == ((0,), np.float32)


@pytest.mark.parametrize(
    ("numbers", "dtype", "error", "message"),
    [
        ((0, 5, 0), None, ValueError, "delta must not be 0, got 0"),
        ((0, 5, -1), None, ValueError, "delta must lead from start to limit, got -1"),
        ((5, 0, 1), None, ValueError, "delta must lead from start to limit, got 1"),
        ((2**63,), None, ValueError, "start must be a value that int64 can express"),
        ((1.5,), "i32", TypeError, "start must be an integer, for a range of int32, got 1.5"),
        ((1.5,), "f16", TypeError, "dtype must be no float type of less than 32 bits"),
        ((np.int16(5),), None, TypeError, "start must be of type int32, int64, float32, float64"),
        ((0, float("nan")), None, ValueError, "limit must not be NaN"),
        (("3",), None, TypeError, "start must be a real number"),
    ],
)
def test_refusals(numbers: tuple[Any, ...], dtype: Any, error: type[Exception], message: str) -> None:
    for call in (fo.tensorflow.range, fo.plan.tensorflow.range):
        with pytest.raises(error, match=f"^tensorflow.range: {message}"):
            call(*numbers, dtype=dtype)


def test_out() -> None:
    out = np.zeros(3, np.int32)
    assert fo.tensorflow.range(3, out=out) is out
    assert out.tolist() == [0, 1, 2]
