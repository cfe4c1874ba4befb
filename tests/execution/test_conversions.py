"""Results that are cast or normalized: each element is what NumPy computes by the documented formula, bit by bit."""

from __future__ import annotations

import ctypes
import itertools
import mmap
import sys
from collections.abc import Callable
from typing import Any

import dask.array as dask
import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.helpers.chains import lay_out
from tests.helpers.seeds import chooser, noted

SOURCES = (np.uint8, np.int8, np.uint16, np.int16, np.float16, ml_dtypes.bfloat16, np.float32)
RESULTS = (np.float32, np.float16, ml_dtypes.bfloat16, np.float64)
MEAN, STD = (123.7, 116.3, 103.5), (58.4, 57.1, 57.4)

pytestmark = pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")


def elements(shape: tuple[int, ...], dtype: Any, seed: int = 0) -> Any:
    """Return random bits; floats begin with infinities and a negative zero, and their NaNs have no payload."""
    dtype = np.dtype(dtype)
    bits = np.random.default_rng(seed).integers(0, 256, (*shape, dtype.itemsize), np.uint8)
    array = bits.view(dtype)[..., 0]
    if dtype.kind not in "iu":
        array[np.isnan(array.astype(np.float32))] = np.nan
        array.reshape(-1)[:3] = (np.inf, -np.inf, -0.0)[: array.size]
    return array


def normalized(array: Any, mean: Any, std: Any, axis: int, dtype: Any) -> Any:
    """Return the result of the documented formula for an array whose elements are already in their places."""
    kind = np.float64 if dtype is np.float64 else np.float32
    means, stds = np.asarray(mean, np.float64), np.asarray(std, np.float64)
    scale, shift = (1 / stds).astype(kind), (-means / stds).astype(kind)
    shape = [1] * array.ndim
    if scale.ndim or shift.ndim:
        shape[axis] = -1
    scale, shift = (each.reshape(shape) if each.ndim else each for each in (scale, shift))
    return (array.astype(kind) * scale + shift).astype(dtype)


def check(found: Any, expected: Any, *case: Any) -> None:
    """Compare bit by bit."""
    bits = f"u{expected.dtype.itemsize}"
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype), case
    assert np.array_equal(np.ascontiguousarray(found).view(bits), np.ascontiguousarray(expected).view(bits)), case


def test_all_numbers_of_two_bytes() -> None:
    bits = np.arange(1 << 16, dtype=np.uint16)
    for source, result in itertools.product((np.uint16, np.int16, np.float16, ml_dtypes.bfloat16), RESULTS):
        data = bits.view(source)
        data = data[~np.isnan(data.astype(np.float32))]
        check(fo.lazy(data).astype(result).run(), data.astype(np.float64).astype(result), source, result)


def test_drawn_chains() -> None:
    for seed in range(80):
        rng = np.random.default_rng(chooser(f"chain {seed}").getrandbits(32))
        source, result = SOURCES[rng.integers(7)], RESULTS[rng.integers(4)]
        rank = int(rng.integers(1, 5))
        data = elements(
            (*rng.integers(1, (2000, 70, 25, 9)[rank - 1], rank - 1).tolist(), int(rng.integers(2, 20))), source, seed
        )
        if data.dtype.kind != "V" and rng.random() < 0.3:
            data = data.astype(data.dtype.newbyteorder())
        widths, order = rng.integers(0, 5, (rank, 2)).tolist(), [int(k) for k in rng.permutation(rank)]
        mode: Any = ("edge", "wrap", "symmetric", "constant")[rng.integers(4)]
        axis, k = int(rng.integers(rank)), int(rng.integers(-4, 5))
        chain = fo.lazy(data).pad(widths, mode).flip(axis).roll(k, axis).transpose(order)
        expected = np.roll(np.flip(np.pad(data, widths, mode), axis), k, axis).transpose(order)
        named = None if rng.random() < 0.5 else int(rng.integers(-rank, rank))
        channels = order.index(rank - 1) if named is None else named
        n = expected.shape[channels]
        mean, std = rng.normal(0, 100, n), rng.uniform(0.1, 60, n)
        if n == 1:
            # If there is one channel only, pass numbers, which hold for all elements, in place of lists of one.
            mean, std = mean[0], std[0]
        last = chain.normalize(mean, std, np.dtype(result), named)
        right = normalized(expected, mean, std, channels, result)
        if rng.random() < 0.2:
            kind = np.float64 if result is np.float64 else np.float32
            last, right = chain.astype(result), expected.astype(kind).astype(result)
        with noted(seed, last.plan, source, result):
            assert (last.shape, last.dtype) == (expected.shape, result)
            check(last.run(), right)
            for layout, order in (("F", "="), ("strided", "="), ("negative", "="), ("C", "S")):
                dtype = right.dtype.newbyteorder(order) if right.dtype.kind == "f" else right.dtype
                out = lay_out(np.empty(expected.shape, dtype), layout)
                assert last.run(out=out) is out
                check(out.astype(result), right)


