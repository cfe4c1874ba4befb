"""Launches: how much time those that fail may cost, for how many threads they wait, and the clock that times them."""

from __future__ import annotations

from collections.abc import Iterator

import numba
import numpy as np
import pytest
from numba import njit

from fastops.kernels._intrinsics._memory import stack_words, ticks
from fastops.kernels._parallel import begin_launch, end_launch, is_serial, lost_ticks, note_chunk, note_serial
from tests.helpers.launches import forget_launches

numba.get_num_threads()  # whose names compiled code calls

BYTES = 1 << 20


@pytest.fixture(autouse=True)
def _no_history() -> Iterator[None]:
    forget_launches()
    yield
    forget_launches()


@njit
def ticks_of(launches, serial, calls, n):  # type: ignore[no-untyped-def]
    """The ticks of calls that write n bytes, of which launches take these times, in turn."""
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
        # Launches that always fail cost little, and those that fail at times at most half of the time.
        *[([launch], 1_000_000, 1, 1.03) for launch in (11, 20, 100, 2000)],
        *[(each, 100_000, 0, 1.5) for each in ([6, 2000], [6, 6, 6, 100], [2000, 2000, 6], [11, 6], [100, 6, 6])],
        # Those that gain are all made; of a loop whose first launch wakes threads, all but for what that has lost.
        ([6], 1000, 0.6, 0.6),
        ([100, *[6] * 999], 1000, 0.58, 0.62),
    ],
)
def test_the_mean_time_of_calls(launches: list[int], calls: int, least: float, most: float) -> None:
    assert least <= ticks_of(np.array(launches), 10, calls, BYTES) / (10 * calls) <= most


@njit
def serial_ticks_after(lost, n):  # type: ignore[no-untyped-def]
    """For how many ticks work of n bytes is serial after launches that lost these, each once that of the last ended."""
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
    # Work of another size has a history of its own.
    assert serial_ticks_after(np.array([1000]), 2 * BYTES) == 0
    assert serial_ticks_after(np.array([1000]), 2 * BYTES + 1) == 4000


@njit
def threads_amid_launch(workers, n):  # type: ignore[no-untyped-def]
    """How many threads regions have before, in and after a launch of some workers."""
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
    """The clock before and after some work, and what a launch has lost of which one chunk alone took that time."""
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
    # A thread may be moved to another core, but each of these takes thousands of ticks.
    assert readings == sorted({*readings})
    assert runs[1][1] > 0 > runs[3][1]
