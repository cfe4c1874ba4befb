"""Schedules: the scheduler with its memory, and the loop over the parts of a table that the calling thread moves.

Computes: the table of words, and shares of the outputs of a table.
Memory: reads the words and the source; writes the output. Scratch memory lies on the stack. Fast because a schedule
takes a tenth of a microsecond, or some tenths with an interior and edges.
"""

# Intrinsics have types that mypy cannot see. Numba checks them when it compiles.
# mypy: ignore-errors

from typing import Any, NamedTuple

from numba import types

from fastops.kernels import _writer as wr
from fastops.kernels._intrinsics import _memory as mem
from fastops.kernels._intrinsics._outlined import byte_pointer, outlined
from fastops.kernels._parallel import chunk_start
from fastops.kernels._parts import PART_WRITER_WORDS, PLAIN_PART_WRITER_WORDS, open_plain_writer, run_part
from fastops.kernels._scheduler import _schedule as s
from fastops.kernels._scheduler._schedule import SCRATCH_WORDS
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
    """Return the byte pointer of array i of a description."""
    row = mem.words_at(arrays, a.HEADER_COLUMNS + i * a.ARRAY_COLUMNS)
    return mem.memory_in(row[a.ADDRESS], row[a.LOW], row[a.HIGH], is_writable)


# Words of a table on the stack: enough for a volume's interior and edges in most calls, and always for one part without
# lists. Longer tables lie on the heap: threads may have small stacks.
TABLE_WORDS = 1536

_OPTIONS = types.NamedUniTuple(types.intp, len(s.Options._fields), s.Options)


@outlined(types.intp(*(byte_pointer,) * 2, types.intp, _OPTIONS, *(byte_pointer,) * 2, types.intp))
def schedule(words, byte_strides, width, options, tile, table, room):
    """Call `write_schedule`, whose code is a quarter of all compiled code, and is compiled here only."""
    scratch = mem.stack_words(SCRATCH_WORDS)
    return s.write_schedule(words, byte_strides, width, options, tile, scratch, table, room)


@outlined(types.void(*(byte_pointer,) * 2, types.intp, _OPTIONS, *(byte_pointer,) * 2))
def schedule_in_room(words, byte_strides, width, options, tile, table):
    """Write the table of words, or of a tile; as one part if the table of an interior and edges is too long.

    The table has room for TABLE_WORDS and the words of all lists of a piece.
    """
    if schedule(words, byte_strides, width, options, tile, table, TABLE_WORDS) < 0:
        whole = s.Options(options.streams, w.LARGEST, options.dst_offset, options.tile)
        schedule(words, byte_strides, width, whole, tile, table, w.LARGEST)


@outlined(types.void(*(byte_pointer,) * 3, *(types.intp,) * 3, byte_pointer))
def stream_part(dst, src, table, part, first, end, fill):
    """Write work items of a part past the caches; out of line, because few calls need room for the staging buffer."""
    writer = wr.open_writer(mem.stack_pages(PART_WRITER_WORDS), dst, 1)
    run_part(writer, dst, src, table, part, first, end, fill)
    wr.finish_writer(writer, dst)


def _items_of(table, part, share, end_share, shares):
    """Return the first and the end of the work items of the shares [share, end_share); and whether they stream."""
    items = table[part + g.ITEMS]
    # Transposes write past the caches without the writer.
    streams = table[part + g.STREAMS] != 0 and table[part + g.PLANE] != g.TRANSPOSED
    return chunk_start(items, share, shares), chunk_start(items, end_share, shares), streams


def run_shares(dst, src, table, part, fill, share, end_share, shares):
    """Move the shares [share, end_share) of `shares` equal shares of a part."""
    first, end, streams = _items_of(table, part, share, end_share, shares)
    if first < end and streams:
        stream_part(dst, src, table, part, first, end, fill)
    elif first < end:
        writer = open_plain_writer(mem.stack_words(PLAIN_PART_WRITER_WORDS), dst)
        run_part(writer, dst, src, table, part, first, end, fill)


def run_table(writer, dst, src, table, fill, share, end_share, shares):
    """Move shares as `run_shares` does, of each part of a table of one output; ``writer`` is for parts that stream."""
    plain, part = open_plain_writer(mem.stack_words(PLAIN_PART_WRITER_WORDS), dst), g.HEADER_COLUMNS
    for _ in range(table[g.PARTS]):
        first, end, streams = _items_of(table, part, share, end_share, shares)
        if first < end:
            run_part(writer if streams else plain, dst, src, table, part, first, end, fill)
        part += table[part + g.LENGTH]


mem.let_kernels_call(__name__)
