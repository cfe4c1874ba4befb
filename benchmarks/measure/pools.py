"""Pools of processes, as data loaders have: how many calls all their workers make in a second."""

from __future__ import annotations

import multiprocessing
import os
import time

import numpy as np

from benchmarks.measure.processes import output_with_benchmarks

# Each worker pads an image of this shape, by so many pixels on each side.
_SHAPE, _PAD = (400, 400, 3), 16

# Each worker makes calls for so long before it counts them.
_SECONDS_BEFORE = 2.0

# Calls between two looks at the clock.
_CALLS = 50


def _pads_in(seconds: float) -> float:
    """Return how many pads this process makes in a second, for so many seconds."""
    import fastops

    image = np.zeros(_SHAPE, np.uint8)
    size = [extent + 2 * _PAD for extent in _SHAPE[:2]]
    for time_left in (_SECONDS_BEFORE, seconds):
        # The first calls load kernels, and each worker does so at another time.
        count, start = 0, time.perf_counter()
        while time.perf_counter() < start + time_left:
            for _ in range(_CALLS):
                fastops.slice(image, [-_PAD, -_PAD], size, axes=[0, 1], mode="reflect")
            count += _CALLS
        rate = count / (time.perf_counter() - start)
    return rate


def print_pads_per_second(seconds: float) -> None:
    """Print how many pads as many workers as there are cores make in a second, all together."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with multiprocessing.get_context("spawn").Pool(count) as pool:
        print(sum(pool.map(_pads_in, [seconds] * count, chunksize=1)))


def seconds_of_a_pad(seconds: float, threads: int | None) -> float:
    """Return the seconds of a pad of a pool, whose workers have so many threads, or as many as they take."""
    variables = {} if threads is None else {"NUMBA_NUM_THREADS": str(threads)}
    program = f"from benchmarks.measure.pools import print_pads_per_second as p; p({seconds!r})"
    return 1 / float(output_with_benchmarks(program, variables=variables))
