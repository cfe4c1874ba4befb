"""Parallel launches: how work is divided, when launches are made, and the kernel that shares work among threads.

Chunk `c` of `n` is the interval from `c / n` to `(c + 1) / n` of all work. The fraction `c / n` alone decides where the
chunk begins. So one thread may do a whole launch of a call, as chunk 0 of 2, and two threads the next launch, as chunks
2 and 3 of 4.

A launch waits for each of its threads. If other processes keep a thread from running, the launch waits until the system
gives the thread a processor: milliseconds, for work of microseconds. When such a launch is over, the time that it has
lost is known. From then on work is serial, until serial work has taken a multiple of the lost time. So the mean time
stays near that of one thread however often launches lose time; and where launches gain, every launch is made.

Idle threads sleep, and the launch that wakes them waits for them. So the time that the first launch after serial work
loses counts only after a second launch, and fades while launches gain. Work of each power of two of bytes has a history
of its own, which finds out whether work of that size gains on this machine at this moment. All threads of a process
share the histories without locks: they are estimates, and a thread may overwrite another one's.

Computes: a launch of any work; `share` calls `run_share` for each share of it. Memory: the times of a launch lie on the
stack. Fast because a launch is made only where it gains.

`run_share` is only declared here, because its source imports this module.
"""

# Intrinsics take and return types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from numba import prange, types

from fastops.kernels._intrinsics import _memory as mem
from fastops.kernels._intrinsics._memory import CLOCK_WORDS
from fastops.kernels._intrinsics._outlined import declared, outlined

# --- Chunks ---------------------------------------------------------------------------------------------------------


def chunk_start(total, chunk, chunks):
    """The first of `total` elements that lies in a chunk: total * chunk // chunks, without the overflow."""
    return total // chunks * chunk + total % chunks * chunk // chunks if chunk else 0


# --- Histories of launches ------------------------------------------------------------------------------------------

# After a launch has lost time, work is serial for the lost time times a factor: the first number at first, then twice
# as much each time, up to the second number. So the mean time is at most 1 + 1 / 2 of the serial time, and falls to 1 +
# 1 / 64.
LEAST_PATIENCE, MOST_PATIENCE = 2, 64

# After this many launches in a row, the lost time that serial work has not made up for is halved. Otherwise a process
# that was once stopped during a launch would keep that time for ever.
_FORGETTING = 64

# A history: the ticks for which work is serial from now on, the factor of the next loss, and, since work was last made
# serial, the ticks that launches have lost and their number.
_SERIAL_TICKS, _PATIENCE, _LOST, _LAUNCHES = 0, 1, 2, 3
WORDS = 4


def _history_of(total_bytes):
    """The history of work that writes `total_bytes`."""
    bits = 0
    while total_bytes > 0:
        total_bytes >>= 1
        bits += 1
    return mem.words_at(mem.histories(), WORDS * bits)


def is_serial(total_bytes):
    """True while work that writes `total_bytes` is serial, because a launch has lost time."""
    return _history_of(total_bytes)[_SERIAL_TICKS] > 0


def note_serial(total_bytes, taken):
    """Count serial work that has taken so many ticks."""
    history = _history_of(total_bytes)
    history[_SERIAL_TICKS] -= taken


def begin_launch(workers):
    """Limit regions to `workers` threads, as a launch waits for all threads of its region; return the earlier limit."""
    of_regions = mem.region_threads()
    if workers < of_regions:
        mem.set_region_threads(workers)
    return of_regions


def end_launch(total_bytes, workers, of_regions, lost):
    """Restore the limit of regions, and count a launch that took `lost` ticks longer than one thread would have."""
    if workers < of_regions:
        mem.set_region_threads(of_regions)
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


def note_chunk(times, chunk, begun):
    """Record how long a chunk has taken that began at a tick; chunks beyond the room are not timed."""
    if chunk < CLOCK_WORDS:
        times[chunk] = mem.ticks() - begun


def lost_ticks(times, chunks, begun):
    """Return how much longer a launch has taken than one thread would have; below 0 if it was not clearly longer.

    One thread would have taken about the time of the fastest chunk for each of the equal chunks. A launch that is
    longer by less than a quarter may really have gained, because the other chunks may have had more to do. The quarter
    also covers the rounding to whole ticks, if a chunk takes five ticks or more: 0.25 us on a slow clock.
    """
    fastest = times[0]
    for chunk in range(1, min(chunks, CLOCK_WORDS)):
        fastest = min(fastest, times[chunk])
    serial = chunks * fastest
    return mem.ticks() - begun - serial - serial // 4


# --- The parallel kernel --------------------------------------------------------------------------------------------

#: Kinds of work: a table of a schedule, windows, words that are converted, or a range. `run_share` describes the
#: numbers that each kind takes.
OF_TABLE, OF_WINDOWS, OF_CONVERSION, OF_RANGE = 0, 1, 2, 3

#: The types of `run_share`.
SHARE = types.void(*(types.intp,) * 7)

_run_share = declared("run_share", SHARE)


@outlined(types.void(*(types.intp,) * 9), is_parallel=True)
def share(work, first, second, third, fourth, total_bytes, workers, launch, launches):
    """Do work of a kind with `workers` threads; four numbers say which work.

    The work has `launches` equal shares of total_bytes each; this does share number `launch`. After launches have lost
    time, the calling thread does the share alone. `fastops._runtime._kernels` must have started the threads before.
    """
    begun = mem.ticks()
    if is_serial(total_bytes):
        _run_share(work, first, second, third, fourth, launch, launches)
        note_serial(total_bytes, mem.ticks() - begun)
        return
    of_regions = begin_launch(workers)
    times = mem.stack_words(CLOCK_WORDS)
    for chunk in prange(workers):
        chunk_begun = mem.ticks()
        _run_share(work, first, second, third, fourth, launch * workers + chunk, launches * workers)
        note_chunk(times, chunk, chunk_begun)
    end_launch(total_bytes, workers, of_regions, lost_ticks(times, workers, begun))


mem.let_kernels_call(__name__)
