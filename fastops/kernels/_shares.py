"""Shares of work: what a thread does of a table of a schedule, of windows, of converted words, or of a range."""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._convert import convert_chunk
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._move import move_chunk
from fastops.kernels._parallel import OF_CONVERSION, OF_TABLE, OF_WINDOWS
from fastops.kernels._range import range_chunk
from fastops.kernels._windows import windows_chunk


@outlined(types.void(*(types.intp,) * 7))
def run_share(work, first, second, third, fourth, chunk, chunks):
    """Do one of `chunks` equal shares of work, of which four numbers say what it is: addresses, and lengths in words.

    Of a table, those of the arrays and of the table; of windows, those of the arrays, the address of the windows, and
    that of scratch memory; of a conversion, those of the arrays, and the addresses of words and of scratch memory; of a
    range, the addresses of its first element and of its row, and those of the rounding table.
    """
    if work == OF_TABLE:
        move_chunk(first, second, third, fourth, chunk, chunks)
    elif work == OF_WINDOWS:
        windows_chunk(first, second, third, fourth, chunk, chunks)
    elif work == OF_CONVERSION:
        convert_chunk(first, second, third, fourth, chunk, chunks)
    else:
        range_chunk(first, second, third, fourth, chunk, chunks)
