"""What kernels know of a call besides its words: its arrays, as they are described, and how it is run.

Schedules, run: what one output reads of one source, laid over their memory and moved by the calling thread.

Computes: the table of plans in words, and what it says.
Memory: reads the words and the source, writes the output; scratch memory lies on the stack.
Fast because a schedule takes a tenth of a microsecond, or some where it is cut into an interior and edges.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._intrinsics._arrays_of_words import interpreted, memory_in, words_at
from fastops.kernels._intrinsics._memory import free_bytes, heap_bytes, is_null, is_same, loops, stack_words
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._parallel import chunk_start
from fastops.kernels._parts import run_part
from fastops.kernels._scheduler._schedule import (
    MOST_FRAMES,
    Options,
    frame_words,
    most_axes_of,
    scratch_words,
    write_schedule,
)
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables import _words as w


class How(NamedTuple):
    """How a call is run."""

    workers: Any  # by how many threads, where it is large
    launch: Any  # which of so many launches it is
    launches: Any
    smallest_peeled: Any  # results of fewer bytes are one part, without an interior and edges
    stream_bytes: Any  # results of fewer bytes stay in the caches
    are_apart: Any  # 1 if whoever calls knows that outputs share no memory with anything
    are_fresh: Any  # 1 if nobody else has the outputs
    is_addressed: Any  # 1 if the source is no array but an address
    is_pinned: Any  # 1 if the caller keeps the memory of all arrays where it is
    conversion: Any  # the address of the tuple of a conversion, as `execute` has it; 0 for none


HOW = types.NamedUniTuple(types.intp, len(How._fields), How)


@loops
def array_in(arrays, i, is_writable):
    """The byte pointer of an array that is described, for reading, or for writing."""
    row = words_at(arrays, a.HEADER_COLUMNS + i * a.ARRAY_COLUMNS)
    if is_writable:
        return memory_in(row[a.ADDRESS], row[a.LOW], row[a.HIGH], True)
    return memory_in(row[a.ADDRESS], row[a.LOW], row[a.HIGH], False)


# Words of a table on the stack: room for some parts, and for one of a piece without lists in any case. Threads may have
# small stacks, so that tables of more parts, and scratch memory for many axes, lie on the heap.
TABLE_WORDS = 1024
_LARGE_TABLE_WORDS = 1 << 16
_FEW_AXES = 8
_SCRATCH_WORDS = scratch_words(_FEW_AXES)
_WHOLE_WORDS = scratch_words(w.MOST_AXES) - (MOST_FRAMES + 1) * frame_words(w.MOST_AXES)

_OPTIONS = types.NamedUniTuple(types.intp, len(Options._fields), Options)


@outlined(
    types.intp(
        *(byte_pointer, byte_pointer, types.intp, _OPTIONS),
        *(byte_pointer, types.intp, byte_pointer, types.intp),
    )
)
def schedule_in(words, byte_strides, width, options, scratch, most_axes, table, room):
    """Do what `write_schedule` does; there is one copy of its code, which is a quarter of all that is compiled."""
    return write_schedule(words, byte_strides, width, options, scratch, most_axes, table, room)


@outlined(types.intp(byte_pointer, byte_pointer, types.intp, _OPTIONS, byte_pointer, types.intp))
def schedule(words, byte_strides, width, options, table, room):
    """Write the table of plans in words, as `write_schedule` does; return its length, -1 where there is no room."""
    scratch, n = stack_words(_SCRATCH_WORDS), most_axes_of(words)
    is_large = n > _FEW_AXES
    if is_large:
        scratch = heap_bytes(8 * scratch_words(n))
        if is_null(scratch):
            return -1
    length = schedule_in(words, byte_strides, width, options, scratch, max(n, _FEW_AXES), table, room)
    if is_large:
        free_bytes(scratch)
    return length


@outlined(types.void(byte_pointer, byte_pointer, types.intp, _OPTIONS, byte_pointer))
def schedule_whole(words, byte_strides, width, options, table):
    """Write the table of a window as one part, which needs neither memory of the heap nor more than TABLE_WORDS."""
    whole = Options(options.streams, w.LARGEST, options.dst_offset, 0)
    schedule_in(words, byte_strides, width, whole, stack_words(_WHOLE_WORDS), w.MOST_AXES, table, TABLE_WORDS)


@outlined(byte_pointer(byte_pointer, byte_pointer, types.intp, _OPTIONS, byte_pointer))
def schedule_window(words, byte_strides, width, options, table):
    """Write the table of a window, TABLE_WORDS at most, or if it is longer one on the heap; return where it is."""
    if schedule(words, byte_strides, width, options, table, TABLE_WORDS) >= 0:
        return table
    large = heap_bytes(8 * _LARGE_TABLE_WORDS)
    if not is_null(large):
        if schedule(words, byte_strides, width, options, large, _LARGE_TABLE_WORDS) >= 0:
            return large
        free_bytes(large)
    schedule_whole(words, byte_strides, width, options, table)
    return table


@outlined(types.void(byte_pointer, byte_pointer, types.intp, types.intp, byte_pointer, types.intp, byte_pointer))
def schedule_tile(words, byte_strides, width, piece, room, most_axes, table):
    """Write the table of a tile of a piece, whose rows stand in `room` as `write_schedule` has them.

    The table has room for TABLE_WORDS, and for as many as there are words of lists.
    """
    options = Options(0, g.SMALLEST_PEELED, 0, piece)
    if schedule_in(words, byte_strides, width, options, room, most_axes, table, TABLE_WORDS) < 0:
        whole = Options(0, w.LARGEST, 0, piece)
        schedule_in(words, byte_strides, width, whole, room, most_axes, table, w.LARGEST)


@loops
def run_table(writers, dst, src, table, fill, share, end_share, shares):
    """Move what a table of one output says: of `shares` equal shares of each part, those in [share, end_share)."""
    part = g.HEADER_COLUMNS
    for _ in range(table[g.PARTS]):
        grains = table[part + g.GRAINS]
        first, end = chunk_start(grains, share, shares), chunk_start(grains, end_share, shares)
        if first < end:
            writer = writers[1] if table[part + g.STREAMS] else writers[0]
            run_part(writer, dst, src, table, part, first, end, fill)
        part += table[part + g.LENGTH]


@loops
def free_table(table, room):
    """Give the memory of a table back, unless it is that which the caller has."""
    if not is_same(table, room):
        free_bytes(table)


@interpreted
def axis_at(words, k):
    """Return the words of axis k of a window."""
    return words_at(words, words[w.FIRST_PIECE] + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS)


@interpreted
def is_too_large(number):
    """True for a start or a stride that compiled code does not compute with."""
    return number < -w.LARGEST or number > w.LARGEST
