"""Operators in users' compiled code: their errors, and their results, which are those of NumPy or of calls from Python.

Numba compiles an operator for each type of its arguments, for half a second or more. So the functions here call several
operators, and arrays have few types. Arrays in C or Fortran order and read-only arrays have types of their own.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from numba import njit, prange
from numba.typed import List

import fastops as fo
import fastops.numba
from fastops._geometry._sample_mode import MODE_RULE, MODE_WORDS
from tests.helpers.seeds import scale

PADS = ("constant", "edge", "reflect", "symmetric", "wrap")
MODES = ("wrap", "clamp", "fill", "reflect", "symmetric", "strict_bounds")


@njit
def pad_and_transpose(array: Any, pad_width: Any, mode: Any, axes: Any) -> Any:
    return fo.numpy.pad(array, pad_width, mode), fo.numpy.transpose(array, axes)


@njit
def tile_and_roll(array: Any, reps: Any, shift: Any, axis: Any) -> Any:
    tiled, rolled = fo.numpy.tile(array, reps), fo.numpy.roll(array, shift, axis)
    return tiled, rolled, fo.numpy.roll(array, shift[0]), fo.numpy.flip(array, axis[0])


@njit
def slice_(array: Any, start: Any, size: Any, stride: Any, mode: Any) -> Any:
    return fo.slice(array, start, size, stride, mode=mode)


@njit
def windows(array: Any, starts: Any, size: Any, mode: Any) -> Any:
    return fo.windows(array, starts, size, mode=mode)


def assert_equal(results: Any, expected: Any, *case: Any) -> None:
    for result, array in zip(results, expected, strict=True):
        assert result.dtype == array.dtype
        assert result.flags.c_contiguous
        np.testing.assert_array_equal(result, array, err_msg=repr(case), strict=True)


def scattered(rng: random.Random, shape: tuple[int, ...], dtype: Any) -> Any:
    """An array with gaps, whose axes are in any order in memory, some with negative strides."""
    order = rng.sample(range(len(shape)), len(shape))
    array = np.arange(1, np.prod(shape) * 2 ** len(shape) + 1).astype(dtype).reshape([2 * shape[k] for k in order])
    steps = [slice(None, None, rng.choice((-2, 2))) for _ in shape]
    return array[tuple(steps)].transpose(np.argsort(order))


def check_numpy(array: Any, rng: random.Random, *, rolls: bool = True) -> None:
    rank = array.ndim
    widths = tuple((rng.randint(0, 60 // rank**2), rng.randint(0, 60 // rank**2)) for _ in range(rank))
    mode: Any = rng.choice(PADS if array.size else PADS[:1])
    order = tuple(k - rng.choice((0, rank)) for k in rng.sample(range(rank), rank))
    expected = np.pad(array, widths, mode), array.transpose(order).copy()
    assert_equal(pad_and_transpose(array, widths, mode, order), expected, widths, mode, order)
    if rolls:
        reps = tuple(rng.randint(0, 4 if rank < 4 else 2) for _ in range(rank + 1))
        shifts = rng.randint(-99, 99), rng.randint(-99, 99)
        axes = rng.randint(-rank, rank - 1), rng.randint(-rank, rank - 1)
        rolled = np.roll(array, shifts, axes), np.roll(array, shifts[0])
        expected = np.tile(array, reps), *rolled, np.flip(array, axes[0]).copy()
        assert_equal(tile_and_roll(array, reps, shifts, axes), expected, reps, shifts, axes)


def test_they_are_those_of_numpy() -> None:
    rng = random.Random(1)
    for _ in range(scale(100, 2000)):
        shape = rng.choice([1, 2, 3, 5, 8, 17, 40]), rng.choice([1, 2, 3, 5, 8, 17, 40])
        check_numpy(scattered(rng, shape, np.uint8), rng)
        array = np.arange(1, shape[0] * shape[1] + 1).reshape(shape)
        check_numpy(array.astype(np.float32), rng)
        array = np.asfortranarray(array)
        array.flags.writeable = False
        check_numpy(array, rng, rolls=scale(short=False, long=True))
    # Several shifts along one axis.
    assert tile_and_roll(np.arange(4), (1,), (1, 1), (0,))[1].tolist() == [2, 3, 0, 1]


def test_arrays_of_other_ranks() -> None:
    rng = random.Random(2)
    check_numpy(np.zeros((3, 0), np.float32), rng)
    for _ in range(5):
        check_numpy(np.arange(16.0).reshape((1, 2) * 4), rng)

    @njit
    def by_defaults(array: Any) -> Any:
        padded, rolled = fo.numpy.pad(array, 2, "edge"), fo.numpy.roll(array, 3)
        return padded, rolled, fo.numpy.tile(array, 2), fo.numpy.flip(array), fo.numpy.transpose(array)

    for array in (np.array(3.0), np.arange(24.0).reshape(2, 3, 4)):
        expected = np.pad(array, 2, "edge"), np.roll(array, 3), np.tile(array, 2), np.flip(array).copy(), array.T.copy()
        assert_equal(by_defaults(array), expected, array)


def test_pads_given_as_arrays() -> None:
    """The number of widths is known only when the function runs."""
    pad = njit(lambda array, widths: fo.numpy.pad(array, widths, "reflect"))
    array = np.arange(12.0).reshape(3, 4)
    for numbers in ([[1, 2], [0, 3]], [[1, 2]], [[1], [2]], [[2]], [1, 2], [2]):
        widths = np.array(numbers)
        assert_equal([pad(array, widths)], [np.pad(array, widths, "reflect")], widths)
    widths = np.array([[1, 9, 0], [2, 9, 1]], np.int16)[:, ::2]
    assert_equal([pad(array, widths)], [np.pad(array, widths, "reflect")], widths)
    widths = np.zeros((20, 2), np.int64)
    widths[7] = 1, 0
    of_many = np.arange(2.0).reshape((1,) * 7 + (2,) + (1,) * 12)
    assert_equal([pad(of_many, widths)], [np.pad(of_many, widths, "reflect")])
    assert_equal([pad(array, List([(1, 2), (0, 3)]))], [np.pad(array, [(1, 2), (0, 3)], "reflect")])
    wrong: Any = ([[1, 2]] * 3, [[1, 2, 3]] * 2, [1, 2, 3], np.zeros((0, 2), int), np.zeros(0, int))
    for numbers in wrong:
        with pytest.raises(ValueError, match=r"^fastops\.numpy\.pad: arguments must be integers, or have one value"):
            pad(array, np.array(numbers))
    with pytest.raises(ValueError, match=r"^fastops\.numpy\.pad: sizes and pads must be at least 0"):
        pad(array, np.array([[1, 2], [0, -1]]))


@njit
def all_arguments(array: Any, starts: Any, size: Any, stride: Any, items: Any, axes: Any, mode: Any, outs: Any) -> Any:
    first = fo.windows(array, starts, size, stride, axes=(2, -2), items=items, mode="fill", fill_value=3)
    fo.windows(array, starts[:, :1], size[:1], stride[:, :1], axes=(1,), mode=mode, out=outs[0])
    fo.slice(array, (-7, 9), size, (-1, 2), axes, mode, out=outs[1])
    return first


def test_windows_of_items_and_axes_with_strides_into_arrays_of_any_order() -> None:
    draw, rng = np.random.default_rng(0), random.Random(0)
    for k in range(scale(300, 3000)):
        data = scattered(rng, tuple(draw.integers(1, 12, 3).tolist()), "i4")
        n, size, mode = int(draw.integers(0, 5)), tuple(draw.integers(0, 20, 2).tolist()), MODES[k % 5]
        starts, strides = draw.integers(-30, 30, (n, 2)), draw.integers(-3, 4, (n, 2))
        items, axes = draw.integers(0, len(data), n), tuple(draw.permutation(3)[:2].tolist())
        of_items = fo.windows(data, starts, size, strides, axes=(2, -2), items=items, mode="fill", fill_value=3)
        into = fo.windows(data, starts[:, :1], size[:1], strides[:, :1], axes=(1,), mode=mode)
        sliced = fo.slice(data, (-7, 9), size, (-1, 2), axes=axes, mode=mode)
        outs = np.zeros(into.shape[::-1], "i4").T, np.repeat(np.zeros_like(sliced), 2, axis=-1)[..., ::2]
        result = all_arguments(data, starts, size, strides, items, axes, mode, outs)
        assert_equal([result, *map(np.ascontiguousarray, outs)], [of_items, into, sliced], k)


def test_windows_into_the_arrays_of_their_numbers() -> None:
    """An output that overwrites the numbers does not change the result; a wrong call reads and writes nothing."""

    @njit
    def cut(data: Any, starts: Any, size: Any, items: Any, out: Any) -> Any:
        return fo.windows(data, starts, size, items=items, out=out)

    data = np.arange(400).reshape(2, 20, 10) + 10**12
    numbers = [np.arange(16).reshape(8, 2) % 5, np.array([1, 2]), np.array([0, 1] * 4)]
    expected = fo.windows(data, numbers[0], (1, 2), items=numbers[2])
    # Earlier windows are written over the numbers of later windows.
    for k, place in enumerate((4, 9, 12)):
        memory, given = np.zeros(40, np.int64), list(numbers)
        given[k] = memory[place : place + numbers[k].size].reshape(numbers[k].shape)
        given[k][...] = numbers[k]
        out = memory[8:24].reshape(8, 1, 2)
        cut(data, *given, out)
        np.testing.assert_array_equal(out, expected, err_msg=f"{k}")
    memory = data.copy()
    np.testing.assert_array_equal(cut(memory, *numbers, memory.reshape(-1)[6:22].reshape(8, 1, 2)), expected)
    # Items out of range, and an output of another shape, are errors that write nothing.
    room = np.zeros((9, 1, 2), np.int64)
    for items, target in (([1] * 8, room[:8]), ([-1] * 8, room[:8]), ([0] * 8, room)):
        with pytest.raises(ValueError, match=r"^fastops\.windows: "):
            cut(data[:1], numbers[0], numbers[1], np.array(items), target)
    assert not room.any()


def test_slices_and_windows() -> None:
    rng = random.Random(3)
    for k in range(scale(900, 6000)):
        mode = MODES[k % 6]
        array = scattered(rng, (rng.randint(1, 20), rng.randint(1, 20)), "i2")
        low, high, most = (-1, 12, 9) if mode == "strict_bounds" else (-60, 60, 30)
        size, stride = (rng.randint(0, most), rng.randint(0, most)), (rng.randint(-3, 3), rng.randint(-3, 3))
        starts = np.array([[rng.randint(low, high) for _ in "yx"] for _ in range(rng.randint(1, 4))])
        for call, compiled, arguments in (
            (fo.slice, slice_, (array, tuple(starts[0].tolist()), size, stride)),
            (fo.windows, windows, (array, starts[1:], size)),
        ):
            try:
                expected = call(*arguments, mode=mode)
            except fo.OutOfBoundsError:
                with pytest.raises(ValueError, match=rf"fastops\.{call.__name__}: coordinates must lie in bounds"):
                    compiled(*arguments, mode)
            else:
                assert_equal([compiled(*arguments, mode)], [expected], k, mode, arguments[1:])
    for name, mode in MODE_WORDS.items():
        arguments = np.arange(6), (1 if mode == fo.SampleMode.STRICT_BOUNDS else -3,), (4,)
        assert_equal([slice_(*arguments, (1,), name)], [fo.slice(*arguments, mode=name)], name)
        with pytest.raises(ValueError, match=rf"fastops\.slice: mode must {MODE_RULE}$"):
            slice_(*arguments, (1,), name + "x")


@njit
def strided(array: Any, begin: Any, end: Any, strides: Any) -> Any:
    return fo.strided_slice(
        array, begin, end, strides, begin_mask=(0, 1, 0), new_axis_mask=(0, 0, 1), shrink_axis_mask=(1, 0, 0)
    )


@njit
def ranges(start: Any, stop: Any, step: Any) -> Any:
    return fo.range(start, stop, step, "i32"), fo.range(start, stop, step, np.float64)


def test_strided_slices_and_ranges() -> None:
    rng = random.Random(0)
    array = np.arange(60).reshape(3, 4, 5)
    masks = {"begin_mask": (0, 1, 0), "new_axis_mask": (0, 0, 1), "shrink_axis_mask": (1, 0, 0)}
    for _ in range(300):
        begin = rng.randint(-3, 2), rng.randint(-9, 9), 0
        end, steps = (0, rng.randint(-9, 9), 0), (1, rng.choice([-(2**63), -2, -1, 1, 2, 2**63 - 1]), 1)
        expected = fo.strided_slice(array, begin, end, steps, **masks)
        assert_equal([strided(array, begin, end, steps)], [expected], begin, end, steps)
    for first, step, text in ((0, 0, "strides must not be 0"), (3, 1, "must lie in b")):
        with pytest.raises(ValueError, match=text):
            strided(array, (first, 0, 0), (0, 0, 0), (1, step, 1))
    for numbers in ((0, 10, 3), (10, -5, -4), (-1.9, 30.7, 1.6), (5, 5, 1), (0, 4000, 7)):
        assert_equal(ranges(*numbers), [fo.range(*numbers, "i32"), fo.range(*numbers, np.float64)], numbers)
    for numbers in ((0, 1, 0), (0.0, np.inf, 1.0), (0, 2**62, 1)):
        with pytest.raises(ValueError, match=r"fastops\.range: "):
            ranges(*numbers)


@njit
def pad_into(array: Any, pad_width: Any, fill: Any, out: Any) -> Any:
    return fo.numpy.pad(array, pad_width, "constant", constant_values=fill, out=out)


def test_out_of_any_strides_which_may_overlap() -> None:
    array, out = np.arange(24.0).reshape(3, 8)[:, ::2], np.zeros((8, 5)).T[:, ::-1][:, :6]
    assert pad_into(array, 1, 3, out) is not None
    np.testing.assert_array_equal(out, np.pad(array, 1, constant_values=3))
    memory = np.arange(60.0).reshape(5, 12)[:, ::2]
    expected = np.pad(memory[:3, 1:5], 1, constant_values=3)
    pad_into(memory[:3, 1:5], 1, 3, memory)
    np.testing.assert_array_equal(memory, expected)
    with pytest.raises(ValueError, match="out must have the shape of the result"):
        pad_into(array, 1, 3, memory[:, :5])
    assert pad_into(np.arange(2), 1, np.uint8(200), np.zeros(4, int)).tolist() == [200, 0, 1, 200]


def test_what_is_wrong_is_a_value_error_of_a_constant_text() -> None:
    array, empty = np.arange(48, dtype="i2").reshape(6, 8)[::2, ::2], np.zeros((0, 2), np.int64)
    three = np.zeros((3, 4), np.uint8)[:, ::2]

    @njit
    def filled(array: Any, fill: Any) -> Any:
        return fo.slice(array, (-1,), (2,), mode="fill", fill_value=fill)

    for call, text in (
        (lambda: pad_and_transpose(three, ((-1, 0), (0, 0)), "wrap", (0, 1)), "numpy.pad: sizes and pads must"),
        (lambda: pad_and_transpose(three, ((1, 0), (0, 0)), "mirror", (0, 1)), "numpy.pad: mode must be one of"),
        (lambda: pad_and_transpose(three, 1, "wrap", (0,)), "numpy.transpose: arguments must be integers, or have"),
        (lambda: tile_and_roll(three, (1, 1, 1), (1, 1), (0, 2)), "numpy.roll: axes must name axes of data"),
        (lambda: slice_(array, (2**62, 0), (1, 1), (1, 1), "reflect"), "slice: numbers must keep all sums within"),
        (lambda: slice_(array[:0], (0, 0), (1, 1), (1, 1), "reflect"), "slice: an empty axis must be read"),
        (lambda: windows(array, empty, (1, -2), "wrap"), "windows: sizes and pads must be at least 0"),
        (lambda: filled(np.zeros(3, np.float32), 1e300), "slice: the fill value must be a value that the type of data"),
    ):
        with pytest.raises(ValueError, match=rf"^fastops\.{text}"):
            call()


@njit(parallel=True)
def all_in_parallel(arrays: Any, starts: Any, mode: Any, padded: Any, cut: Any) -> Any:
    for i in prange(len(arrays)):
        padded[i] = fo.numpy.pad(arrays[i], 2, "reflect")
        fo.windows(arrays[i], starts[i : i + 1], (9, 8), mode=mode, out=cut[i : i + 1])


def test_in_parallel_loops() -> None:
    rng = np.random.default_rng(0)
    arrays, starts = rng.random((200, 6, 7)), rng.integers(-9, 9, (200, 2))
    for mode in MODES[:5]:
        padded, cut = np.empty((200, 10, 11)), np.empty((200, 9, 8))
        all_in_parallel(arrays, starts, mode, padded, cut)
        np.testing.assert_array_equal(padded, np.pad(arrays, ((0, 0), (2, 2), (2, 2)), "reflect"))
        expected = fo.windows(arrays, starts, (9, 8), items=np.arange(200), mode=mode)
        np.testing.assert_array_equal(cut, expected, err_msg=mode)
