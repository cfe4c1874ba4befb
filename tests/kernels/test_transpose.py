"""Planes whose source is dense along another axis than the output: every width, extent and layout, streamed or not."""

from __future__ import annotations

import ctypes
import itertools
import mmap
import sys
from typing import Any

import numpy as np
import pytest

from fastops._execution._prepared_call import prepare_plans
from fastops._runtime import _kernels
from fastops._schedules import _planes
from fastops.kernels._tables._gather import HEADER_COLUMNS, STREAMS
from fastops.plan import AxisMap, SlicePlan

GUARD = 64
DTYPES = [np.dtype(code) for code in ("u1", "u2", "f4", "f8", "c16", "V3", "V5", "V6", "V12", "V40", "V80")]

# Around the cells of a vector, of two of them, of a cache line, and of a strip.
EXTENTS = [1, 2, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 67, 131]

# What `mmap` has no name for.
_NO_ACCESS = 0

Array = np.ndarray[Any, Any]


@pytest.fixture(autouse=True)
def no_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tiles move what shuffle programs could move as well."""
    monkeypatch.setattr(_planes, "_as_pixels", lambda *_, **__: None)


def random(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    n = int(np.prod(shape)) * dtype.itemsize
    return np.frombuffer(np.random.default_rng(n).bytes(n), np.uint8).view(dtype).reshape(shape)


def transpose(source: Array, out: Array, workers: int, streams: bool) -> None:
    """Copy the source to the output, past the caches or not."""
    plan = SlicePlan.create([AxisMap.whole(extent) for extent in source.shape])
    table = prepare_plans((plan,), source.strides, source.dtype, (out.strides,)).table.copy()
    if streams:
        # As the schedule has it for outputs that are larger.
        table[HEADER_COLUMNS + STREAMS] = 1
    _kernels.compile_kernel("gather").run((out,), source, table, np.zeros(128, np.uint8), workers, 0, 1)


def lay_source(data: Array, layout: str) -> Array:
    """The data with its first axis dense in memory, its last one, or both, running backwards, or with gaps."""
    if layout == "reversed":
        return data[::-1, ::-1].copy(order="F")[::-1, ::-1]
    if layout == "negative":
        return data[:, ::-1].copy(order="F")[:, ::-1]
    whole = np.zeros([2 * n + 3 for n in data.shape], data.dtype, order="F")
    part = {
        "F": whole[: data.shape[0]][:, : data.shape[1]],
        "gaps": whole[1 : data.shape[0] + 1, ::2][:, : data.shape[1]],
        "strided": whole[::2, ::2][: data.shape[0], : data.shape[1]],
    }[layout]
    part[...] = data
    return part


def guarded(shape: tuple[int, ...], dtype: np.dtype[Any], layout: str) -> tuple[Array, Array]:
    """An output, dense along its last axis, and the buffer that it lies in, full of guard bytes."""
    width = shape[-1] * dtype.itemsize
    gaps = {"C": 0, "gaps": 2 * dtype.itemsize, "lines": -width % 64, "unaligned": 1}
    pitch = width + gaps[layout]
    buffer = np.full(2 * GUARD + pitch * int(np.prod(shape[:-1])) + width, 0xA5, np.uint8)
    origin = GUARD - buffer.ctypes.data % 64 + (layout == "unaligned")
    pitches = [pitch * int(np.prod(shape[i + 1 : -1])) for i in range(len(shape) - 1)]
    return np.ndarray(shape, dtype, buffer, origin, (*pitches, dtype.itemsize)), buffer


def check(source: Array, out_layout: str, workers: int, streams: bool) -> None:
    """Assert that the output equals the source, and that the guard bytes are whole."""
    out, buffer = guarded(source.shape, source.dtype, out_layout)
    around = np.full_like(buffer, 0xA5)
    expected = np.ndarray(source.shape, source.dtype, around, out.ctypes.data - buffer.ctypes.data, out.strides)
    expected[...] = source
    transpose(source, out, workers, streams)
    np.testing.assert_array_equal(buffer, around)


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_width_and_extent(dtype: np.dtype[Any], streams: bool) -> None:
    for shape in itertools.product(EXTENTS, EXTENTS):
        data = random(shape, dtype)
        for out_layout in ("C", "gaps"):
            check(lay_source(data, "F"), out_layout, 1, streams)


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize("out_layout", ["C", "gaps", "lines", "unaligned"])
@pytest.mark.parametrize("layout", ["F", "gaps", "strided", "negative", "reversed"])
@pytest.mark.parametrize("dtype", DTYPES[:9], ids=str)
def test_every_layout(dtype: np.dtype[Any], layout: str, out_layout: str, streams: bool) -> None:
    for shape in ((5, 23), (23, 5), (61, 67), (300, 19), (19, 300), (321, 331)):
        for workers in (1, 3):
            check(lay_source(random(shape, dtype), layout), out_layout, workers, streams)


@pytest.mark.parametrize("dtype", DTYPES[:7], ids=str)
def test_strips_of_every_width(dtype: np.dtype[Any]) -> None:
    # Around one strip, two, and those of few rows, which are wider.
    for n in (192, 255, 256, 257, 320, 383, 384, 385, 447, 511, 513, 576, 640, 1023, 1025, 1100, 2100):
        for rows in (4, 16, 70):
            for out_layout in ("C", "unaligned"):
                check(lay_source(random((rows, -(-n // dtype.itemsize)), dtype), "F"), out_layout, 1, True)


@pytest.mark.parametrize("axes", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("code", ["u1", "f4"])
def test_permuted_axes(axes: tuple[int, int, int], code: str) -> None:
    source = random((19, 37, 41), np.dtype(code)).transpose(axes)
    for workers, streams in itertools.product((1, 2, 5), (False, True)):
        check(source, "C", workers, streams)
        check(source[::-1, :, ::-1], "gaps", workers, streams)


@pytest.mark.skipif(sys.platform != "linux", reason="mprotect through the C library")
@pytest.mark.parametrize("at_end", [False, True])
@pytest.mark.parametrize("dtype", DTYPES[:9], ids=str)
def test_nothing_is_read_beyond_the_source(dtype: np.dtype[Any], at_end: bool) -> None:
    page = mmap.PAGESIZE
    room = 16 * page
    memory = mmap.mmap(-1, room + 2 * page)
    buffer = np.frombuffer(memory, np.uint8)
    protect = ctypes.CDLL(None).mprotect
    for place in (0, page + room):
        assert protect(ctypes.c_void_p(buffer.ctypes.data + place), page, _NO_ACCESS) == 0
    try:
        for rows, n, sign in itertools.product((4, 5, 7, 15, 16, 17), (4, 5, 16, 33, 67), (1, -1)):
            data = random((n, rows), dtype)
            first = page + room - data.nbytes if at_end else page
            inside = np.ndarray((n, rows), dtype, buffer, first)
            inside[...] = data
            check(inside[::sign].T, "C", 1, False)
    finally:
        for place in (0, page + room):
            protect(ctypes.c_void_p(buffer.ctypes.data + place), page, mmap.PROT_READ | mmap.PROT_WRITE)
