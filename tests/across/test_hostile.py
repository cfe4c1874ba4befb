"""Arguments that nobody should pass: every one gives an error of fastops, or works; nothing else ever comes out."""

from __future__ import annotations

import inspect
import itertools
import time
import warnings
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import Subject, all_operators, data_of, tables_of
from tests.helpers.hostile_values import Claiming, HookError, LyingNumber, Raising, RaisingIndex, RaisingList

HOSTILE: list[Any] = [
    None,
    True,
    1,
    -1,
    1.5,
    float("nan"),
    1j,
    "1",
    b"1",
    [],
    [1],
    [1.0],
    [None],
    ["1"],
    [[1]],
    [[1], [1, 2]],
    [True],
    [10**5000],
    [-(10**400)],
    [1] * 70,
    (1, 2, 3, 4, 5),
    {1},
    {1: 2},
    range(2),
    deque([1]),
    bytearray(b"ab"),
    memoryview(b"ab"),
    iter([1]),
    object(),
    object,
    len,
    10**5000,
    np.array(1),
    np.array([1.0]),
    np.array([[1]]),
    np.array([True]),
    np.array([None]),
    np.array([1], "M8[s]"),
    np.zeros(0),
    np.int8(1),
    np.bool_(True),
    ml_dtypes.int4(1),
    np.array([1], ml_dtypes.int4),
    np.ma.masked_array([1], [True]),
    SimpleNamespace(name="wrap"),
    SimpleNamespace(name=5, dtype=np.dtype("i8")),
    SimpleNamespace(shape=(1,), dtype=np.dtype("i8")),
    SimpleNamespace(shape=5, dtype=5),
    Raising(),
    RaisingIndex(),
    [RaisingIndex()],
    RaisingList([1]),
]

DATA = np.arange(20.0).reshape(4, 5)

# Each call with good arguments; each of them is replaced by each hostile one in turn.
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "strided_slice": (
        fo.strided_slice,
        {
            "data": DATA,
            "begin": [0, 0],
            "end": [2, 2],
            "strides": [1, 1],
            "begin_mask": [0],
            "end_mask": [0],
            "new_axis_mask": [0],
            "shrink_axis_mask": [0],
            "ellipsis_mask": [0],
            "out": None,
            "copy": True,
        },
    ),
    "variadic_split": (
        fo.variadic_split,
        {"data": DATA, "axis": 0, "split_lengths": [1, 3], "out": None, "copy": True},
    ),
    "slice": (
        fo.slice,
        {
            "data": DATA,
            "start": [0, 0],
            "size": [2, 2],
            "stride": [1, 1],
            "axes": [0, 1],
            "mode": "fill",
            "fill_value": 0,
            "out": None,
            "copy": True,
        },
    ),
    "range": (fo.range, {"start": 0, "stop": 4, "step": 1, "output_type": "f32", "out": None}),
    "plan.strided_slice": (fo.plan.strided_slice, {"shape": (4, 5), "begin": [0], "end": [2], "strides": [1]}),
    "plan.variadic_split": (fo.plan.variadic_split, {"shape": (4, 5), "axis": 0, "split_lengths": [1, 3]}),
    "plan.slice": (
        fo.plan.slice,
        {"shape": (4, 5), "start": [0, 0], "size": [2, 2], "stride": [1, 1], "axes": [0, 1], "mode": "wrap"},
    ),
    "plan.range": (fo.plan.range, {"start": 0, "stop": 4, "step": 1, "output_type": "f32"}),
    "plan()": (fo.plan.slice((4, 5), [0, 0], [2, 2]), {"data": DATA, "out": None, "fill_value": None}),
    "range plan()": (fo.plan.range(0, 4, 1, "f32"), {"output_type": "f32", "out": None}),
    "AxisMap.create": (
        fo.plan.AxisMap.create,
        {"extent": 4, "start": 0, "stride": 1, "count": 4, "mode": fo.SampleMode.WRAP},
    ),
}


def error_of(function: Callable[..., Any], arguments: dict[str, Any]) -> fo.FastopsError | None:
    """The error of a call, if it is one of fastops; another one goes on, but for what a hook has raised.

    What works must print, whatever its size.
    """
    try:
        result = function(**arguments)
    except fo.FastopsError as error:
        return error
    except HookError:
        return None
    str(result)
    return None


