"""Medians of samples that are taken in turn, and the text of times."""

from __future__ import annotations

import gc
from functools import partial
from itertools import repeat

import pytest
from asv_gate import timing
from asv_gate.tables import shown_seconds


def test_seconds_are_shown_in_the_unit_that_suits_them():
    seconds = (0.0, 4.56e-7, 1.5e-6, 9.99e-4, 9.996e-4, 0.0123, 0.9996, 1.5, 1234.6)
    shown = ["0 us", "0.456 us", "1.5 us", "999 us", "1 ms", "12.3 ms", "1 s", "1.5 s", "1235 s"]
    assert [shown_seconds(each) for each in seconds] == shown


def test_samples_are_taken_in_turn_for_the_given_time():
    now, order = [0.0], []

    def sleep(seconds):
        now[0] += seconds

    def sample(name, seconds, values):
        order.append(name)
        sleep(seconds)
        return next(values)

    values = {"a": iter([3.0, 1, 2]), "b": iter([9.0, 9, 1]), "c": iter([5.0, 6, 7])}
    samples = {name: partial(sample, name, 1.0, each) for name, each in values.items()}
    assert timing.interleaved_medians(samples, timing.Effort(3, 0, 0, 0.5), lambda: now[0], sleep) == (
        {"a": 2, "b": 9, "c": 6}
    )
    assert ("".join(order), now) == ("abc" + "acb" + "cab", [9 * 1.5])
    # Five samples of 0.3 seconds take 1.5 seconds.
    sample_of_one = {"d": partial(sample, "d", 0.3, repeat(1.0))}
    timing.interleaved_medians(sample_of_one, timing.Effort(2, 1.5, 0, 0), lambda: now[0], sleep)
    assert order.count("d") == 5
    # Short calls are timed in loops.
    number = timing.calls_per_sample(lambda: sleep(1e-6), 2e-3, lambda: now[0])
    assert 2_000 <= number <= 8_000
    assert timing.sample_of(lambda: sleep(1e-6), number, lambda: now[0])() == pytest.approx(1e-6)
    assert timing.calls_per_sample(lambda: sleep(1.0), 2e-3, lambda: now[0]) == 1
    with timing.without_collector():
        assert not gc.isenabled()
    assert gc.isenabled()
