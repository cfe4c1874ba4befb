"""How peers are timed: medians in turns, the limit of the machine, the memory that a process takes."""

from __future__ import annotations

import gc
import mmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.measure import limits
from benchmarks.measure.growth import forget_peak, growth_of_random_calls, peak_bytes
from benchmarks.measure.timing import (
    Effort,
    calls_per_sample,
    interleaved_medians,
    sample_of,
    without_collector,
)


class FakeTime:
    """A clock that contenders move on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_medians_are_taken_in_turns():
    time, order = FakeTime(), []

    def sample(name: str, values: list[float]) -> Any:
        remaining = iter(values)

        def run() -> float:
            order.append(name)
            time.sleep(1)
            return next(remaining)

        return run

    samples = {"a": sample("a", [3, 1, 2]), "b": sample("b", [9, 9, 1]), "c": sample("c", [5, 6, 7])}
    medians = interleaved_medians(samples, Effort(3, 0, 0, 0.5), time, time.sleep)
    assert medians == {"a": 2, "b": 9, "c": 6}
    assert "".join(order) == "abc" + "acb" + "cab"
    assert time.now == 9 * 1.5


def test_rounds_go_on_for_as_long_as_is_wanted():
    time = FakeTime()
    taken = []

    def sample() -> float:
        time.sleep(0.3)
        taken.append(time.now)
        return 0.3

    interleaved_medians({"a": sample}, Effort(2, 1.5, 0, 0), time, time.sleep)
    assert len(taken) == 5


def test_short_calls_are_timed_in_loops():
    time = FakeTime()

    def call() -> None:
        time.sleep(1e-6)

    number = calls_per_sample(call, 2e-3, time)
    assert 2_000 <= number <= 8_000
    assert sample_of(call, number, time)() == pytest.approx(1e-6)
    assert calls_per_sample(lambda: time.sleep(1.0), 2e-3, time) == 1


def test_the_collector_is_off_inside():
    with without_collector():
        assert not gc.isenabled()
    assert gc.isenabled()


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 127, 1000, 4099, 300_001])
@pytest.mark.parametrize("offset", [0, 1, 33])
def test_limit_kernels_write_every_byte_and_no_other(size, offset):
    source = np.resize(np.arange(251, dtype=np.uint8), size + offset + 5)[5:][:size]
    for copy in (limits.parallel_copy, limits.streaming_copy):
        for workers in (1, 2, 3):
            room = np.full(size + offset + 70, 0xA5, np.uint8)
            copy(room[offset : offset + size], source, workers)
            np.testing.assert_array_equal(room[offset : offset + size], source)
            assert (room[:offset] == 0xA5).all()
            assert (room[offset + size :] == 0xA5).all()
    for fill in (limits.parallel_fill, limits.streaming_fill):
        room = np.full(size + offset + 70, 0xA5, np.uint8)
        fill(room[offset : offset + size], 251, 2)
        assert (room[offset : offset + size] == 251).all()
        assert (np.delete(room, np.s_[offset : offset + size]) == 0xA5).all()


def test_limits_touch_the_bytes_of_a_case():
    for make in (limits.copies, limits.fills):
        calls = make(10_001, 2)
        assert len(calls) == 3
        for call in calls.values():
            call()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks cannot be begun anew")
def test_peaks_show_memory_that_is_gone():
    # What earlier tests left is let go first: collected in between, it would hide the memory that is taken here.
    gc.collect()
    forget_peak()
    before = peak_bytes()
    # Straight from the system: an array may lie in memory that was given back, and is resident still.
    with mmap.mmap(-1, 40 << 20) as pages:
        pages[:: mmap.PAGESIZE] = bytes((40 << 20) // mmap.PAGESIZE)
    assert 35 << 20 < peak_bytes() - before < 60 << 20
    forget_peak()
    assert peak_bytes() - before < 35 << 20


def test_random_calls_do_not_gather_memory():
    assert growth_of_random_calls("strides_and_pads", 2_000) < 4 << 20
