"""Medians of contenders that take turns, so that all of them see the same changes of the machine."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from statistics import median

Call = Callable[[], object]
#: Runs a contender for as long as one measurement needs, and returns the seconds of one call.
Sample = Callable[[], float]
Clock = Callable[[], float]


@dataclass(frozen=True)
class Effort:
    """How much time one row takes.

    Attributes
    ----------
    rounds : int
        The least number of rounds. In each round, every contender gives one sample.
    seconds : float
        Rounds are added until this time has passed.
    sample_seconds : float
        A sample repeats its call for at least this time.
    pause : float
        Seconds before each sample.
    """

    rounds: int
    seconds: float
    sample_seconds: float
    pause: float


#: Seconds before a sample. Threads of the previous contender may spin for some milliseconds after their work, on cores
#: that the next one needs.
PAUSE_SECONDS = 5e-3

FULL = Effort(rounds=15, seconds=1.5, sample_seconds=2e-3, pause=PAUSE_SECONDS)
QUICK = Effort(rounds=3, seconds=0.0, sample_seconds=2e-4, pause=0.0)

# No row has more rounds, however short they are.
_MOST_ROUNDS = 200


@contextmanager
def without_collector() -> Iterator[None]:
    """Turn Python's garbage collector off while samples are taken."""
    gc.collect()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def calls_per_sample(call: Call, least_seconds: float, clock: Clock = time.perf_counter) -> int:
    """Return how many calls take at least this time, after one call that is not timed."""
    call()
    number = 1
    while True:
        start = clock()
        for _ in repeat(None, number):
            call()
        elapsed = clock() - start
        if elapsed >= least_seconds:
            return number
        # Twice the number that the last try suggests, which may have been slower than the calls that follow.
        number = max(number * 2, min(int(2 * number * least_seconds / max(elapsed, 1e-9)), number * 100))


def sample_of(call: Call, number: int, clock: Clock = time.perf_counter) -> Sample:
    """Return the sample of ``number`` calls in a row.

    The time includes dropping the result of a call before the next call.
    """

    def sample() -> float:
        # This call fills the caches and wakes the threads after the pause and the turns of the others.
        call()
        start = clock()
        for _ in repeat(None, number):
            call()
        return (clock() - start) / number

    return sample


def interleaved_medians(
    samples: Mapping[str, Sample],
    effort: Effort,
    clock: Clock = time.perf_counter,
    sleep: Callable[[float], None] = time.sleep,
) -> dict[str, float]:
    """Return the median of each contender's samples, taken in turn.

    Each round begins one contender further on, and every second round runs backwards, so that the neighbours of a
    contender change.
    """
    taken: dict[str, list[float]] = {name: [] for name in samples}
    names = list(samples)
    rounds = 0
    start = clock()
    with without_collector():
        while rounds < effort.rounds or (clock() - start < effort.seconds and rounds < _MOST_ROUNDS):
            first = rounds % len(names)
            order = names[first:] + names[:first]
            for name in order if rounds % 2 == 0 else order[::-1]:
                if effort.pause:
                    sleep(effort.pause)
                taken[name].append(samples[name]())
            rounds += 1
    return {name: median(values) for name, values in taken.items()}
