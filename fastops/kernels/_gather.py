"""The gather kernel: runs every slice plan, of any width, mode and number of parts.

Computes: for each part and output coordinate, destination bytes = source bytes at the offset that the table gives,
or the fill value.
Memory: owns none. Reads the source and the table, writes each destination byte once, or twice alike where vectors
overlap, keeps its counters on the stack.
Fast because the mode is gone before the inner loops: an axis is a few affine runs, and a run is a memcpy, a reversed,
strided or repeated copy, or a constant, for one size of cells known at compile time.

`docs/design/gather.md` tells how a table comes about.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import prange, types

from fastops.kernels._bands import fill_rows, stage_framed, stage_rows
from fastops.kernels._chunks import chunk_start
from fastops.kernels._frames import frame_runs, move_framed
from fastops.kernels._intrinsics._clock import CLOCK_WORDS, lost_ticks, note_chunk, ticks
from fastops.kernels._intrinsics._memory import load_int, loops, shift, stack_words, store_int
from fastops.kernels._intrinsics._objects import address_of, bytes_at, output_at
from fastops.kernels._intrinsics._types import array_address, array_addresses
from fastops.kernels._intrinsics._units import unit
from fastops.kernels._intrinsics._vectors import finish_streams
from fastops.kernels._launches import begin_launch, end_launch, is_serial, note_serial
from fastops.kernels._parts import choose_mover, run_part
from fastops.kernels._planes import move_pixels, move_planes, shuffle_groups
from fastops.kernels._rows import move_axis, move_runs
from fastops.kernels._runs import fill_run, move_rows
from fastops.kernels._streams import stream_blocks, stream_cells, stream_fill, stream_run
from fastops.kernels._tables._gather import (
    DST_INDEX,
    FILL_OFFSET,
    GRAINS,
    HEADER_COLUMNS,
    PART_COLUMNS,
    PARTS,
    STREAMS,
    TOTAL_BYTES,
)
from fastops.kernels._tables._window import DOUBTFUL, IS_CHECKED, WINDOWS
from fastops.kernels._tiles import move_tiles
from fastops.kernels._transpose import fill_stage, move_crossed
from fastops.kernels._window import lay_window
from fastops.kernels._window_boxes import move_boxes
from fastops.kernels._window_planes import pair_window
from fastops.kernels._windows import first_doubtful, move_windows
from fastops.kernels._writer import (
    WRITER_WORDS,
    finish_writer,
    flush,
    open_writer,
    reserve,
    settle,
)

# Bytes of a round, in which each part gets some. What is read for it should stay in the second-level cache until all
# parts have it: splits of rows of 12 KiB in three took 0.9 of the time of one part after the other. Rounds of a quarter
# of this took a tenth longer, because parts begin anew in each, and images with edges up to a third.
_ROUND_BYTES = 1 << 19


@unit(types.void(array_addresses, array_address, array_address, array_address, types.intp, types.intp))
def gather_chunk(dsts, src_address, table_address, fill_address, chunk, chunks):
    """Write one of `chunks` equal shares of the grains of each part, in rounds through all parts.

    Parts of a split along an inner axis read the same rows. One part after the other, each would fetch what lies
    between its rows too, as far as the hardware reads ahead, and have it thrown away.
    """
    src = bytes_at(src_address)
    table = bytes_at(table_address)
    fill = bytes_at(fill_address)
    parts = load_int(table, PARTS)
    rounds = max(load_int(table, TOTAL_BYTES) // chunks // _ROUND_BYTES, 1) if parts > 1 else 1
    streamed = 0
    for i in range(chunk * rounds, (chunk + 1) * rounds):
        for p in range(parts):
            part = HEADER_COLUMNS + p * PART_COLUMNS
            grains = load_int(table, part + GRAINS)
            first = chunk_start(grains, i, chunks * rounds)
            end = chunk_start(grains, i + 1, chunks * rounds)
            if first < end:
                dst = output_at(address_of(dsts, load_int(table, part + DST_INDEX)))
                streams = load_int(table, part + STREAMS)
                writer = open_writer(stack_words(WRITER_WORDS), dst, streams)
                own_fill = shift(fill, load_int(table, part + FILL_OFFSET))
                run_part(writer, dst, src, table, part, first, end, own_fill)
                if streams:
                    finish_writer(writer, dst)
                    streamed = 1
    if streamed:
        finish_streams()


@loops
def _run_chunk(dsts, src, table, fill, chunk, chunks):
    """Write one of equal shares of a table of parts, or of windows."""
    if load_int(bytes_at(table), PARTS) == WINDOWS:
        move_windows(dsts, src, table, fill, chunk, chunks)
    else:
        gather_chunk(dsts, src, table, fill, chunk, chunks)


@loops
def _is_refused(table_address):
    """True for a table of windows of which one may be wrong; the table tells which."""
    table = output_at(table_address)
    if load_int(table, PARTS) != WINDOWS or load_int(table, IS_CHECKED):
        return False
    doubtful = first_doubtful(table_address)
    store_int(table, DOUBTFUL, doubtful)
    return doubtful >= 0


# Units that every table needs, and those that tables need whose NEEDS have 1, 2, 4, 8, 16, 32, 64 and 128.
UNITS = (
    (move_rows, run_part, gather_chunk),
    (reserve, settle, flush, finish_writer, stream_cells, stream_run, stream_blocks, stream_fill, stage_rows),
    (move_tiles, move_planes),
    (fill_stage, move_crossed),
    (shuffle_groups, move_pixels),
    (frame_runs, move_framed, stage_framed),
    (choose_mover, fill_rows, fill_run, move_runs, move_axis),
    (lay_window, move_windows, first_doubtful),
    (pair_window, move_boxes),
)
OPTIONS = {"parallel": True, "nogil": True, "error_model": "numpy"}
SIGNATURE = types.void(
    *(array_addresses, array_address, array_address, array_address),
    *(types.intp, types.intp, types.intp),
)


def gather(dsts, src, table, fill, workers, launch, launches):
    """Run a table: write every part's destination from the source, with `workers` threads, or serially for 1.

    Of `launches` equal shares of the work, it does the one that `launch` counts.

    dsts is a tuple of the destination arrays, src the source array, table an int64 array as `_tables._gather`, or of
    windows `_tables._window`, lays it out, fill an array whose elements are the fill values in the source's dtype. The
    serial branch lies inside the same compiled function, so tiny work pays for no launch; and while launches lose time,
    more work takes it.
    """
    if _is_refused(table):
        return
    if workers == 1:
        _run_chunk(dsts, src, table, fill, launch, launches)
        return
    total_bytes = load_int(bytes_at(table), TOTAL_BYTES) // launches
    begun = ticks()
    if is_serial(total_bytes):
        _run_chunk(dsts, src, table, fill, launch, launches)
        note_serial(total_bytes, ticks() - begun)
        return
    of_regions = begin_launch(workers)
    times = stack_words(CLOCK_WORDS)
    for chunk in prange(workers):
        chunk_begun = ticks()
        _run_chunk(dsts, src, table, fill, launch * workers + chunk, launches * workers)
        note_chunk(times, chunk, chunk_begun)
    end_launch(total_bytes, workers, of_regions, lost_ticks(times, workers, begun))


#: Calls `gather` from compiled code, once it is compiled.
call_gather = unit(SIGNATURE)(gather)
