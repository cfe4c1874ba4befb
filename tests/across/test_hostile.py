"""Hostile arguments, one or all at once: a call returns, or raises an error of fastops or of an argument's method.

Plans made by constructors instead of `create` raise errors, or are right on any memory.
"""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import ALL_DIALECTS, DIALECTS
from tests.helpers.hostile_calls import good_calls, hostile_calls, is_refused
from tests.helpers.hostile_values import NUMBERS, HookError, hostile_values
from tests.helpers.processes import names_of
from tests.helpers.seeds import chooser, deal, noted, scale

Array = np.ndarray[Any, Any]

#: Each position gets these values, and some drawn ones.
ALWAYS = [None, True, 1.5, "1", [1.0], [True], object(), 10**5000, np.array([1.0]), np.ma.masked_array([1], [True])]


def test_each_position_of_each_function() -> None:
    rng = chooser("hostile values")
    for name, (function, positions) in good_calls().items():
        refused: set[str] = set()
        for rounds in range(400):
            # Go on drawing: a call may ignore a hostile value because of another argument.
            if rounds >= scale(1, 20) and refused == set(positions):
                break
            choices = ({each: rng.choice(good) for each, good in positions.items()} for _ in range(10_000))
            good = next(chosen for chosen in choices if not is_refused(name, function, chosen))
            pool = rng.sample(hostile_values(rng), 30 if positions else 0)
            values = [(position, bad) for position in positions if position not in refused for bad in ALWAYS]
            values += zip(deal(rng, list(positions), len(pool)), pool, strict=True)
            for position, bad in values:
                with noted(name, position, type(bad)):
                    if is_refused(name, function, {**good, position: bad}):
                        refused.add(position)
        assert refused == set(positions), name


