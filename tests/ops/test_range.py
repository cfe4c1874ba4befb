"""Range-4: the published examples, the names of types, errors."""

from __future__ import annotations

import math
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
        ("int", np.int_),
        ("uint", np.uint),
        ("float", np.float64),
        ("double", np.float64),
        ("half", np.float16),
        ("intc", np.intc),
        ("long", np.long),
        ("q", np.longlong),
        ("d", np.float64),
        ("e", np.float16),
        ("|i1", np.int8),
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
    [
        "boolean",
        "bool",
        bool,
        "f4",
        "f8",
        "u1",
        "?",
        "c8",
        "complex",
        "longdouble",
        "<i4,<i4",
        complex,
        "string",
        "S3",
        object,
        None,
        [1],
        "f 32",
        np.longdouble,
    ],
)
def test_types_that_are_no_numbers(name: Any) -> None:
    with pytest.raises(fo.DTypeError, match=r"^range: output_type must be"):
        fo.range(0, 4, 1, name)


def test_all_names_of_numpy_are_taken_as_it_takes_them() -> None:
    names = [name for name, kind in np.sctypeDict.items() if issubclass(kind, np.number)]
    dtypes = {name: np.dtype(name) for name in [*names, *np.typecodes["AllInteger"], *np.typecodes["Float"]]}
    taken = {name: dtype for name, dtype in dtypes.items() if dtype.kind in "iuf" and dtype.itemsize <= 8}
    assert {"int", "uintp", "single", "l", "float16"} < taken.keys()
    for name, dtype in taken.items():
        assert fo.range(0, 3, 1, name).dtype == dtype
        assert fo.plan.range(0.5, 3, 1, name) == fo.plan.range(0.5, 3, 1, dtype)


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


def test_equal_arguments_of_other_types_are_other_calls() -> None:
    for _ in range(3):
        assert fo.range(1, 3, 1, "f32").tolist() == [1.0, 2.0]
        assert fo.range(1.0, 3, 1.0, "f32").tolist() == [1.0, 2.0]
        assert fo.range(np.int8(1), 3, np.float16(1), "f32").tolist() == [1.0, 2.0]
        assert fo.range(2**53, 2**53 + 2, 1, "i64").tolist() == [2**53, 2**53 + 1]
        assert len(fo.range(2**53, float(2**53 + 2), 1, "f64")) == 2
        with pytest.raises(fo.DTypeError, match="start must be a real number, got True"):
            fo.range(True, 3, 1, "f32")
        with pytest.raises(fo.DTypeError, match="step must be a real number"):
            fo.range(1, 3, np.bool_(True), "f32")
        assert fo.range(1, 3, 1, np.dtype("f4")).dtype == fo.range(1, 3, 1, ">f4").dtype.newbyteorder()
        assert [fo.range(1, 3, 1, name).dtype.name for name in ("i8", "int8", int)] == ["int8", "int8", "int64"]


def test_numbers_that_pretend_to_be_others_are_not_remembered() -> None:
    class Pretender(int):
        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return hash(1)

    for _ in range(3):
        assert fo.range(1, 9, 4, "i32").tolist() == [1, 5]
        assert fo.range(Pretender(2), Pretender(9), Pretender(3), "i32").tolist() == [2, 5, 8]
        assert fo.range(Pretender(1), Pretender(9), Pretender(5), "i32").tolist() == [1, 6]


def test_types_that_change_are_not_remembered() -> None:
    class Changing:
        dtype = np.dtype("i4")

    plan = fo.plan.range(0, 3, 1, "i32")
    for _ in range(2):
        for dtype in (np.dtype("i4"), np.dtype("f8")):
            Changing.dtype = dtype
            assert fo.range(0, 3, 1, Changing).dtype == dtype  # type: ignore[arg-type]
            assert plan(Changing).dtype == dtype
    described = np.dtype("i4", metadata={"unit": "s"})
    for _ in range(2):
        fo.range(0, 3, 1, described)
        plan(described)
        assert fo.range(0, 3, 1, np.dtype("i4")).dtype.metadata is None
        assert plan(np.dtype("i4")).dtype.metadata is None


def test_a_remembered_call_checks_out() -> None:
    plan = fo.plan.range(0, 4, 1, "f32")
    for call in (lambda out: fo.range(0, 4, 1, "f32", out=out), lambda out: plan("f32", out=out)):
        for _ in range(2):
            out = np.zeros(4, np.float32)
            assert call(out) is out
            assert out.tolist() == [0, 1, 2, 3]
        apart = np.zeros(8, np.float32)
        call(apart[::-2])
        assert apart.tolist() == [0, 3, 0, 2, 0, 1, 0, 0]
        unaligned = np.zeros(17, np.uint8)[1:].view(np.float32)
        call(unaligned)
        assert unaligned.tolist() == [0, 1, 2, 3]
        read_only = np.zeros(4, np.float32)
        read_only.flags.writeable = False
        masked = np.ma.zeros(4, np.float32)
        wrong = (np.zeros(5, np.float32), np.zeros((4, 1), np.float32), np.zeros(4, ">f4"), read_only, masked, [0] * 4)
        for each in wrong:
            with pytest.raises(fo.OutputError, match=": out must"):
                call(each)


def test_plans_of_zeros_of_both_signs_are_told_apart() -> None:
    for _ in range(2):
        for start in (0.0, -0.0):
            result = fo.plan.range(start, -1.0, -1.0, "f32")("f32")
            assert np.signbit(result[0]) == np.signbit(np.float32(start) + np.float32(0) * np.float32(-1))


def test_plans_of_steps_of_zero_of_both_signs_are_told_apart() -> None:
    for step in (0.0, -0.0, 0.0):
        values = fo.plan.RangePlan(-0.0, step, 3)("f32")
        assert np.signbit(values).tolist() == [math.copysign(1, step) < 0] * 3


def test_plans_of_floats_have_no_integral_type() -> None:
    plan = fo.plan.range(0.0, 2.0, 0.5, "f32")
    for _ in range(2):
        with pytest.raises(fo.DTypeError, match=r"^plan: output_type must be a float type"):
            plan("i32")
        assert plan("f64").tolist() == [0.0, 0.5, 1.0, 1.5]
