"""Schedules: the scheduler with its memory, and the loop over the parts of a table that the calling thread moves.

Computes: the table of words, and shares of the outputs of a table.
Memory: reads the words and the source; writes the output. Tables and scratch memory lie on the stack, or on the heap
for many axes or parts. Fast because a schedule takes a tenth of a microsecond, or some tenths with an interior and
edges.
"""

# Intrinsics have types that mypy cannot see. Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels import _writer as wr
from fastops.kernels._intrinsics import _memory as mem
from fastops.kernels._intrinsics._outlined import byte_pointer, outlined
from fastops.kernels._parallel import chunk_start
from fastops.kernels._parts import PART_WRITER_WORDS, PLAIN_PART_WRITER_WORDS, open_plain_writer, run_part
from fastops.kernels._scheduler import _schedule as s
from fastops.kernels._tables import _arrays as a, _gather as g, _words as w


class How(NamedTuple):
    """How a call is run."""

    workers: Any  # the number of threads
    launch: Any  # the number of the share of the work that is done
    launches: Any  # how many shares there are
    smallest_peeled: Any  # results of fewer bytes are one part, without an interior and edges
    stream_bytes: Any  # results of fewer bytes stay in the caches
    are_apart: Any  # 1 if the caller knows that outputs share no memory with other arrays
    are_fresh: Any  # 1 if no other code has the outputs
    is_pinned: Any  # 1 if the caller keeps the memory of all arrays where it is
    conversion: Any  # the address of the tuple of a conversion (see `execute`); 0 for none


HOW = types.NamedUniTuple(types.intp, len(How._fields), How)


def array_in(arrays, i, is_writable):
    """Return the byte pointer of array i of a description; `is_writable` is a literal."""
    row = mem.words_at(arrays, a.HEADER_COLUMNS + i * a.ARRAY_COLUMNS)
    if is_writable:
        return mem.memory_in(row[a.ADDRESS], row[a.LOW], row[a.HIGH], True)
    return mem.memory_in(row[a.ADDRESS], row[a.LOW], row[a.HIGH], False)


# Words of a table on the stack: enough for some parts, and always for one part without lists. Tables of more parts, and
# scratch memory for more axes, lie on the heap: threads may have small stacks.
TABLE_WORDS = 1024

_FEW_AXES = 8
_SCRATCH_WORDS = s.scratch_words(_FEW_AXES)

#: Words of the table of a tile or a window, in scratch memory of a worker.
LARGE_TABLE_WORDS = 8192

_OPTIONS = types.NamedUniTuple(types.intp, len(s.Options._fields), s.Options)


@outlined(
    types.intp(
        *(byte_pointer, byte_pointer, types.intp, _OPTIONS), *(byte_pointer, types.intp, byte_pointer, types.intp)
    )
)
def schedule_in(words, byte_strides, width, options, scratch, most_axes, table, room):
    """Call `write_schedule`, whose code is a quarter of all compiled code, and is compiled here only."""
    return s.write_schedule(words, byte_strides, width, options, scratch, most_axes, table, room)


@outlined(types.intp(byte_pointer, byte_pointer, types.intp, _OPTIONS, byte_pointer, types.intp))
def schedule(words, byte_strides, width, options, table, room):
    """Write the table of words, as `write_schedule` does, with scratch memory; return its length, -1 without room."""
    scratch, n = mem.stack_words(_SCRATCH_WORDS), s.most_axes_of(words)
    is_large = n > _FEW_AXES
    if is_large:
        scratch = mem.heap_bytes(8 * s.scratch_words(n))
        if mem.is_null(scratch):
            return -1
    length = schedule_in(words, byte_strides, width, options, scratch, max(n, _FEW_AXES), table, room)
    if is_large:
        mem.free_bytes(scratch)
    return length


@outlined(types.void(*(byte_pointer, byte_pointer, types.intp, _OPTIONS), *(byte_pointer, types.intp, byte_pointer)))
def schedule_or_whole(words, byte_strides, width, options, scratch, most_axes, table):
    """Write the table of a tile or a window in LARGE_TABLE_WORDS; as one part per piece if it would be longer.

    Behind these words, the table has room for as many words as all lists of the piece have.
    """
    if schedule_in(words, byte_strides, width, options, scratch, most_axes, table, LARGE_TABLE_WORDS) < 0:
        whole = s.Options(options.streams, w.LARGEST, options.dst_offset, options.tile)
        schedule_in(words, byte_strides, width, whole, scratch, most_axes, table, w.LARGEST)


@outlined(types.void(*(byte_pointer,) * 3, *(types.intp,) * 3, byte_pointer))
def stream_part(dst, src, table, part, first, end, fill):
    """Write work items of a part past the caches; out of line, because few calls need room for the staging buffer."""
    writer = wr.open_writer(mem.stack_pages(PART_WRITER_WORDS), dst, 1)
    run_part(writer, dst, src, table, part, first, end, fill)
    wr.finish_writer(writer, dst)


def run_shares(dst, src, table, part, fill, share, end_share, shares):
    """Move the shares [share, end_share) of `shares` equal shares of a part."""
    items = table[part + g.ITEMS]
    first, end = chunk_start(items, share, shares), chunk_start(items, end_share, shares)
    if first < end and table[part + g.STREAMS]:
        stream_part(dst, src, table, part, first, end, fill)
    elif first < end:
        writer = open_plain_writer(mem.stack_words(PLAIN_PART_WRITER_WORDS), dst)
        run_part(writer, dst, src, table, part, first, end, fill)


def run_table(dst, src, table, fill, share, end_share, shares):
    """Move the shares [share, end_share) of `shares` equal shares of each part of a table of one output."""
    part = g.HEADER_COLUMNS
    for _ in range(table[g.PARTS]):
        run_shares(dst, src, table, part, fill, share, end_share, shares)
        part += table[part + g.LENGTH]


mem.let_kernels_call(__name__)
