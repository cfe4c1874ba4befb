"""Records: what compiled code is told of a call, in the words of `fastops.kernels._tables._trace`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._execution._tables import as_table
from fastops._plans._traces import Program
from fastops.kernels._tables import _trace as t


class Token(NamedTuple):
    """What compiled code wants an object in the attributes to be."""

    kind: int
    address: int
    length: int = 0


def lay_record(
    program: Program, tokens: Sequence[Token], dtype: AnyDType, rank: int, shapes: Sequence[Sequence[int]]
) -> AnyArray:
    """Return the words of a record with a program, as far as they come from these."""
    header = _header_of(dtype, rank, shapes)
    first_token = len(header)
    first_constant = first_token + len(tokens) * t.TOKEN_COLUMNS
    first_row = first_constant + len(program.constants)
    header[t.INPUTS] = program.n_inputs
    header[t.TOKENS], header[t.FIRST_TOKEN] = len(tokens), first_token
    header[t.CONSTANTS], header[t.FIRST_CONSTANT] = len(program.constants), first_constant
    header[t.ROWS], header[t.FIRST_ROW] = len(program.rows), first_row
    header[t.OUTPUTS], header[t.FIRST_OUTPUT] = len(program.outputs), first_row + len(program.rows) * t.ROW_COLUMNS
    words = header
    for row in (*tokens, program.constants, *program.rows, program.outputs):
        words += row
    return as_table(words)


def _header_of(dtype: AnyDType, rank: int, shapes: Sequence[Sequence[int]]) -> list[int]:
    """Return the header of a record of a source of this dtype and rank, and the ranks of its outputs."""
    header = [0] * t.HEADER_COLUMNS
    header[t.TYPE], header[t.RANK], header[t.PARTS] = id(np.ndarray), rank, len(shapes)
    header[t.DTYPE], header[t.FLAGS], header[t.WIDTH] = id(dtype), dtype.flags, dtype.itemsize
    return header + [len(shape) for shape in shapes]


class Guard:
    """The record of one prepared call: arrays must be like those that it was made for, and its table is there already.

    Attributes
    ----------
    order : ndarray of int64
        What compiled code takes of it: the list of one record.
    run : callable or None
        The kernel `gather_traced`, once it is loaded.
    """

    __slots__ = ("_kept", "order", "run")

    def __init__(
        self,
        source_shape: tuple[int, ...],
        byte_strides: tuple[int, ...],
        span: tuple[int, int],
        dtype: AnyDType,
        shapes: Sequence[tuple[int, ...]],
        table: AnyArray,
        fill: AnyArray,
        *,
        moves: bool,
    ) -> None:
        words = _header_of(dtype, len(source_shape), shapes)
        words[t.TABLE], words[t.FILL], words[t.KEEPS_GIL] = id(table), id(fill), int(moves)
        words[t.FIRST_CONSTANT] = len(words)
        words += (*source_shape, *byte_strides)
        words[t.FIRST_OUTPUT] = len(words)
        words += (*span, 0)
        for shape in shapes:
            words += (0, prod(shape) * dtype.itemsize, *shape)
        table_of_words = as_table(words)
        self.order = as_table((1, id(table_of_words)))
        # The words have the addresses of these.
        self._kept = (table_of_words, dtype, table, fill)
        self.run: Callable[..., int] | None = None
