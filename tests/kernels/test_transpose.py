"""Planes whose source is dense along another axis than the output: every width, extent and layout, streamed or not."""

from __future__ import annotations

import ctypes
import itertools
import mmap
import random
import sys
from typing import Any

import numpy as np
import pytest

from fastops._execution._execute import as_table
from fastops._geometry._words import Piece, to_words
from fastops.kernels._scheduler import _planes
from fastops.kernels._tables._gather import HEADER_COLUMNS, STREAMS
from fastops.plan import AxisMap, SlicePlan
from tests.helpers.launches import run_table
from tests.helpers.schedules import table_of
from tests.helpers.strategies import array_of
from tests.helpers.torture import scale
from tests.kernels.guarded import Array, Guarded

DTYPES = [np.dtype(code) for code in ("u1", "u2", "f4", "f8", "c16", "V3", "V5", "V6", "V12", "V40", "V80")]

# Around the cells of a vector, of two of them, of a cache line, and of a strip.
EXTENTS = [1, 2, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 67, 131]

# Steps of the source's axes, of which the first one is dense in memory: with gaps, or running backwards.
STEPS = [(1, 1), (1, 2), (2, 2), (1, -1), (-1, -1)]
OUT_LAYOUTS = ["C", "gaps", "lines", "unaligned"]


@pytest.fixture(autouse=True)
def no_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tiles move what shuffle programs could move as well."""
    monkeypatch.setattr(_planes, "_pair_tuples", lambda _shuffle, _axes, n, _block: (n, 0))


def lay_source(data: Array, steps: tuple[int, int] = (1, 1)) -> Array:
    """The data with its first axis dense in memory."""
    whole = np.zeros([n * abs(step) for n, step in zip(data.shape, steps, strict=True)], data.dtype, order="F")
    part = whole[:: steps[0], :: steps[1]]
    part[...] = data
    return part


def guarded(shape: tuple[int, ...], dtype: np.dtype[Any], layout: str) -> Guarded:
    """An output, dense along its last axis, with gaps between its rows or not."""
    width = shape[-1] * dtype.itemsize
    gap = {"C": 0, "gaps": 2 * dtype.itemsize, "lines": -width % 64, "unaligned": 1}[layout]
    pitches = [(width + gap) * int(np.prod(shape[i + 1 : -1])) for i in range(len(shape) - 1)]
    return Guarded(shape, dtype, (*pitches, dtype.itemsize), int(layout == "unaligned"))


def check(source: Array, out_layout: str, workers: int, streams: bool) -> None:
    """Assert that the output equals the source, and that nothing around it was written."""
    memory = guarded(source.shape, source.dtype, out_layout)
    plan = SlicePlan.create([AxisMap.whole(extent) for extent in source.shape])
    words = to_words(plan.source_shape, [plan.shape], [Piece(plan.geometry, 0)])
    table = table_of(words, [*source.strides, *memory.out.strides], source.itemsize)
    assert table is not None
    if streams:
        # As the schedule has it for outputs that are larger.
        table[HEADER_COLUMNS + STREAMS] = 1
    run_table((source, memory.out), as_table(table), np.zeros(128, np.uint8), workers)
    memory.assert_holds(source, source.shape, source.strides, source.dtype, out_layout, workers, streams)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_width_extent_and_layout(dtype: np.dtype[Any]) -> None:
    chosen = random.Random(str(dtype))
    for shape in itertools.product(EXTENTS, EXTENTS):
        for streams in (False, True):
            check(lay_source(array_of(shape, dtype, "C")), chosen.choice(("C", "gaps")), 1, streams)
    shapes = ((5, 23), (23, 5), (61, 67), (300, 19), (19, 300), (321, 331))
    for shape, steps in itertools.product(shapes, STEPS if dtype.itemsize < 40 else []):
        data = lay_source(array_of(shape, dtype, "C"), steps)
        for out_layout in OUT_LAYOUTS if max(shape) < 100 else chosen.sample(OUT_LAYOUTS, scale(2, 4)):
            check(data, out_layout, chosen.choice((1, 3)), chosen.random() < 0.5)


@pytest.mark.parametrize("dtype", DTYPES[:7], ids=str)
def test_strips_of_every_width(dtype: np.dtype[Any]) -> None:
    # Around one strip, two, and those of few rows, which are wider.
    out_layouts = itertools.cycle(("C", "unaligned", "unaligned", "C"))
    for n in (192, 255, 256, 257, 320, 383, 384, 385, 447, 511, 513, 576, 640, 1023, 1025, 1100, 2100):
        for rows in (4, 16, 70):
            data = array_of((rows, -(-n // dtype.itemsize)), dtype, "C")
            check(lay_source(data), next(out_layouts), 1, True)


def test_permuted_axes() -> None:
    for axes, code in itertools.product(itertools.permutations(range(3)), ("u1", "f4")):
        source = array_of((19, 37, 41), np.dtype(code), "C").transpose(axes)
        for workers, streams in itertools.product((1, 2, 5), (False, True)):
            check(source, "C", workers, streams)
            check(source[::-1, :, ::-1], "gaps", workers, streams)


@pytest.mark.skipif(sys.platform != "linux", reason="pages are protected by mprotect")
@pytest.mark.parametrize("is_at_end", [False, True])
def test_nothing_is_read_beyond_the_source(is_at_end: bool) -> None:
    """Nobody may read the pages on either side of the source."""
    page, dtype = mmap.PAGESIZE, np.dtype("V3")
    room = 16 * page
    buffer = np.frombuffer(mmap.mmap(-1, room + 2 * page), np.uint8)
    protect, ends = ctypes.CDLL(None).mprotect, (0, page + room)
    try:
        for place in ends:
            assert protect(ctypes.c_void_p(buffer.ctypes.data + place), page, 0) == 0
        for rows, n, step in itertools.product((4, 5, 7, 15, 16, 17), (4, 5, 16, 33, 67), (1, -1)):
            source = np.ndarray((n, rows), dtype, buffer, page + room - n * rows * 3 if is_at_end else page)
            source[...] = array_of((n, rows), dtype, "C")
            check(source[::step].T, "C", 1, streams=False)
    finally:
        for place in ends:
            protect(ctypes.c_void_p(buffer.ctypes.data + place), page, mmap.PROT_READ | mmap.PROT_WRITE)
