"""The parallel kernels: share the work of a table, or of a range, among Numba's threads.

Computes: what `gather` and `fill_range` of the object of all kernels do, which they call for each share.
Memory: reads the tables, keeps the times of a launch on the stack.
Fast because a launch is made only where it gains: `_launches` keeps count of those that lost time.

Numba compiles them when there is the first large work. What they call is declared here: its sources take as long to
import as Numba itself.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import prange, types

from fastops.kernels._intrinsics._clock import CLOCK_WORDS, lost_ticks, note_chunk, ticks
from fastops.kernels._intrinsics._memory import load_int, stack_words
from fastops.kernels._intrinsics._objects import bytes_at
from fastops.kernels._intrinsics._outlined import declared, outlined
from fastops.kernels._intrinsics._types import array_address, array_addresses
from fastops.kernels._launches import begin_launch, end_launch, is_serial, note_serial
from fastops.kernels._tables._gather import TOTAL_BYTES
from fastops.kernels._tables._range import COUNT, WIDTH

_TABLE = (array_addresses, array_address, array_address, array_address)
_RANGE = (array_address, array_address, array_address)

_is_refused = declared("is_refused", types.intp(array_address))
_move_windows = declared("move_windows", types.void(*_TABLE, types.intp, types.intp))
_move_chunk = declared("move_chunk", types.void(*(types.intp,) * 6))
_range_chunk = declared("range_chunk", types.void(*_RANGE, types.intp, types.intp))


@outlined(types.void(*_TABLE, types.intp, types.intp, types.intp), is_late=True)
def gather(dsts, src, table, fill, workers, launch, launches):
    """Move windows with `workers` threads.

    Of `launches` equal shares of the work, it does the one that `launch` counts.

    dsts is a tuple of the destination array, and of the sources where there are several, src the source array, table an
    int64 array as `_tables._window` lays it out, fill an array whose elements are the fill values in the source's
    dtype. While launches lose time, the calling thread does all of it.
    """
    if _is_refused(table):
        return
    total_bytes = load_int(bytes_at(table), TOTAL_BYTES) // launches
    begun = ticks()
    if is_serial(total_bytes):
        _move_windows(dsts, src, table, fill, launch, launches)
        note_serial(total_bytes, ticks() - begun)
        return
    of_regions = begin_launch(workers)
    times = stack_words(CLOCK_WORDS)
    for chunk in prange(workers):
        chunk_begun = ticks()
        _move_windows(dsts, src, table, fill, launch * workers + chunk, launches * workers)
        note_chunk(times, chunk, chunk_begun)
    end_launch(total_bytes, workers, of_regions, lost_ticks(times, workers, begun))


@outlined(types.void(*_RANGE, types.intp, types.intp, types.intp), is_late=True)
def fill_range(dst, table, rounding, workers, launch, launches):
    """Write a range with `workers` threads.

    Of `launches` equal shares of the work, it does the one that `launch` counts.

    dst is the destination array, table the int64 row of `_tables._range`, rounding the int64 pairs of a small float's
    codes (any array for other kinds). While launches lose time, the calling thread does all of it.
    """
    total_bytes = load_int(bytes_at(table), COUNT) * load_int(bytes_at(table), WIDTH) // launches
    begun = ticks()
    if is_serial(total_bytes):
        _range_chunk(dst, table, rounding, launch, launches)
        note_serial(total_bytes, ticks() - begun)
        return
    of_regions = begin_launch(workers)
    times = stack_words(CLOCK_WORDS)
    for chunk in prange(workers):
        chunk_begun = ticks()
        _range_chunk(dst, table, rounding, launch * workers + chunk, launches * workers)
        note_chunk(times, chunk, chunk_begun)
    end_launch(total_bytes, workers, of_regions, lost_ticks(times, workers, begun))


@outlined(types.void(*(types.intp,) * 8), is_late=True)
def share(arrays, arrays_words, table, table_words, total_bytes, workers, launch, launches):
    """Run a table with `workers` threads: write every part's destination from the source.

    Of `launches` equal shares of the work, each of so many bytes, it does the one that `launch` counts. The arrays are
    described at an address (`_tables._arrays`), and the table is at another one. While launches lose time, the calling
    thread does all of it.
    """
    begun = ticks()
    if is_serial(total_bytes):
        _move_chunk(arrays, arrays_words, table, table_words, launch, launches)
        note_serial(total_bytes, ticks() - begun)
        return
    of_regions = begin_launch(workers)
    times = stack_words(CLOCK_WORDS)
    for chunk in prange(workers):
        chunk_begun = ticks()
        _move_chunk(arrays, arrays_words, table, table_words, launch * workers + chunk, launches * workers)
        note_chunk(times, chunk, chunk_begun)
    end_launch(total_bytes, workers, of_regions, lost_ticks(times, workers, begun))


#: By the names that Python has for them.
KERNELS = {"gather": gather, "fill_range": fill_range, "share": share}
