"""Calls: plans of one source as words, and what Python knows besides of what they move."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._geometry._factors import NO_AXIS, find_factors
from fastops._geometry._geometry import Geometry
from fastops._geometry._words import Piece, Place, to_words
from fastops._settings import CACHE_SIZE
from fastops.kernels._tables import _words as w
from fastops.kernels._tables._words import LARGEST


class Pieces(NamedTuple):
    """How plans make one output: they do not overlap, and leave no element out.

    Attributes
    ----------
    shape : tuple of int
        The output's.
    starts : tuple of tuple of int
        Where in the output each piece begins.
    split_shape : tuple of int or None
        The shape that the pieces are boxes of, where that is one that splits axes of the output.
    """

    shape: tuple[int, ...]
    starts: tuple[tuple[int, ...], ...]
    split_shape: tuple[int, ...] | None = None


class Call(NamedTuple):
    """All that a call needs besides arrays.

    Attributes
    ----------
    words : ndarray of int64
        What compiled code is given of the plans.
    geometries : tuple of Geometry
        The plans: one for each output, or for each piece of one.
    source_shape : tuple of int
    shapes : tuple of tuple of int
        Those of the outputs.
    size : int
        Elements of all outputs together.
    fills : int
        Fill values that a call gives.
    has_pieces : bool
        True if the plans make one output.
    """

    words: AnyArray
    geometries: tuple[Geometry, ...]
    source_shape: tuple[int, ...]
    shapes: tuple[tuple[int, ...], ...]
    size: int
    fills: int
    has_pieces: bool


def as_table(integers: Sequence[int]) -> AnyArray:
    """Return integers as an array of int64."""
    return np.frombuffer(array("q", integers), np.int64)


def shapes_of(words: AnyArray) -> list[tuple[int, ...]]:
    """Return the shapes of the outputs of words."""
    header = words[: words[w.FIRST_PIECE]].tolist()
    rank, outputs = header[w.SRC_RANK], header[w.OUTPUTS]
    at = w.HEADER_COLUMNS + rank + outputs
    shapes = []
    for own in header[at - outputs : at]:
        shapes.append(tuple(header[at : at + own]))
        at += own
    return shapes


def create_call(geometries: tuple[Geometry, ...], pieces: Pieces | None = None) -> Call:
    """Return the call of plans of one source, which have an output each, or are pieces of one."""
    source_shape = geometries[0].source_shape
    fills = max([geometry.fills for geometry in geometries])
    shapes = tuple([geometry.shape for geometry in geometries]) if pieces is None else (pieces.shape,)
    size = sum(map(prod, shapes))
    return Call(words_of(geometries, pieces), geometries, source_shape, shapes, size, fills, pieces is not None)


def words_of(geometries: tuple[Geometry, ...], pieces: Pieces | None = None) -> AnyArray:
    """Return the words of such a call."""
    if pieces is None:
        shapes = [geometry.shape for geometry in geometries]
        placed = [Piece(geometry, i) for i, geometry in enumerate(geometries)]
    else:
        shapes = [pieces.shape]
        starts = zip(geometries, pieces.starts, strict=True)
        placed = [Piece(geometry, 0, _places_of(pieces, start)) for geometry, start in starts]
    if sum(map(prod, shapes)) > LARGEST:
        return _NO_WORDS
    try:
        return as_table(to_words(geometries[0].source_shape, shapes, placed))
    except OverflowError:
        # No array has such a shape.
        return _NO_WORDS


#: The same of one plan, remembered: blocks of chunks come again.
find_call = lru_cache(CACHE_SIZE)(lambda geometry: create_call((geometry,)))

# Of what nobody can allocate, as `allocate` will say: compiled code takes these for none.
_NO_WORDS = as_table([0])


def _places_of(pieces: Pieces, start: Sequence[int]) -> tuple[Place, ...]:
    """Return where the axes of a piece are in the output."""
    if pieces.split_shape is None:
        return tuple([Place(k, first, 1) for k, first in enumerate(start)])
    factors = find_factors(pieces.split_shape, pieces.shape)
    assert factors is not None
    return tuple(
        [
            Place(NO_AXIS, 0, 0) if axis == NO_AXIS else Place(axis, first * step, step)
            for (axis, step), first in zip(factors, start, strict=True)
        ]
    )
