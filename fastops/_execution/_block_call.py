"""Blocks, run: a part of an output from parts of a source, which are arrays of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element
from fastops._errors import AttributeValueError, shown
from fastops._execution._calls import find_call
from fastops._execution._execute import move
from fastops._geometry._blocks import BlockPiece, ChunkPart, Range

#: Returns what a piece reads: the parts of chunks along each axis of the source, side by side.
ReadParts: TypeAlias = Callable[[tuple[tuple[ChunkPart, ...], ...]], AnyArray]


def write_pieces(pieces: Iterable[BlockPiece], target: AnyArray, fill: Element, read: ReadParts) -> None:
    """Write the pieces of a block into an array of it."""
    for piece in pieces:
        place = target[region_of(piece.place)]
        if piece.split is not None:
            shape, within = piece.split
            place = place.reshape(shape)[region_of(within)]
        source = np.empty((), target.dtype) if piece.parts is None else read(piece.parts)
        # The kernel would read beyond its memory.
        check_chunk(source, piece.geometry.source_shape, target.dtype)
        # Nobody else has the target, so that a caller's checks would only take time.
        move(find_call(piece.geometry), (place,), source, fill.array)


def region_of(bounds: Sequence[Range]) -> Any:
    """Return the index of a region; the dots keep an array of no axes an array."""
    return (*[slice(start, stop) for start, stop in bounds], ...)


def check_chunk(array: AnyArray, shape: tuple[int, ...], dtype: AnyDType) -> None:
    """Raise unless a chunk, or what was read of one, has the shape and the dtype that its array says."""
    if array.shape != shape or array.dtype != dtype:
        rule = f"give {shown(shape)} of {dtype}, as its array says"
        raise AttributeValueError("chunk", "data", rule, f"{shown(array.shape)} of {array.dtype}")
