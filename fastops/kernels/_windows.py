"""Windows: many outputs of one size, each of which reads from a start of its own.

Computes: for each window of a table, what one plan with its start would.
Memory: reads the sources and the table, writes each destination byte once, or twice alike where vectors overlap. The
words of a window and the table that is made of them lie on the stack of the chunk.
Fast because threads share the windows, and a window that reads in bounds, as the one before did, differs from that in
two words of its table. One that reads beyond its source is laid over memory anew, in some 50 ns.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._axes import LIST_WORDS, RUN_COUNT, RUN_PITCH, RUN_SOURCE, RUN_WORDS, list_runs
from fastops.kernels._chunks import chunk_start
from fastops.kernels._intrinsics._memory import ONE, ZERO, copy_bytes, load_int, loops, shift, stack_words, store_int
from fastops.kernels._intrinsics._objects import address_of, bytes_at, output_at
from fastops.kernels._intrinsics._types import array_address, array_addresses, byte_pointer
from fastops.kernels._intrinsics._units import unit
from fastops.kernels._intrinsics._vectors import finish_streams
from fastops.kernels._parts import run_part
from fastops.kernels._tables import _gather as g
from fastops.kernels._tables._window import (
    AXIS_COLUMNS,
    AXIS_NUMBERS,
    COUNT,
    DST_PITCH,
    DST_STEP,
    EXTENT,
    FILL,
    GEOMETRIES,
    HAS_PLANES,
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
    WIDTH,
    WORDS,
)
from fastops.kernels._window import PART, TABLE_WORDS, axis_words, is_inside, is_too_large, lay_axis, lay_window, row_of
from fastops.kernels._writer import PLAIN_WRITER_WORDS, WRITER_WORDS, finish_writer, open_writer

# Windows are shared among threads if there are so many for each, and else each of them is.
_FEWEST_SHARED = 4

# Smaller windows are one part, as in `_schedules._interiors`.
_SMALLEST_BOXED = 1 << 13

# Axes that read beyond the source, and boxes, of a window that is moved as boxes.
_MOST_OUTSIDE, _MOST_BOXES = 4, 27

# Words of the lists of their runs, and of what the window says of these axes.
_LISTS_WORDS, _KEPT_WORDS = _MOST_OUTSIDE * LIST_WORDS, _MOST_OUTSIDE * AXIS_COLUMNS


@loops
def _axis_is_inside(axis):
    """True if all coordinates of an axis of a window lie in it."""
    return is_inside(load_int(axis, EXTENT), load_int(axis, START), load_int(axis, STRIDE), load_int(axis, COUNT))


@loops
def _is_boxed(words):
    """True if a window that reads beyond its source may be moved as boxes, because its interior is a plane."""
    if not load_int(words, HAS_PLANES):
        return False
    size = load_int(words, WIDTH)
    for k in range(load_int(words, RANK)):
        size *= load_int(axis_words(words, k), COUNT)
    return size >= _SMALLEST_BOXED


@loops
def _run_laid(writers, dst, src, table, fill, share, shares):
    """Move what a table of one part says, or one of equal shares of it."""
    part = shift(table, 8 * PART)
    grains = load_int(part, g.GRAINS)
    first, end = chunk_start(grains, share, shares), chunk_start(grains, share + 1, shares)
    if first < end:
        writer = writers[1] if load_int(part, g.STREAMS) else writers[0]
        run_part(writer, dst, src, table, PART, first, end, fill)


@loops
def _list_boxes(words, table, lists, numbers, lengths):
    """List the runs of each axis that reads beyond the source; return how many such axes there are, and boxes.

    There are no boxes where they would be too many. Offsets of runs are indices.
    """
    n, boxes = 0, 1
    for k in range(load_int(words, RANK)):
        axis = axis_words(words, k)
        if _axis_is_inside(axis):
            continue
        if n == _MOST_OUTSIDE:
            return n, 0
        row, runs = row_of(table, ZERO), shift(lists, 8 * LIST_WORDS * n)
        count = load_int(axis, COUNT)
        first = lay_axis(row, axis, load_int(words, MODE), ZERO, ONE)
        length, y = list_runs(row, ZERO, count, runs)
        boxes *= length
        if y < count or boxes > _MOST_BOXES:
            return n, 0
        if first:
            store_int(runs, RUN_SOURCE, first)
        store_int(numbers, n, k)
        store_int(lengths, n, length)
        n += 1
    return n, boxes


@unit(
    types.boolean(
        *(types.UniTuple(byte_pointer, 2), byte_pointer, byte_pointer, byte_pointer, byte_pointer, byte_pointer),
        *(types.intp, types.intp, types.intp),
    )
)
def move_boxes(writers, dst, src, words, table, fill, dst_offset, share, shares):
    """Move a window as boxes, each of which is a window that reads in bounds, or nothing; False if they are too many.

    What the words say of the window is written over meanwhile.
    """
    lists = stack_words(_LISTS_WORDS)
    numbers, lengths = stack_words(_MOST_OUTSIDE), stack_words(_MOST_OUTSIDE)
    kept = stack_words(_KEPT_WORDS)
    n, boxes = _list_boxes(words, table, lists, numbers, lengths)
    if boxes == 0:
        return False
    for k in range(n):
        copy_bytes(shift(kept, 8 * AXIS_COLUMNS * k), axis_words(words, load_int(numbers, k)), 8 * AXIS_COLUMNS)
    for box in range(boxes):
        left, offset = box, dst_offset
        for k in range(n):
            axis = axis_words(words, load_int(numbers, k))
            runs, length = shift(lists, 8 * LIST_WORDS * k), load_int(lengths, k)
            for _ in range(left % length):
                offset += load_int(runs, RUN_COUNT) * load_int(axis, DST_PITCH)
                runs = shift(runs, 8 * RUN_WORDS)
            left //= length
            source = load_int(runs, RUN_SOURCE)
            # Of what is filled, all coordinates are one behind the end.
            store_int(axis, START, load_int(axis, EXTENT) if source == g.FILL else source)
            store_int(axis, STRIDE, 0 if source == g.FILL else load_int(runs, RUN_PITCH))
            store_int(axis, COUNT, load_int(runs, RUN_COUNT))
        lay_window(words, table)
        part = shift(table, 8 * PART)
        store_int(part, g.DST_OFFSET, load_int(part, g.DST_OFFSET) + offset)
        _run_laid(writers, dst, src, table, fill, share, shares)
    for k in range(n):
        copy_bytes(axis_words(words, load_int(numbers, k)), shift(kept, 8 * AXIS_COLUMNS * k), 8 * AXIS_COLUMNS)
    return True


@loops
def move_window(writers, dst, src, words, table, fill):
    """Move one window, at the beginning of the output, by the thread that calls."""
    is_boxed = _is_boxed(words) and not _reads_inside(words)
    if is_boxed and move_boxes(writers, dst, src, words, table, fill, ZERO, ZERO, ONE):
        return
    lay_window(words, table)
    _run_laid(writers, dst, src, table, fill, ZERO, ONE)


@loops
def _reads_inside(words):
    """True if all coordinates of a window lie in its source."""
    for k in range(load_int(words, RANK)):
        if not _axis_is_inside(axis_words(words, k)):
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
        if is_too_large(start) or is_too_large(stride):
            return True, False, ZERO
        store_int(axis, START, start)
        store_int(axis, STRIDE, stride)
        inside = inside and is_inside(load_int(axis, EXTENT), start, stride, load_int(axis, COUNT))
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


@unit(types.intp(array_address))
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


@unit(types.void(array_addresses, array_address, array_address, array_address, types.intp, types.intp))
def move_windows(dsts, src_address, table_address, fill_address, chunk, chunks):
    """Move one of `chunks` shares of the windows of a table, or of each of them if they are few.

    Those whose numbers are too large to compute with are left out.
    """
    table, fill = bytes_at(table_address), bytes_at(fill_address)
    dst, src = output_at(address_of(dsts, ZERO)), bytes_at(src_address)
    n_windows, step = load_int(table, N_WINDOWS), load_int(table, DST_STEP)
    first, end, share, shares = ZERO, n_windows, chunk, chunks
    if n_windows >= _FEWEST_SHARED * chunks:
        first, end = chunk_start(n_windows, chunk, chunks), chunk_start(n_windows, chunk + 1, chunks)
        share, shares = ZERO, ONE
    words, laid = stack_words(MOST_WORDS), stack_words(TABLE_WORDS)
    copy_bytes(words, shift(table, 8 * load_int(table, WORDS)), 8 * load_int(table, N_WORDS))
    streams = load_int(words, STREAMS)
    writers = (
        open_writer(stack_words(PLAIN_WRITER_WORDS), dst, ZERO),
        open_writer(stack_words(WRITER_WORDS), dst, streams),
    )
    rank, geometries, items = load_int(words, RANK), load_int(table, GEOMETRIES), load_int(table, ITEMS)
    is_varied = geometries != 0 or load_int(table, STRIDES) != 0
    boxed = _is_boxed(words)
    part = shift(laid, 8 * PART)
    # Offsets of the part that is laid, if it reads in bounds: of a window with starts of 0, into the first output.
    is_laid, own_dst_offset, own_src_offset = False, ZERO, ZERO
    for n in range(first, end):
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
            if move_boxes(writers, dst, own_src, words, laid, fill, dst_offset, share, shares):
                continue
        if not (inside and is_laid):
            lay_window(words, laid)
            own_dst_offset, own_src_offset = load_int(part, g.DST_OFFSET), load_int(part, g.SRC_OFFSET) - offset
            is_laid = inside and not is_varied
        store_int(part, g.DST_OFFSET, own_dst_offset + dst_offset)
        store_int(part, g.SRC_OFFSET, own_src_offset + offset)
        _run_laid(writers, dst, own_src, laid, fill, share, shares)
    if streams:
        finish_writer(writers[1], dst)
        finish_streams()
