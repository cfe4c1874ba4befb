"""Records: what compiled code is told of a call, in the words of `fastops.kernels._tables._trace`."""

from __future__ import annotations

from collections.abc import Sequence
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
    """Return the words of a record, as far as they come from these."""
    first_token = t.HEADER_COLUMNS + len(shapes)
    first_constant = first_token + len(tokens) * t.TOKEN_COLUMNS
    first_row = first_constant + len(program.constants)
    header = [0] * t.HEADER_COLUMNS
    header[t.TYPE], header[t.RANK], header[t.PARTS] = id(np.ndarray), rank, len(shapes)
    header[t.DTYPE], header[t.FLAGS], header[t.WIDTH] = id(dtype), dtype.flags, dtype.itemsize
    header[t.INPUTS] = program.n_inputs
    header[t.TOKENS], header[t.FIRST_TOKEN] = len(tokens), first_token
    header[t.CONSTANTS], header[t.FIRST_CONSTANT] = len(program.constants), first_constant
    header[t.ROWS], header[t.FIRST_ROW] = len(program.rows), first_row
    header[t.OUTPUTS], header[t.FIRST_OUTPUT] = len(program.outputs), first_row + len(program.rows) * t.ROW_COLUMNS
    words = [*header, *map(len, shapes)]
    for row in (*tokens, program.constants, *program.rows, program.outputs):
        words += row
    return as_table(words)


#: Of a call without attributes.
_NO_ATTRIBUTES = (Token(t.TUPLE, id(tuple)),)


class Guard:
    """The record of one prepared call: arrays must be like those that it was made for, and its table is there already.

    Attributes
    ----------
    order : ndarray of int64
        What compiled code takes of it: the list of one record.
    """

    __slots__ = ("_words", "order")

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
        inputs = (*source_shape, *byte_strides)
        n = len(inputs)
        sizes = [prod(shape) * dtype.itemsize for shape in shapes]
        constants = [*inputs, *span, sum(sizes)]
        for shape, size in zip(shapes, sizes, strict=True):
            constants += (0, size, *shape)
        rows = tuple([(t.IS_EQUAL, i, n + i) for i in range(n)])
        outputs = tuple(range(2 * n, n + len(constants)))
        words = lay_record(Program(n, tuple(constants), rows, outputs), _NO_ATTRIBUTES, dtype, n // 2, shapes)
        words[t.TABLE], words[t.FILL], words[t.KEEPS_GIL] = id(table), id(fill), moves
        # The addresses are those of arrays that the prepared call keeps.
        self._words = words
        self.order = as_table((1, id(words)))


def is_guardable(rank: int, shapes: Sequence[tuple[int, ...]]) -> bool:
    """True if what a guard compares finds room."""
    return t.FIRST_OUT + sum([2 + len(shape) for shape in shapes]) + 2 * rank <= t.MOST_OUTPUTS