GRAY = np.arange(20, dtype=np.uint8).reshape(4, 5, 1)
THREE = (1.0, 2.0, 3.0), (2.0, 3.0, 5.0)
#: Chains that make three channels of the one channel of an image, each with the axis of the channels.
COLOURED: list[tuple[Any, int]] = [
    (fo.lazy(GRAY).tile((1, 1, 3)), 2),
    (fo.lazy(GRAY).repeat(3, 2).transpose(0, 2, 1), 1),
    (fo.lazy(GRAY).pad(((0, 0), (0, 0), (1, 1)), "edge"), 2),
    (fo.lazy(GRAY[:1]).transpose(2, 1, 0).tile((3, 1, 1)), 0),
    (fo.lazy(GRAY.repeat(3, 2))[..., 1:2].repeat(3, 2), 2),
]


def test_one_channel_becomes_three() -> None:
    for i, (chain, axis) in enumerate(COLOURED):
        check(chain.normalize(*THREE).run(), normalized(chain.run(), *THREE, axis, np.float32), i)


def test_windows() -> None:
    rng = np.random.default_rng(0)
    for seed, n in enumerate((1, 3, 9, 40)):
        images = [elements((*rng.integers(30, 50, 2), 3), np.uint8, seed) for _ in range(n)]
        for data in (images, images[0]):
            starts, size = rng.integers(-9, 25, (n, 2)), rng.integers(1, 29, 2).tolist()
            how: dict[str, Any] = {"axes": [0, 1], "mode": "symmetric"}
            moved, batch = fo.windows(data, starts, size, **how), np.empty((n, 3, *size), np.float16)
            expected = normalized(moved, MEAN, STD, 3, np.float32)
            check(fo.windows(data, starts, size, normalize=(MEAN, STD), **how), expected, n)
            out = batch.transpose(0, 2, 3, 1)
            assert fo.windows(data, starts, size, normalize=(MEAN, STD), out=out, **how) is out
            check(out, normalized(moved, MEAN, STD, 3, np.float16), n)
            check(fo.windows(data, starts, size, dtype="float64", **how), moved.astype(np.float64), n)
            rows = rng.normal(0, 9, size[0])
            found = fo.windows(data, starts, size, normalize=(rows, 2.5, 1), **how)
            check(found, normalized(moved, rows, 2.5, 1, np.float32), n)
    plan = fo.plan.windows((9, 40, 30, 3), [8, 9], axes=[1, 2], items=True)
    data, starts = elements((9, 40, 30, 3), np.int16), rng.integers(0, 20, (50, 2))
    items = rng.integers(0, 9, 50)
    moved = plan(data, starts, items)
    check(plan(data, starts, items, normalize=(MEAN, STD)), normalized(moved, MEAN, STD, 3, np.float32))


