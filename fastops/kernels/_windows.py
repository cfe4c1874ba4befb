"""Windows: many outputs of one size, which read from starts of their own.

Computes: for each window of a call (`_tables._calls`), the slice that begins at its start. Memory: reads the sources
and the table; writes each byte of the output once, or twice with the same value where vectors overlap. The words of a
window lie on the stack of the chunk, its schedule in scratch memory of the worker. Fast because threads share the
windows evenly, and consecutive windows of one source and stride that read in bounds share one schedule: only two
offsets in it change. Any other window has a schedule of its own.
"""

# Intrinsics have types that mypy cannot see. Numba checks them when it compiles.
# mypy: ignore-errors

from numba import types

from fastops.kernels._arithmetic import is_inside
from fastops.kernels._intrinsics import _memory as mem, _object_layout as layout, _objects as py
from fastops.kernels._intrinsics._outlined import byte_pointer, outlined
from fastops.kernels._intrinsics._vectors import Rows
from fastops.kernels._look import describe_all, describe_conversion, item_at, length_of, words_in, words_of_all
from fastops.kernels._move import begin_work, convert_words, end_work, new_scratch, table_of
from fastops.kernels._parallel import OF_WINDOWS, share
from fastops.kernels._rules._words import begin_words, row_of, set_axis
from fastops.kernels._scheduler._checks import is_small, span_of, width_of_outputs
from fastops.kernels._scheduler._schedule import Options
from fastops.kernels._schedules import array_in, run_table, schedule_in_room
from fastops.kernels._tables import _arrays as a, _calls as t, _gather as g, _words as w
from fastops.kernels._tables._calls import CALL_WORDS, MOST_WORDS
from fastops.kernels._writer import Run, move_rows

# Byte strides of a source and of an output.
_STRIDES_WORDS = 2 * w.MOST_AXES


def _sides_of(arrays, table):
    """Return the lengths of the first source. The lengths of the other sources and of the output follow."""
    return mem.words_at(arrays, a.HEADER_COLUMNS + (table[t.SOURCES] + 1) * a.ARRAY_COLUMNS)


def _set_source(words, byte_strides, arrays, table, n):
    """Write the extents and the byte strides of source n into the words of a window."""
    rank, skipped = words[w.SRC_RANK], 1 if table[t.ITEMS] else 0
    lengths = mem.words_at(_sides_of(arrays, table), n * (skipped + rank) + skipped)
    for k in range(rank):
        words[w.HEADER_COLUMNS + k] = row_of(words, k)[w.EXTENT] = lengths[k]
        byte_strides[k] = lengths[arrays[a.SIDES] + k]


def _begin_window(words, byte_strides, arrays, table):
    """Write the words and the byte strides of a window of the first source that starts at 0 along all axes.

    Returns the bytes of the output from one window to the next.
    """
    rank, sides = arrays[a.HEADER_COLUMNS + table[t.SOURCES] * a.ARRAY_COLUMNS + a.RANK] - 1, _sides_of(arrays, table)
    lengths = mem.words_at(sides, arrays[a.SIDES] - rank - 1)
    of_output = mem.words_at(lengths, arrays[a.SIDES])
    begin_words(mem.words_at(sides, 1 if table[t.ITEMS] else 0), rank, 1, 1, rank, rank, words, MOST_WORDS)
    words[w.FILLS] = 1 if table[t.MODE] == w.FILL else 0
    for k in range(rank):
        words[w.HEADER_COLUMNS + rank + 1 + k] = lengths[1 + k]
        set_axis(row_of(words, k), 0, 1, lengths[1 + k], table[t.MODE])
        byte_strides[rank + k] = of_output[1 + k]
    for i in range(table[t.N_AXES]):
        row_of(words, table[t.AXES + i])[w.STRIDE] = table[t.AXES + table[t.N_AXES] + i]
    _set_source(words, byte_strides, arrays, table, 0)
    return of_output[0]


def row_at(table, column, n, columns):
    """Return row n of numbers, whose address is in a column of the table."""
    return mem.memory_in(table[column] + 8 * n * columns, 0, 8 * columns, False)


