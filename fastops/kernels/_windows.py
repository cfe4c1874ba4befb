"""Windows: many outputs of one size, which read from starts of their own.

Computes: for each window of a call (`_tables._calls`), the slice that begins at its start. Memory: reads the sources
and the table; writes each byte of the output once, or twice with the same value where vectors overlap. The words of a
window (`_window_words`) and their table lie on the stack of the chunk. Fast because threads share the windows evenly,
and windows of one source and stride that read in bounds share one table: only two offsets in it change. Any other
window has a schedule of its own.
"""

# Intrinsics have types that mypy cannot see. Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels import _window_words as window
from fastops.kernels._intrinsics import _memory as mem, _object_layout as layout, _objects as py
from fastops.kernels._intrinsics._outlined import byte_pointer, outlined
from fastops.kernels._intrinsics._vectors import Rows, finish_streams
from fastops.kernels._look import describe_all, describe_conversion, item_at, length_of, words_in, words_of_all
from fastops.kernels._move import begin_work, convert_words, end_work, new_scratch
from fastops.kernels._parallel import OF_WINDOWS, share
from fastops.kernels._parts import PLAIN_PART_WRITER_WORDS, UNALIGNED_PART_WRITER_WORDS, open_plain_writer
from fastops.kernels._scheduler._checks import width_of_outputs, write_bounds
from fastops.kernels._scheduler._schedule import Options
from fastops.kernels._schedules import TABLE_WORDS, array_in, free_table, run_table, schedule_window
from fastops.kernels._tables import _arrays as a, _calls as t, _gather as g, _words as w
from fastops.kernels._tables._calls import CALL_WORDS, MOST_WORDS
from fastops.kernels._window_words import STRIDES_WORDS
from fastops.kernels._writer import Run, finish_writer, move_rows, open_writer

# Words of the largest description of arrays that lies on the stack: one source and one output.
_FEW_WORDS = 128


def _rows_of(table):
    """Return whether a table is one part of rows of runs that is not streamed, and the rows and the run."""
    part = mem.words_at(table, g.HEADER_COLUMNS)
    axes = mem.words_at(part, g.PART_COLUMNS)
    n = part[g.AXES]
    inner, rows = mem.words_at(axes, (n - 1) * g.AXIS_COLUMNS), Rows(1, 0, 0)
    run = Run(inner[g.COUNT], part[g.BLOCK], inner[g.DST_PITCH], inner[g.SRC_PITCH])
    if n == 2:
        rows = Rows(axes[g.COUNT], axes[g.DST_PITCH], axes[g.SRC_PITCH])
    return n <= 2 and part[g.PLANE] == g.NO_PLANE and part[g.STREAMS] == 0, rows, run


@outlined(types.void(byte_pointer, byte_pointer, *(types.intp,) * 3))
def _convert_windows(arrays, table, scratch_address, chunk, chunks):
    """Do what `windows_chunk` does, for windows that are converted."""
    dst, src = array_in(arrays, table[t.SOURCES], True), array_in(arrays, 0, False)
    words, byte_strides = mem.stack_words(MOST_WORDS), mem.stack_words(STRIDES_WORDS)
    step, windows = window.begin_window(words, byte_strides, arrays, table), table[t.N_WINDOWS]
    first, end_window = window.windows_of(windows, chunk, chunks)
    work = begin_work(arrays, words, byte_strides, dst, scratch_address, words[w.SRC_RANK], chunk)
    for n in range(first, end_window):
        if table[t.SOURCES] > 1:
            window.set_source(words, byte_strides, arrays, table, n)
            src = array_in(arrays, n, False)
        own = window.set_window(words, arrays, table, n)
        if own.is_right:
            begin, end = window.shares_of(windows, n, chunk, chunks)
            convert_words(work, mem.shift(src, own.skipped), n * step, begin, end, chunks)
    end_work(work)