def test_arrays_that_span_more_than_there_is_memory_are_errors() -> None:
    for byte_strides, shape in (((2**62,), (5,)), ((-(2**63),), (2,)), ((2**62, 2**62), (3, 3))):
        wide: Array = np.lib.stride_tricks.as_strided(np.zeros(1), shape, byte_strides)
        first, one = [0] * len(shape), [1] * len(shape)
        calls: list[Callable[[], Any]] = [
            partial(fo.slice, wide, first, one),
            partial(fo.strided_slice, wide, first, one),
            partial(fo.variadic_split, wide, 0, [1, -1]),
            partial(fo.plan.slice(shape, first, one), wide),
            partial(fo.slice, np.zeros(shape), first, list(shape), out=wide),
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
    with pytest.raises(fo.DTypeError, match="fill_value must be left out, for data of"):
        fo.slice(scaled, [0], [4], mode="fill", fill_value=3)


def test_nested_slices_of_any_depth_are_errors() -> None:
    for depth in (2, 2001):
        index: Any = 1
        for _ in range(depth):
            index = slice(index)
        with pytest.raises(fo.DTypeError, match="take_slice: index must"):
            fo.numpy.take_slice(np.zeros(3), index)


def test_nested_records_of_any_depth_are_moved() -> None:
    dtype = np.dtype("u1")
    for _ in range(3000):
        dtype = np.dtype([("inner", dtype)])
    data = np.frombuffer(bytes(range(5)), dtype)
    assert fo.slice(data, [1], [3]).tobytes() == bytes([1, 2, 3])


class ArrayLike:
    """A class with a length and items, as series and tensors of other libraries are."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, k: int) -> float:
        return [3.0, 9.0][k]


def test_fields_of_several_elements_take_lists_and_array_likes() -> None:
    data = np.zeros(1, [("pair", "f4", 2)])
    for parts in ({5: 1, 7: 2}, {3.0, 9.0}, "ab", b"ab", [1, 2, 3]):
        with pytest.raises(fo.FastopsError, match="fill_value must be a value that NumPy assigns to"):
            fo.slice(data, [-1], [1], mode="fill", fill_value=(parts,))
    for pair in ([3, 9], (3, 9), np.array([3, 9]), deque([3, 9]), ArrayLike()):
        filled = fo.slice(data, [-1], [1], mode="fill", fill_value=(pair,))
        assert filled["pair"].tolist() == [[3, 9]]


def test_nested_lists_of_up_to_64_axes_are_data() -> None:
    for depth in (1, 2, 32, 64):
        lists: Any = [1, 2]
        for _ in range(depth - 1):
            lists = [lists]
        assert fo.slice(lists, [0] * depth, [1] * depth).shape == (1,) * depth
    assert fo.slice([[], ()], [0, 0], [1, 0]).shape == (1, 0)


def test_exceptions_of_hooks_are_passed_on() -> None:
    class Hook:
        def __index__(self) -> int:
            raise error

        __float__ = __array__ = __index__

    calls: list[Callable[[Any], Any]] = [
        # `numpy.pad` is left out: NumPy reads its widths, and raises errors of the same types for wrong widths.
        *[place.call for name, place in NUMBERS.items() if name not in ("a pad by name", "a pad of two")],
        lambda hook: fo.slice(hook, [0], [1]),
        lambda hook: fo.slice(np.zeros(3), [0], [1], mode=hook),
        lambda hook: fo.slice(np.zeros(3), [-1], [5], mode="fill", fill_value=hook),
        lambda hook: fo.plan.slice([hook], [0], [1]),
    ]
    for error in (HookError(), fo.DTypeError("a", "b", "be", ()), ValueError("x"), TypeError("x")):
        for i, call in enumerate(calls):
            with noted(f"call {i}"), pytest.raises(type(error)) as raised:
                call(Hook())
            assert raised.value is error


# NumPy 2.5 deprecates assignments to the shape and the dtype, which callers may still make.
pytestmark = pytest.mark.filterwarnings("ignore:Setting the .* on a NumPy array:DeprecationWarning")


def test_random_calls_raise_only_errors_of_fastops_or_hooks() -> None:
    refused = 0
    calls = scale(4000, 1_000_000)
    for i, (name, function, arguments) in zip(range(calls), hostile_calls(chooser("hostile calls")), strict=False):
        with noted(f"call {i}: {name}"):
            refused += is_refused(name, function, arguments)
    assert 100 < refused < calls - 100


def test_random_calls_are_of_all_public_functions() -> None:
    calls = good_calls()
    names = {name for name in fo.__all__ if inspect.isfunction(getattr(fo, name))}
    for dialect in DIALECTS:
        module = getattr(fo, dialect)
        own = [
            name for name in names_of(getattr(fo.plan, dialect)) if getattr(module, name) is not getattr(fo, name, None)
        ]
        names |= {f"{prefix}{dialect}.{name}" for name in own for prefix in ("", "plan.")}
    names |= {f"plan.{name}" if inspect.isfunction(getattr(fo.plan, name)) else name for name in fo.plan.__all__}
    # Plain records are left out: they check nothing. Functions that take Run or SourceWindow check it, and fastops only
    # returns the others.
    names -= {*ALL_DIALECTS, "Run", "SourceWindow", "NodePlan", "OpenPlan", "PlanList"}
    assert names <= set(calls)
    for name, (function, positions) in calls.items():
        parameters = inspect.signature(function).parameters.values()
        assert {each.name for each in parameters if each.kind is not each.VAR_KEYWORD} == positions.keys(), name


def test_plans_keep_what_they_were_checked_with() -> None:
    axes = [fo.plan.AxisMap.create(5, 0, 1, 4)]
    plan = fo.plan.SlicePlan(axes, [4])
    axes[0] = fo.plan.AxisMap.create(5, 0, 1, 2)
    assert plan(np.arange(5)).tolist() == [0, 1, 2, 3]
    # A mode may be given by its number.
    made = fo.plan.SlicePlan([fo.plan.AxisMap.create(5, -2, 1, 9, 3)])
    assert made == fo.plan.slice((5,), [-2], [9], mode="fill")


def test_range_plans_of_any_numbers() -> None:
    for number in (-(2**64), -(2**63), 2**63, 2**64, 10**400):
        assert fo.plan.RangePlan(number, 0, 3)("u64").tolist() == [number % 2**64] * 3
    with pytest.raises(fo.AttributeValueError, match="plan: start must be between -2\\^1023"):
        fo.plan.RangePlan(10**400, 0, 3)("f64")
    for number in (-(2**64), 2**64, 0.5, -0.0, 1e308):
        assert fo.plan.RangePlan(number, 0, 3)("f64").tobytes() == (np.float64(number) + np.zeros(3)).tobytes()


FIVE = fo.plan.AxisMap.whole(5)
REPEATED = fo.plan.AxisMap.create(1, 0, 0, 5)


@pytest.mark.parametrize(
    ("axis", "source_shape", "window"),
    [
        (FIVE, (0,), (0, 0, 1)),
        (FIVE, (0, 5), (1, 0, 1)),
        (REPEATED, (0,), (-1, 0, 0)),
        (fo.plan.RunMap(3, [fo.plan.Run(1, None, 0), fo.plan.Run(1, 2, 1)]), (3, 0), (0, 0, 1)),
        (FIVE, (4,), (0, 0, 1)),
        (FIVE, (5,), (0, 1, 1)),
        (FIVE, (5,), (-1, 0, 0)),
        (REPEATED, (4,), (-1, 10**30, 0)),
        (fo.plan.AxisMap.create(1, -1, 1, 5, fo.SampleMode.FILL), (4,), (0, 1, 10**30)),
        (fo.plan.AxisMap.create(0, 0, 1, 5, fo.SampleMode.FILL), (4,), (0, 10**30, 1)),
    ],
)
def test_windows_lie_in_the_source(axis: Any, source_shape: tuple[int, ...], window: tuple[int, int, int]) -> None:
    with pytest.raises(fo.AttributeValueError, match="SlicePlan: windows must"):
        fo.plan.SlicePlan([axis], None, source_shape, None, [fo.plan.SourceWindow(*window)])


def test_plans_of_fill_values_alone_take_an_empty_source() -> None:
    axis = fo.plan.AxisMap.create(0, 0, 1, 5, fo.SampleMode.FILL)
    beside = fo.plan.AxisMap.whole(3)
    windows = [fo.plan.SourceWindow(0, 0, 1), fo.plan.SourceWindow(1, 1, 1)]
    plan = fo.plan.SlicePlan([axis, beside], None, (0, 4), None, windows)
    assert plan(np.zeros((0, 4)), fill_value=7).tolist() == [[7.0] * 3] * 5


def test_runs_are_read_by_any_integer() -> None:
    runs = fo.plan.RunMap(5, [fo.plan.Run(2, None, 0), fo.plan.Run(3, 4, -2)])
    assert runs.source(np.int64(3)) == 2  # type: ignore[arg-type]
    for wrong in (True, 1.0, "a"):
        with pytest.raises(fo.DTypeError, match=r"RunMap\.source: y must be an integer"):
            runs.source(wrong)  # type: ignore[arg-type]
    with pytest.raises(fo.AttributeValueError, match="be Runs of integers"):
        fo.plan.RunMap(5, [fo.plan.Run(1, "a", 1)])  # type: ignore[arg-type]