def _set_window(words, byte_strides, arrays, table, n):
    """Write the starts and strides of window n into its words; return where it reads.

    Returns four values: False if its mode does not allow what it reads, or its numbers are too large; True if it reads
    in bounds; the bytes before its item in its source; and, if it reads in bounds, the offset of its starts in the
    item.
    """
    axes, right = table[t.N_AXES], True
    starts, strides = row_at(table, t.STARTS, n, axes), row_at(table, t.STRIDES, n, axes)
    inside, is_empty, skipped, offset = True, False, 0, 0
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
            offset += start * byte_strides[table[t.AXES + i]] if inside else 0
    if table[t.ITEMS]:
        item, lengths = row_at(table, t.ITEMS, n, 1)[0], _sides_of(arrays, table)
        right = right and 0 <= item < lengths[0]
        skipped = item * lengths[arrays[a.SIDES]] if right else 0
    return right, inside, skipped, offset


def _rows_of(table):
    """Return whether a table is one part of rows of runs that does not stream, the rows, and their run."""
    part = mem.words_at(table, g.HEADER_COLUMNS)
    axes, n, rows = mem.words_at(part, g.PART_COLUMNS), part[g.AXES], Rows(1, 0, 0)
    inner = mem.words_at(axes, (n - 1) * g.AXIS_COLUMNS)
    if n == 2:
        rows = Rows(axes[g.COUNT], axes[g.DST_PITCH], axes[g.SRC_PITCH])
    run = Run(inner[g.COUNT], part[g.BLOCK], inner[g.DST_PITCH], inner[g.SRC_PITCH])
    return n <= 2 and part[g.PLANE] == g.NO_PLANE and part[g.STREAMS] == 0, rows, run


@outlined(types.intp(byte_pointer, byte_pointer, types.intp))
def _next_wrong_window(arrays, table, first):
    """Return the first window, from `first` on, that `windows_chunk` leaves out, or -1."""
    words, byte_strides = mem.stack_words(MOST_WORDS), mem.stack_words(_STRIDES_WORDS)
    _begin_window(words, byte_strides, arrays, table)
    for n in range(first, table[t.N_WINDOWS]):
        if table[t.SOURCES] > 1:
            _set_source(words, byte_strides, arrays, table, n)
        is_right, _, _, _ = _set_window(words, byte_strides, arrays, table, n)
        if not is_right:
            return n
    return -1


