"""The ranges of OpenVINO, ONNX and TensorFlow: types, counts, values, errors, outputs and plans."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo

#: OpenVINO's and NumPy's names of types, each with its type; and types themselves.
NAMES = """
    i8=int8 u8=uint8 i64=int64 f64=float64 bf16=bfloat16 bfloat16=bfloat16 f8e4m3=float8_e4m3fn f8e5m2=float8_e5m2
    i4=int4 <i4=int32 >f4=>f4 |i1=int8 e=float16
"""
TYPES: dict[Any, Any] = dict(each.split("=") for each in NAMES.split())
TYPES |= {np.dtype(">u2"): ">u2", int: "int", float: "f8", ml_dtypes.float8_e4m3fnuz: "float8_e4m3fnuz"}


def test_output_types() -> None:
    # These names have no codes such as "i8", which NumPy reads as another type than OpenVINO.
    names = [name for name, kind in np.sctypeDict.items() if issubclass(kind, np.number)]
    dtypes = {name: np.dtype(name) for name in [*names, *np.typecodes["AllInteger"], *np.typecodes["Float"]]}
    taken = {name: dtype for name, dtype in dtypes.items() if dtype.kind in "iuf" and dtype.itemsize <= 8}
    assert {"int", "uintp", "single", "double", "half", "l", "float16"} < taken.keys()
    for name, dtype in (taken | TYPES).items():
        result = fo.range(0, 4, 1, name)
        assert result.dtype == np.dtype(dtype), name
        assert [float(v) for v in result] == [0, 1, 2, 3], name
        assert fo.plan.range(0.5, 4, 1, name) == fo.plan.range(0.5, 4, 1, np.dtype(dtype)), name
    wrong = ["boolean", "bool", bool, "f4", "f8", "u1", "?", "c8", "complex", "longdouble", "<i4,<i4", complex]
    for name in (*wrong, "string", "S3", object, None, [1], "f 32", np.longdouble):
        with pytest.raises(fo.DTypeError, match=r"^range: output_type must be"):
            fo.range(0, 4, 1, name)


#: Inputs of TensorFlow's range, a type or None, and the type of the result.
TENSORFLOWS: list[tuple[tuple[Any, ...], Any, str]] = [
    ((3,), None, "int32"),
    ((0, 3, 1.0), None, "float32"),
    ((np.int64(0), 3), None, "int64"),
    ((np.int64(0), 3, np.float32(1)), None, "float32"),
    ((np.float64(0), 3), None, "float64"),
    ((2**31, 2**31 + 3), None, "int64"),
    ((0, 3, 2**40), None, "int64"),
    *[((0, 3), dtype, "float32") for dtype in (float, "float")],
    ((0, 3), "double", "float64"),
    ((0, 3), "int32", "int32"),
]
#: Inputs of ONNX's range, some or all plain numbers of Python, and the type of the result.
ONNX: list[tuple[tuple[Any, ...], str]] = [
    ((0, 3, 1), "int64"),
    ((0, 3, 1.0), "float32"),
    ((0, np.int16(3), 1), "int16"),
    ((0, 1, ml_dtypes.bfloat16(0.25)), "bfloat16"),
    *[((form(np.float32(1)), 2, 0.5), "float32") for form in (np.array, np.float32)],
]


def test_types_of_inputs() -> None:
    for numbers, dtype, own in TENSORFLOWS:
        assert fo.tensorflow.range(*numbers, dtype=dtype).dtype == own, (numbers, dtype)
        assert fo.plan.tensorflow.range(*numbers, dtype=dtype) == fo.plan.tensorflow.range(*numbers, dtype=own)
    for numbers, own in ONNX:
        result = fo.onnx.range(*numbers)
        assert (result.dtype, result.tolist()) == (own, np.arange(*map(float, numbers)).tolist())


NAN, INF = float("nan"), float("inf")
VALUE, DTYPE, OUTPUT = fo.AttributeValueError, fo.DTypeError, fo.OutputError

#: By operator: errors, arguments and messages.
ERRORS: dict[str, list[tuple[type[fo.FastopsError], tuple[Any, ...], str]]] = {
    "range": [
        (VALUE, (NAN, 1, 1, "f32"), "start must be finite, got nan"),
        (VALUE, (0, INF, 1, "i32"), "stop must be finite"),
        (VALUE, (0, 1, -INF, "f32"), "step must be finite"),
        (VALUE, (0, 5, 0, "i32"), "step must not be 0, got 0"),
        (VALUE, (0, 0, 0.5, "i32"), "step must not truncate to 0 in an integral output type, got 0.5"),
        *[(VALUE, (wrong, 5, 1, "i32"), "start must be a scalar") for wrong in ([0], np.array([0]))],
        (VALUE, (-1e308, 1e308, 1e-300, "f64"), "step must give a number of elements that float64"),
        (VALUE, (0, 10**400, 1, "f64"), r"stop must be between -2\^1023 and 2\^1023 .*, got an integer"),
        (DTYPE, (True, 5, 1, "i32"), "start must be a real number, got True"),
        *[(DTYPE, (0, stop, 1, "i32"), "stop must be a real number") for stop in (np.bool_(1), 5j, "5")],
        (DTYPE, (0, 5, None, "i32"), "step must be a real number"),
    ],
    "onnx.range": [
        (VALUE, (0, 5, 0), "delta must not be 0, got 0"),
        (VALUE, (np.float32("nan"), 5, 1), "start must not be NaN"),
        (VALUE, (0, np.float32("inf"), 1), ".* must "),
        (VALUE, (np.int8(0), 128, 1), "limit must be a value that int8 can express, got 128"),
        (DTYPE, (np.int8(0), 3, 1.5), "delta must be an integer, for a range of int8, got 1.5"),
        (DTYPE, (np.int8(0), np.int16(3), 1), "limit must have the type of the other inputs, int8"),
        *[(DTYPE, (wrong, 3, 1), "start must be a real number") for wrong in (True, np.complex64(1))],
        (VALUE, ([0], 3, 1), "start must be a scalar"),
    ],
    "tensorflow.range": [
        (VALUE, (0, 5, 0), "delta must not be 0, got 0"),
        *[(VALUE, numbers, "delta must lead from start to limit") for numbers in ((0, 5, -1), (5, 0, 1))],
        (VALUE, (2**63,), "start must be a value that int64 can express"),
        (DTYPE, (1.5, None, 1, "i32"), "start must be an integer, for a range of int32, got 1.5"),
        (DTYPE, (1.5, None, 1, "f16"), "dtype must not be a float type of less than 32 bits"),
        (DTYPE, (np.int16(5),), "start must be of type int32, int64, float32, float64"),
        (VALUE, (0, float("nan")), "limit must not be NaN"),
        (DTYPE, ("3",), "start must be a real number"),
    ],
}


@pytest.mark.parametrize("op", ERRORS)
def test_errors(op: str) -> None:
    for home, (error, arguments, message) in itertools.product((fo, fo.plan), ERRORS[op]):
        call: Any = home
        for name in op.split("."):
            call = getattr(call, name)
        with pytest.raises(error, match=f"^{op}: {message}"):
            call(*arguments)
    for rest in ((1e300, 1, "f32"), (10**400, 1, "i64")):
        with pytest.raises(fo.OutputError, match=r"^range: the output must fit in memory"):
            fo.range(0, *rest)


def test_inputs_count_by_their_own_values() -> None:
    assert fo.range(np.uint64(2**64 - 2), 2**64, np.int8(1), "u64").tolist() == [2**64 - 2, 2**64 - 1]
    assert len(fo.range(np.float64(0), np.array(1.0), 0.1, "f16")) == 10
    assert len(fo.range(ml_dtypes.bfloat16(0), ml_dtypes.bfloat16(1), ml_dtypes.bfloat16(0.1), "f32")) == 10
    assert fo.range(1.7, 6.9, 1.9, "i64").tolist() == [1, 2, 3, 4, 5]
    # Integers of any size are exact, and those beyond the type wrap.
    assert fo.range(10**400, 0, -(10**399), "u8").tolist() == [(10**400 - i * 10**399) % 256 for i in range(10)]


def test_floats_of_onnx_are_counted_in_float64() -> None:
    """Counts of tenths in float32 equal those of exact arithmetic; computed in float32, many would be one more."""
    assert len(fo.onnx.range(np.float32(0.9), np.float32(3.3), np.float32(0.1))) == 24
    for a, b, c in itertools.product(range(-60, 61, 14), range(-60, 61, 3), (-20, -7, -1, 1, 3, 13)):
        first, last, step = (np.float32(n / 10) for n in (a, b, c))
        exact = (Fraction(float(last)) - Fraction(float(first))) / Fraction(float(step))
        assert fo.plan.onnx.range(first, last, step).count == max(math.ceil(exact), 0)
    assert fo.onnx.range(np.float32(0), np.float32(5), np.float32("inf")).shape == (0,)


def test_a_type_with_metadata_is_not_kept_for_equal_types() -> None:
    described = np.dtype("i4", metadata={"unit": "s"})
    for call in (lambda own: fo.range(0, 3, 1, own), fo.plan.range(0, 3, 1, "i32")):
        call(described)
        assert call(np.dtype("i4")).dtype.metadata is None


def test_plans_of_floats_have_no_integral_type() -> None:
    plan = fo.plan.range(0.0, 2.0, 0.5, "f32")
    with pytest.raises(fo.DTypeError, match=r"^plan: output_type must be a float type"):
        plan("i32")
    assert plan("f64").tolist() == [0.0, 0.5, 1.0, 1.5]