@pytest.mark.parametrize(
    ("name", "position"), [(name, position) for name, (_, good) in CALLS.items() for position in good]
)
def test_every_argument_in_every_position(name: str, position: str) -> None:
    function, good = CALLS[name]
    function(**good)
    errors = 0
    for bad in HOSTILE:
        error = error_of(function, {**good, position: bad})
        if error is not None:
            errors += 1
            op = "plan" if name.endswith("()") else name.removeprefix("plan.").removesuffix(".create")
            assert str(error).startswith(f"{op}: {error.attribute} must ")
            assert ", got " in str(error)
            assert "\n" not in str(error)
            assert len(str(error)) < 1000
    assert errors


@pytest.mark.parametrize(
    ("function", "position"),
    [
        pytest.param(function, name, id=f"{Subject(function).op}-{name}")
        for function in all_operators()
        for name in inspect.signature(function).parameters
    ],
)
def test_every_argument_of_a_dialect_in_every_position(function: Callable[..., Any], position: str) -> None:
    subject = Subject(function)
    call = tables_of(function)[0][0]
    data = data_of(call, subject.dtypes(call)[0])
    good = {subject.data_name: subject.own(data), **call.arguments}
    function(**good)
    errors = 0
    with warnings.catch_warnings():
        # NumPy warns of what it drops when it assigns a value.
        warnings.simplefilter("ignore")
        for bad in HOSTILE:
            error = error_of(function, {**good, position: bad})
            if error is not None:
                errors += 1
                assert str(error).startswith(f"{subject.op}: {error.attribute} must ")
                assert ", got " in str(error)
                assert "\n" not in str(error)
    assert errors


def test_pairs_of_hostile_arguments() -> None:
    function, good = CALLS["slice"]
    for one, other in itertools.product(HOSTILE, repeat=2):
        for positions in (("start", "size"), ("mode", "fill_value"), ("data", "axes")):
            error_of(function, {**good, positions[0]: one, positions[1]: other})


# --- Plans that `create` would not have made -----------------------------------------------------------------------

STRICT = fo.SampleMode.STRICT_BOUNDS


@pytest.mark.parametrize(
    "fields",
    [
        (4, 10**10, 1, 4, STRICT),
        (4, 0, 2, 4, STRICT),
        (4, 0, 1, 4, 0),
        (4, 0.0, 1, 4, STRICT),
        (4, True, 1, 1, STRICT),
        (4, 0, 1, -1, STRICT),
        (-4, 0, 1, 0, STRICT),
    ],
)
def test_maps_out_of_bounds_never_become_a_plan(fields: tuple[Any, ...]) -> None:
    with pytest.raises((fo.AttributeValueError, fo.OutOfBoundsError)):
        fo.plan.SlicePlan.create([fo.plan.AxisMap(*fields)])


def test_shapes_beside_the_counts_never_become_a_plan() -> None:
    plan = fo.plan.slice((4,), [0], [4])
    with pytest.raises(fo.AttributeValueError, match="shape must be the counts"):
        fo.plan.SlicePlan(plan.axes, (8,))
    with pytest.raises(fo.AttributeValueError, match="axes must be AxisMaps"):
        fo.plan.SlicePlan.create([(4, 0, 1, 4, STRICT)])  # type: ignore[list-item]


@pytest.mark.parametrize("fields", [("a", 1, 3), (0, float("nan"), 3), (0, 1, -3), (0, 1, 2.0), (True, 1, 3)])
def test_range_plans_hold_numbers(fields: tuple[Any, ...]) -> None:
    with pytest.raises(fo.AttributeValueError, match=r"^RangePlan: "):
        fo.plan.RangePlan(*fields)


def test_a_mode_given_as_a_number_is_that_mode() -> None:
    data = np.arange(5)
    made = fo.plan.SlicePlan.create([fo.plan.AxisMap.create(5, -2, 1, 9, 3)])
    assert made == fo.plan.slice((5,), [-2], [9], mode="fill")
    expected = [7, 7, 0, 1, 2, 3, 4, 7, 7]
    assert made(data, fill_value=7).tolist() == expected
    assert fo.slice(data, [-2], [9], mode="fill", fill_value=7).tolist() == expected


HUGE = [0] * 1_000_000


