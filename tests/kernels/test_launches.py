"""Launches: how much time those that fail may cost, and how many threads they wait for."""

from __future__ import annotations

from collections.abc import Iterator

import numba
import numpy as np
import pytest
from numba import njit

import fastops as fo
from fastops._runtime._kernels import compile_kernel
from fastops.kernels._intrinsics._regions import forget_launches
from fastops.kernels._launches import begin_launch, end_launch, is_serial, note_serial
from fastops.kernels._tables._gather import NEEDS

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


def mean_of(launches: list[int], calls: int) -> float:
    """The mean time of calls, as a multiple of the serial time."""
    return float(ticks_of(np.array(launches), 10, calls, BYTES) / (10 * calls))


@pytest.mark.parametrize("launch", [11, 20, 100, 2000])
def test_launches_that_always_fail_cost_little(launch: int) -> None:
    assert mean_of([launch], 1_000_000) <= 1.03


@pytest.mark.parametrize("launches", [[6, 2000], [6, 6, 6, 100], [2000, 2000, 6], [11, 6], [100, 6, 6]])
def test_launches_that_fail_at_times_cost_at_most_half(launches: list[int]) -> None:
    assert mean_of(launches, 100_000) <= 1.5


def test_launches_that_gain_are_all_made() -> None:
    assert mean_of([6], 1000) == 0.6


def test_a_launch_that_wakes_threads_is_followed_by_another() -> None:
    """All calls of a loop are launched but for what the first of them has lost."""
    assert mean_of([100, *[6] * 999], 1000) == pytest.approx(0.6, abs=0.02)


def test_what_was_lost_long_ago_is_forgotten() -> None:
    """A process was stopped amid a launch; then thousands gained, and one lost a little."""
    losses = np.array([1 << 40, *[-50] * 4000, 10])
    assert serial_ticks_after(losses, BYTES) == 20


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


def test_work_of_another_size_has_a_history_of_its_own() -> None:
    assert serial_ticks_after(np.array([1000, 500]), BYTES) == 3000
    assert serial_ticks_after(np.array([1000]), 2 * BYTES) == 0
    assert serial_ticks_after(np.array([1000, 500]), BYTES + 1) == 6000


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
    assert threads_amid_launch(1, BYTES) == (count, 1, count)
    assert threads_amid_launch(count, BYTES) == (count, count, count)
    assert threads_amid_launch(count + 1, BYTES) == (count, count, count)


def test_serial_work_after_a_loss_is_right_too() -> None:
    data = np.arange(1 << 19, dtype=np.uint16)
    plan = fo.plan.slice(data.shape, [len(data) - 1], [len(data)], [-1])
    out = plan(data)
    call = plan._prepared
    kernel = compile_kernel("gather", int(call.table[NEEDS]))
    assert serial_ticks_after(np.array([0]), data.nbytes) == 0
    for ticks_lost in (0, 1 << 50):
        threads_lost(ticks_lost, data.nbytes)
        threads_lost(ticks_lost, data.nbytes)
        out.fill(7)
        kernel.run((out,), data, call.table, call.fill, 2, 0, 1)
        np.testing.assert_array_equal(out, data[::-1])


@njit
def threads_lost(lost, n):  # type: ignore[no-untyped-def]
    """Let a launch have lost so many ticks."""
    end_launch(n, 2, 2, lost)