def at_the_end_of_memory(array: Any) -> Any:
    """Return a copy of an array; memory after its last byte cannot be read."""
    pages = -(-array.nbytes // mmap.PAGESIZE)
    memory = mmap.mmap(-1, (pages + 1) * mmap.PAGESIZE)
    of_memory = np.frombuffer(memory, np.uint8)
    end = ctypes.c_void_p(of_memory.ctypes.data + pages * mmap.PAGESIZE)
    assert ctypes.CDLL(None).mprotect(end, ctypes.c_size_t(mmap.PAGESIZE), 0) == 0
    first = pages * mmap.PAGESIZE - array.nbytes
    placed = of_memory[first : first + array.nbytes].view(array.dtype).reshape(array.shape)
    placed[...] = array
    return placed


@pytest.mark.skipif(sys.platform == "win32", reason="Windows protects memory by another function")
@pytest.mark.parametrize("source", SOURCES)
def test_sources_that_end_where_memory_does(source: Any) -> None:
    # For some of these counts of channels, the means and deviations stay in registers; for others they do not.
    width = np.dtype(source).itemsize
    for n in (1, 2, 3, 4, 5, 12, 13, 16, 25, 61):
        data = at_the_end_of_memory(elements((3, 5, -(-1040 // (n * width)), n), source, n))
        means = [float(k) for k in range(n)] if n > 1 else 2.5
        for own in (data, data[1:], data[:, 2:], data[::2, ::-1], data[:, :, 1:], data[1:, 3:, : 1023 // (n * width)]):
            plan = fo.plan.slice(own.shape, [0] * 4, list(own.shape))
            for result in RESULTS:
                check(plan(own, normalize=(means, 3), dtype=result), normalized(own, means, 3, 3, result), n, result)
            begin = [1, 2, 0, 0] if min(own.shape) and own.shape[0] > 1 and own.shape[1] > 2 else [0] * 4
            crop = fo.plan.slice(own.shape, begin, [m - k for m, k in zip(own.shape, begin, strict=True)])
            check(crop(own, normalize=(means, 3)), normalized(crop(own), means, 3, 3, np.float32), n)


def test_results_that_share_memory_with_the_source() -> None:
    memory = np.arange(400, dtype=np.float32)
    data, out = memory[:300], memory[100:]
    expected = normalized(data.copy(), 3, 2, 0, np.float32)
    assert fo.lazy(data).normalize(3, 2).run(out=out) is out
    check(out, expected)


def test_no_elements_no_axes_and_many_axes() -> None:
    check(fo.lazy(np.zeros((0, 3), np.uint8)).normalize(MEAN, STD).run(), np.zeros((0, 3), np.float32))
    check(fo.lazy(np.uint8(7)).astype(np.float32).run(), np.array(7, np.float32))
    data = elements((2, 1, 3, 2, 1, 2, 3, 2), np.int16)
    check(fo.lazy(data).transpose().normalize((1, 2), (3, 4)).run(), normalized(data.T, (1, 2), (3, 4), 0, np.float32))
    many = elements((5, 4000), np.float16)
    mean = np.arange(4000) / 7
    check(fo.lazy(many).normalize(mean, 3).run(), normalized(many, mean, 3, 1, np.float32))
    check(fo.lazy(many).transpose().normalize(mean, 3).run(), normalized(many.T, mean, 3, 0, np.float32))


DATA = np.zeros((4, 5, 3), np.uint8)
PLAN = fo.plan.slice(DATA.shape, [0], [4], axes=[0])
WRONG: list[tuple[str, Callable[[], Any]]] = [
    ("plan: normalize must .* one for each of 3 channels along axis 2 of", lambda: PLAN(DATA, normalize=((1, 2), 3))),
    ("plan: normalize must have finite means, and finite standard", lambda: PLAN(DATA, normalize=(1, 0))),
    ("plan: normalize must have finite means, and finite standard", lambda: PLAN(DATA, normalize=(np.nan, 1))),
    ("plan: normalize must be .mean, std. or .mean, std, axis., got 5", lambda: PLAN(DATA, normalize=5)),
    ("plan: normalize must be .mean, std. or .*got .0.5, 0.4, 0.3.", lambda: PLAN(DATA, normalize=(0.5, 0.4, 0.3))),
    ("plan: normalize must have a mean and a standard", lambda: PLAN(DATA, normalize=((1, 2), (1, 2, 3)))),
    ("plan: normalize must have real numbers, or lists of them, got 'a'", lambda: PLAN(DATA, normalize=("a", 1))),
    ("plan: normalize must name one of the 3 axes of the result, got 3", lambda: PLAN(DATA, normalize=(1, 2, 3))),
    ("plan: data must have elements of uint8, .* got dtype..int64", lambda: PLAN(DATA.astype(int), dtype="float32")),
    ("plan: dtype must be float32, float16, bfloat16 or float64, got 'int8'", lambda: PLAN(DATA, dtype="int8")),
    ("plan: out must have dtype float32, .*got dtype..int32", lambda: PLAN(DATA, DATA.astype("i4"), normalize=(1, 2))),
    ("plan: out must have dtype float16", lambda: PLAN(DATA, DATA.astype("f4"), dtype="float16")),
    ("lazy.flip: stage must come before normalize and astype", lambda: fo.lazy(DATA).astype("float32").flip()),
    ("lazy.normalize: stage must come before", lambda: fo.lazy(DATA).astype("float32").normalize(1, 2)),
    ("lazy.normalize: normalize must name the axis", lambda: fo.lazy(DATA)[..., 0].normalize((1, 2), 3)),
    # A new axis does not count as the axis of channels, and three means are refused where there is one channel.
    ("lazy.normalize: normalize must name the axis", lambda: fo.lazy(GRAY)[None].tile((3, 1, 1, 1)).normalize(*THREE)),
    ("lazy.normalize: normalize must name the axis", lambda: fo.lazy(GRAY[:1]).tile((4, 1, 3)).normalize(*THREE)),
    ("one for each of 1 channel along axis 0", lambda: fo.lazy(GRAY).transpose(2, 0, 1).normalize(*THREE)),
    ("lazy.astype: dtype must be", lambda: fo.lazy(DATA).astype("int8")),
    *[
        (
            "windows: normalize must name an axis of a window: axis 0 counts windows, got 0",
            lambda data=data, own=own: fo.windows(data, [[0], [1]], [2], axes=[0], normalize=((1, 2), 3, 0), **own),
        )
        for data, own in (
            *((DATA, {}), ([DATA, DATA], {}), (DATA, {"mode": "fill", "fill_value": [1, 2, 3]})),
            (dask.from_array(DATA), {}),
        )
    ],
    ("lazy.run: out must be an array of NumPy", lambda: fo.lazy(DATA).normalize(0, 1).run(out=[1])),
    ("plan: out must be an array of NumPy", lambda: PLAN(DATA, "out", dtype="float32")),
    ("windows: out must be an array of NumPy", lambda: fo.windows([DATA], [[0]], [2], axes=[0], dtype="f32", out=1)),
    ("each of 3 channels along axis 3", lambda: fo.windows(DATA, [[0], [1]], [2], axes=[0], normalize=((1, 2), 3))),
]


def test_what_is_wrong_is_said_and_nothing_is_written() -> None:
    for message, call in WRONG:
        with pytest.raises(fo.FastopsError, match=message):
            call()


def test_zeros_of_both_signs() -> None:
    zeros = np.array([-0.0, 0.0], np.float32)
    for _ in range(2):
        for mean in (-0.0, 0.0, (0.0, -0.0), (-0.0, 0.0)):
            for result in (np.float16, np.float64):
                check(fo.lazy(zeros).normalize(mean, 1.0, result).run(), normalized(zeros, mean, 1.0, 0, result), mean)
                check(fo.lazy(zeros).astype(result).run(), zeros.astype(result))


@pytest.mark.filterwarnings("error")
def test_numbers_that_overflow_or_vanish_are_no_errors() -> None:
    data = np.array([70000.0, np.inf, 1e-30], np.float32)
    with np.errstate(all="raise"):
        for own in (data, dask.from_array(data, chunks=2)):
            assert np.asarray(fo.lazy(own).astype("float16").run()).tolist() == [np.inf, np.inf, 0]
            assert np.asarray(fo.lazy(own).normalize(0, 1e300).run()).tolist()[::2] == [0, 0]


def test_tensors() -> None:
    torch = pytest.importorskip("torch")
    data = elements((30, 40, 3), np.uint8)
    plan = fo.plan.slice(data.shape, [-3, -4, 0], [28, 39, 3], mode="reflect")
    tensor, expected = torch.from_numpy(data), normalized(plan(data), MEAN, STD, 2, np.float32)
    found = plan(tensor, normalize=(torch.tensor(MEAN, dtype=torch.float64), STD))
    assert found.dtype is torch.float32
    check(found.numpy(), expected)
    out = torch.empty(plan.shape)
    assert plan(tensor, out, normalize=(MEAN, STD)) is out
    check(out.numpy(), expected)
    last = fo.lazy(tensor).slice([-3, -4, 0], [28, 39, 3], mode="reflect").normalize(MEAN, STD, torch.bfloat16).run()
    assert last.dtype is torch.bfloat16
    own = last.view(torch.uint16).numpy().view(ml_dtypes.bfloat16)
    check(own, normalized(plan(data), MEAN, STD, 2, ml_dtypes.bfloat16))
    windows = fo.windows([tensor] * 9, [[1, 2]] * 9, [5, 6], axes=[0, 1], normalize=(MEAN, STD))
    check(windows.numpy(), normalized(np.stack([data[1:6, 2:8]] * 9), MEAN, STD, 3, np.float32))


def test_dask_and_stored_data() -> None:
    da, zarr = pytest.importorskip("dask.array"), pytest.importorskip("zarr")
    data = elements((30, 40, 3), np.uint8)
    plan = fo.plan.slice(data.shape, [-3, -4, 0], [28, 39, 3], mode="reflect")
    expected = normalized(plan(data), MEAN, STD, 2, np.float16)
    result = plan(da.from_array(data, chunks=(11, 12, 2)), normalize=(MEAN, STD), dtype="float16")
    assert result.dtype == np.float16
    check(result.compute(), expected)
    stored = zarr.create_array({}, shape=data.shape, chunks=(11, 12, 3), dtype="u1")
    stored[...] = data
    check(plan(stored, normalize=(MEAN, STD), dtype="float16"), expected)
    windows = fo.windows(stored, [[1, 2]], [5, 6], axes=[0, 1], normalize=(MEAN, STD))
    check(windows, normalized(data[None, 1:6, 2:8], MEAN, STD, 3, np.float32))