@pytest.mark.parametrize(
    "call",
    [
        lambda data: fo.slice(data, HUGE, [1]),
        lambda data: fo.slice(data, [0], HUGE),
        lambda data: fo.slice(data, [0], [1], HUGE),
        lambda data: fo.strided_slice(data, HUGE, HUGE, HUGE),
        lambda data: fo.strided_slice(data, [0], [1], begin_mask=HUGE),
        lambda data: fo.strided_slice(data, [0], [1], begin_mask=np.broadcast_to(np.True_, (1 << 40,))),
        lambda data: fo.strided_slice(data, [0], [1], shrink_axis_mask=np.broadcast_to(np.True_, (1, 1 << 40))),
        lambda data: fo.slice(data, np.broadcast_to(np.int64(0), (1 << 40,)), [1]),
        lambda _: fo.range(0, 1, 1, "<f4," * 1_000_000),
        lambda _: fo.range(0, 1, 1, "f4" * 1_000_000),
    ],
)
def test_huge_lists_and_names_are_errors_at_once(call: Callable[[Any], Any]) -> None:
    data = np.zeros(3)
    start = time.thread_time()
    with pytest.raises(fo.FastopsError):
        call(data)
    assert time.thread_time() - start < 0.05


@pytest.mark.parametrize(("byte_strides", "shape"), [((2**62,), (5,)), ((-(2**63),), (2,)), ((2**62, 2**62), (3, 3))])
def test_arrays_that_span_more_than_there_is_memory_are_errors(
    byte_strides: tuple[int, ...], shape: tuple[int, ...]
) -> None:
    wide = np.lib.stride_tricks.as_strided(np.zeros(1), shape, byte_strides)
    rank = len(shape)
    calls: list[Callable[[], Any]] = [
        lambda: fo.slice(wide, [0] * rank, [1] * rank),
        lambda: fo.strided_slice(wide, [0] * rank, [1] * rank),
        lambda: fo.variadic_split(wide, 0, [1, -1]),
        lambda: fo.plan.slice(shape, [0] * rank, [1] * rank)(wide),
        lambda: fo.slice(np.zeros(shape), [0] * rank, list(shape), out=wide),
    ]
    for call in calls:
        with pytest.raises(fo.FastopsError, match=r"must (span at most|hold each element)"):
            call()


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="longdouble is float64 here")
def test_long_doubles_count_by_their_own_values() -> None:
    first = np.longdouble(2**63)
    assert fo.range(first + 1, first + 3, 1, "u64").tolist() == [2**63 + 1, 2**63 + 2]
    assert fo.range(np.longdouble(0.5), np.longdouble(2), np.longdouble(0.5), "f32").tolist() == [0.5, 1, 1.5]
    with pytest.raises(fo.AttributeValueError, match="stop must be finite"):
        fo.range(0, np.longdouble("inf"), 1, "f32")


def test_a_type_that_numpy_does_not_know_takes_no_fill_value() -> None:
    scaled = np.zeros(3).astype(np._core._multiarray_umath._get_sfloat_dtype()(1.0))
    assert fo.slice(scaled, [0], [3]).astype("f8").tolist() == [0, 0, 0]
    with pytest.raises(fo.DTypeError, match="fill_value must be left out"):
        fo.slice(scaled, [0], [4], mode="fill", fill_value=3)


@pytest.mark.parametrize("value", [Claiming(list), Claiming(tuple), LyingNumber(), np.ndarray, np.generic])
@pytest.mark.parametrize(
    "call",
    [
        lambda value: fo.numpy.pad(np.zeros(3), [value]),
        lambda value: fo.numpy.pad(np.zeros((3, 3)), {0: value, 1: "no width"}),
        lambda value: fo.numpy.roll(np.zeros(3), [value, None]),
        lambda value: fo.numpy.roll(np.zeros(3), [1.5, value]),
        lambda value: fo.windows(np.zeros(3), [[0]], [1], [value, None]),
        lambda value: fo.windows(np.zeros(3), [[0]], [1], value if type(value) is not LyingNumber else None),
        lambda value: fo.plan.slice((3, 3), [0, 0], [1, 1]).transpose([value, None]),
        lambda value: fo.plan.slice((3, 3), [0, 0], [1, 1]).transpose(value),
    ],
)
def test_what_types_and_classes_say_of_themselves_is_an_error_of_ours(call: Callable[[Any], Any], value: Any) -> None:
    with pytest.raises(fo.FastopsError):
        call(value)
