"""The parallel kernel: shares work among Numba's threads.

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

from fastops.kernels._intrinsics._clock import CLOCK_WORDS, lost_ticks, note_chunk, ticks
from fastops.kernels._intrinsics._memory import stack_words
from fastops.kernels._intrinsics._outlined import declared, outlined
from fastops.kernels._launches import begin_launch, end_launch, is_serial, note_serial

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