@outlined(types.void(*(types.intp,) * 6))
def windows_chunk(arrays_address, arrays_words, table_address, scratch_address, chunk, chunks):
    """Move one of `chunks` equal shares of the windows of a table, which may begin and end within a window.

    Windows whose mode does not allow what they read, or whose numbers are too large, are left out.
    """
    arrays = mem.memory_in(arrays_address, 0, 8 * arrays_words, False)
    table = mem.memory_in(table_address, 0, 8 * CALL_WORDS, False)
    fill = mem.memory_in(arrays[a.FILL], 0, arrays[a.FILL_BYTES], False)
    sources, windows = table[t.SOURCES], table[t.N_WINDOWS]
    dst, src = array_in(arrays, sources, True), array_in(arrays, 0, False)
    words, byte_strides = mem.stack_words(MOST_WORDS), mem.stack_words(_STRIDES_WORDS)
    step = _begin_window(words, byte_strides, arrays, table)
    work = begin_work(arrays, words, byte_strides, dst, scratch_address, chunk)
    schedule = table_of(work)
    part = mem.words_at(schedule, g.HEADER_COLUMNS)
    # True if the schedule fits other windows in bounds; the window that it was last used for, and where that window
    # reads.
    is_scheduled, last, last_offset = False, 0, 0
    # For windows in bounds that are rows of runs: their rows, their run, and their offsets. Windows out of bounds
    # change none of these.
    has_rows, rows, run, rows_dst, rows_src = False, Rows(0, 0, 0), Run(0, 0, 0, 0), 0, 0
    for n in range(chunk * windows // chunks, ((chunk + 1) * windows + chunks - 1) // chunks):
        if sources > 1:
            _set_source(words, byte_strides, arrays, table, n)
            src = array_in(arrays, n, False)
        is_right, reads_inside, skipped, offset = _set_window(words, byte_strides, arrays, table, n)
        if not is_right:
            continue
        # The shares of the window, of `chunks` equal ones, that belong to the chunk.
        begin, end = max(chunk * windows - n * chunks, 0), min((chunk + 1) * windows - n * chunks, chunks)
        item = mem.shift(src, skipped)
        if arrays[a.CONVERSION]:
            convert_words(work, item, n * step, begin, end, chunks)
            continue
        if reads_inside and has_rows and end - begin == chunks:
            source = mem.shift(item, offset + rows_src)
            move_rows(mem.shift(dst, n * step + rows_dst), source, rows, run, source)
            continue
        if reads_inside and is_scheduled:
            part[g.DST_OFFSET] += (n - last) * step
            part[g.SRC_OFFSET] += offset - last_offset
        else:
            options = Options(work.streams, g.SMALLEST_PEELED, n * step, 0)
            schedule_in_room(words, byte_strides, arrays[a.WIDTH], options, schedule, schedule)
            is_scheduled = reads_inside and sources == 1 and table[t.STRIDES] == 0
            if is_scheduled and not has_rows:
                has_rows, rows, run = _rows_of(schedule)
                rows_dst, rows_src = part[g.DST_OFFSET] - n * step, part[g.SRC_OFFSET] - offset
        last, last_offset = n, offset
        run_table(work.writer, dst, item, schedule, fill, begin, end, chunks)
    end_work(work)


def _address_of_rows(numbers):
    """Return the address of an array of integers, 0 for None."""
    return 0 if numbers == 0 else py.word_at(numbers + layout.NDARRAY_DATA)


def _write_bounds(arrays, table):
    """Write the bounds of the sources and the output; return False if the elements of an array lie too far apart."""
    sources, lengths = table[t.SOURCES], _sides_of(arrays, table)
    for i in range(sources + 1):
        row = mem.words_at(arrays, a.HEADER_COLUMNS + i * a.ARRAY_COLUMNS)
        width = width_of_outputs(arrays) if i == sources else arrays[a.WIDTH]
        row[a.LOW], row[a.HIGH] = span_of(lengths, mem.words_at(lengths, arrays[a.SIDES]), row[a.RANK], width)
        if row[a.HIGH] < 0:
            return False
        lengths = mem.words_at(lengths, row[a.RANK])
    return True


@outlined(types.intp(byte_pointer, types.intp, byte_pointer, *(types.intp,) * 5))
def run_windows(arrays, arrays_words, table, stream_bytes, first, workers, launch, launches):
    """Move windows of arrays that are described; return as `move_windows` does."""
    if not _write_bounds(arrays, table):
        return a.TOO_FAR
    status = -1 - _next_wrong_window(arrays, table, first)
    output = mem.words_at(arrays, a.HEADER_COLUMNS + table[t.SOURCES] * a.ARRAY_COLUMNS)
    # There is nothing to move for windows without elements.
    if status or output[a.HIGH] == output[a.LOW]:
        return status
    lengths = mem.words_at(_sides_of(arrays, table), arrays[a.SIDES] - output[a.RANK])
    total_bytes = width_of_outputs(arrays)
    for k in range(output[a.RANK]):
        total_bytes *= lengths[k]
    scratch = new_scratch(0, 1 if total_bytes >= stream_bytes else 0, workers)
    if mem.is_null(scratch):
        return a.NO_MEMORY
    where = (mem.address_to(arrays), arrays_words, mem.address_to(table), mem.address_to(scratch))
    if workers > 1:
        share(OF_WINDOWS, *where, total_bytes // launches, workers, launch, launches)
    else:
        windows_chunk(*where, launch, launches)
    mem.free_bytes(scratch)
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
    stay in the caches. For more workers than one, `link_parallel` must have been called.

    The status is DONE, or nothing is written. Then the status is TOO_FAR or NO_MEMORY; or it is -1 - n, and window n is
    the first wrong window from number `first` on: its mode does not allow what it reads, or its numbers are too large.
    Wrong windows before `first` are left out.
    """
    common, plan_words = words_in(plan)
    table, n = mem.stack_words(CALL_WORDS), words_of_all(arrays)
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
    mem.free_bytes(description)
    return status


mem.let_kernels_call(__name__)
