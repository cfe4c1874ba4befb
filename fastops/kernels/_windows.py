"""Windows: many outputs of one size, each of which reads from a start of its own.

Computes: for each window of a table, what one plan with its start would.
Memory: reads the sources and the table, writes each destination byte once, or twice alike where vectors overlap. The
words of a window and the table that is made of them lie on the stack of the chunk.
Fast because threads share the windows evenly, and a window that reads in bounds, as the one before did, differs from
that in two words of its table. One that reads beyond its source is scheduled anew.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._arithmetic import is_inside
from fastops.kernels._chunks import chunk_remainder, chunk_start
from fastops.kernels._intrinsics._arrays_of_words import interpreted, words_at
from fastops.kernels._intrinsics._memory import ONE, ZERO, copy_bytes, shift, stack_words
from fastops.kernels._intrinsics._objects import address_of, bytes_at, output_at
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import array_address, array_addresses
from fastops.kernels._intrinsics._vectors import finish_streams
from fastops.kernels._runs import Rows, Run, move_rows
from fastops.kernels._schedules import (
    TABLE_WORDS,
    Options,
    axis_at,
    free_table,
    is_too_large,
    run_table,
    schedule_window,
)
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables._window import (
    AXIS_NUMBERS,
    BYTE_STRIDES,
    DST_STEP,
    GEOMETRIES,
    ITEM_EXTENT,
    ITEM_PITCH,
    ITEMS,
    MODE,
    MOST_WORDS,
    N_AXES,
    N_WINDOWS,
    N_WORDS,
    STARTS,
    STREAMS,
    STRIDES,
    WIDTH,
    WORDS,
)
from fastops.kernels._tables._words import (
    COUNT,
    EXTENT,
    FILL,
    HEADER_COLUMNS,
    MOST_AXES,
    SRC_RANK,
    START,
    STRICT_BOUNDS,
    STRIDE,
)
from fastops.kernels._writer import PLAIN_WRITER_WORDS, WRITER_WORDS, finish_writer, open_writer

interpreted(is_inside)

# Byte strides of a source and of an output.
_STRIDES_WORDS = 2 * MOST_AXES


@interpreted
def _set_geometry(words, byte_strides, geometry):
    """Write the extents and byte strides of a source into the words of a window; axes that are whole stay as long."""
    rank = words[SRC_RANK]
    for k in range(rank):
        words[HEADER_COLUMNS + k] = axis_at(words, k)[EXTENT] = geometry[k]
        byte_strides[k] = geometry[rank + k]


@interpreted
def _set_window(words, table, n):
    """Write the start and stride of window n into its words; return whether it is too large, and reads in bounds."""
    axes = table[N_AXES]
    starts, numbers, strides = table[STARTS] + n * axes, table[AXIS_NUMBERS], table[STRIDES]
    inside = True
    for i in range(axes):
        axis = axis_at(words, table[numbers + i])
        start = table[starts + i]
        stride = table[strides + n * axes + i] if strides else axis[STRIDE]
        extent = axis[EXTENT]
        if is_too_large(start) or is_too_large(stride) or is_too_large(extent):
            return True, False
        axis[START] = start
        axis[STRIDE] = stride
        inside = inside and is_inside(extent, start, stride, axis[COUNT])
    return False, inside


@interpreted
def _offset_of(byte_strides, table, n):
    """Return how many bytes of its source a window that reads in bounds begins at, because of its starts."""
    axes, offset = table[N_AXES], 0
    for i in range(axes):
        offset += table[table[STARTS] + n * axes + i] * byte_strides[table[table[AXIS_NUMBERS] + i]]
    return offset


@interpreted
def _is_doubtful(words, table, n):
    """True if window n may read what it must not, or has numbers that are too large."""
    too_large, inside = _set_window(words, table, n)
    mode, items = table[MODE], table[ITEMS]
    if too_large or (mode == STRICT_BOUNDS and not inside):
        return True
    if items and not 0 <= table[items + n] < table[ITEM_EXTENT]:
        return True
    if not inside and mode != FILL:
        for k in range(words[SRC_RANK]):
            if axis_at(words, k)[EXTENT] == 0:
                return True
    return False


@outlined(types.intp(array_address))
def first_doubtful(table_address):
    """The first window of a table that may be wrong, in a few nanoseconds for each; -1 for none."""
    table = bytes_at(table_address)
    words, byte_strides = stack_words(MOST_WORDS), stack_words(_STRIDES_WORDS)
    copy_bytes(words, words_at(table, table[WORDS]), 8 * table[N_WORDS])
    rank, geometries = words[SRC_RANK], table[GEOMETRIES]
    for n in range(table[N_WINDOWS]):
        if geometries:
            _set_geometry(words, byte_strides, words_at(table, geometries + 2 * rank * n))
        if _is_doubtful(words, table, n):
            return n
    return -1


@interpreted
def _rows_of(table):
    """Return whether a table is one part of rows of runs, which nothing streams, and these."""
    part = words_at(table, g.HEADER_COLUMNS)
    axes = words_at(part, g.PART_COLUMNS)
    n = part[g.AXES]
    inner, rows = words_at(axes, (n - 1) * g.AXIS_COLUMNS), Rows(1, 0, 0)
    run = Run(inner[g.COUNT], part[g.BLOCK], inner[g.DST_PITCH], inner[g.SRC_PITCH])
    if n == 2:
        rows = Rows(axes[g.COUNT], axes[g.DST_PITCH], axes[g.SRC_PITCH])
    return n <= 2 and part[g.PLANE] == g.NO_PLANE and part[g.STREAMS] == 0, rows, run


@outlined(types.void(array_addresses, array_address, array_address, array_address, types.intp, types.intp))
def move_windows(dsts, src_address, table_address, fill_address, chunk, chunks):
    """Move one of `chunks` equal shares of the windows of a table; it may begin and end within a window.

    Windows whose numbers are too large to compute with are left out.
    """
    table, fill = bytes_at(table_address), bytes_at(fill_address)
    dst, src = output_at(address_of(dsts, ZERO)), bytes_at(src_address)
    n_windows, step, width, streams = table[N_WINDOWS], table[DST_STEP], table[WIDTH], table[STREAMS]
    first, end = chunk_start(n_windows, chunk, chunks), chunk_start(n_windows, chunk + 1, chunks)
    of_first, of_last = chunk_remainder(n_windows, chunk, chunks), chunk_remainder(n_windows, chunk + 1, chunks)
    words, byte_strides, room = stack_words(MOST_WORDS), stack_words(_STRIDES_WORDS), stack_words(TABLE_WORDS)
    scheduled = room
    copy_bytes(words, words_at(table, table[WORDS]), 8 * table[N_WORDS])
    rank, geometries, items = words[SRC_RANK], table[GEOMETRIES], table[ITEMS]
    copy_bytes(byte_strides, words_at(table, table[BYTE_STRIDES]), 16 * rank)
    writers = (
        open_writer(stack_words(PLAIN_WRITER_WORDS), dst, ZERO),
        open_writer(stack_words(WRITER_WORDS), dst, streams),
    )
    is_varied = geometries != 0 or table[STRIDES] != 0
    part = words_at(room, g.HEADER_COLUMNS)
    # Offsets of the part that is scheduled, if it reads in bounds: of a window with starts of 0, into the first output.
    is_scheduled, own_dst_offset, own_src_offset = False, ZERO, ZERO
    # The same of windows in bounds that are rows of runs, which need no table: it stays when others are scheduled.
    has_rows, rows, run = False, Rows(ZERO, ZERO, ZERO), Run(ZERO, ZERO, ZERO, ZERO)
    rows_dst_offset, rows_src_offset = ZERO, ZERO
    for n in range(first, end + (of_last > 0)):
        # This chunk has the shares [share, own_end) of the window, of `chunks`.
        share, own_end = of_first if n == first else 0, of_last if n == end else chunks
        dst_offset, own_src = n * step, src
        if geometries:
            _set_geometry(words, byte_strides, words_at(table, geometries + 2 * rank * n))
            own_src = bytes_at(address_of(dsts, ONE + n))
        if items:
            own_src = shift(own_src, table[items + n] * table[ITEM_PITCH])
        too_large, inside = _set_window(words, table, n)
        if too_large:
            continue
        offset = _offset_of(byte_strides, table, n) if inside else ZERO
        if inside and has_rows and own_end - share == chunks:
            own_src = shift(own_src, rows_src_offset + offset)
            move_rows(shift(dst, rows_dst_offset + dst_offset), own_src, rows, run, own_src)
            continue
        if inside and is_scheduled:
            part[g.DST_OFFSET] = own_dst_offset + dst_offset
            part[g.SRC_OFFSET] = own_src_offset + offset
        else:
            options = Options(streams, g.SMALLEST_PEELED, dst_offset)
            free_table(scheduled, room)
            scheduled = schedule_window(words, byte_strides, width, options, room)
            is_scheduled = inside and not is_varied
            if is_scheduled:
                own_dst_offset, own_src_offset = part[g.DST_OFFSET] - dst_offset, part[g.SRC_OFFSET] - offset
                has_rows, rows, run = _rows_of(scheduled)
                rows_dst_offset, rows_src_offset = own_dst_offset, own_src_offset
        run_table(writers, dst, own_src, scheduled, fill, share, own_end, chunks)
    free_table(scheduled, room)
    if streams:
        finish_writer(writers[1], dst)
        finish_streams()