@outlined(types.void(*(byte_pointer,) * 4, *(types.intp,) * 2))
def _copy_windows(plain, streaming, arrays, table, chunk, chunks):
    """Do what `windows_chunk` does, for windows that are not converted.

    ``plain`` and ``streaming`` are writers of the output, for `run_table`.
    """
    fill = mem.memory_in(arrays[a.FILL], 0, arrays[a.FILL_BYTES], False)
    sources, streams, width = table[t.SOURCES], table[t.STREAMS], arrays[a.WIDTH]
    dst, src = array_in(arrays, sources, True), array_in(arrays, 0, False)
    words, byte_strides = mem.stack_words(MOST_WORDS), mem.stack_words(STRIDES_WORDS)
    room = mem.stack_words(TABLE_WORDS)
    step, windows, scheduled = window.begin_window(words, byte_strides, arrays, table), table[t.N_WINDOWS], room
    first, end_window = window.windows_of(windows, chunk, chunks)
    is_varied = sources > 1 or table[t.STRIDES] != 0
    part = mem.words_at(room, g.HEADER_COLUMNS)
    # The offsets of the part of a window in bounds, without the offsets that its starts and its number add.
    is_scheduled, own_dst_offset, own_src_offset = False, 0, 0
    # The same for windows in bounds that are rows of runs. These values remain when a window out of bounds is
    # scheduled.
    has_rows, rows, run = False, Rows(0, 0, 0), Run(0, 0, 0, 0)
    rows_dst_offset, rows_src_offset = 0, 0
    for n in range(first, end_window):
        if sources > 1:
            window.set_source(words, byte_strides, arrays, table, n)
            src = array_in(arrays, n, False)
        own = window.set_window(words, arrays, table, n)
        if not own.is_right:
            continue
        begin, end = window.shares_of(windows, n, chunk, chunks)
        dst_offset, own_src = n * step, mem.shift(src, own.skipped)
        offset = window.offset_of(byte_strides, table, n) if own.inside else 0
        if own.inside and has_rows and end - begin == chunks:
            own_src = mem.shift(own_src, rows_src_offset + offset)
            move_rows(mem.shift(dst, rows_dst_offset + dst_offset), own_src, rows, run, own_src)
            continue
        if own.inside and is_scheduled:
            part[g.DST_OFFSET] = own_dst_offset + dst_offset
            part[g.SRC_OFFSET] = own_src_offset + offset
        else:
            options = Options(streams, g.SMALLEST_PEELED, dst_offset, 0)
            free_table(scheduled, room)
            scheduled = schedule_window(words, byte_strides, width, options, room)
            is_scheduled = own.inside and not is_varied
            if is_scheduled:
                own_dst_offset, own_src_offset = part[g.DST_OFFSET] - dst_offset, part[g.SRC_OFFSET] - offset
                has_rows, rows, run = _rows_of(scheduled)
                rows_dst_offset, rows_src_offset = own_dst_offset, own_src_offset
        run_table((plain, streaming), dst, own_src, scheduled, fill, begin, end, chunks)
    free_table(scheduled, room)


@outlined(types.void(*(types.intp,) * 6))
def windows_chunk(arrays_address, arrays_words, table_address, scratch_address, chunk, chunks):
    """Move one of `chunks` equal shares of the windows of a table, which may begin and end within a window.

    Windows whose mode does not allow what they read, or whose numbers are too large, are left out.
    """
    arrays = mem.memory_in(arrays_address, 0, 8 * arrays_words, False)
    table = mem.memory_in(table_address, 0, 8 * CALL_WORDS, False)
    if scratch_address:
        _convert_windows(arrays, table, scratch_address, chunk, chunks)
        return
    dst = array_in(arrays, table[t.SOURCES], True)
    plain = open_plain_writer(mem.stack_words(PLAIN_PART_WRITER_WORDS), dst)
    if not table[t.STREAMS]:
        _copy_windows(plain, plain, arrays, table, chunk, chunks)
        return
    # One writer serves all windows. It is on the heap, because their tables need much of a small stack.
    room = mem.heap_bytes(8 * UNALIGNED_PART_WRITER_WORDS)
    streaming = plain if mem.is_null(room) else open_writer(room, dst, 1)
    _copy_windows(plain, streaming, arrays, table, chunk, chunks)
    finish_writer(streaming, dst)
    mem.free_bytes(room)
    finish_streams()


def _address_of_rows(numbers):
    """Return the address of an array of integers, 0 for None."""
    return 0 if numbers == 0 else py.word_at(numbers + layout.NDARRAY_DATA)


