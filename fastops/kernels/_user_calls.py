"""User calls: what the compiled code of users calls, to lower the arguments of an operator to words.

Computes: the words of one output, which `execute_at` then moves, and whether they can be right.
Memory: reads the rule, the shape of the source and the arguments, writes the words: all on the caller's stack.
Fast because no object is read: the types of arguments are known when a user's function is compiled.

What is wrong is a status, of which users' code makes an error with a constant text.
"""

# Intrinsics take and give types that mypy cannot see; Numba checks them when it compiles.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from fastops.kernels._execute import lower_words
from fastops.kernels._intrinsics._arrays_of_words import interpreted
from fastops.kernels._intrinsics._outlined import outlined
from fastops.kernels._intrinsics._types import byte_pointer
from fastops.kernels._rules._words import argument, mode_of, row_of, values_of
from fastops.kernels._scheduler._checks import reads_inside, total_size
from fastops.kernels._tables import _rules as r
from fastops.kernels._tables import _words as w


@interpreted
def _check_arguments(rule, arguments, is_filled):
    """Return a status of arguments that are any integers of 64 bits."""
    for parameter in range(r.MOST_PARAMETERS):
        row, values = argument(arguments, parameter), values_of(arguments, parameter)
        for i in range(row[r.COUNT] * row[r.ROW_LENGTH]):
            if not -w.LARGEST <= values[i] <= w.LARGEST:
                if rule[r.FAMILY] != r.SLICES:
                    return r.TOO_LARGE
                # Beyond the extent, all bounds and strides mean the same.
                values[i] = min(max(values[i], -w.LARGEST), w.LARGEST)
    if argument(arguments, r.MODE)[r.KIND] == r.CONSTANT and not 0 <= mode_of(arguments) <= w.SYMMETRIC:
        return r.NO_MODE
    return r.UNUSED_FILL_VALUE if is_filled and mode_of(arguments) != w.FILL else 0


@interpreted
def _check_piece(words):
    """Return a status of words of one piece with outputs: whether it reads what its modes allow."""
    piece = words[w.FIRST_PIECE]
    for k in range(words[piece + w.AXES]):
        if not reads_inside(words, piece + w.PIECE_COLUMNS + k * w.AXIS_COLUMNS):
            return r.OUT_OF_BOUNDS if row_of(words, k)[w.MODE] == w.STRICT_BOUNDS else r.EMPTY_AXIS
    return 0


@outlined(types.intp(byte_pointer, byte_pointer, types.intp, byte_pointer, types.intp, types.intp, byte_pointer))
def lower_call(rule, shape, rank, arguments, is_filled, width, words):
    """Write the words of one output of elements of so many bytes; return their number, or minus a status.

    Lengths are those of arguments whose kinds the types of users' code say, so that any value may be wrong but them.
    """
    status = _check_arguments(rule, arguments, is_filled)
    if status:
        return -status
    n = lower_words(rule, shape, rank, arguments, words)
    size = total_size(words) if n > 0 else 0
    if size > 0:
        status = _check_piece(words)
    if float(size) * float(width) > float(w.LARGEST):
        status = r.TOO_LARGE
    return -status if status else n
