"""Integers of every type and size in every position give exact results or errors, and take little memory."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import has_torch, without_numpy
from tests.helpers.hostile_values import LISTS, NUMBERS, ROW, Place, extremes_of
from tests.helpers.processes import peak_of
from tests.helpers.seeds import noted

EXTREMES = extremes_of(31, 62, 63, 64)
DATA = np.arange(20.0).reshape(4, 5)
BAD_VALUE, BAD_OUTPUT, PLAN = fo.AttributeValueError, fo.OutputError, fo.plan.slice((4, 5), [0, 0], [2, 2])


def _fill_of(dtype: str) -> Callable[[int], Any]:
    return lambda n: n if np.iinfo(dtype).min <= n <= np.iinfo(dtype).max else BAD_VALUE


# Arguments that take one number, which may be a float.
REALS = {
    "start": Place(lambda n: fo.plan.range(n, 2**63, 2**60, "i64").count, lambda n: max(0, -(-(2**63 - n) // 2**60))),
    "stop": Place(lambda n: fo.plan.range(0, n, 1, "u64").count, lambda n: max(n, 0)),
    "step": Place(lambda n: fo.plan.range(0, 2**64, n, "u64").count, lambda n: max(-(-(2**64) // n), 0)),
    "fill": Place(lambda n: fo.slice(ROW.astype("i8"), [5], [1], mode="fill", fill_value=n)[0], _fill_of("i8")),
    "unsigned": Place(lambda n: fo.slice(ROW.astype("u8"), [5], [1], mode="fill", fill_value=n)[0], _fill_of("u8")),
    "unread": Place(lambda n: PLAN(DATA, fill_value=n), lambda _: DATA[:2, :2]),
}
# Calls that use an integer of Python in several arguments, or multiply it.
SEVERAL = {
    "lengths": Place(lambda n: fo.variadic_split(DATA, 0, [n, -n, -1]), BAD_VALUE),
    "a size": Place(lambda n: fo.slice(DATA, [0, 0], [abs(n) * 2**40, 0], copy=False), BAD_OUTPUT),
    "a mode": Place(lambda n: fo.slice(DATA, [0, 0], [2, 2], mode=n), BAD_VALUE),
    "a whole axis": Place(lambda n: fo.plan.SlicePlan([fo.plan.AxisMap.whole(abs(n))])(DATA), BAD_VALUE),
    "a range": Place(lambda n: fo.plan.RangePlan(n, n, abs(n) * 2**32)("i64"), BAD_OUTPUT),
    "a count": Place(lambda n: fo.plan.RangePlan(0, 1, n).shape, lambda n: (n,) if n > 0 else BAD_VALUE),
}


def outcome(call: Callable[[Any], Any], value: Any) -> Any:
    """Return the result of a call, or the fields of its error without the value."""
    try:
        result = call(value)
    except fo.FastopsError as error:
        assert str(error)  # noqa: PT017
        return type(error), error.op, error.attribute, error.rule, error.axis, error.extent
    str(result)
    return result


@pytest.mark.parametrize("places", [LISTS, NUMBERS, REALS, SEVERAL], ids=["lists", "numbers", "reals", "several"])
def test_extremes_give_the_one_right_answer_without_memory(places: dict[str, Place]) -> None:
    for name, place in places.items():
        for n in EXTREMES if place.right else ():
            right = place.right if isinstance(place.right, type) else place.right(n)
            value = [n] if places is LISTS else n
            expected = outcome(place.call, value)
            result, peak = peak_of(partial(outcome, place.call, value))
            with noted(name, n):
                assert peak < 1 << 18
                if isinstance(right, type):
                    assert issubclass(result[0], right)
                else:
                    assert np.array_equal(result, right)
                # NumPy integers must have the same outcome.
                for kind in (np.int64, np.uint64) if places is not SEVERAL else ():
                    if np.iinfo(kind).min <= n <= np.iinfo(kind).max:
                        array = np.array(value, kind)
                        swapped = array.astype(array.dtype.newbyteorder())
                        for each in (array, swapped, (kind(n),) if places is LISTS else kind(n)):
                            assert np.array_equal(outcome(place.call, each), expected), repr(each)


def test_integers_of_every_type() -> None:
    for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", ">i4", ">u4", "int4", "uint4", "uint2", "int2"):
        one = np.array(1, getattr(ml_dtypes, dtype, dtype))
        for places, forms in ((LISTS, [one[None], [one[()]]]), (NUMBERS, [one, one[()], np.ma.array(one)])):
            for name, place in places.items():
                expected = outcome(place.call, [1] if places is LISTS else 1)
                for each in forms:
                    with noted(name, repr(each)):
                        assert str(outcome(place.call, each)) == str(expected)


def test_floats_strings_and_masked_values_are_no_integers() -> None:
    wrong = [np.ma.array(1, dtype, mask=True) for dtype in ("i8", "u1", "?", ml_dtypes.int4)]
    wrong += [np.ma.masked, ml_dtypes.bfloat16(1), np.array(1, ml_dtypes.float8_e4m3fn)]
    if has_torch():
        torch = import_module("torch")
        # NumPy could read the first of these if it did not require a gradient.
        kinds = (torch.float32, torch.bfloat16, torch.complex64)
        wrong += [torch.ones((), dtype=kind, requires_grad=True) for kind in kinds]
    for name, place in NUMBERS.items():
        for each in wrong:
            with noted(name, repr(each)), without_numpy(), pytest.raises(fo.DTypeError):
                place.call(each)
    lists = [[1.0], np.array([1.0]), ["1"], "1", [None], 1.0, {1}]
    for name, place in LISTS.items():
        # A float and an integer may be equal keys: caches must tell them apart.
        with suppress(fo.FastopsError):
            place.call([1])
        for each in lists if "mask" in name else [*lists, [True], np.array([True]), np.array([], bool)]:
            with noted(name, repr(each)), without_numpy(), pytest.raises(fo.DTypeError):
                place.call(each)
    hidden = np.ma.array(1, mask=True)
    for numbers in ((hidden, 3, 1), (0, hidden, 1), (0, 3, hidden)):
        with pytest.raises(fo.DTypeError, match="must be a real number"):
            fo.range(*numbers, "i64")


def test_tensors_without_memory_are_errors_from_those_of_pytorch() -> None:
    torch = pytest.importorskip("torch")
    one, scalar = torch.ones((), dtype=torch.int64, device="meta"), torch.zeros((), device="meta")
    calls = {
        **{name: partial(place.call, one) for name, place in NUMBERS.items()},
        **{f"list, {name}": partial(place.call, one[None]) for name, place in LISTS.items()},
        "windows": lambda: fo.windows(ROW, one[None, None], [2]),
        "items": lambda: fo.windows(ROW.reshape(5, 1), [[0]], [1], items=one[None]),
        "pads": lambda: fo.torch.pad(torch.zeros(3), [one, 1]),
        "dims": lambda: fo.torch.flip(torch.zeros(3), one[None]),
        "a value": lambda: fo.numpy.pad(ROW, 1, constant_values=scalar),
        "values": lambda: fo.numpy.pad(ROW, 1, constant_values=[(1, scalar)]),
        "a fill value": lambda: fo.slice(ROW, [-1], [3], mode="fill", fill_value=scalar),
    }
    for name, call in calls.items():
        rule = "must hold numbers that PyTorch can"
        with noted(name), without_numpy(), pytest.raises(fo.AttributeValueError, match=rule) as raised:
            call()
        assert isinstance(raised.value.__cause__, RuntimeError | TypeError), name


def test_nested_and_long_lists_scalars_and_names_are_errors() -> None:
    for bad in (1, [[1]], np.array(1), np.array([[1]]), [(1,)]):
        with pytest.raises(fo.AttributeValueError, match="begin must be a list of integers"):
            fo.strided_slice(ROW, bad, [3])  # type: ignore[arg-type]
    n = 10**6
    long: list[Any] = [[1] * n, (1,) * n, np.zeros(n, np.int8), range(2**40), "<f4," * n, "f4" * n]
    long += [np.broadcast_to(one, (2**40,)) for one in (np.int64(1), np.True_)]
    calls = {name: place.call for name, place in LISTS.items()}
    calls["all"] = lambda each: fo.strided_slice(ROW, each, each, each)
    calls["a type"] = lambda each: fo.range(0, 1, 1, each)
    for name, call in calls.items():
        for each in long:
            with noted(name, type(each)), pytest.raises(fo.FastopsError) as info:
                call(each)
            assert len(str(info.value)) < 1000


def test_limits_of_the_lengths_of_lists() -> None:
    assert fo.plan.slice([1] * 4096, [0] * 4096, [1] * 4096).shape == (1,) * 4096
    for shape in ([1] * 4097, range(4097), np.ones(4097, int)):
        with pytest.raises(fo.AttributeValueError, match="slice: shape must be a list of at most 4096 integers, got"):
            fo.plan.slice(shape, [0], [1])
    lengths = [0] * 2**20
    for given, rule in ((lengths, "sum to 4"), ([*lengths, 4], "be a list of at most 1048576 integers, got")):
        with pytest.raises(fo.AttributeValueError, match=f"split_lengths must {rule}"):
            fo.variadic_split(DATA, 0, given)


def test_views_and_copies_have_at_most_64_axes() -> None:
    call = lambda n, copy: fo.strided_slice(np.zeros(()), [0] * n, [0] * n, new_axis_mask=[1] * n, copy=copy)  # noqa: E731
    for copy in (True, False) * 2:
        assert call(64, copy).shape == (1,) * 64
        for n in (65, 1000):
            with pytest.raises(fo.OutputError, match=r"output must have at most 64 axes, got \(1, 1, 1, "):
                call(n, copy)
