"""Windows: many outputs of one size, each of which reads from a start of its own.

Computes: for each window of a table, what one plan with its start would.
Memory: reads the sources and the table, writes each destination byte once, or twice alike where vectors overlap. The
words of a window and the table that is made of them lie on the stack of the chunk.
Fast because threads share the windows evenly, and a window that reads in bounds, as the one before did, differs from
that in two words of its table. One that reads beyond its source is laid over memory anew, in some 50 ns.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._chunks import chunk_remainder, chunk_start
from fastops.kernels._intrinsics._memory import ONE, ZERO, copy_bytes, load_int, loops, shift, stack_words, store_int
from fastops.kernels._intrinsics._objects import address_of, bytes_at, output_at
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import array_address, array_addresses
from fastops.kernels._intrinsics._vectors import finish_streams
from fastops.kernels._runs import Rows, Run, move_rows
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables._window import (
    AXIS_NUMBERS,
    COUNT,
    DST_STEP,
    EXTENT,
    FILL,
    GEOMETRIES,
    ITEM_EXTENT,
    ITEM_PITCH,
    ITEMS,
    MODE,
    MOST_WORDS,
    N_AXES,
    N_WINDOWS,
    N_WORDS,
    RANK,
    SRC_PITCH,
    START,
    STARTS,
    STREAMS,
    STRICT_BOUNDS,
    STRIDE,
    STRIDES,
    WORDS,
)
from fastops.kernels._window import lay_window
from fastops.kernels._window_axes import PART, TABLE_WORDS, axis_words, is_inside, is_too_large, row_of
from fastops.kernels._window_boxes import axis_is_inside, is_boxed_window, move_boxes, run_laid
from fastops.kernels._writer import PLAIN_WRITER_WORDS, WRITER_WORDS, finish_writer, open_writer


@loops
def move_window(writers, dst, src, words, table, fill):
    """Move one window, at the beginning of the output, by the thread that calls."""
    is_boxed = is_boxed_window(words) and not _reads_inside(words)
    if is_boxed and move_boxes(writers, dst, src, words, table, fill, ZERO, ZERO, ONE, ONE):
        return
    lay_window(words, table)
    run_laid(writers, dst, src, table, fill, ZERO, ONE, ONE)


@loops
def _reads_inside(words):
    """True if all coordinates of a window lie in its source."""
    for k in range(load_int(words, RANK)):
        if not axis_is_inside(axis_words(words, k)):
            return False
    return True


@loops
def _set_geometry(words, geometry):
    """Write the extents and byte strides of a source into the words of a window; axes that are whole stay as long."""
    rank = load_int(words, RANK)
    for k in range(rank):
        axis = axis_words(words, k)
        store_int(axis, EXTENT, load_int(geometry, k))
        store_int(axis, SRC_PITCH, load_int(geometry, rank + k))


@loops
def _set_window(words, table, n):
    """Write the start and stride of window n into its words; return whether it is too large, and reads in bounds.

    Also return how many bytes its source begins at, because of its starts.
    """
    axes = load_int(table, N_AXES)
    starts = shift(table, 8 * (load_int(table, STARTS) + n * axes))
    strides = load_int(table, STRIDES)
    inside, offset = True, ZERO
    for i in range(axes):
        axis = axis_words(words, load_int(table, load_int(table, AXIS_NUMBERS) + i))
        start = load_int(starts, i)
        stride = load_int(table, strides + n * axes + i) if strides else load_int(axis, STRIDE)
        extent = load_int(axis, EXTENT)
        if is_too_large(start) or is_too_large(stride) or is_too_large(extent):
            return True, False, ZERO
        store_int(axis, START, start)
        store_int(axis, STRIDE, stride)
        inside = inside and is_inside(extent, start, stride, load_int(axis, COUNT))
        if inside:
            offset += start * load_int(axis, SRC_PITCH)
    return False, inside, offset


@loops
def _is_doubtful(words, table, n, is_strict, takes_empty):
    """True if window n may read what it must not, or has numbers that are too large."""
    too_large, inside, _ = _set_window(words, table, n)
    if too_large or (is_strict and not inside):
        return True
    items = load_int(table, ITEMS)
    if items and not 0 <= load_int(table, items + n) < load_int(table, ITEM_EXTENT):
        return True
    if not inside and not takes_empty:
        for k in range(load_int(words, RANK)):
            if load_int(axis_words(words, k), EXTENT) == 0:
                return True
    return False


@outlined(types.intp(array_address))
def first_doubtful(table_address):
    """The first window of a table that may be wrong, in a few nanoseconds for each; -1 for none."""
    table = bytes_at(table_address)
    words = stack_words(MOST_WORDS)
    copy_bytes(words, shift(table, 8 * load_int(table, WORDS)), 8 * load_int(table, N_WORDS))
    mode = load_int(words, MODE)
    rank, geometries = load_int(words, RANK), load_int(table, GEOMETRIES)
    for n in range(load_int(table, N_WINDOWS)):
        if geometries:
            _set_geometry(words, shift(table, 8 * (geometries + 2 * rank * n)))
        if _is_doubtful(words, table, n, mode == STRICT_BOUNDS, mode == FILL):
            return n
    return -1


@loops
def _rows_of(table):
    """Return whether the part of a table that reads in bounds is rows of runs, which nothing streams, and these."""
    part = shift(table, 8 * PART)
    n, block = load_int(part, g.AXES), load_int(part, g.BLOCK)
    inner, rows = row_of(table, n - 1), Rows(ONE, ZERO, ZERO)
    run = Run(load_int(inner, g.COUNT), block, load_int(inner, g.DST_PITCH), load_int(inner, g.SRC_PITCH))
    if n == 2:
        outer = row_of(table, ZERO)
        rows = Rows(load_int(outer, g.COUNT), load_int(outer, g.DST_PITCH), load_int(outer, g.SRC_PITCH))
    return n <= 2 and load_int(part, g.PLANE) == g.NO_PLANE and load_int(part, g.STREAMS) == 0, rows, run


@outlined(types.void(array_addresses, array_address, array_address, array_address, types.intp, types.intp))
def move_windows(dsts, src_address, table_address, fill_address, chunk, chunks):
    """Move one of `chunks` equal shares of the windows of a table; it may begin and end within a window.

    Windows whose numbers are too large to compute with are left out.
    """
    table, fill = bytes_at(table_address), bytes_at(fill_address)
    dst, src = output_at(address_of(dsts, ZERO)), bytes_at(src_address)
    n_windows, step = load_int(table, N_WINDOWS), load_int(table, DST_STEP)
    first, end = chunk_start(n_windows, chunk, chunks), chunk_start(n_windows, chunk + 1, chunks)
    of_first, of_last = chunk_remainder(n_windows, chunk, chunks), chunk_remainder(n_windows, chunk + 1, chunks)
    words, laid = stack_words(MOST_WORDS), stack_words(TABLE_WORDS)
    copy_bytes(words, shift(table, 8 * load_int(table, WORDS)), 8 * load_int(table, N_WORDS))
    streams = load_int(words, STREAMS)
    writers = (
        open_writer(stack_words(PLAIN_WRITER_WORDS), dst, ZERO),
        open_writer(stack_words(WRITER_WORDS), dst, streams),
    )
    rank, geometries, items = load_int(words, RANK), load_int(table, GEOMETRIES), load_int(table, ITEMS)
    is_varied = geometries != 0 or load_int(table, STRIDES) != 0
    boxed = is_boxed_window(words)
    part = shift(laid, 8 * PART)
    # Offsets of the part that is laid, if it reads in bounds: of a window with starts of 0, into the first output.
    is_laid, own_dst_offset, own_src_offset = False, ZERO, ZERO
    # The same of windows in bounds that are rows of runs, which need no table: it stays when another window is laid.
    has_rows, rows, run = False, Rows(ZERO, ZERO, ZERO), Run(ZERO, ZERO, ZERO, ZERO)
    rows_dst_offset, rows_src_offset = ZERO, ZERO
    for n in range(first, end + (of_last > 0)):
        # This chunk has the shares [share, own_end) of the window, of `chunks`.
        share, own_end = of_first if n == first else 0, of_last if n == end else chunks
        is_whole = own_end - share == chunks
        dst_offset, own_src = n * step, src
        if geometries:
            _set_geometry(words, shift(table, 8 * (geometries + 2 * rank * n)))
            own_src = bytes_at(address_of(dsts, 1 + n))
        if items:
            own_src = shift(src, load_int(table, items + n) * load_int(table, ITEM_PITCH))
        too_large, inside, offset = _set_window(words, table, n)
        if too_large:
            continue
        if not inside and boxed:
            is_laid = False
            if move_boxes(writers, dst, own_src, words, laid, fill, dst_offset, share, own_end, chunks):
                continue
        if inside and has_rows and is_whole:
            own_src = shift(own_src, rows_src_offset + offset)
            move_rows(shift(dst, rows_dst_offset + dst_offset), own_src, rows, run, own_src)
            continue
        if not (inside and is_laid):
            lay_window(words, laid)
            own_dst_offset, own_src_offset = load_int(part, g.DST_OFFSET), load_int(part, g.SRC_OFFSET) - offset
            is_laid = inside and not is_varied
            if is_laid:
                has_rows, rows, run = _rows_of(laid)
                rows_dst_offset, rows_src_offset = own_dst_offset, own_src_offset
        store_int(part, g.DST_OFFSET, own_dst_offset + dst_offset)
        store_int(part, g.SRC_OFFSET, own_src_offset + offset)
        run_laid(writers, dst, own_src, laid, fill, share, own_end, chunks)
    if streams:
        finish_writer(writers[1], dst)
        finish_streams()
