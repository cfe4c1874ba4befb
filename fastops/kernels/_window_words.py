"""The words of one window of a call, and the windows of a chunk.

Computes: the words of one window after the other, from the numbers of the call (`_tables._calls`).
Memory: reads the table and its rows of numbers; writes the words and the byte strides of one window.
"""

# Intrinsics have types that mypy cannot see. Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._arithmetic import is_inside
from fastops.kernels._intrinsics._memory import let_kernels_call, memory_in, stack_words, words_at
from fastops.kernels._intrinsics._outlined import byte_pointer, outlined
from fastops.kernels._rules._words import begin_words, row_of, set_axis
from fastops.kernels._scheduler._checks import is_small
from fastops.kernels._tables import _arrays as a, _calls as t, _words as w
from fastops.kernels._tables._calls import MOST_WORDS

#: Byte strides of a source and of an output.
STRIDES_WORDS = 2 * w.MOST_AXES


class Own(NamedTuple):
    """Where one window reads."""

    skipped: Any  # bytes of its source before its item
    inside: Any  # True if it reads in bounds
    is_right: Any  # False if its mode does not allow what it reads, or its numbers are too large


def sides_of(arrays, table):
    """Return the lengths of the first source. The lengths of the other sources and of the output follow."""
    return words_at(arrays, a.HEADER_COLUMNS + (table[t.SOURCES] + 1) * a.ARRAY_COLUMNS)


def set_source(words, byte_strides, arrays, table, n):
    """Write the extents and the byte strides of source n into the words of a window."""
    rank, skipped = words[w.SRC_RANK], 1 if table[t.ITEMS] else 0
    lengths = words_at(sides_of(arrays, table), n * (skipped + rank) + skipped)
    for k in range(rank):
        words[w.HEADER_COLUMNS + k] = row_of(words, k)[w.EXTENT] = lengths[k]
        byte_strides[k] = lengths[arrays[a.SIDES] + k]


def begin_window(words, byte_strides, arrays, table):
    """Write the words and the byte strides of a window of the first source that takes all axes whole.

    Returns the bytes of the output from one window to the next.
    """
    rank, sides = arrays[a.HEADER_COLUMNS + table[t.SOURCES] * a.ARRAY_COLUMNS + a.RANK] - 1, sides_of(arrays, table)
    lengths = words_at(sides, arrays[a.SIDES] - rank - 1)
    of_output = words_at(lengths, arrays[a.SIDES])
    begin_words(words_at(sides, 1 if table[t.ITEMS] else 0), rank, 1, 1, rank, rank, words, MOST_WORDS)
    words[w.FILLS] = 1 if table[t.MODE] == w.FILL else 0
    for k in range(rank):
        words[w.HEADER_COLUMNS + rank + 1 + k] = lengths[1 + k]
        set_axis(row_of(words, k), 0, 1, lengths[1 + k], table[t.MODE])
        byte_strides[rank + k] = of_output[1 + k]
    for i in range(table[t.N_AXES]):
        row_of(words, table[t.AXES + i])[w.STRIDE] = table[t.AXES + table[t.N_AXES] + i]
    set_source(words, byte_strides, arrays, table, 0)
    return of_output[0]


def row_at(table, column, n, columns):
    """Return row n of numbers, whose address is in a column of the table."""
    return memory_in(table[column] + 8 * n * columns, 0, 8 * columns, False)


def set_window(words, arrays, table, n):
    """Write the starts and strides of window n into its words; return where it reads."""
    axes, right = table[t.N_AXES], True
    starts, strides = row_at(table, t.STARTS, n, axes), row_at(table, t.STRIDES, n, axes)
    inside, is_empty, skipped = True, False, 0
    for i in range(axes):
        axis = row_of(words, table[t.AXES + i])
        start, extent = starts[i], axis[w.EXTENT]
        stride = strides[i] if table[t.STRIDES] else axis[w.STRIDE]
        right = right and is_small(start) and is_small(stride) and is_small(extent)
        if right:
            axis[w.START] = start
            axis[w.STRIDE] = stride
            inside = inside and is_inside(extent, start, stride, axis[w.COUNT])
            is_empty = is_empty or extent == 0
            right = inside or axis[w.MODE] != w.STRICT_BOUNDS
            right = right and (axis[w.MODE] == w.FILL or not is_empty)
    if table[t.ITEMS]:
        item, lengths = row_at(table, t.ITEMS, n, 1)[0], sides_of(arrays, table)
        right = right and 0 <= item < lengths[0]
        skipped = item * lengths[arrays[a.SIDES]] if right else 0
    return Own(skipped, inside, right)


def offset_of(byte_strides, table, n):
    """Return the source offset that the starts of window n give it; it reads in bounds."""
    axes, offset = table[t.N_AXES], 0
    starts = row_at(table, t.STARTS, n, axes)
    for i in range(axes):
        offset += starts[i] * byte_strides[table[t.AXES + i]]
    return offset


@outlined(types.intp(byte_pointer, byte_pointer, types.intp))
def next_wrong_window(arrays, table, first):
    """Return the first window, from `first` on, that `windows_chunk` leaves out, or -1; a window takes nanoseconds."""
    words, byte_strides = stack_words(MOST_WORDS), stack_words(STRIDES_WORDS)
    begin_window(words, byte_strides, arrays, table)
    for n in range(first, table[t.N_WINDOWS]):
        if table[t.SOURCES] > 1:
            set_source(words, byte_strides, arrays, table, n)
        if not set_window(words, arrays, table, n).is_right:
            return n
    return -1


def windows_of(windows, chunk, chunks):
    """Return the first and the end of the windows that one of `chunks` equal shares of all windows has a part of."""
    return chunk * windows // chunks, ((chunk + 1) * windows + chunks - 1) // chunks


def shares_of(windows, n, chunk, chunks):
    """Return the first and the end of the `chunks` equal shares of window n that belong to a chunk."""
    return max(chunk * windows - n * chunks, 0), min((chunk + 1) * windows - n * chunks, chunks)


let_kernels_call(__name__)
