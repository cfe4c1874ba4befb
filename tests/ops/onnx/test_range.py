"""ONNX Range."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo


def test_floats_are_counted_in_float64() -> None:
    """As exact arithmetic does for tenths in float32, of which many are one more by a difference in float32."""
    assert len(fo.onnx.range(np.float32(0.9), np.float32(3.3), np.float32(0.1))) == 24
    for a, b, c in itertools.product(range(-60, 61, 14), range(-60, 61, 3), (-20, -7, -1, 1, 3, 13)):
        first, last, step = (np.float32(n / 10) for n in (a, b, c))
        exact = (Fraction(float(last)) - Fraction(float(first))) / Fraction(float(step))
        assert fo.plan.onnx.range(first, last, step).count == max(math.ceil(exact), 0)


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_arrays_and_tensors_of_one_element_are_scalars(library: str) -> None:
    module = pytest.importorskip(library)
    make: Any = module.array if library == "numpy" else module.tensor
    for name in ["int16", "int32", "int64", "uint8", "float16", "bfloat16", "float32", "float64"]:
        dtype = np.dtype(getattr(ml_dtypes, name, name))
        arrays = [make([n], dtype=dtype if library == "numpy" else getattr(module, name)) for n in (1, 10, 3)]
        written = [(each, each[0], dtype.type(each.item())) for each in arrays]
        for numbers in [*itertools.product(*written)] * 2:
            result = fo.onnx.range(*numbers)
            assert (type(result), result.dtype, result.tolist()) == (np.ndarray, dtype, [1, 4, 7])
    with pytest.raises(fo.AttributeValueError, match=r"onnx\.range: start must be a scalar"):
        fo.onnx.range(make([[1, 2]]), make(3), make(1))
    with pytest.raises(fo.DTypeError, match=r"onnx\.range: start must be a real number"):
        fo.onnx.range(make(True), 3, 1)
    assert fo.plan.onnx.range(make([1]), make(10), 3) == fo.plan.onnx.range(1, 10, 3)


def test_types_without_a_type() -> None:
    assert fo.onnx.range(0, 3, 1).dtype == np.int64
    assert fo.onnx.range(0, 3, 1.0).dtype == np.float32
    assert fo.onnx.range(0, np.int16(3), 1).dtype == np.int16
    assert fo.onnx.range(0, 1, ml_dtypes.bfloat16(0.25)).tolist() == [0, 0.25, 0.5, 0.75]
    for form in (np.array, np.float32):
        assert fo.onnx.range(form(np.float32(1)), 2, 0.5).tolist() == [1, 1.5]


def test_zeros_have_the_sign_of_the_formula_and_an_infinite_step_gives_nothing() -> None:
    # -0.0 + 0 * -1.0 is -0.0, and 0.0 + 0 * -1.0 is 0.0.
    for start in (0.0, -0.0, 0.0):
        assert np.signbit(fo.onnx.range(np.float32(start), -2, -1)[0]) == np.signbit(start)
    assert fo.onnx.range(np.float32(0), np.float32(5), np.float32("inf")).shape == (0,)


def test_refusals() -> None:
    cases: list[tuple[tuple[Any, ...], type[Exception], str]] = [
        ((0, 5, 0), ValueError, "delta must not be 0, got 0"),
        ((np.float32("nan"), 5, 1), ValueError, "start must not be NaN"),
        ((0, np.float32("inf"), 1), ValueError, "must "),
        ((np.int8(0), 128, 1), ValueError, "limit must be a value that int8 can express, got 128"),
        ((np.int8(0), 3, 1.5), TypeError, "delta must be an integer, for a range of int8, got 1.5"),
        ((np.int8(0), np.int16(3), 1), TypeError, "limit must have the type of the other inputs, int8"),
        *[((wrong, 3, 1), TypeError, "start must be a real number") for wrong in (True, np.complex64(1))],
        (([0], 3, 1), ValueError, "start must be a scalar"),
    ]
    for call, (numbers, error, message) in itertools.product((fo.onnx.range, fo.plan.onnx.range), cases):
        with pytest.raises(error, match=f"^onnx.range: .*{message}"):
            call(*numbers)


def test_out_and_plan() -> None:
    out = np.zeros(6, np.int64)[::2]
    assert fo.onnx.range(1, 10, 3, out=out) is out
    assert out.tolist() == [1, 4, 7] == fo.plan.onnx.range(1, 10, 3)("i64").tolist()
    with pytest.raises(fo.OutputError, match=r"onnx\.range: out must have dtype int64"):
        fo.onnx.range(1, 10, 3, out=np.zeros(3, np.int32))
