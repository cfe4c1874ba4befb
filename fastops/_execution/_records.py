"""Records: what compiled code is told of a call, in the words of `fastops.kernels._tables._trace`."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy import empty

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._execution._attributes import Token
from fastops._geometry._traces import Program
from fastops.kernels._tables import _trace as t


def as_table(integers: Sequence[int]) -> AnyArray:
    """Return integers as an array of int64."""
    return np.frombuffer(array("q", integers), np.int64)


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


def total_bytes_of(shapes: Sequence[Sequence[int]], dtype: AnyDType) -> int:
    """Return the bytes of all arrays of these shapes."""
    return sum([prod(shape) for shape in shapes]) * dtype.itemsize


_WORD = np.dtype(np.int64)


class Record:
    """A traced call.

    Attributes
    ----------
    words : ndarray of int64
        What compiled code reads, as `fastops.kernels._tables._trace` lays it out.
    dtype : dtype
        Of the source and the outputs.
    shapes : tuple of tuple of int
        Of the outputs of the last call, which those of the next one most often have.
    keeps_gil : bool
        True if the data is moved with the GIL kept.
    fill : ndarray or None
        What axes in mode fill read where the caller gives no fill value; None where that is not known.
    table_words, output_words : int
        Words of the table, and of all that the program gives.
    tables : list of ndarray
        Room for what the program gives, as much as threads have needed at once.
    total_bytes : int
        Bytes of the outputs of the last call whose outputs had other shapes than those of the one before it.
    done : int
        What compiled code returns when it has moved the data as this record says.
    """

    __slots__ = (
        "_kept",
        "done",
        "dtype",
        "fill",
        "keeps_gil",
        "output_words",
        "shapes",
        "table_words",
        "tables",
        "total_bytes",
        "words",
    )

    def __init__(
        self,
        words: AnyArray,
        dtype: AnyDType,
        shapes: tuple[tuple[int, ...], ...],
        fill: AnyArray | None,
        kept: Sequence[Any],
    ) -> None:
        self.words = words
        self.dtype = dtype
        self.shapes = shapes
        self.keeps_gil = bool(words[t.KEEPS_GIL])
        self.fill = fill
        self.table_words = int(words[t.TABLE_WORDS])
        self.output_words = int(words[t.OUTPUTS])
        self.tables: list[AnyArray] = []
        self.total_bytes = total_bytes_of(shapes, dtype)
        self.done = t.DONE
        # The words have their addresses among them.
        self._kept = kept

    def set_number(self, number: int) -> None:
        """Set which record of its operator it is."""
        self.words[t.ID] = number
        self.done = number * t.OUTCOMES + t.DONE

    def take_table(self) -> AnyArray:
        """Return room for what the program gives, which nobody else has; whoever is done with it may put it back."""
        try:
            return self.tables.pop()
        except IndexError:
            return empty(self.output_words, _WORD)

    def create_outputs(self) -> tuple[AnyArray, ...]:
        """Return fresh arrays of the shapes that the outputs of the last call had."""
        shapes, dtype = self.shapes, self.dtype
        # Most calls have one, and a list takes longer than an array.
        return (empty(shapes[0], dtype),) if len(shapes) == 1 else tuple([empty(shape, dtype) for shape in shapes])

    def take_shapes(self, behind: AnyArray) -> tuple[tuple[int, ...], ...]:
        """Return the outputs' shapes, from what the program gives behind the table, and keep them for the next call."""
        shapes, at = [], t.FIRST_OUT + 2
        for shape in self.shapes:
            shapes.append(tuple(behind[at : at + len(shape)].tolist()))
            at += len(shape) + 2
        # What is kept, another thread may replace at once.
        taken = self.shapes = tuple(shapes)
        return taken
