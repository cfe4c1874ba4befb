"""Launches: large work is serial for a while after a launch has taken longer than one thread would have.

A launch waits for each of its threads. Beside other processes, one that does not run keeps it waiting until the system
gives it a processor: milliseconds, for work of microseconds. What such a launch has lost is known when it is over, and
is made up for by serial work: until that has taken a multiple of what was lost, nothing is launched. So however often
launches fail, the mean time stays near that of one thread; and where they gain, each of them is made.

Threads that have had nothing to do sleep, and the launch that wakes them waits for that. So the first one after serial
work is followed by a second one before anything is made of what it lost; what that was fades while launches gain.

Work of each power of two of bytes has a history of its own: what is too small for the machine of the moment is found
out. All threads of a process share them, and none waits for another: what one of them overwrites is an estimate.

The parallel kernel: shares work among Numba's threads.

Computes: what the object of all kernels does, which it calls for each share.
Memory: keeps the times of a launch on the stack.
Fast because a launch is made only where it gains: `_launches` keeps count of those that lost time.

Numba compiles it when there is the first large work. What it calls is declared here: its sources take as long to import
as Numba itself.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import prange, types

from fastops.kernels._intrinsics._memory import (
    CLOCK_WORDS,
    histories,
    load_int,
    loops,
    lost_ticks,
    note_chunk,
    region_threads,
    set_region_threads,
    shift,
    stack_words,
    store_int,
    ticks,
)
from fastops.kernels._intrinsics._outlined import declared, outlined

# Serial work takes so many times as long as a failed launch has lost: at first, and after many that have failed in a
# row. The mean is at most 1 + 1 / 2 of the serial time, and falls to 1 + 1 / 64.
LEAST_PATIENCE, MOST_PATIENCE = 2, 64

# What has been lost and not been made up for is halved after each so many launches of which none is followed by serial
# work: a process that was stopped amid a launch would have it for ever.
_FORGETTING = 64

# A history: for how many ticks work is serial from now on, what the next loss is multiplied by, what launches
# have lost since, and how many there were.
_SERIAL_TICKS, _PATIENCE, _LOST, _LAUNCHES = 0, 1, 2, 3
WORDS = 4


@loops
def _history_of(total_bytes):
    """The index of the history of work that writes so many bytes."""
    bits = 0
    while total_bytes > 0:
        total_bytes >>= 1
        bits += 1
    return WORDS * bits


@loops
def is_serial(total_bytes):
    """True while work that writes so many bytes makes up for a launch that lost time."""
    return load_int(histories(), _history_of(total_bytes) + _SERIAL_TICKS) > 0


@loops
def note_serial(total_bytes, ticks):
    """Take note of serial work that took so long."""
    at = _history_of(total_bytes) + _SERIAL_TICKS
    store_int(histories(), at, load_int(histories(), at) - ticks)


@loops
def begin_launch(workers):
    """Let regions have no more threads than take part, for all of which a launch waits; return how many they had."""
    of_regions = region_threads()
    if workers < of_regions:
        set_region_threads(workers)
    return of_regions


@loops
def end_launch(total_bytes, workers, of_regions, lost):
    """Take note of a launch that took so many ticks longer than one thread would have, when it is over."""
    if workers < of_regions:
        set_region_threads(of_regions)
    history = shift(histories(), 8 * _history_of(total_bytes))
    patience = max(load_int(history, _PATIENCE), LEAST_PATIENCE)
    launches = load_int(history, _LAUNCHES) + 1
    all_lost = max(load_int(history, _LOST) + lost, 0)
    if lost <= 0:
        patience = LEAST_PATIENCE
        if launches % _FORGETTING == 0:
            all_lost //= 2
    elif launches > 1:
        store_int(history, _SERIAL_TICKS, all_lost * patience)
        patience = min(2 * patience, MOST_PATIENCE)
        launches = all_lost = 0
    store_int(history, _PATIENCE, patience)
    store_int(history, _LOST, all_lost)
    store_int(history, _LAUNCHES, launches)


#: What work is: a table of a schedule, windows, words that are converted, or a range. `run_share` says what the numbers
#: of each are.
OF_TABLE, OF_WINDOWS, OF_CONVERSION, OF_RANGE = 0, 1, 2, 3

_run_share = declared("run_share", types.void(*(types.intp,) * 7))


@outlined(types.void(*(types.intp,) * 9), is_late=True)
def share(work, first, second, third, fourth, total_bytes, workers, launch, launches):
    """Do work with `workers` threads: that of which four numbers say what it is.

    Of `launches` equal shares of it, each of so many bytes, the one that `launch` counts is done. While launches lose
    time, the calling thread does all of it.
    """
    begun = ticks()
    if is_serial(total_bytes):
        _run_share(work, first, second, third, fourth, launch, launches)
        note_serial(total_bytes, ticks() - begun)
        return
    of_regions = begin_launch(workers)
    times = stack_words(CLOCK_WORDS)
    for chunk in prange(workers):
        chunk_begun = ticks()
        _run_share(work, first, second, third, fourth, launch * workers + chunk, launches * workers)
        note_chunk(times, chunk, chunk_begun)
    end_launch(total_bytes, workers, of_regions, lost_ticks(times, workers, begun))
