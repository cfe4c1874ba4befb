"""Index lists: every integer type, and nothing else."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo

Array = np.ndarray[Any, Any]


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8"])
def test_indices_of_every_integer_type(dtype: str) -> None:
    data = np.arange(10)
    begin, end = np.array([2], dtype), np.array([np.iinfo(dtype).max], dtype)
    assert fo.strided_slice(data, begin, end).tolist() == data[2:].tolist()
    assert fo.slice(data, begin, begin).tolist() == [2, 3]
    assert [len(p) for p in fo.variadic_split(data, begin[0] - begin[0], np.array([4, 6], dtype))] == [4, 6]


def test_indices_of_ml_dtypes() -> None:
    assert fo.strided_slice(np.arange(10), np.array([-8], ml_dtypes.int4), np.array([7], ml_dtypes.int4)).tolist() == [
        2,
        3,
        4,
        5,
        6,
    ]


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


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", ["int4", "uint2", "int2"])
def test_single_integers_of_ml_dtypes(place: str, dtype: str) -> None:
    kind: Any = getattr(ml_dtypes, dtype)
    expected = PLACES[place](1)
    for one in (kind(1), np.array(1, kind)):
        assert np.array_equal(PLACES[place](one), expected)


def test_single_floats_of_ml_dtypes_are_no_integers() -> None:
    for place in PLACES.values():
        for one in (ml_dtypes.bfloat16(1), np.array(1, ml_dtypes.float8_e4m3fn)):
            with pytest.raises(fo.DTypeError):
                place(one)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", ["i8", "u1", "?", ml_dtypes.int4])
def test_what_a_mask_hides_is_no_integer(place: str, dtype: Any) -> None:
    with pytest.raises(fo.DTypeError):
        PLACES[place](np.ma.array(1, dtype, mask=True))
    with pytest.raises(fo.DTypeError):
        PLACES[place](np.ma.masked)


@pytest.mark.parametrize("place", PLACES)
def test_masked_arrays_without_masked_entries_are_integers(place: str) -> None:
    assert np.array_equal(PLACES[place](np.ma.array(1)), PLACES[place](1))


def test_what_a_mask_hides_is_no_number_of_a_range() -> None:
    hidden = np.ma.array(1, mask=True)
    for numbers in ((hidden, 3, 1), (0, hidden, 1), (0, 3, hidden)):
        with pytest.raises(fo.DTypeError, match="must be a real number"):
            fo.range(*numbers, "i64")
    assert fo.range(np.ma.array(1), 3, 1, "i64").tolist() == [1, 2]


@pytest.mark.parametrize("place", PLACES)
def test_tensors_without_memory_are_errors_with_what_pytorch_says(place: str) -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(fo.AttributeValueError, match="must hold numbers that PyTorch can read") as raised:
        PLACES[place](torch.ones((), dtype=torch.int64, device="meta"))
    assert isinstance(raised.value.__cause__, RuntimeError | TypeError)


def test_lists_that_are_tensors_without_memory_are_errors_with_what_pytorch_says() -> None:
    torch = pytest.importorskip("torch")
    one = torch.zeros(1, dtype=torch.int64, device="meta")
    scalar = torch.zeros((), device="meta")
    calls: list[Callable[[], Any]] = [
        lambda: fo.slice(ROW, one, [1]),
        lambda: fo.strided_slice(ROW, [0], [1], begin_mask=[scalar.bool()]),
        lambda: fo.windows(ROW, one[None], [2]),
        lambda: fo.windows(ROW, [one], [2]),
        lambda: fo.windows(ROW.reshape(5, 1), [[0]], [1], items=one),
        lambda: fo.numpy.pad(ROW, one),
        lambda: fo.torch.pad(torch.zeros(3), [one[0], 1]),
        lambda: fo.torch.flip(torch.zeros(3), one),
        lambda: fo.numpy.pad(ROW, 1, constant_values=scalar),
        lambda: fo.numpy.pad(ROW, 1, constant_values=[scalar]),
        lambda: fo.numpy.pad(ROW, 1, constant_values=[(1, scalar)]),
        lambda: fo.slice(ROW, [-1], [3], mode="fill", fill_value=scalar),
    ]
    for call in calls:
        with pytest.raises(fo.AttributeValueError, match="must hold numbers that PyTorch can read") as raised:
            call()
        assert isinstance(raised.value.__cause__, RuntimeError | TypeError)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "complex64"])
def test_tensors_of_other_types_are_no_integers_whether_numpy_reads_them_or_not(dtype: str) -> None:
    torch = pytest.importorskip("torch")
    numbers = torch.ones((1, 1), dtype=getattr(torch, dtype), requires_grad=True)
    calls: list[Callable[[], Any]] = [
        lambda: fo.windows(ROW, numbers, [2]),
        lambda: fo.windows(ROW, [numbers[0]], [2]),
        lambda: fo.slice(ROW, numbers[0], [2]),
        lambda: fo.numpy.pad(ROW, numbers),
        lambda: fo.numpy.pad(ROW, [numbers[0, 0], 1]),
        lambda: fo.numpy.roll(ROW, numbers[0]),
    ]
    for call in calls:
        with pytest.raises(fo.DTypeError):
            call()


@pytest.mark.parametrize(
    "bad", [[1.0], [True], np.array([1.0]), np.array([True]), np.array([], bool), ["1"], "1", [None], None, 1.0, {1}]
)
def test_floats_booleans_and_strings_are_no_indices(bad: Any) -> None:
    data = np.arange(5)
    calls = [
        lambda: fo.strided_slice(data, bad, [3]),
        lambda: fo.strided_slice(data, [1], bad),
        lambda: fo.variadic_split(data, 0, bad),
        lambda: fo.slice(data, bad, [1]),
        lambda: fo.slice(data, [0], bad),
        lambda: fo.plan.slice((5,), bad, [1]),
    ]
    if bad is not None:
        calls += [lambda: fo.strided_slice(data, [1], [3], bad), lambda: fo.slice(data, [0], [1], axes=bad)]
    # A float equals an integer as a key: the caches must not take one for the other.
    fo.strided_slice(data, [1], [3], [1])
    fo.slice(data, [1], [1])
    for call in calls:
        with pytest.raises(fo.DTypeError):
            call()


@pytest.mark.parametrize("bad", [1, [[1]], np.array(1), np.array([[1]]), [(1,)]])
def test_nested_lists_and_scalars_are_no_lists(bad: Any) -> None:
    with pytest.raises(fo.AttributeValueError, match="begin must be a list of integers"):
        fo.strided_slice(np.arange(5), bad, [3])


def test_sequential_results_do_not_depend_on_the_cache() -> None:
    data = np.arange(24).reshape(4, 6)
    for begin, end in itertools.product(range(-5, 6), repeat=2):
        for _ in range(2):
            np.testing.assert_array_equal(fo.strided_slice(data, [begin], [end]), data[begin:end])
            np.testing.assert_array_equal(fo.strided_slice(data.T, [begin], [end]), data.T[begin:end])
            np.testing.assert_array_equal(fo.strided_slice(data.astype("u1"), [begin], [end]), data[begin:end])
