"""Turns, moves, repeats, broadcasts, windows, frames and splits in users' compiled code, compared with NumPy."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.typed import List

import fastops as fo
import fastops.numba
from tests.helpers.seeds import scale
from tests.overloads.test_compiled_calls import assert_equal, scattered


@njit
def moved(array: Any, k: Any, axes: Any, source: Any, destination: Any) -> Any:
    turned, moved = fo.numpy.rot90(array, k, axes), fo.numpy.moveaxis(array, source, destination)
    return turned, moved, fo.numpy.swapaxes(array, axes[0], destination[0])


@njit
def widened(array: Any, times: Any, axis: Any, shape: Any, window: Any, axes: Any, step: Any) -> Any:
    repeated, flat = fo.numpy.repeat(array, times, axis), fo.numpy.repeat(array, times)
    windows = fo.numpy.sliding_window_view(array, window, axes, step)
    return repeated, flat, fo.numpy.broadcast_to(array[..., :1], shape), windows


def check(array: Any, rng: random.Random) -> None:
    rank = array.ndim

    def signed(n: int) -> tuple[int, ...]:
        return tuple(axis - rng.choice((0, rank)) for axis in rng.sample(range(rank), n))

    k, axes, source, destination = rng.randint(-5, 5), signed(2), signed(2), signed(2)
    expected = np.rot90(array, k, axes), np.moveaxis(array, source, destination)
    expected = *expected, np.swapaxes(array, axes[0], destination[0])
    result = moved(array, k, axes, source, destination)
    assert_equal(result, map(np.ascontiguousarray, expected), array.shape, k, axes, source, destination)

    times, axis, step = rng.randint(0, 4), axes[0], rng.randint(1, 3)
    shape = (2, *array.shape[:-1], rng.randint(0, 3))
    window = tuple(rng.randint(0, array.shape[axis]) for axis in axes)
    views = np.lib.stride_tricks.sliding_window_view(array, window, axes)
    steps = [slice(None)] * views.ndim
    for each in axes:
        steps[each % rank] = slice(None, None, step)
    expected = np.repeat(array, times, axis), np.repeat(array, times), np.broadcast_to(array[..., :1], shape)
    expected = *expected, views[tuple(steps)]
    result = widened(array, times, axis, shape, window, axes, step)
    assert_equal(result, map(np.ascontiguousarray, expected), array.shape, times, axis, shape, window, axes, step)


def test_they_are_those_of_numpy() -> None:
    rng = random.Random(7)
    for _ in range(scale(200, 3000)):
        check(scattered(rng, tuple(rng.choice((1, 2, 3, 5, 17)) for _ in range(3)), np.int16), rng)
        check((np.arange(rng.choice((6, 0, 1, 35))) * 1j).astype(np.complex64).reshape(-1, 1), rng)
    for _ in range(5):
        check(np.arange(16.0).reshape((1, 2) * 4), rng)


def test_defaults_numbers_and_arrays_of_rank_0() -> None:
    @njit
    def by_defaults(array: Any) -> Any:
        turned, moved = fo.numpy.rot90(array), fo.numpy.moveaxis(array, 0, -1)
        windows = fo.numpy.sliding_window_view(array, (2, 2)), fo.numpy.sliding_window_view(array, 2, 1)
        return turned, moved, windows[0], windows[1], fo.frame(array, 3, 1)

    array = np.arange(12.0).reshape(3, 4)[:, ::-1]
    view = np.lib.stride_tricks.sliding_window_view
    frames = np.moveaxis(view(array, 3, 1), -1, 1)
    expected = np.rot90(array), np.moveaxis(array, 0, -1), view(array, (2, 2)), view(array, 2, 1), frames
    assert_equal(by_defaults(array), map(np.ascontiguousarray, expected))

    @njit
    def of_one(array: Any) -> Any:
        repeated, windows = fo.numpy.repeat(array, 3, -1), fo.numpy.sliding_window_view(array, ())
        return repeated, fo.numpy.repeat(array, 3), windows, fo.numpy.broadcast_to(array, 2)

    one = np.array(True)
    assert_equal(of_one(one), [np.repeat(one, 3), np.repeat(one, 3), one, np.array([True, True])])


def test_frames() -> None:
    @njit
    def frame(x: Any, length: Any, hop: Any, axis: Any, center: Any, mode: Any, out: Any) -> Any:
        fo.frame(x, length, hop, axis=axis, out=out)
        return fo.frame(x, length, hop, axis=axis, center=center, mode=mode)

    rng = random.Random(5)
    modes = ("wrap", "clamp", "fill", "reflect", "symmetric")
    for i in range(scale(200, 3000)):
        signal = scattered(rng, (rng.randint(4, 30), rng.randint(4, 30)), np.float32)
        length, hop, axis, mode = rng.randint(1, 4), rng.randint(1, 5), rng.randint(-2, 1), modes[i % 5]
        center = rng.random() < 0.7
        plain = fo.frame(signal, length, hop, axis=axis)
        expected = fo.frame(signal, length, hop, axis=axis, center=center, mode=mode)
        out = np.zeros(plain.shape[::-1], np.float32).T
        result = frame(signal, length, hop, axis, center, mode, out)
        assert_equal([result, np.ascontiguousarray(out)], [expected, plain], length, hop, axis, center, mode)
    filled = njit(lambda x: fo.frame(x, 4, 4, center=True, mode="fill", fill_value=7))(np.arange(4))
    assert filled.tolist() == [[7, 2], [7, 3], [0, 7], [1, 7]]
    for arguments, text in (
        ((9, 1, -1, False, "wrap"), "windows must be no longer than their axis"),
        ((3, 0, -1, False, "wrap"), "steps must be at least 1"),
        ((3, 1, 2, True, "wrap"), "axes must name axes of data"),
        ((0, 1, -1, True, "wrap"), "sizes and pads must be at least 0"),
        ((2**62, 1, -1, True, "wrap"), "numbers must keep all sums within 64 bits"),
        ((3, 1, -1, False, "wraps"), "mode must be"),
        ((3, 1, -1, True, "strict_bounds"), "coordinates must lie in bounds"),
    ):
        signal = np.zeros((8, 8), np.float32)[::2, ::2]
        with pytest.raises(ValueError, match=f"^fastops.frame: {text}"):
            frame(signal, *arguments, np.zeros((2, 3, 4), np.float32).T)


@njit
def split_at(array: Any, at: Any, axis: Any) -> Any:
    return fo.numpy.split(array, at, axis), fo.numpy.array_split(array, at, axis)


@njit
def split_evenly(array: Any, number: Any, axis: Any) -> Any:
    return fo.numpy.array_split(array, number, axis)


def test_splits_are_those_of_numpy() -> None:
    rng = random.Random(9)
    for i in range(scale(200, 3000)):
        array = scattered(rng, (rng.randint(1, 12), rng.randint(1, 12), 2), np.int16)
        axis = rng.randint(-3, 2)
        at: Any = [rng.randint(-14, 14) for _ in range(rng.randint(1, 40))]
        at = (np.array(at), List(at), np.array(at, np.int32)[::-1], tuple(at * 2)[:2])[i % 4]
        assert_equal(split_at(array, at, axis)[0], map(np.ascontiguousarray, np.split(array, at, axis)), at, axis)
        parts = list(map(np.ascontiguousarray, np.array_split(array, at, axis)))
        assert_equal(split_at(array, at, axis)[1], parts, at, axis)
        number = rng.randint(1, 9)
        parts = list(map(np.ascontiguousarray, np.array_split(array, number, axis)))
        assert_equal(split_evenly(array, number, axis), parts, number, axis)
        if array.shape[axis] % number == 0:
            assert_equal(split_at(array, number, axis)[0], parts, number, axis)
    empty = np.zeros((0, 2), np.float32)
    assert [part.shape for part in split_at(empty, np.zeros(0, int), 0)[0]] == [(0, 2)]


def test_splits_of_a_known_number_are_tuples() -> None:
    @njit
    def halves(array: Any) -> Any:
        left, right = fo.numpy.split(array, 2, 1)
        first, second, third = fo.numpy.array_split(array, (1, -1))
        return left, right, first, second, third, fo.numpy.array_split(array, 40)

    array = np.arange(24.0).reshape(4, 6)
    *results, many = halves(array)
    expected = [*np.split(array, 2, 1), *np.split(array, (1, -1))]
    assert_equal(results, map(np.ascontiguousarray, expected))
    assert_equal(many, np.array_split(array, 40))


def test_what_is_wrong_with_values_is_a_value_error() -> None:
    array = np.zeros((3, 4, 2), np.int16)[:, ::2]
    right = (array, 1, (0, 1), (0, 1), (1, 0))
    wide = (array, 2, 0, (3, 3, 2, 5), (1, 1), (0, 1), 1)
    for call, arguments, place, value, text in (
        (moved, right, 2, (0, 3), "numpy.rot90: axes must name axes of data"),
        (moved, right, 2, (0, -3), "numpy.rot90: axes must name each axis once"),
        (moved, right, 3, (0, 3), "numpy.moveaxis: axes must name axes of data"),
        (moved, right, 4, (1, 1), "numpy.moveaxis: axes must name each axis once"),
        (widened, wide, 1, -1, "numpy.repeat: sizes and pads must be at least 0"),
        (widened, wide, 2, 3, "numpy.repeat: axes must name axes of data"),
        (widened, wide, 1, 2**60, "numpy.repeat: numbers must keep all sums within 64 bits"),
        (widened, wide, 3, (3, 3, 1, 5), "numpy.broadcast_to: shape must equal data's shape along each axis"),
        (widened, wide, 3, (3, 3, 2, -1), "numpy.broadcast_to: sizes and pads must be at least 0"),
        (widened, wide, 4, (4, 1), "numpy.sliding_window_view: windows must be no longer than their axis"),
        (widened, wide, 4, (-1, 1), "numpy.sliding_window_view: sizes and pads must be at least 0"),
        (widened, wide, 6, 0, "numpy.sliding_window_view: steps must be at least 1"),
        (split_at, (array, 3, 0), 1, 0, "numpy.split: the number of parts must be at least 1"),
        (split_at, (array, 3, 0), 1, 2, "numpy.split: the number of parts must be at least 1, and the number of eq"),
        (split_at, (array, 3, 0), 2, 3, "numpy.split: axes must name axes of data"),
        (split_evenly, (array, 3, 0), 1, -1, "numpy.array_split: the number of parts must be at least 1"),
        (split_evenly, (array, 3, 0), 1, 2**40, "numpy.array_split: there must be at most 1048576 parts"),
    ):
        with pytest.raises(ValueError, match=f"^fastops.{text}"):
            call(*arguments[:place], value, *arguments[place + 1 :])
