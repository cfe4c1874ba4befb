"""Operators in users' compiled code: equal to those of NumPy and of Python, and their errors."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numba import njit, prange
from numba.core.errors import TypingError

import fastops as fo
import fastops.numba
from fastops._plans._sample_mode import MODE_RULE, MODE_WORDS
from tests.helpers.torture import scale
from tests.ops.test_windows import source_of


@njit
def pad(array: Any, pad_width: Any, mode: Any) -> Any:
    return fo.numpy.pad(array, pad_width, mode)


@njit
def pad_into(array: Any, pad_width: Any, out: Any) -> Any:
    return fo.numpy.pad(array, pad_width, "constant", constant_values=3, out=out)


@njit
def tile(array: Any, reps: Any) -> Any:
    return fo.numpy.tile(array, reps)


@njit
def roll(array: Any, shift: Any, axis: Any) -> Any:
    return fo.numpy.roll(array, shift, axis)


@njit
def roll_flat(array: Any, shift: Any) -> Any:
    return fo.numpy.roll(array, shift)


@njit
def flip(array: Any, axis: Any) -> Any:
    return fo.numpy.flip(array, axis)


@njit
def transpose(array: Any, axes: Any) -> Any:
    return fo.numpy.transpose(array, axes)


@njit
def slice_(array: Any, start: Any, size: Any, stride: Any, mode: Any) -> Any:
    return fo.slice(array, start, size, stride, mode=mode)


@njit
def windows(array: Any, starts: Any, size: Any, mode: Any) -> Any:
    return fo.windows(array, starts, size, mode=mode)


@njit
def filled(array: Any, fill: Any) -> Any:
    return fo.slice(array, (-1,), (2,), mode="fill", fill_value=fill)


def equal(result: Any, expected: Any) -> None:
    assert result.dtype == expected.dtype
    assert result.flags.c_contiguous
    np.testing.assert_array_equal(result, expected)


LAYOUTS = ("C", "F", "gaps", "falling", "read-only")

PADS = ("constant", "edge", "reflect", "symmetric", "wrap")


def laid_out(shape: list[int], dtype: Any, layout: str) -> Any:
    """An array of a layout; Numba tells C and F from all others."""
    steps = [2 if layout in ("gaps", "falling") else 1 for _ in shape]
    memory = np.arange(1, np.prod([n * step for n, step in zip(shape, steps, strict=True)], dtype=int) + 1).astype(
        dtype
    )
    array = memory.reshape([n * step for n, step in zip(shape, steps, strict=True)])
    array = array[tuple([slice(None, None, -step if layout == "falling" else step) for step in steps])]
    if layout == "F":
        return np.asfortranarray(array)
    array.flags.writeable = layout != "read-only"
    return array


# Each pair is compiled anew, for seconds.
TYPES = [np.float32, np.int64, np.uint8]
ARRAYS = scale([(TYPES[k % 3], layout) for k, layout in enumerate(LAYOUTS)], list(itertools.product(TYPES, LAYOUTS)))


@pytest.mark.parametrize(("dtype", "layout"), ARRAYS)
def test_they_are_those_of_numpy(dtype: Any, layout: str) -> None:
    rng = random.Random(f"{dtype} {layout}")
    for _ in range(scale(100, 400)):
        array = laid_out([rng.choice([1, 2, 3, 5, 8, 17, 40]) for _ in range(2)], dtype, layout)
        widths = ((rng.randint(0, 60), rng.randint(0, 60)), (rng.randint(0, 60), rng.randint(0, 60)))
        mode: Any = rng.choice(PADS)
        equal(pad(array, widths, mode), np.pad(array, widths, mode))
        reps = rng.randint(0, 4), rng.randint(0, 4), rng.randint(0, 4)
        equal(tile(array, reps), np.tile(array, reps))
        shifts, axes = (rng.randint(-99, 99), rng.randint(-99, 99)), (rng.randint(-2, 1), rng.randint(-2, 1))
        equal(roll(array, shifts, axes), np.roll(array, shifts, axes))
        equal(roll_flat(array, shifts[0]), np.roll(array, shifts[0]))
        equal(flip(array, axes[0]), np.flip(array, axes[0]).copy())
        order = rng.choice([(0, 1), (1, 0), (-1, -2)])
        equal(transpose(array, order), array.transpose(order).copy())


@pytest.mark.parametrize("shape", [(), (7,), (0,), (3, 0), (2, 3, 4), (1, 2, 1, 2, 1, 2, 1, 2)])
def test_arrays_of_other_ranks(shape: tuple[int, ...]) -> None:
    array = np.arange(np.prod(shape, dtype=int), dtype=np.float64).reshape(shape)
    for mode in PADS[:1] if 0 in shape else PADS:
        equal(pad(array, 2, mode), np.pad(array, 2, mode))  # type: ignore[call-overload]
    equal(tile(array, 2), np.tile(array, 2))
    equal(roll_flat(array, 3), np.roll(array, 3))
    for axis in range(len(shape)):
        equal(flip(array, axis), np.flip(array, axis).copy())
        equal(roll(array, -5, axis), np.roll(array, -5, axis))


@njit
def windows_of_items(array: Any, starts: Any, size: Any, stride: Any, items: Any, fill: Any) -> Any:
    return fo.windows(array, starts, size, stride, axes=(2, -2), items=items, mode="fill", fill_value=fill)


@njit
def windows_into(array: Any, starts: Any, size: Any, stride: Any, mode: Any, out: Any) -> Any:
    return fo.windows(array, starts, size, stride, axes=(1,), mode=mode, out=out)


@njit
def slice_of_axes(array: Any, start: Any, size: Any, stride: Any, axes: Any, mode: Any, out: Any) -> Any:
    return fo.slice(array, start, size, stride, axes, mode, out=out)


MODES = ("wrap", "clamp", "fill", "reflect", "symmetric")


def test_windows_of_items_and_axes_with_strides() -> None:
    rng = np.random.default_rng(0)
    for k in range(scale(300, 3000)):
        data = laid_out(rng.integers(1, 12, 3).tolist(), "i4", LAYOUTS[k % 2 * 2])
        n, size = int(rng.integers(0, 5)), tuple(rng.integers(0, 20, 2).tolist())
        starts, strides, items = (
            rng.integers(-30, 30, (n, 2)),
            rng.integers(-3, 4, (n, 2)),
            rng.integers(0, len(data), n),
        )
        expected = fo.windows(data, starts, size, strides, axes=(2, -2), items=items, mode="fill", fill_value=3)
        equal(windows_of_items(data, starts, size, strides, items, 3), expected)
        mode = MODES[k % 5]
        expected = fo.windows(data, starts[:, :1], size[:1], strides[:, :1], axes=(1,), mode=mode)
        out = np.zeros(expected.shape[::-1], "i4").T
        assert windows_into(data, starts[:, :1], size[:1], strides[:, :1], mode, out) is not None
        np.testing.assert_array_equal(out, expected)
        axes, start = tuple(rng.permutation(3)[:2].tolist()), tuple(rng.integers(-30, 30, 2).tolist())
        expected = fo.slice(data, start, size, (-1, 2), axes=axes, mode=mode)
        out = np.zeros((*expected.shape[:-1], 2 * expected.shape[-1]), "i4")[..., ::2]
        slice_of_axes(data, start, size, (-1, 2), axes, mode, out)
        np.testing.assert_array_equal(out, expected)


def test_windows_into_the_arrays_of_their_numbers() -> None:
    """Nothing is read or written elsewhere, and the result is the same."""
    data = np.arange(400).reshape(20, 20)

    @njit
    def cut(data: Any, starts: Any, size: Any, out: Any) -> Any:
        return fo.windows(data, starts, size, axes=(0, 1), out=out)

    starts = np.arange(16).reshape(8, 2) % 5
    expected = fo.windows(data, starts, (1, 2), axes=(0, 1))
    cut(data, starts, (1, 2), starts.reshape(8, 1, 2))
    np.testing.assert_array_equal(starts.reshape(8, 1, 2), expected)
    memory = np.zeros(40, np.int64)
    size = memory[1:3]
    size[:] = 1, 2
    out = memory[:16].reshape(8, 1, 2)
    cut(data, np.zeros((8, 2), np.int64), size, out)
    np.testing.assert_array_equal(out, np.broadcast_to([[0, 1]], (8, 1, 2)))

    @njit
    def cut_items(data: Any, starts: Any, items: Any, out: Any) -> Any:
        return fo.windows(data, starts, (2,), items=items, out=out)

    memory = np.zeros(64, np.int64)
    items = memory[8:16]
    items[:] = [0, 1] * 4
    cut_items(np.full((2, 10), 10**12), np.zeros((8, 1), np.int64), items, memory[4:20].reshape(8, 2))
    np.testing.assert_array_equal(memory[4:20], np.full(16, 10**12))


def test_what_has_no_compiled_form_says_so() -> None:
    array, starts = np.arange(10), np.zeros((1, 1), np.int64)
    unsigned = np.array([2**64 - 1], np.uint64)
    with pytest.raises(TypingError, match="integers, signed or of less than 64 bits"):
        slice_(array, unsigned, (1,), (1,), "wrap")
    with pytest.raises(TypingError, match="integers, signed or of less than 64 bits"):
        windows(array, unsigned[:, None], (1,), "wrap")
    with pytest.raises(TypingError, match="data must be one array in compiled code"):
        windows((array, array), starts, (1,), "wrap")
    with pytest.raises(TypingError, match="results must have at most 64 axes"):
        tile(array, (1,) * 65)
    with pytest.raises(TypingError, match="pad_width must be an integer"):
        pad(array, [1, 2], "wrap")
    with pytest.raises(TypingError, match="constant_values must be one number"):
        njit(lambda array: fo.numpy.pad(array, 1, "constant", None))(np.zeros(3))
    with pytest.raises(TypingError, match="mode must be a string"):
        pad(array, 1, 4)
    with pytest.raises(TypingError, match="axes must be a tuple of the number of each axis"):
        transpose(np.array(3.0), (0,))


@pytest.mark.parametrize("mode", sorted(MODE_WORDS))
def test_names_of_modes_are_those_of_python(mode: str) -> None:
    array, start, size = np.arange(6), (1, -3)[MODE_WORDS[mode] != fo.SampleMode.STRICT_BOUNDS], 4
    equal(slice_(array, (start,), (size,), (1,), mode), fo.slice(array, [start], [size], mode=mode))
    with pytest.raises(ValueError, match=rf"fastops\.slice: mode must {MODE_RULE}$"):
        slice_(array, (start,), (size,), (1,), mode + "x")


@pytest.mark.parametrize("mode", ["wrap", "clamp", "fill", "reflect", "symmetric", "strict_bounds"])
def test_slices_and_windows(mode: str) -> None:
    rng = random.Random(mode)
    for _ in range(scale(200, 1000)):
        array = source_of(rng, [rng.randint(1, 20), rng.randint(1, 20)], np.dtype("i2"))
        size, stride = (rng.randint(0, 30), rng.randint(0, 30)), (rng.randint(-3, 3), rng.randint(-3, 3))
        start = rng.randint(-60, 60), rng.randint(-60, 60)
        try:
            expected = fo.slice(array, start, size, stride, mode=mode)
        except fo.OutOfBoundsError:
            with pytest.raises(ValueError, match=r"fastops\.slice: coordinates must lie in bounds"):
                slice_(array, start, size, stride, mode)
        else:
            equal(slice_(array, start, size, stride, mode), expected)
        starts = np.array([[rng.randint(0, 3), 0], [0, rng.randint(0, 3)]]) if mode == "strict_bounds" else None
        if starts is None:
            starts = np.array([[rng.randint(-60, 60) for _ in "yx"] for _ in range(rng.randint(0, 4))], int).reshape(
                -1, 2
            )
        try:
            expected = fo.windows(array, starts, size, mode=mode)
        except fo.OutOfBoundsError:
            with pytest.raises(ValueError, match=r"fastops\.windows: coordinates must lie in bounds"):
                windows(array, starts, size, mode)
        else:
            equal(windows(array, starts, size, mode), expected)


@njit
def strided(array: Any, begin: Any, end: Any, strides: Any) -> Any:
    return fo.strided_slice(
        array, begin, end, strides, begin_mask=(0, 1, 0), new_axis_mask=(0, 0, 1), shrink_axis_mask=(1, 0, 0)
    )


def test_strided_slices() -> None:
    rng = random.Random(0)
    array = np.arange(60).reshape(3, 4, 5)
    masks = {"begin_mask": (0, 1, 0), "new_axis_mask": (0, 0, 1), "shrink_axis_mask": (1, 0, 0)}
    for _ in range(300):
        begin = rng.randint(-3, 2), rng.randint(-9, 9), 0
        end, steps = (0, rng.randint(-9, 9), 0), (1, rng.choice([-(2**63), -2, -1, 1, 2, 2**63 - 1]), 1)
        equal(strided(array, begin, end, steps), fo.strided_slice(array, begin, end, steps, **masks))
    with pytest.raises(ValueError, match="strides must not be 0"):
        strided(array, (0, 0, 0), (0, 0, 0), (1, 0, 1))
    with pytest.raises(ValueError, match="coordinates must lie in bounds"):
        strided(array, (3, 0, 0), (0, 0, 0), (1, 1, 1))


def test_out_of_any_strides_which_may_overlap() -> None:
    array = np.arange(12.0).reshape(3, 4)
    out = np.zeros((8, 5)).T
    assert pad_into(array, 1, out[:, ::-1][:, :6]) is not None
    np.testing.assert_array_equal(out[:, ::-1][:, :6], np.pad(array, 1, constant_values=3))
    memory = np.arange(30.0).reshape(5, 6)
    expected = np.pad(memory[1:4, 1:5], 1, constant_values=3)
    pad_into(memory[1:4, 1:5], 1, memory)
    np.testing.assert_array_equal(memory, expected)
    with pytest.raises(ValueError, match="out must have the shape of the result"):
        pad_into(array, 1, np.zeros((5, 5)))


@njit
def ranges(start: Any, stop: Any, step: Any) -> Any:
    return fo.range(start, stop, step, "i32"), fo.range(start, stop, step, np.float64)


def test_ranges() -> None:
    for numbers in ((0, 10, 3), (10, -5, -4), (-1.9, 30.7, 1.6), (5, 5, 1), (0, 4000, 7)):
        integers, floats = ranges(*numbers)
        equal(integers, fo.range(*numbers, "i32"))
        equal(floats, fo.range(*numbers, np.float64))
    for numbers in ((0, 1, 0), (0.0, np.inf, 1.0), (0, 2**62, 1)):
        with pytest.raises(ValueError, match=r"fastops\.range: "):
            ranges(*numbers)


def test_what_is_wrong_is_a_value_error_of_a_constant_text() -> None:
    array = np.arange(12.0).reshape(3, 4)
    with pytest.raises(ValueError, match=r"^fastops\.numpy\.pad: sizes and pads must be at least 0$"):
        pad(array, ((-1, 0), (0, 0)), "wrap")
    with pytest.raises(ValueError, match=r"^fastops\.numpy\.pad: mode must be one of constant, edge, .*, wrap$"):
        pad(array, ((1, 0), (0, 0)), "mirror")
    with pytest.raises(ValueError, match="numbers must keep all sums within 64 bits"):
        slice_(array, (2**62, 0), (1, 1), (1, 1), "reflect")
    with pytest.raises(ValueError, match=r"^fastops\.windows: sizes and pads must be at least 0$"):
        windows(array, np.zeros((0, 2), np.int64), (1, -2), "wrap")
    with pytest.raises(ValueError, match=r"^fastops\.slice: the fill value must be one that the type of data can"):
        filled(np.zeros(3, np.float32), 1e300)
    with pytest.raises(ValueError, match="an empty axis has nothing to read"):
        slice_(array[:0], (0, 0), (1, 1), (1, 1), "reflect")
    with pytest.raises(ValueError, match="axes must name axes of data"):
        roll(array, (1, 1), (0, 2))


@njit(parallel=True)
def pad_all(arrays: Any, out: Any) -> None:
    for i in prange(len(arrays)):
        out[i] = fo.numpy.pad(arrays[i], 2, "reflect")


@njit(parallel=True)
def cut_all(arrays: Any, starts: Any, mode: Any, out: Any) -> Any:
    for i in prange(len(arrays)):
        out[i] = fo.slice(arrays[i], (starts[i, 0], starts[i, 1]), (9, 8), mode=mode)
        fo.windows(arrays[i], starts[i : i + 1], (9, 8), mode=mode, out=out[i : i + 1])


def test_in_parallel_loops() -> None:
    rng = np.random.default_rng(0)
    arrays, starts = rng.random((200, 6, 7)), rng.integers(-9, 9, (200, 2))
    out = np.empty((200, 10, 11))
    pad_all(arrays, out)
    np.testing.assert_array_equal(out, np.pad(arrays, ((0, 0), (2, 2), (2, 2)), "reflect"))
    for mode in MODES:
        found = np.empty((200, 9, 8))
        cut_all(arrays, starts, mode, found)
        expected = fo.windows(arrays, starts, (9, 8), items=np.arange(200), mode=mode)
        np.testing.assert_array_equal(found, expected)


def test_the_functions_of_numpy_for_who_asks() -> None:
    code = """
import numpy as np
from numba import njit
from numba.core.errors import TypingError
import fastops.numba
@njit
def pad(a): return np.pad(a, 1, "edge")
try:
    pad(np.arange(3))
except TypingError:
    pass
else:
    raise SystemExit("np.pad is there")
fastops.numba.overload_numpy()
fastops.numba.overload_numpy()
@njit
def all_of_them(a):
    return np.pad(a, 1, "edge"), np.tile(a, 2), np.roll(a, 1, 0), np.roll(a, 1), np.flip(a, 0), np.flip(a)
a = np.arange(6).reshape(2, 3)
wanted = np.pad(a, 1, "edge"), np.tile(a, 2), np.roll(a, 1, 0), np.roll(a, 1), np.flip(a, 0), np.flip(a)
assert all(np.array_equal(*pair) for pair in zip(all_of_them(a), wanted))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
