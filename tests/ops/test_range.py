"""Range-4: the names of types, errors, and what is remembered of earlier calls."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo

#: Names of OpenVINO's and of NumPy's, each with the type that it stands for, and types themselves.
NAMES = """
    i8=int8 u8=uint8 i64=int64 f64=float64 bf16=bfloat16 bfloat16=bfloat16 f8e4m3=float8_e4m3fn f8e5m2=float8_e5m2
    i4=int4 <i4=int32 >f4=>f4 |i1=int8 e=float16
"""
TYPES: dict[Any, Any] = dict(each.split("=") for each in NAMES.split())
TYPES |= {np.dtype(">u2"): ">u2", int: "int", float: "f8", ml_dtypes.float8_e4m3fnuz: "float8_e4m3fnuz"}


def test_output_types() -> None:
    # Those of NumPy's names that are no names of OpenVINO's.
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


NAN, INF = float("nan"), float("inf")
ERRORS: list[tuple[type[fo.FastopsError], tuple[Any, ...], str]] = [
    (fo.AttributeValueError, (NAN, 1, 1, "f32"), "start must be finite, got nan"),
    (fo.AttributeValueError, (0, INF, 1, "i32"), "stop must be finite"),
    (fo.AttributeValueError, (0, 1, -INF, "f32"), "step must be finite"),
    (fo.AttributeValueError, (0, 5, 0, "i32"), "step must not be 0, got 0"),
    (fo.AttributeValueError, (0, 0, 0.5, "i32"), "step must not truncate to 0 in an integral output type, got 0.5"),
    *[(fo.AttributeValueError, (wrong, 5, 1, "i32"), "start must be a scalar") for wrong in ([0], np.array([0]))],
    (fo.AttributeValueError, (-1e308, 1e308, 1e-300, "f64"), "step must give a number of elements that float64"),
    (fo.AttributeValueError, (0, 10**400, 1, "f64"), r"stop must be below 2\^1023 .*, got an integer"),
    (fo.DTypeError, (True, 5, 1, "i32"), "start must be a real number, got True"),
    *[(fo.DTypeError, (0, stop, 1, "i32"), "stop must be a real number") for stop in (np.bool_(1), 5j, "5")],
    (fo.DTypeError, (0, 5, None, "i32"), "step must be a real number"),
    *[
        (fo.OutputError, (0, *rest), "the output must fit in memory")
        for rest in ((1e300, 1, "f32"), (10**400, 1, "i64"))
    ],
]


def test_errors() -> None:
    for error, arguments, message in ERRORS:
        with pytest.raises(error, match=f"^range: {message}"):
            fo.range(*arguments)


def test_inputs_count_by_their_own_values() -> None:
    assert fo.range(np.uint64(2**64 - 2), 2**64, np.int8(1), "u64").tolist() == [2**64 - 2, 2**64 - 1]
    assert len(fo.range(np.float64(0), np.array(1.0), 0.1, "f16")) == 10
    assert len(fo.range(ml_dtypes.bfloat16(0), ml_dtypes.bfloat16(1), ml_dtypes.bfloat16(0.1), "f32")) == 10
    assert fo.range(1.7, 6.9, 1.9, "i64").tolist() == [1, 2, 3, 4, 5]
    # Integers of any size are exact, and those beyond the type wrap; floats are not accumulated.
    assert fo.range(10**400, 0, -(10**399), "u8").tolist() == [(10**400 - i * 10**399) % 256 for i in range(10)]
    assert fo.range(250, 260, 2, "u8").tolist() == [250, 252, 254, 0, 2]
    assert [int(v) for v in fo.range(6, 11, 1, "i4")] == [6, 7, -8, -7, -6]
    assert fo.range(0, 1000, 0.1, "f32")[9999] == np.float32(9999) * np.float32(0.1)


def test_zeros_of_both_signs_are_told_apart() -> None:
    for start in (0.0, -0.0, 0.0):
        # The sign of 0.0 + 0 * -1.0, and of -0.0 + 0 * -1.0.
        for values in (fo.range(start, -1, -1, "f32"), fo.plan.range(start, -1.0, -1.0, "f32")("f32")):
            assert np.signbit(values[0]) == np.signbit(np.float32(start))
        assert np.signbit(fo.plan.RangePlan(-0.0, start, 3)("f32")).tolist() == [math.copysign(1, start) < 0] * 3


def test_equal_arguments_of_other_types_are_other_calls() -> None:
    class Pretender(int):
        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return hash(1)

    one, two, nine = Pretender(1), Pretender(2), Pretender(9)
    for _ in range(3):
        for start, step in ((1, 1), (1.0, 1.0), (np.int8(1), np.float16(1))):
            assert fo.range(start, 3, step, "f32").tolist() == [1.0, 2.0]
        assert fo.range(2**53, 2**53 + 2, 1, "i64").tolist() == [2**53, 2**53 + 1]
        assert len(fo.range(2**53, float(2**53 + 2), 1, "f64")) == 2
        for start, step in ((True, 1), (1, np.bool_(True))):
            with pytest.raises(fo.DTypeError, match="must be a real number, got"):
                fo.range(start, 3, step, "f32")
        assert fo.range(1, 3, 1, np.dtype("f4")).dtype == fo.range(1, 3, 1, ">f4").dtype.newbyteorder()
        assert [fo.range(1, 3, 1, name).dtype.name for name in ("i8", "int8", int)] == ["int8", "int8", "int64"]
        # Numbers that pretend to be others are not remembered.
        for numbers, expected in (
            ((1, 9, 4), [1, 5]),
            ((two, nine, Pretender(3)), [2, 5, 8]),
            ((one, nine, 5), [1, 6]),
        ):
            assert fo.range(*numbers, "i32").tolist() == expected


def test_types_that_change_are_not_remembered() -> None:
    class Changing:
        dtype = np.dtype("i4")

    plan = fo.plan.range(0, 3, 1, "i32")
    for dtype in (np.dtype("i4"), np.dtype("f8")) * 2:
        Changing.dtype = dtype
        assert fo.range(0, 3, 1, Changing).dtype == dtype  # type: ignore[arg-type]
        assert plan(Changing).dtype == dtype
    described = np.dtype("i4", metadata={"unit": "s"})
    for call in (lambda own: fo.range(0, 3, 1, own), plan, lambda own: fo.range(0, 3, 1, own), plan):
        call(described)
        assert call(np.dtype("i4")).dtype.metadata is None


def test_small_ranges_check_out() -> None:
    plan = fo.plan.range(0, 4, 1, "f32")
    for call in (lambda out: fo.range(0, 4, 1, "f32", out=out), lambda out: plan("f32", out=out)):
        plain, strided, unaligned = np.zeros(4, "f4"), np.zeros(8, "f4")[::-2], np.zeros(17, "u1")[1:].view("f4")
        for out in (plain, plain, strided, unaligned):
            out[:] = 7
            assert call(out) is out
            assert out.tolist() == [0, 1, 2, 3]
        # Contiguous, as the output of a call before.
        read_only = np.frombuffer(bytes(16), np.float32)
        masked, swapped = np.ma.zeros(4, np.float32), np.zeros(4, ">f4")
        for wrong in (plain[:3], np.zeros(5, np.float32), plain[:, None], swapped, read_only, masked, [0] * 4):
            with pytest.raises(fo.OutputError, match=": out must"):
                call(wrong)


def test_plans_of_floats_have_no_integral_type() -> None:
    plan = fo.plan.range(0.0, 2.0, 0.5, "f32")
    for _ in range(2):
        with pytest.raises(fo.DTypeError, match=r"^plan: output_type must be a float type"):
            plan("i32")
        assert plan("f64").tolist() == [0.0, 0.5, 1.0, 1.5]
