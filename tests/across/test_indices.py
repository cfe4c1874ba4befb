"""Index lists: every integer type, and nothing else."""

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
from tests.helpers.contract import has_torch
from tests.helpers.seeds import noted

Array = np.ndarray[Any, Any]


INTEGERS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8")


def test_lists_of_integers_of_every_type() -> None:
    data = np.arange(10)
    for dtype in INTEGERS:
        begin, end = np.array([2], dtype), np.array([np.iinfo(dtype).max], dtype)
        assert fo.strided_slice(data, begin, end).tolist() == data[2:].tolist(), dtype
        assert fo.slice(data, begin, begin).tolist() == [2, 3], dtype
        parts = fo.variadic_split(data, begin[0] - begin[0], np.array([4, 6], dtype))
        assert [len(part) for part in parts] == [4, 6], dtype
    begin, end = np.array([-8], ml_dtypes.int4), np.array([7], ml_dtypes.int4)
    assert fo.strided_slice(data, begin, end).tolist() == [2, 3, 4, 5, 6]


# Every place of one integer, by what reads it; each is given a 1.
PLACES: dict[str, Callable[[Any], Any]] = {
    "a start": lambda n: fo.slice(ROW, [n], [2]),
    "an axis": lambda n: fo.slice(ROW[None], [1], [2], axes=[n]),
    "a mask": lambda n: fo.strided_slice(ROW, [1], [3], begin_mask=[n]),
    "an axis of a split": lambda n: fo.variadic_split(ROW[None], n, [2, -1])[1],
    "sections": lambda n: fo.numpy.split(ROW, [n])[1],
    "a number of sections": lambda n: fo.numpy.split(ROW, n)[0],
    "an index": lambda n: fo.numpy.take_slice(ROW, n),
    "a bound": lambda n: fo.numpy.take_slice(ROW, slice(n, None)),
    "a shift": lambda n: fo.numpy.roll(ROW, n),
    "a shift of an axis": lambda n: fo.numpy.roll(ROW, [n], [0]),
    "repeats": lambda n: fo.numpy.repeat(ROW, n),
    "turns": lambda n: fo.numpy.rot90(ROW[None], n),
    "a pad": lambda n: fo.onnx.pad(ROW, [n, n]),
    "a pad by name": lambda n: fo.numpy.pad(ROW, {0: n}),
    "a pad of two": lambda n: fo.numpy.pad(ROW, [n, 1]),
    "a start of a window": lambda n: fo.windows(ROW, [[n]], [2]),
    "a size of windows": lambda n: fo.windows(ROW, [[0]], [n]),
    "an item": lambda n: fo.windows(ROW.reshape(5, 1), [[0]], [1], items=[n]),
    "a stop of a plan": lambda n: fo.plan.AxisMap.create(5, n, 1, 2, fo.SampleMode.CLAMP).source(n),
}
ROW = np.arange(5)


def test_single_integers_of_every_kind() -> None:
    for name, place in PLACES.items():
        expected = place(1)
        for dtype in ("i1", ">i4", "int4", "uint2", "int2"):
            kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
            for one in (np.array(1, kind), np.array(1, kind)[()], np.ma.array(1)):
                assert np.array_equal(place(one), expected), (name, one)


def test_floats_and_what_a_mask_hides_are_no_integers() -> None:
    wrong = [np.ma.array(1, dtype, mask=True) for dtype in ("i8", "u1", "?", ml_dtypes.int4)]
    wrong += [np.ma.masked, ml_dtypes.bfloat16(1), np.array(1, ml_dtypes.float8_e4m3fn)]
    if has_torch():
        torch = import_module("torch")
        # NumPy reads the first of these only, if it has no gradient.
        kinds = (torch.float32, torch.bfloat16, torch.complex64)
        wrong += [torch.ones((), dtype=kind, requires_grad=True) for kind in kinds]
    for name, place in PLACES.items():
        for one in wrong:
            with noted(name, repr(one)), pytest.raises(fo.DTypeError):
                place(one)


def test_what_a_mask_hides_is_no_number_of_a_range() -> None:
    hidden = np.ma.array(1, mask=True)
    for numbers in ((hidden, 3, 1), (0, hidden, 1), (0, 3, hidden)):
        with pytest.raises(fo.DTypeError, match="must be a real number"):
            fo.range(*numbers, "i64")
    assert fo.range(np.ma.array(1), 3, 1, "i64").tolist() == [1, 2]


def test_tensors_without_memory_are_errors_with_what_pytorch_says() -> None:
    torch = pytest.importorskip("torch")
    one, scalar = torch.ones((), dtype=torch.int64, device="meta"), torch.zeros((), device="meta")
    calls = {
        **{name: partial(place, one) for name, place in PLACES.items()},
        "starts": lambda: fo.slice(ROW, one[None], [1]),
        "masks": lambda: fo.strided_slice(ROW, [0], [1], begin_mask=[scalar.bool()]),
        "windows": lambda: fo.windows(ROW, one[None, None], [2]),
        "items": lambda: fo.windows(ROW.reshape(5, 1), [[0]], [1], items=one[None]),
        "pads": lambda: fo.torch.pad(torch.zeros(3), [one, 1]),
        "dims": lambda: fo.torch.flip(torch.zeros(3), one[None]),
        "a value": lambda: fo.numpy.pad(ROW, 1, constant_values=scalar),
        "values": lambda: fo.numpy.pad(ROW, 1, constant_values=[(1, scalar)]),
        "a fill value": lambda: fo.slice(ROW, [-1], [3], mode="fill", fill_value=scalar),
    }
    for name, call in calls.items():
        with noted(name), pytest.raises(fo.AttributeValueError, match="must hold numbers that PyTorch can") as raised:
            call()
        assert isinstance(raised.value.__cause__, RuntimeError | TypeError), name


def test_floats_booleans_and_strings_are_no_indices() -> None:
    data = np.arange(5)
    calls: list[Callable[[Any], Any]] = [
        lambda bad: fo.strided_slice(data, bad, [3]),
        lambda bad: fo.strided_slice(data, [1], bad),
        lambda bad: fo.strided_slice(data, [1], [3], bad),
        lambda bad: fo.variadic_split(data, 0, bad),
        lambda bad: fo.slice(data, bad, [1]),
        lambda bad: fo.slice(data, [0], bad),
        lambda bad: fo.slice(data, [0], [1], axes=bad),
        lambda bad: fo.plan.slice((5,), bad, [1]),
    ]
    for call in calls:
        # A float equals an integer as a key: the caches must not take one for the other.
        with suppress(fo.FastopsError):
            call([1])
        for bad in ([1.0], [True], np.array([1.0]), np.array([True]), np.array([], bool), ["1"], "1", [None], 1.0, {1}):
            with noted(repr(bad)), pytest.raises(fo.DTypeError):
                call(bad)


def test_nested_lists_and_scalars_are_no_lists() -> None:
    for bad in (1, [[1]], np.array(1), np.array([[1]]), [(1,)]):
        with pytest.raises(fo.AttributeValueError, match="begin must be a list of integers"):
            fo.strided_slice(np.arange(5), bad, [3])  # type: ignore[arg-type]
