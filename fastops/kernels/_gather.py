"""The gather kernel: runs every slice plan, of any width, mode and number of parts, or a share of it.

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

from numba import types

from fastops.kernels._chunks import chunk_start
from fastops.kernels._intrinsics._memory import load_int, shift, stack_words, store_int
from fastops.kernels._intrinsics._objects import address_of, bytes_at, output_at
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import array_address, array_addresses
from fastops.kernels._intrinsics._vectors import finish_streams
from fastops.kernels._parallel import gather
from fastops.kernels._parts import run_part
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
from fastops.kernels._windows import first_doubtful, move_windows
from fastops.kernels._writer import (
    WRITER_WORDS,
    finish_writer,
    open_writer,
)

# Bytes of a round, in which each part gets some. What is read for it should stay in the second-level cache until all
# parts have it: splits of rows of 12 KiB in three took 0.9 of the time of one part after the other. Rounds of a quarter
# of this took a tenth longer, because parts begin anew in each, and images with edges up to a third.
_ROUND_BYTES = 1 << 19


@outlined(types.void(array_addresses, array_address, array_address, array_address, types.intp, types.intp))
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


@outlined(types.void(array_addresses, array_address, array_address, array_address, types.intp, types.intp))
def run_chunk(dsts, src, table, fill, chunk, chunks):
    """Write one of equal shares of a table of parts, or of windows."""
    if load_int(bytes_at(table), PARTS) == WINDOWS:
        move_windows(dsts, src, table, fill, chunk, chunks)
    else:
        gather_chunk(dsts, src, table, fill, chunk, chunks)


@outlined(types.intp(array_address))
def is_refused(table_address):
    """1 for a table of windows of which one may be wrong, which the table tells then; else 0."""
    table = output_at(table_address)
    if load_int(table, PARTS) != WINDOWS or load_int(table, IS_CHECKED):
        return 0
    doubtful = first_doubtful(table_address)
    store_int(table, DOUBTFUL, doubtful)
    return 1 if doubtful >= 0 else 0


@outlined(
    types.void(
        *(array_addresses, array_address, array_address, array_address),
        *(types.intp, types.intp, types.intp),
    )
)
def run_gather(dsts, src, table, fill, workers, launch, launches):
    """Write one of `launches` equal shares of a table, that which `launch` counts, by the calling thread.

    It is done by several threads for more workers than one: then `gather` must be compiled.
    """
    if workers > 1:
        gather(dsts, src, table, fill, workers, launch, launches)
    elif not is_refused(table):
        run_chunk(dsts, src, table, fill, launch, launches)