def _write_bounds(arrays, table):
    """Write the bounds of the sources and the output; return False if the elements of an array lie too far apart."""
    sources, lengths = table[t.SOURCES], window.sides_of(arrays, table)
    for i in range(sources + 1):
        row = mem.words_at(arrays, a.HEADER_COLUMNS + i * a.ARRAY_COLUMNS)
        width = width_of_outputs(arrays) if i == sources else arrays[a.WIDTH]
        if not write_bounds(row, lengths, mem.words_at(lengths, arrays[a.SIDES]), width):
            return False
        lengths = mem.words_at(lengths, row[a.RANK])
    return True


@outlined(types.intp(byte_pointer, types.intp, byte_pointer, *(types.intp,) * 5))
def run_windows(arrays, arrays_words, table, stream_bytes, first, workers, launch, launches):
    """Move windows of arrays that are described; return as `move_windows` does."""
    if not _write_bounds(arrays, table):
        return a.TOO_FAR
    status = -1 - window.next_wrong_window(arrays, table, first)
    output = mem.words_at(arrays, a.HEADER_COLUMNS + table[t.SOURCES] * a.ARRAY_COLUMNS)
    # Windows without elements have no table.
    if status or output[a.HIGH] == output[a.LOW]:
        return status
    lengths = mem.words_at(window.sides_of(arrays, table), arrays[a.SIDES] - output[a.RANK])
    total_bytes, scratch_address = width_of_outputs(arrays), 0
    for k in range(output[a.RANK]):
        total_bytes *= lengths[k]
    table[t.STREAMS] = 1 if total_bytes >= stream_bytes else 0
    if arrays[a.CONVERSION]:
        rank = output[a.RANK] - 1
        scratch = new_scratch(rank, 0, table[t.STREAMS], workers)
        scratch_address = mem.address_to(scratch)
        if mem.is_null(scratch):
            return a.NO_MEMORY
    arrays_address, table_address = mem.address_to(arrays), mem.address_to(table)
    if workers > 1:
        where = (arrays_address, arrays_words, table_address, scratch_address)
        share(OF_WINDOWS, *where, total_bytes // launches, workers, launch, launches)
    else:
        windows_chunk(arrays_address, arrays_words, table_address, scratch_address, launch, launches)
    if scratch_address:
        mem.free_bytes(mem.memory_in(scratch_address, 0, 0, True))
    return a.DONE


@outlined(types.intp(*(types.intp,) * 12))
def move_windows(
    arrays, fill, plan, starts, strides, items, conversion, stream_bytes, first, workers, launch, launches
):
    """Move share `launch` of `launches` equal shares of windows, with `workers` threads; return a status.

    arrays is a tuple of the sources and the output; fill is an array of fill values; plan has the words that all
    windows share (`_tables._calls`). starts, strides and items are contiguous arrays of int64 with a row for each
    window; strides and items may be None. No other code has these arrays, and their memory stays where it is. The
    output shares no memory with them. The caller has checked that all of these fit each other. conversion is None, or
    the words of a conversion (`_tables._conversion`) of sources and output. Results of fewer bytes than stream_bytes
    stay in the caches. For more workers than one, `share` must be compiled.

    The status is DONE, or nothing is written. Then the status says what is wrong with the words or the arrays; or it is
    -1 - n, and window n is the first wrong window from number `first` on: its mode does not allow what it reads, or its
    numbers are too large. Wrong windows before `first` are left out.
    """
    common, plan_words = words_in(plan)
    table, n, description = mem.stack_words(CALL_WORDS), words_of_all(arrays), mem.stack_words(_FEW_WORDS)
    if n > _FEW_WORDS:
        description = mem.heap_bytes(8 * n)
        if mem.is_null(description):
            return a.NO_MEMORY
    mem.copy_bytes(table, common, 8 * plan_words)
    describe_all(arrays, fill, description, n)
    describe_conversion(conversion, description)
    sources = length_of(arrays) - 1
    windows = py.fields_of(item_at(arrays, sources), layout.NDARRAY_DIMENSIONS)[0]
    table[t.N_WINDOWS], table[t.SOURCES] = windows, sources
    table[t.STARTS] = _address_of_rows(starts)
    table[t.STRIDES] = _address_of_rows(strides)
    table[t.ITEMS] = _address_of_rows(items)
    state = py.release_gil()
    status = run_windows(description, n, table, stream_bytes, first, workers, launch, launches)
    py.take_gil(state)
    if n > _FEW_WORDS:
        mem.free_bytes(description)
    return status


mem.let_kernels_call(__name__)
