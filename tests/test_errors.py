"""Errors: one grammar, fields, pickling, values of any size."""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Callable

import numpy as np
import pytest

import fastops as fo


def test_the_grammar_and_the_fields() -> None:
    with pytest.raises(fo.OutOfBoundsError) as info:
        fo.slice(np.zeros((3, 4)), [0, 9], [3, 1])
    error = info.value
    assert str(error) == "slice: start must be in 0..3 in mode strict_bounds, got 9 (axis 1, extent 4)"
    assert (error.op, error.attribute, error.rule, error.got, error.axis, error.extent) == (
        "slice",
        "start",
        "be in 0..3 in mode strict_bounds",
        9,
        1,
        4,
    )


@pytest.mark.parametrize("cls", [fo.AttributeValueError, fo.OutOfBoundsError, fo.DTypeError, fo.OutputError])
def test_errors_survive_pickling(cls: type[fo.FastopsError]) -> None:
    error = cls("slice", "size", "be at least 0", (1, -2), 1, 5)
    read = pickle.loads(pickle.dumps(error))
    assert type(read) is cls
    assert str(read) == str(error) == "slice: size must be at least 0, got (1, -2) (axis 1, extent 5)"


def test_an_axis_that_is_not_there_is_numpys_error() -> None:
    with pytest.raises(np.exceptions.AxisError) as info:
        fo.numpy.flip(np.zeros((3, 4)), (0, -3))
    error = info.value
    assert isinstance(error, fo.AxisError)
    assert isinstance(error, fo.AttributeValueError)
    assert isinstance(error, IndexError)
    for each in (error, pickle.loads(pickle.dumps(error))):
        assert str(each) == "numpy.flip: axis must be in -2..1, for data of rank 2, got -3"
        assert (each.op, each.attribute, each.got, each.axis, each.ndim) == ("numpy.flip", "axis", -3, -3, 2)
        assert each.extent is None


@pytest.mark.parametrize(
    ("got", "shown"),
    [
        ([10**5000], "[an integer of 16610 bits]"),
        (np.zeros((1000, 1000)), "an array of shape (1000, 1000) and dtype float64"),
        (np.float32(1.5), "np.float32(1.5)"),
        (list(range(10**6)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, ...]"),
        (np.ndarray, "<class 'numpy.ndarray'>"),
    ],
)
def test_values_of_any_size_are_shown_short(got: object, shown: str) -> None:
    assert str(fo.DTypeError("op", "x", "be short", got)) == f"op: x must be short, got {shown}"


@pytest.mark.parametrize("text", ["a\nb", "a\r\n b", "a\u2028b", "a\x0bb" * 1000])
def test_a_message_is_one_short_line_whatever_a_value_prints(text: str) -> None:
    class Printed:
        def __repr__(self) -> str:
            return text

    for error in (fo.DTypeError("op", "x", "be short", Printed()), fo.DTypeError("op", "x", text, [Printed()] * 99)):
        assert len(str(error).splitlines()) == 1
        assert len(str(error)) < 1000


def test_a_value_that_is_large_is_not_printed_to_be_cut() -> None:
    ring: list[object] = []
    ring.append(ring)
    nested: list[object] = [0] * 16
    for _ in range(8):
        nested = [nested] * 16
    for value in (ring, nested, bytes(10**8), dict.fromkeys(range(10**6)), range(10**18), np.zeros((1,) * 64)):
        started = time.perf_counter()
        assert len(str(fo.DTypeError("op", "x", "be short", value))) < 1000
        assert time.perf_counter() - started < 0.5


def test_a_value_that_cannot_be_printed_is_no_second_error() -> None:
    class Unprintable:
        def __repr__(self) -> str:
            raise RuntimeError

    assert "Unprintable" in str(fo.DTypeError("op", "x", "be printable", Unprintable()))


class OddText(str):
    """What may come out of `__repr__`."""

    __slots__ = ()

    def __format__(self, _: str) -> str:
        raise ValueError(self)


class OddRepr:
    def __repr__(self) -> str:
        return OddText("odd")


class NoRepr:
    def __repr__(self) -> str:
        raise ValueError("no")


@pytest.mark.parametrize("got", [OddRepr(), NoRepr(), list(range(10**6)), 10**5000], ids=type)
def test_errors_have_a_short_representation_whatever_they_hold(got: object) -> None:
    error = fo.DTypeError("op", "x", "be short", got)
    assert repr(error) == f"DTypeError({str(error)!r})"
    assert len(repr(error)) < 300


def test_members_of_an_enum_are_shown_as_they_are() -> None:
    assert str(fo.DTypeError("op", "x", "be short", fo.SampleMode.WRAP)).endswith("got <SampleMode.WRAP: 1>")


def test_plans_have_a_representation_whatever_their_integers() -> None:
    axis = fo.plan.AxisMap.create(10**5000, 0, 1, 1)
    assert repr(axis).startswith(
        "AxisMap(extent=an integer of 16610 bits, start=0, stride=1, count=1, mode=<SampleMode"
    )
    assert "an integer of 16610 bits" in repr(fo.plan.range(0, 10**5000, 1, "i64"))
    assert "shape=(an integer of 16610 bits,)" in repr(fo.plan.SlicePlan.create([fo.plan.AxisMap.whole(10**5000)]))


def raised(call: Callable[[], object]) -> fo.FastopsError:
    with pytest.raises(fo.FastopsError) as info:
        call()
    return info.value


@pytest.mark.parametrize(
    ("call", "public", "others"),
    [
        (lambda: fo.numpy.flip(np.zeros(3), 1), fo.AxisError, (np.exceptions.AxisError,)),
        (lambda: fo.numpy.moveaxis(np.zeros(3), [[0]], 0), fo.AttributeValueError, (ValueError, TypeError)),
        (lambda: fo.plan.torch.flip((3,), [1]), fo.AxisError, (np.exceptions.AxisError, RuntimeError)),
        (lambda: fo.plan.torch.roll((3,), []), fo.AttributeValueError, (ValueError, RuntimeError)),
        (lambda: fo.plan.torch.flip((3,), [0.5]), fo.DTypeError, (TypeError, RuntimeError)),
    ],
)
def test_errors_that_are_of_several_classes_are_public_ones_by_name(
    call: Callable[[], object], public: type[Exception], others: tuple[type[Exception], ...]
) -> None:
    error = raised(call)
    error.add_note("a note")
    for each in (error, pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(each) is type(error)
        assert isinstance(each, public)
        assert all(isinstance(each, other) for other in others)
        assert (type(each).__module__, type(each).__qualname__) == ("fastops", public.__name__)
        assert (str(each), each.op, each.__notes__) == (str(error), error.op, ["a note"])


def test_only_errors_of_a_frameworks_own_operators_are_what_the_framework_raises() -> None:
    for call in (lambda: fo.numpy.tile(np.zeros(3), -1), lambda: fo.variadic_split(np.zeros(3), 0, [9])):
        assert not isinstance(raised(call), RuntimeError)
    assert type(fo.AttributeValueError("numpy.tile", "reps", "be at least 0", -1)) is fo.AttributeValueError
