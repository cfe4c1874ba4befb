"""Parallel launches: how work is divided, when it is worth a launch, and the kernel that shares it among threads.

Chunk `c` of `n` is the interval from `c / n` to `(c + 1) / n` of all work, and where an interval begins depends on that
fraction alone. So chunks adjoin each other however the others are cut: one thread may do a whole launch of a call, as
chunk 0 of 2, and two threads the next one, as chunks 2 and 3 of 4.

A launch waits for each of its threads. Beside other processes, a thread that does not run keeps it waiting until the
system gives it a processor: milliseconds, for work of microseconds. When such a launch is over, the time that it has
lost is known. Then work is serial, without launches, until it has taken a multiple of that time. So however often
launches fail, the mean time stays near that of one thread; and where they gain, each of them is made.

Idle threads sleep, and the launch that wakes them waits for that. So the first launch after serial work is followed by
a second one before its lost time counts; the count fades while launches gain. Work of each power of two of bytes has a
history of its own, and so finds out which sizes are too small for the machine of the moment. All threads of a process
share the histories, and none waits for another: a count that one of them overwrites is an estimate.

Computes: the work of the kernels in the object, which `share` calls for each share.
Memory: the times of a launch lie on the stack.
Fast because a launch is made only where it gains.

Numba compiles `share` for the first large work. `run_share` is declared here: to import its source takes as long as to
import Numba.
"""

# Intrinsics take and return types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import prange, types

from fastops.kernels._intrinsics._memory import (
    CLOCK_WORDS,
    histories,
    loops,
    region_threads,
    set_region_threads,
    stack_words,
    ticks,
    words_at,
)
from fastops.kernels._intrinsics._outlined import declared, outlined

# --- Chunks ---------------------------------------------------------------------------------------------------------


@loops
def chunk_start(total, chunk, chunks):
    """The first of `total` elements that lies in a chunk: total * chunk // chunks, without the overflow."""
    return total // chunks * chunk + total % chunks * chunk // chunks if chunk else 0


# --- Histories of launches ------------------------------------------------------------------------------------------

# Serial work takes so many times as long as a failed launch has lost: at first, and after many that have failed in a
# row. The mean is at most 1 + 1 / 2 of the serial time, and falls to 1 + 1 / 64.
LEAST_PATIENCE, MOST_PATIENCE = 2, 64

# The lost time that serial work has not made up for is halved after each so many launches in a row: a process that was
# stopped amid a launch would keep it for ever.
_FORGETTING = 64

# A history: the ticks for which work is serial from now on, the factor of the next loss, the ticks that launches have
# lost since, and the number of launches.
_SERIAL_TICKS, _PATIENCE, _LOST, _LAUNCHES = 0, 1, 2, 3
WORDS = 4


@loops
def _history_of(total_bytes):
    """The history of work that writes so many bytes."""
    bits = 0
    while total_bytes > 0:
        total_bytes >>= 1
        bits += 1
    return words_at(histories(), WORDS * bits)


@loops
def is_serial(total_bytes):
    """True while work that writes so many bytes makes up for a launch that lost time."""
    return _history_of(total_bytes)[_SERIAL_TICKS] > 0


@loops
def note_serial(total_bytes, ticks):
    """Count serial work that took so long."""
    history = _history_of(total_bytes)
    history[_SERIAL_TICKS] = history[_SERIAL_TICKS] - ticks


@loops
def begin_launch(workers):
    """Let regions have as many threads as take part, because a launch waits for all; return how many they had."""
    of_regions = region_threads()
    if workers < of_regions:
        set_region_threads(workers)
    return of_regions


@loops
def end_launch(total_bytes, workers, of_regions, lost):
    """Give regions their threads back, and count a launch that took so many ticks longer than one thread would have."""
    if workers < of_regions:
        set_region_threads(of_regions)
    history = _history_of(total_bytes)
    patience = max(history[_PATIENCE], LEAST_PATIENCE)
    launches = history[_LAUNCHES] + 1
    all_lost = max(history[_LOST] + lost, 0)
    if lost <= 0:
        patience = LEAST_PATIENCE
        if launches % _FORGETTING == 0:
            all_lost //= 2
    elif launches > 1:
        history[_SERIAL_TICKS] = all_lost * patience
        patience = min(2 * patience, MOST_PATIENCE)
        launches = all_lost = 0
    history[_PATIENCE], history[_LOST] = patience, all_lost
    history[_LAUNCHES] = launches


@loops
def note_chunk(times, chunk, begun):
    """Record how long a chunk has taken that began at a tick; chunks beyond the room are not timed."""
    if chunk < CLOCK_WORDS:
        times[chunk] = ticks() - begun


@loops
def lost_ticks(times, chunks, begun):
    """Return how much longer a launch has taken than one thread would have; below 0 if it was not clearly longer.

    One thread would have taken about as long for each of the equal chunks as the fastest one took. A launch that is
    longer by less than a quarter may as well be shorter: the other chunks may have had more to do. The quarter also
    covers the rounding to whole ticks, if a chunk takes five or more: 0.25 us on a slow clock.
    """
    fastest = times[0]
    for chunk in range(1, min(chunks, CLOCK_WORDS)):
        fastest = min(fastest, times[chunk])
    serial = chunks * fastest
    return ticks() - begun - serial - serial // 4


# --- The parallel kernel --------------------------------------------------------------------------------------------

#: Kinds of work: a table of a schedule, windows, words that are converted, or a range. `run_share` says which numbers
#: each takes.
OF_TABLE, OF_WINDOWS, OF_CONVERSION, OF_RANGE = 0, 1, 2, 3

#: The types of `run_share`.
SHARE = types.void(*(types.intp,) * 7)

_run_share = declared("run_share", SHARE)


@outlined(types.void(*(types.intp,) * 9), is_late=True)
def share(work, first, second, third, fourth, total_bytes, workers, launch, launches):
    """Do work of a kind with `workers` threads; four numbers say which work.

    Of `launches` equal shares of it, each of so many bytes, does share number `launch`. While launches lose time, the
    calling thread does all of it.
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
