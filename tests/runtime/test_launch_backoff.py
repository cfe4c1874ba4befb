"""Launch backoff: how much time launches that fail may cost."""

from __future__ import annotations

import pytest

from fastops._runtime._launch_backoff import LaunchBackoff


def mean_of(launches: list[int], serial: int, calls: int) -> float:
    """The mean time of calls, as a multiple of the serial time, of which launches take these times, in turn."""
    backoff = LaunchBackoff()
    taken = launched = 0
    for _ in range(calls):
        if backoff.serial_ticks > 0:
            backoff.note_serial(serial)
            taken += serial
        else:
            ticks = launches[launched % len(launches)]
            launched += 1
            taken += ticks
            backoff.note_launch(ticks - serial)
    return taken / (serial * calls)


@pytest.mark.parametrize("launch", [11, 20, 100, 2000])
def test_launches_that_always_fail_cost_little(launch: int) -> None:
    assert mean_of([launch], 10, 100_000) <= 1.03


@pytest.mark.parametrize("launches", [[6, 2000], [6, 6, 6, 100], [2000, 2000, 6], [11, 6]])
def test_launches_that_fail_at_times_cost_at_most_half(launches: list[int]) -> None:
    assert mean_of(launches, 10, 100_000) <= 1.5


def test_launches_that_gain_are_all_made() -> None:
    assert mean_of([6], 10, 1000) == 0.6


def test_launches_are_made_again_when_the_machine_is_quiet() -> None:
    backoff = LaunchBackoff()
    for _ in range(20):
        backoff.note_launch(1000)
    backoff.note_serial(backoff.serial_ticks)
    assert backoff.serial_ticks == 0
    backoff.note_launch(-1)
    backoff.note_launch(1000)
    assert backoff.serial_ticks == 2000
