"""Moving: words that are right, for arrays that are described and fit them, scheduled and moved.

Computes: the table of the words for the memory of the arrays, and what it says: all of it, or one share.
Memory: reads the words, the description of the arrays and the source; writes the outputs. The table of small work lies
on the stack, any other on the heap.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._chunks import chunk_start
from fastops.kernels._convert import convert_described
from fastops.kernels._described import HOW, array_in
from fastops.kernels._intrinsics._arrays_of_words import address_to, memory_in, words_at
from fastops.kernels._intrinsics._memory import free_bytes, heap_bytes, is_null, loops, shift, stack_words
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._intrinsics._vectors import finish_streams
from fastops.kernels._parallel import OF_TABLE, share
from fastops.kernels._parts import run_part
from fastops.kernels._scheduler._schedule import Options
from fastops.kernels._schedules import TABLE_WORDS, schedule
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables import _words as w
from fastops.kernels._writer import PLAIN_WRITER_WORDS, WRITER_WORDS, finish_writer, open_writer

# Bytes of a round, in which each part gets some. What is read for it should stay in the second-level cache until all
# parts have it: splits of rows of 12 KiB in three took 0.9 of the time of one part after the other. Rounds of a quarter
# of this took a tenth longer, because parts begin anew in each, and images with edges up to a third.
_ROUND_BYTES = 1 << 19

# Tables on the heap are of so many words at first, and then longer by a factor.
_FIRST_TABLE_WORDS, _LARGER = 1 << 12, 8
_MOST_TABLE_WORDS = 1 << 36


@outlined(types.void(*(byte_pointer, byte_pointer, byte_pointer, types.intp, types.intp, types.intp), byte_pointer))
def stream_part(dst, src, table, part, first, end, fill):
    """Write grains of a part past the caches; in a frame of its own, as most calls need no such large one."""
    writer = open_writer(stack_words(WRITER_WORDS), dst, 1)
    run_part(writer, dst, src, table, part, first, end, fill)
    finish_writer(writer, dst)


@outlined(types.void(types.intp, types.intp, types.intp, types.intp, types.intp, types.intp))
def move_chunk(arrays_address, arrays_words, table_address, table_words, chunk, chunks):
    """Write one of `chunks` equal shares of the grains of each part, in rounds through all parts.

    Parts of a split along an inner axis read the same rows. One part after the other, each would fetch what lies
    between its rows too, as far as the hardware reads ahead, and have it thrown away.
    """
    arrays = memory_in(arrays_address, 0, 8 * arrays_words, False)
    table = memory_in(table_address, 0, 8 * table_words, False)
    src = array_in(arrays, 0, False)
    fill = memory_in(arrays[a.FILL], 0, arrays[a.FILL_BYTES], False)
    parts = table[g.PARTS]
    rounds = max(table[g.TOTAL_BYTES] // chunks // _ROUND_BYTES, 1) if parts > 1 else 1
    streamed = 0
    for i in range(chunk * rounds, (chunk + 1) * rounds):
        part = g.HEADER_COLUMNS
        for _ in range(parts):
            grains = table[part + g.GRAINS]
            first, end = chunk_start(grains, i, chunks * rounds), chunk_start(grains, i + 1, chunks * rounds)
            if first < end:
                dst = array_in(arrays, 1 + table[part + g.DST_INDEX], True)
                of_part = shift(fill, table[part + g.FILL_OFFSET])
                if table[part + g.STREAMS]:
                    stream_part(dst, src, table, part, first, end, of_part)
                    streamed = 1
                else:
                    writer = open_writer(stack_words(PLAIN_WRITER_WORDS), dst, 0)
                    run_part(writer, dst, src, table, part, first, end, of_part)
            part += table[part + g.LENGTH]
    if streamed:
        finish_streams()


@loops
def _schedule(arrays, words, total_bytes, how, table, room):
    """Write the table of words for arrays; return its length, or -1 where there is no room."""
    streams = 1 if total_bytes >= how.stream_bytes else 0
    byte_strides = words_at(arrays, a.HEADER_COLUMNS + (words[w.OUTPUTS] + 1) * a.ARRAY_COLUMNS + arrays[a.SIDES])
    return schedule(words, byte_strides, arrays[a.WIDTH], Options(streams, how.smallest_peeled, 0, 0), table, room)


@outlined(types.intp(byte_pointer, types.intp, byte_pointer, types.intp, HOW))
def move_small(arrays, arrays_words, words, total_bytes, how):
    """Schedule words, and move a share of the work, with the table on the stack; return 0 where it is too long."""
    table = stack_words(TABLE_WORDS)
    length = _schedule(arrays, words, total_bytes, how, table, TABLE_WORDS)
    if length < 0:
        return 0
    move_chunk(address_to(arrays), arrays_words, address_to(table), length, how.launch, how.launches)
    return 1


@outlined(types.intp(byte_pointer, types.intp, byte_pointer, types.intp, HOW))
def move_described(arrays, arrays_words, words, total_bytes, how):
    """Schedule words that are right for arrays that fit them, and move a share of the work; return a status."""
    if arrays[a.CONVERSION]:
        return convert_described(arrays, arrays_words, words, total_bytes, how)
    is_small = total_bytes < g.PARALLEL_BYTES and how.workers == 1
    if is_small and move_small(arrays, arrays_words, words, total_bytes, how):
        return a.DONE
    length, room, table = -1, _FIRST_TABLE_WORDS, heap_bytes(8 * _FIRST_TABLE_WORDS)
    while not is_null(table):
        length = _schedule(arrays, words, total_bytes, how, table, room)
        if length >= 0 or room > _MOST_TABLE_WORDS:
            break
        free_bytes(table)
        room *= _LARGER
        table = heap_bytes(8 * room)
    if length < 0:
        return a.NO_MEMORY
    arrays_address, table_address = address_to(arrays), address_to(table)
    if how.workers > 1:
        launched = total_bytes // how.launches
        where = (arrays_address, arrays_words, table_address, length)
        share(OF_TABLE, where[0], where[1], where[2], where[3], launched, how.workers, how.launch, how.launches)
    else:
        move_chunk(arrays_address, arrays_words, table_address, length, how.launch, how.launches)
    free_bytes(table)
    return a.DONE
