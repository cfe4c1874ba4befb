"""Words of windows: what one window of a call reads, and which windows a chunk has.

Computes: the words of one window after the other from the numbers of the call (`_tables._window`).
Memory: reads the table and the rows of its numbers, writes the words and the byte strides of one window.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from fastops.kernels._arithmetic import is_inside
from fastops.kernels._intrinsics._arrays_of_words import interpreted, memory_in, words_at
from fastops.kernels._intrinsics._memory import loops, stack_words
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._parallel import chunk_remainder, chunk_start
from fastops.kernels._rules._words import set_axis, set_whole
from fastops.kernels._schedules import axis_at, is_too_large
from fastops.kernels._tables import _arrays as a
from fastops.kernels._tables import _window as t
from fastops.kernels._tables import _words as w
from fastops.kernels._tables._window import MOST_WORDS

interpreted(is_inside)

#: Byte strides of a source and of an output.
STRIDES_WORDS = 2 * w.MOST_AXES


class Own(NamedTuple):
    """What one window reads."""

    skipped: Any  # bytes of its source before those that have starts
    inside: Any  # True if it reads in bounds
    is_right: Any  # False if it may read what it must not, or has numbers that are too large


@interpreted
def sides_of(arrays, table):
    """Return the lengths of the first source; those of others, and of the output, follow."""
    return words_at(arrays, a.HEADER_COLUMNS + (table[t.SOURCES] + 1) * a.ARRAY_COLUMNS)


@interpreted
def set_source(words, byte_strides, arrays, table, n):
    """Write the extents and the byte strides of source n into the words of a window."""
    rank, skipped = words[w.SRC_RANK], 1 if table[t.ITEMS] else 0
    lengths = words_at(sides_of(arrays, table), n * (skipped + rank) + skipped)
    for k in range(rank):
        words[w.HEADER_COLUMNS + k] = axis_at(words, k)[w.EXTENT] = lengths[k]
        byte_strides[k] = lengths[arrays[a.SIDES] + k]


@interpreted
def begin_words(words, byte_strides, arrays, table):
    """Write the words and the byte strides of a window that takes all axes whole of the first source.

    Returns how many bytes of the output there are from one window to the next.
    """
    rank = arrays[a.HEADER_COLUMNS + table[t.SOURCES] * a.ARRAY_COLUMNS + a.RANK] - 1
    lengths = words_at(sides_of(arrays, table), arrays[a.SIDES] - rank - 1)
    first, mode = w.HEADER_COLUMNS + 2 * rank + 1, table[t.MODE]
    words[w.PIECES] = words[w.OUTPUTS] = 1
    words[w.SRC_RANK] = words[w.HEADER_COLUMNS + rank] = rank
    words[w.FILLS], words[w.FIRST_PIECE] = 1 if mode == w.FILL else 0, first
    piece = words_at(words, first)
    piece[w.OUTPUT] = piece[w.FILL_INDEX] = 0
    piece[w.AXES], piece[w.LENGTH] = rank, w.PIECE_COLUMNS + rank * w.AXIS_COLUMNS
    for k in range(rank):
        words[w.HEADER_COLUMNS + rank + 1 + k] = lengths[1 + k]
        set_whole(axis_at(words, k), 0, k, k)
        set_axis(axis_at(words, k), 0, 1, lengths[1 + k], mode)
    for i in range(table[t.N_AXES]):
        axis_at(words, table[t.AXES + i])[w.STRIDE] = table[t.AXES + table[t.N_AXES] + i]
    of_output = words_at(lengths, arrays[a.SIDES])
    for k in range(rank):
        byte_strides[rank + k] = of_output[1 + k]
    set_source(words, byte_strides, arrays, table, 0)
    return of_output[0]


@loops
def _row_at(table, column, n, columns):
    """Return row n of the numbers whose address a column of the table has, of so many columns."""
    return memory_in(table[column] + 8 * n * columns, 0, 8 * columns, False)


@loops
def set_window(words, arrays, table, n):
    """Write the start and stride of window n into its words; return what it reads."""
    axes, right = table[t.N_AXES], True
    starts, strides = _row_at(table, t.STARTS, n, axes), _row_at(table, t.STRIDES, n, axes)
    inside, is_empty, skipped = True, False, 0
    for i in range(axes):
        axis = axis_at(words, table[t.AXES + i])
        start, extent = starts[i], axis[w.EXTENT]
        stride = strides[i] if table[t.STRIDES] else axis[w.STRIDE]
        right = right and not (is_too_large(start) or is_too_large(stride) or is_too_large(extent))
        if right:
            axis[w.START] = start
            axis[w.STRIDE] = stride
            inside = inside and is_inside(extent, start, stride, axis[w.COUNT])
            is_empty = is_empty or extent == 0
            right = inside or axis[w.MODE] != w.STRICT_BOUNDS
            right = right and (axis[w.MODE] == w.FILL or not is_empty)
    if table[t.ITEMS]:
        item, lengths = _row_at(table, t.ITEMS, n, 1)[0], sides_of(arrays, table)
        right = right and 0 <= item < lengths[0]
        skipped = item * lengths[arrays[a.SIDES]] if right else 0
    return Own(skipped, inside, right)


@loops
def offset_of(byte_strides, table, n):
    """Return how many bytes of its source a window that reads in bounds begins at, because of its starts."""
    axes, offset = table[t.N_AXES], 0
    starts = _row_at(table, t.STARTS, n, axes)
    for i in range(axes):
        offset += starts[i] * byte_strides[table[t.AXES + i]]
    return offset


@outlined(types.intp(byte_pointer, byte_pointer, types.intp))
def next_wrong_window(arrays, table, first):
    """The next window, from one on, that `windows_chunk` leaves out, in a few nanoseconds for each; -1 for none."""
    words, byte_strides = stack_words(MOST_WORDS), stack_words(STRIDES_WORDS)
    begin_words(words, byte_strides, arrays, table)
    for n in range(first, table[t.N_WINDOWS]):
        if table[t.SOURCES] > 1:
            set_source(words, byte_strides, arrays, table, n)
        if not set_window(words, arrays, table, n).is_right:
            return n
    return -1


class Windows(NamedTuple):
    """The windows of a chunk, which may begin and end within one."""

    first: Any  # the one that it begins in
    end: Any  # one beyond the last whole one
    of_first: Any  # share of the first one that it begins with, of as many as there are chunks
    of_end: Any  # share of the one at the end before which it ends


@loops
def windows_of(table, chunk, chunks):
    """Return the windows of one of `chunks` equal shares of all."""
    n, after = table[t.N_WINDOWS], chunk + 1
    first, end = chunk_start(n, chunk, chunks), chunk_start(n, after, chunks)
    return Windows(first, end, chunk_remainder(n, chunk, chunks), chunk_remainder(n, after, chunks))


@loops
def shares_of(windows, n, chunks):
    """Return which shares of window n are those of a chunk: the first one, and the one before which they end."""
    return windows.of_first if n == windows.first else 0, windows.of_end if n == windows.end else chunks
