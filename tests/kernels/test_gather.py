"""The gather kernel against the interpreter of plans: each width, layout and mode, guard bytes around the output."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from fastops import SampleMode
from fastops._plans._run_map import Run, RunMap
from fastops._plans._sample_mode import source_index
from fastops._runtime import _kernels
from fastops._schedules._schedule import create_schedule
from fastops.plan import SlicePlan
from tests.helpers.interpreters import interpret_plan
from tests.helpers.strategies import DTYPES, LAYOUTS, MODES, array_of, lay_out, plans
from tests.helpers.torture import scale

GUARD = 64


def run(
    plan: SlicePlan,
    source: np.ndarray[Any, Any],
    out: np.ndarray[Any, Any],
    fill: bytes,
    workers: int,
    *,
    streams: bool = False,
) -> None:
    """Run a plan with a number of workers, past the caches or not."""
    schedule = create_schedule((plan,), source.strides, source.itemsize, (out.strides,), streams=streams)
    kernel = _kernels.compile_kernel("gather")
    if schedule.total_bytes:
        table = np.array(schedule.table, np.int64)
        kernel.run((out,), source, table, np.frombuffer(fill, np.uint8), workers, 0, 1)


def guarded(
    shape: tuple[int, ...], dtype: np.dtype[Any], layout: str
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """An output of a layout inside a buffer, and that buffer: what lies between and around the elements is guard."""
    strides = lay_out(np.zeros(shape, dtype), layout).strides
    low = sum(min(stride * (n - 1), 0) for stride, n in zip(strides, shape, strict=True))
    high = sum(max(stride * (n - 1), 0) for stride, n in zip(strides, shape, strict=True)) + dtype.itemsize
    buffer = np.full(GUARD - low + high + GUARD, 0xA5, np.uint8)
    out = np.ndarray(shape, dtype, buffer, GUARD - low, strides)
    return out, buffer


def check(plan: SlicePlan, source: np.ndarray[Any, Any], out_layout: str, workers: int) -> None:
    """Assert that a plan writes what it means, and not a byte beside it."""
    dtype = source.dtype
    fill = bytes(range(1, dtype.itemsize + 1))
    out, buffer = guarded(plan.shape, dtype, out_layout)
    expected = buffer.copy()
    origin = out.__array_interface__["data"][0] - buffer.__array_interface__["data"][0]
    if plan.size:
        reaches = [stride * (n - 1) for stride, n in zip(source.strides, source.shape, strict=True)]
        lowest = sum(min(reach, 0) for reach in reaches)
        span = sum(map(abs, reaches)) + dtype.itemsize
        memory = np.lib.stride_tricks.as_strided(source.view(), (), ()) if source.ndim else source
        flat = _bytes_at(memory, lowest, span) if source.size else np.zeros(0, np.uint8)
        for k, (dst, src) in enumerate(interpret_plan(plan, source.strides, dtype.itemsize, out.strides)):
            expected[origin + dst] = fill[k % dtype.itemsize] if src is None else flat[src - lowest]
    untouched = buffer.copy()
    for streams in (False, True):
        buffer[...] = untouched
        run(plan, source, out, fill, workers, streams=streams)
        np.testing.assert_array_equal(buffer, expected)


def _bytes_at(first: np.ndarray[Any, Any], offset: int, n: int) -> np.ndarray[Any, Any]:
    """The n bytes from `offset` on, counted from the first element of an array."""

    class Memory:
        __array_interface__ = {  # noqa: RUF012
            "data": (first.__array_interface__["data"][0] + offset, True),
            "shape": (n,),
            "typestr": "|u1",
            "version": 3,
        }

    return np.asarray(Memory())


@settings(max_examples=scale(500, 1500), deadline=None)
@given(
    plans(),
    st.sampled_from(DTYPES),
    st.sampled_from(LAYOUTS),
    st.sampled_from(LAYOUTS[:-1]),
    st.sampled_from([1, 1, 2, 3, 7]),
)
def test_any_plan(plan: SlicePlan, dtype: np.dtype[Any], layout: str, out_layout: str, workers: int) -> None:
    check(plan, array_of(plan.source_shape, dtype, layout), out_layout, workers)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name.lower())
def test_every_width_and_mode_in_rows_of_every_length(dtype: np.dtype[Any], mode: SampleMode) -> None:
    # Around the lanes of a vector, and its double: whole vectors, tails of every length, one too few.
    lengths = [1, 2, 3, 5, 8, 9, 15, 16, 17, 31, 33, 64, 65, 129]
    lengths = scale(lengths, [*range(1, 10), 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 130])
    for n, stride in itertools.product(lengths, (1, -1, 2, -2, 3, 0)):
        reach = (n - 1) * abs(stride) + 1
        first = 0 if stride >= 0 else reach - 1
        plan = fo.plan.slice((reach,), [first], [n], [stride])
        check(plan, array_of((reach,), dtype, "C", seed=n), "C", 1)
        if mode is not SampleMode.STRICT_BOUNDS:
            plan = fo.plan.slice((7,), [first - 9], [n], [stride], mode=mode)
            check(plan, array_of((7,), dtype, "C", seed=n), "C", 2)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_axes_of_listed_runs(dtype: np.dtype[Any]) -> None:
    # More runs than are listed at a time, of one output and of vectors, within rows and across them; threads begin
    # anywhere in them.
    chosen = random.Random(str(dtype))
    for _ in range(scale(8, 150)):
        extents = [chosen.randint(1, 90), chosen.randint(1, 12)]
        axes = [_draw_runs(chosen, extents[0], 40), _draw_runs(chosen, extents[1], 5)]
        if chosen.random() < 0.5:
            axes, extents = axes[::-1], extents[::-1]
        if chosen.random() < 0.3:
            axes[1] = fo.plan.AxisMap.whole(extents[1])
        source = array_of(tuple(extents), dtype, chosen.choice(LAYOUTS), seed=chosen.randint(0, 99))
        check(SlicePlan.create(axes), source, chosen.choice(LAYOUTS[:-1]), chosen.choice((1, 1, 2, 3, 7)))


def _draw_runs(chosen: random.Random, extent: int, most: int) -> Any:
    runs = []
    for _ in range(chosen.randint(2, most)):
        first, last = chosen.randint(0, extent - 1), chosen.randint(0, extent - 1)
        stride = chosen.choice((1, 2, 3)) * (1 if last >= first else -1)
        count = abs(last - first) // abs(stride) + 1
        run = [Run(count, first, stride), Run(chosen.randint(1, 20), None, 0), Run(chosen.randint(1, 20), first, 0)]
        runs.append(chosen.choice([run[0], *run]))
    return RunMap(extent, runs)


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.integers(1, 5), max_size=2),
    st.integers(1, 3000),
    st.sampled_from(DTYPES),
    st.sampled_from(MODES),
    st.sampled_from([1, 1, -1, 2, -2, 3, 4, 7, 0]),
    st.integers(-70, 70),
    st.integers(0, 80),
    st.sampled_from([1, 2, 5]),
    st.sampled_from([0, 1, 16, 64]),
)
def test_rows_of_any_length_are_streamed_in_whole_lines(
    outer: list[int],
    extent: int,
    dtype: np.dtype[Any],
    mode: SampleMode,
    stride: int,
    start: int,
    more: int,
    workers: int,
    offset: int,
) -> None:
    # Rows that begin and end anywhere in a cache line, before and behind each other; NumPy says what is in them.
    if mode is SampleMode.STRICT_BOUNDS:
        start, count = (extent - 1 if stride < 0 else 0), (extent - 1) // max(abs(stride), 1) + 1
    else:
        count = extent // max(abs(stride), 1) + more
    shape = (*outer, extent)
    source = np.random.default_rng(extent).integers(0, 256, (*shape, dtype.itemsize), np.uint8).view(dtype)[..., 0]
    plan = fo.plan.slice(shape, [start], [count], [stride], axes=[len(outer)], mode=mode)
    reads = [source_index(start + y * stride, extent, mode) for y in range(count)]
    expected = source[..., [0 if read is None else read for read in reads]]
    fill = bytes(range(1, dtype.itemsize + 1))
    expected[..., [read is None for read in reads]] = np.frombuffer(fill, dtype)[0]
    buffer = np.full(GUARD + offset + expected.nbytes + GUARD, 0xA5, np.uint8)
    out = np.ndarray(expected.shape, dtype, buffer, GUARD + offset)
    run(plan, source, out, fill, workers, streams=True)
    assert out.tobytes() == expected.tobytes()
    assert (buffer[: GUARD + offset] == 0xA5).all()
    assert (buffer[GUARD + offset + expected.nbytes :] == 0xA5).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("out_layout", LAYOUTS[:-1])
def test_layouts_beyond_one_tile(layout: str, out_layout: str) -> None:
    plan = fo.plan.slice((3, 131, 37), [2, 130, 0], [3, 131, 37], [-1, -1, 1])
    source = array_of(plan.source_shape, np.dtype("u2"), layout)
    for workers in (1, 2, 5):
        out, buffer = guarded(plan.shape, source.dtype, out_layout)
        untouched = np.ones(buffer.shape, bool)
        marks = np.ndarray(plan.shape, source.dtype, untouched.view(np.uint8), _origin(out, buffer), out.strides)
        marks[...] = 0
        run(plan, source, out, b"\0\0", workers)
        np.testing.assert_array_equal(out, source[::-1, ::-1])
        assert (buffer[untouched] == 0xA5).all()


def _origin(out: np.ndarray[Any, Any], buffer: np.ndarray[Any, Any]) -> int:
    return int(out.__array_interface__["data"][0] - buffer.__array_interface__["data"][0])


@pytest.mark.parametrize("mode", ["wrap", "reflect", "symmetric", "clamp"])
@pytest.mark.parametrize("extent", [2, 3, 50])
def test_a_thousand_periods(mode: str, extent: int) -> None:
    data = np.arange(extent, dtype=np.uint16)
    n = 1000 * extent + 17
    whole = np.pad(data, (9 * extent, n), {"clamp": "edge"}.get(mode, mode))
    result = fo.slice(data, [-9 * extent], [n], mode=mode)
    np.testing.assert_array_equal(result, whole[:n])


@pytest.mark.parametrize("chunks", [1, 2, 3, 64, 1000])
def test_more_workers_than_work(chunks: int) -> None:
    source = array_of((3, 5), np.dtype("f8"), "C")
    out = np.empty_like(source)
    run(fo.plan.slice((3, 5), [0, 0], [3, 5]), source, out, b"\0" * 8, chunks)
    assert out.tobytes() == source.tobytes()


def test_parts_of_a_split_are_one_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    launches = []
    real = _kernels.compile_kernel("gather")

    def run(*args: object) -> None:
        launches.append(args)
        real.run(*args)

    counting = _kernels.CompiledKernel(run, real.dispatcher, real.from_cache)
    monkeypatch.setitem(_kernels._compiled, ("gather", 0), counting)
    data = np.arange(60_000).reshape(3_000, 20)
    parts = fo.variadic_split(data, 1, [1, 0, 7, -1])
    assert len(launches) == 1
    for part, expected in zip(parts, np.split(data, [1, 1, 8], axis=1), strict=True):
        np.testing.assert_array_equal(part, expected)


def test_one_signature_was_compiled() -> None:
    fo.slice(np.arange(5.0), [0], [5])
    fo.slice(np.zeros((2, 3), "S5"), [0, -1], [2, 9], mode="wrap")
    for kernel in ("gather", "gather_traced"):
        assert len(_kernels.compile_kernel(kernel).dispatcher.overloads) == 1


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("block", [127, 128, 129, 191, 192, 256, 500, 512, 777, 1023, 1024, 1025, 1300])
def test_streamed_blocks_share_lines(block: int, workers: int) -> None:
    # Rows of a crop, one block each, and rows of several blocks, each at every place in a cache line.
    rng = np.random.default_rng(block)
    source = rng.integers(0, 256, (9, 3, 2, block + 3), np.uint8)
    whole, inside = slice(None), slice(1, 1 + block)
    keys = [(whole, whole, whole, inside), (whole, 1, 0, inside), (whole, whole, slice(None, None, -1), inside)]
    for at, key in itertools.product((0, 1, 16, 31, 63), keys):
        plan = fo.plan.numpy.take_slice(source.shape, key)
        for order in (tuple(range(len(plan.shape))), (1, 0, *range(2, len(plan.shape)))):
            moved = plan.transpose(order)
            expected = source[key].transpose(order)
            buffer = np.full(expected.size + 2 * GUARD + at, 0xA5, np.uint8)
            low = GUARD + at
            out = buffer[low : low + expected.size].reshape(expected.shape)
            run(moved, source, out, b"\1", workers, streams=True)
            assert np.array_equal(out, expected)
            assert (buffer[:low] == 0xA5).all()
            assert (buffer[low + expected.size :] == 0xA5).all()
