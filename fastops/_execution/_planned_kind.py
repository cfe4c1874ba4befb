"""Calls on data that is no array of NumPy, and the part that arrays of dask and data in files have in common.

A *kind* of data runs calls on it (`Kind`). Arrays of dask and files are not in memory as a whole: a call on them is
lowered to planned outputs, which are made block by block, each from the chunks that it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from fastops._arrays._conversions import Normalization
from fastops._arrays._dtypes import AnyArray, AnyDType, check_movable
from fastops._arrays._fill_values import Element, encode_fills
from fastops._arrays._inputs import check_equal
from fastops._errors import AttributeValueError, shown
from fastops._execution._execute import find_call, move
from fastops._geometry._blocks import BlockPiece, ChunkPart, Range
from fastops._geometry._planned_output import PlannedOutput


class DataCall(NamedTuple):
    """A call, as kinds of data get it.

    Attributes
    ----------
    run : callable
        Runs the call on an array of NumPy: ``run(array, out)``, where ``out`` is None, an array, or one for each
        output. If the data is a list, it runs on a list of arrays.
    lower : callable
        Returns the planned outputs for data of a shape: ``lower(shape)``. If the data is a list, it takes the shapes of
        all elements, and returns an output for each.
    fill_value : object
        The caller's, or an `Element`.
    copy : object
        The caller's.
    has_parts : bool
        True if there is a list of outputs.
    is_list : bool
        True if the data is a list, of which each element has an output of its own; the result is one array of these.
    wanted : Normalization or None
        How the elements of the one output are converted.
    chunks : object
        The caller's, for arrays of dask.
    is_flat : bool
        True if the one output is of flattened data, and the result has the shape of data; ``run`` flattens arrays
        itself.
    """

    run: Callable[[Any, Any], Any]
    lower: Callable[[tuple[Any, ...]], Sequence[PlannedOutput]]
    fill_value: Any = None
    copy: Any = True
    has_parts: bool = False
    is_list: bool = False
    wanted: Normalization | None = None
    chunks: Any = None
    is_flat: bool = False


class Kind(Protocol):
    """One kind of data. Its errors name attributes; the caller of `run` adds the operator."""

    def describe(self, data: Any) -> tuple[tuple[int, ...], Any]:
        """Return the shape of data, and the dtype that its elements have in an array."""

    def run(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return the result of a call, or ``out``."""


#: Returns the array that a piece reads: the parts of chunks along each axis of the source, side by side.
ReadParts: TypeAlias = Callable[[tuple[tuple[ChunkPart, ...], ...]], AnyArray]


def write_pieces(pieces: Iterable[BlockPiece], target: AnyArray, fill: Element, read: ReadParts) -> None:
    """Write the pieces of a block into an array of it, to which nobody else refers."""
    for piece in pieces:
        place = target[region_of(piece.place)]
        if piece.split is not None:
            shape, within = piece.split
            place = place.reshape(shape)[region_of(within)]
        source = np.empty((), target.dtype) if piece.parts is None else read(piece.parts)
        # The kernel would read beyond the memory of a smaller array.
        check_chunk(source, piece.geometry.source_shape, target.dtype)
        move(find_call(piece.geometry), (place,), source, fill.array)


def region_of(bounds: Sequence[Range]) -> Any:
    """Return the index of a region; the dots keep an array of no axes an array."""
    return (*[slice(start, stop) for start, stop in bounds], ...)


def check_chunk(array: AnyArray, shape: tuple[int, ...], dtype: AnyDType) -> None:
    """Raise unless a chunk, or a part of one, has the shape and the dtype that the whole array has promised."""
    if array.shape != shape or array.dtype != dtype:
        rule = f"give {shown(shape)} of {dtype}, as its array says"
        raise AttributeValueError("chunk", "data", rule, f"{shown(array.shape)} of {array.dtype}")


def plan_outputs(kind: Kind, call: DataCall, data: Any) -> tuple[Sequence[PlannedOutput], Element, AnyDType]:
    """Return the outputs of a call on data that is not in memory, the fill values of all slots, and the dtype."""
    described = [kind.describe(each) for each in (data if call.is_list else [data])]
    dtype: AnyDType = described[0][1]
    check_equal("array", "dtype", [own for _, own in described])
    if call.copy is not True and call.copy is not None:
        is_false = call.copy is False
        rule = "be True or None for data that is not an array in memory" if is_false else "be True, False or None"
        raise AttributeValueError.about("copy", rule, call.copy)
    check_movable("data", dtype)
    outputs = call.lower(tuple([shape for shape, _ in described]) if call.is_list else described[0][0])
    fill = call.fill_value
    if type(fill) is not Element:
        fill = Element(encode_fills(dtype, max([output.fills for output in outputs], default=0), fill))
    return outputs, fill, dtype
