"""Launches of a call: the time that slow launches may cost, the threads that a launch waits for, and the clock.

Together, the launches of a call write all chunks, in any sequence of serial and parallel launches.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import ml_dtypes
import numba
import numpy as np
import pytest
from numba import njit

import fastops as fo
from fastops._execution._execute import ZEROS, create_call
from fastops._geometry._planned_output import PlannedOutput
from fastops._settings import STREAM_BYTES
from fastops.kernels._intrinsics._memory import stack_words, ticks
from fastops.kernels._parallel import (
    begin_launch,
    chunk_start,
    end_launch,
    is_serial,
    lost_ticks,
    note_chunk,
    note_serial,
)
from fastops.kernels._tables._gather import SMALLEST_PEELED
from tests.helpers.launches import SEQUENCES, described, forget_launches, range_written, run_launches_by

numba.get_num_threads()  # loads the threading layer, which compiled code calls

BYTES = 1 << 20


@pytest.fixture(autouse=True)
def _no_history() -> Iterator[None]:
    forget_launches()
    yield
    forget_launches()


@njit
def ticks_of(launches, serial, calls, n):  # type: ignore[no-untyped-def]
    """The ticks of calls that write n bytes; their launches take the given times in turn."""
    taken = launched = 0
    for _ in range(calls):
        if is_serial(n):
            note_serial(n, serial)
            taken += serial
        else:
            ticks = launches[launched % len(launches)]
            launched += 1
            taken += ticks
            end_launch(n, 2, 2, ticks - serial)
    return taken


@pytest.mark.parametrize(
    ("launches", "calls", "least", "most"),
    [
        # Launches that always lose time cost little; launches that lose time now and then cost at most half of serial
        # time.
        *[([launch], 1_000_000, 1, 1.03) for launch in (11, 20, 100, 2000)],
        *[(each, 100_000, 0, 1.5) for each in ([6, 2000], [6, 6, 6, 100], [2000, 2000, 6], [11, 6], [100, 6, 6])],
        # All launches that gain are made. If the first launch of a loop wakes threads, only the time that it loses is
        # added.
        ([6], 1000, 0.6, 0.6),
        ([100, *[6] * 999], 1000, 0.58, 0.62),
    ],
)
def test_the_mean_time_of_calls(launches: list[int], calls: int, least: float, most: float) -> None:
    assert least <= ticks_of(np.array(launches), 10, calls, BYTES) / (10 * calls) <= most


@njit
def serial_ticks_after(lost, n):  # type: ignore[no-untyped-def]
    """Make launches that lose these ticks, and serial work after each; return the ticks of the last serial work."""
    ticks = 0
    for each in lost:
        end_launch(n, 2, 2, each)
        ticks = 0
        while is_serial(n):
            note_serial(n, 1)
            ticks += 1
    return ticks


def test_launches_are_made_again_when_the_machine_is_quiet() -> None:
    assert serial_ticks_after(np.full(20, 1000), BYTES) == 128_000
    assert serial_ticks_after(np.array([-1, 1000]), BYTES) == 2000
    # A process was stopped amid a launch; then thousands gained, and one lost a little.
    forget_launches()
    assert serial_ticks_after(np.array([1 << 30, *[-50] * 4000, 10]), BYTES) == 20
    # Sizes from one power of two to the next share a history.
    assert serial_ticks_after(np.array([1000]), 2 * BYTES) == 0
    assert serial_ticks_after(np.array([1000]), 2 * BYTES + 1) == 4000


@njit
def threads_amid_launch(workers, n):  # type: ignore[no-untyped-def]
    """The number of threads of regions before, during and after a launch of some workers."""
    before = numba.get_num_threads()
    of_regions = begin_launch(workers)
    amid = numba.get_num_threads()
    end_launch(n, workers, of_regions, 0)
    return before, amid, numba.get_num_threads()


def test_a_launch_waits_for_no_more_threads_than_take_part() -> None:
    count = numba.get_num_threads()
    for workers in (1, count, count + 1):
        assert threads_amid_launch(workers, BYTES) == (count, min(workers, count), count)


@njit
def ticks_of_work(data, chunks):  # type: ignore[no-untyped-def]
    """The clock before and after some work, and the ticks that a launch loses if one chunk alone takes that time."""
    times = stack_words(64)
    total = 0.0
    begun = ticks()
    for value in data:
        total += value
    note_chunk(times, 0, begun)
    done = ticks()
    for chunk in range(1, chunks):
        note_chunk(times, chunk, ticks())
    return (begun, done), lost_ticks(times, chunks, begun), total


def test_the_clock_moves_and_a_launch_that_waits_for_one_chunk_is_seen_to_lose_time() -> None:
    data = np.ones(1 << 20)
    runs = [ticks_of_work(data, chunks) for chunks in (2, 2, 1, 1)]
    readings = [reading for both, _, _ in runs for reading in both]
    # A thread may move to another core, but the work between two readings takes thousands of ticks.
    assert readings == sorted({*readings})
    assert runs[1][1] > 0 > runs[3][1]


WORKERS = (2, 3)

rng = np.random.default_rng(3)
IMAGE = rng.integers(0, 256, (61, 47, 3), np.uint8)
PLANES = rng.random((3, 40, 33), np.float32)
LARGE = rng.integers(0, 1 << 16, (1500, 4, 1023), np.uint16)
p = fo.plan

# The data, and the plans that move it, one for each output.
PLANS: dict[str, tuple[Any, list[fo.SlicePlan]]] = {
    "rows": (IMAGE, [p.slice(IMAGE.shape, [3, 5], [50, 31], axes=[0, 1])]),
    "framed": (IMAGE, [p.numpy.pad(IMAGE.shape, ((2, 2), (3, 3), (0, 0)), "reflect")]),
    "periods": (PLANES, [p.numpy.pad(PLANES.shape, ((0, 0), (90, 70), (80, 99)), "symmetric")]),
    "shuffled": (IMAGE, [p.numpy.flip(IMAGE.shape, 2)]),
    "listed": (PLANES, [p.numpy.roll(PLANES.shape, 3, 2).then(p.numpy.pad(PLANES.shape, ((0, 0), (0, 0), (2, 5))))]),
    "split": (PLANES, p.numpy.split(PLANES.shape, [0, 5, 20], 2)),
    "split in rounds": (LARGE, p.numpy.split(LARGE.shape, 3, 2)),
    "streamed": (LARGE, [p.slice(LARGE.shape, [1], [8], axes=[1], mode="wrap")]),
}


def check_sequences(move: Callable[[list[Any], Any], None], expected: list[Any], *case: object) -> None:
    """Fill outputs with wrong bytes, and assert that each sequence of launches, by 2 or 3 threads, makes them right."""
    rights = [each.view(np.uint8) for each in expected]
    for sequence, workers in itertools.product(SEQUENCES, WORKERS):
        outs = [(~right).view(each.dtype) for right, each in zip(rights, expected, strict=True)]
        move(outs, run_launches_by(sequence, workers))
        for out, right in zip(outs, rights, strict=True):
            assert np.array_equal(out.view(np.uint8), right), (case, sequence, workers)


@pytest.mark.parametrize("name", PLANS)
def test_parts_are_whole_in_any_sequence(name: str) -> None:
    data, plans = PLANS[name]
    call = create_call([PlannedOutput.of_geometry(plan.geometry) for plan in plans])

    def move(outs: list[Any], run_launches: Any) -> None:
        with described((data, *outs), call.words, ZEROS) as where:
            run_launches("execute_at", 0, *where, SMALLEST_PEELED, STREAM_BYTES, 1)

    check_sequences(move, [np.ascontiguousarray(plan(data)) for plan in plans])


def test_ranges_are_whole_in_any_sequence() -> None:
    kinds = ("f4", "f8", "f2", "u1", "i8", ml_dtypes.bfloat16)
    for dtype, count in itertools.product(map(np.dtype, kinds), (1, 5, 64, 5003)):
        plan = p.RangePlan(2, 3, count)

        def move(outs: list[Any], run_launches: Any, plan: Any = plan, dtype: Any = dtype) -> None:
            with range_written(plan.geometry, dtype, outs[0]) as where:
                run_launches("run_range", 0, *where)

        check_sequences(move, [plan(dtype)], dtype, count)


def test_where_a_chunk_begins_depends_on_its_fraction_of_the_work_alone() -> None:
    for total, chunks, times in itertools.product(range(50), range(1, 9), range(1, 6)):
        for chunk in range(chunks + 1):
            start = chunk_start(total, chunk, chunks)
            assert start == total * chunk // chunks
            assert chunk_start(total, times * chunk, times * chunks) == start
