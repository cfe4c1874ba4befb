"""Blocks, run: a part of an output from parts of a source, which are arrays of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element
from fastops._arrays._outputs import allocate
from fastops._errors import AttributeValueError, shown
from fastops._execution._calls import find_call
from fastops._execution._execute import move
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._blocks import BlockPiece
from fastops._geometry._geometry import is_ordered, is_view

#: Returns what a basic index takes of a chunk: ``read(chunk, key)``, where a chunk is told by its numbers among those
#: of a part of a block, along each axis of the source.
ReadChunk: TypeAlias = Callable[[tuple[int, ...], tuple[slice, ...]], AnyArray]


def write_pieces(
    pieces: Sequence[BlockPiece], start: Sequence[int], target: AnyArray, fill: Element, read: ReadChunk
) -> None:
    """Write pieces of a block into an array of it, from where their part of it begins."""
    for piece in pieces:
        sides = zip(start, piece.place, strict=True)
        # The dots keep an array of no axes an array.
        region: Any = (*[slice(first + low, first + high) for first, (low, high) in sides], ...)
        place = target[region]
        for split_shape, within in piece.splits:
            place = place.reshape(split_shape)[tuple([slice(*bounds) for bounds in within])]
        source = _read_source(piece, target, read)
        # The kernel would read beyond its memory.
        check_chunk(source, piece.geometry.source_shape, target.dtype)
        # Nobody else has the target, so that a caller's checks would only take time.
        move(find_call(piece.geometry), (place,), source, fill.array)


def check_chunk(array: AnyArray, shape: tuple[int, ...], dtype: AnyDType) -> None:
    """Raise unless a chunk, or what was read of one, has the shape and the dtype that its array says."""
    if array.shape != shape or array.dtype != dtype:
        rule = f"give {shown(shape)} of {dtype}, as its array says"
        raise AttributeValueError("chunk", "data", rule, f"{shown(array.shape)} of {array.dtype}")


def is_whole(piece: BlockPiece, start: Sequence[int], shape: Sequence[int]) -> bool:
    """True if a piece is all of a block of a shape, in which its part begins there."""
    sides = [(shape, piece.place), *piece.splits]
    return not any(start) and all([list(within) == [(0, n) for n in own] for own, within in sides])


def is_passed_on(piece: BlockPiece) -> bool:
    """True if a piece gives what it reads, all of it and in order, repeated at most along axes of its own."""
    geometry = piece.geometry
    if piece.parts is None or not is_view(geometry) or not is_ordered(geometry) or geometry.windows is not None:
        return False
    return all([axis.extent == 1 or axis == AxisMap.whole(axis.extent) for axis in geometry.axes])


def _read_source(piece: BlockPiece, target: AnyArray, read: ReadChunk) -> AnyArray:
    """Return what a piece reads: a part of one chunk, or parts of several, put together."""
    if piece.parts is None:
        return np.empty((), target.dtype)
    if all([len(own) == 1 for own in piece.parts]):
        key = [slice(own[0].start, own[0].stop) for own in piece.parts]
        return read(tuple([own[0].chunk for own in piece.parts]), tuple(key))
    whole = allocate(piece.geometry.source_shape, target.dtype)
    sides = []
    for own in piece.parts:
        at, placed = 0, []
        for part in own:
            n = part.stop - part.start
            placed.append((part, slice(at, at + n)))
            at += n
        sides.append(placed)
    for parts in product(*sides):
        key = [slice(part.start, part.stop) for part, _ in parts]
        array = read(tuple([part.chunk for part, _ in parts]), tuple(key))
        region = whole[tuple([place for _, place in parts])]
        check_chunk(array, region.shape, target.dtype)
        region[...] = array
    return whole
