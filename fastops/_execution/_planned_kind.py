"""Calls on data that is no array of NumPy, and what runs them.

Blocks, run: a part of an output from parts of a source, which are arrays of their own.

Data that is not in memory as a whole: calls on it are plans, of which each part reads what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from fastops._arrays._conversions import Normalization
from fastops._arrays._dtypes import AnyArray, AnyDType, check_movable
from fastops._arrays._fill_values import Element, encode_fills
from fastops._errors import AttributeValueError, shown
from fastops._execution._execute import find_call, move
from fastops._execution._window_arguments import check_equal
from fastops._geometry._blocks import BlockPiece, ChunkPart, Range
from fastops._geometry._planned_output import PlannedOutput


class DataCall(NamedTuple):
    """What a call does, whichever kind its data is.

    Attributes
    ----------
    run : callable
        Runs it on an array of NumPy: ``run(array, out)``, where ``out`` is None, an array, or one for each output.
    lower : callable
        Returns the outputs of data of a shape: ``lower(shape)``; for a list of data, one for each of its shapes.
    fill_value : object
        The caller's, or an `Element`.
    copy : object
        The caller's.
    has_parts : bool
        True if there is a list of outputs.
    rule : ndarray of int64, or None
        Words of the operator's rule, where compiled code reads the attributes.
    attributes : tuple
        Those, as the caller wrote them.
    is_flat : bool
        True if the outputs are of flattened data, and the result has data's shape; ``run`` flattens arrays itself.
    wanted : Normalization or None
        What becomes of the elements of the one output.
    chunks : object
        The caller's, for arrays of dask.
    """

    run: Callable[[Any, Any], Any]
    lower: Callable[[tuple[Any, ...]], Sequence[PlannedOutput]]
    fill_value: Any = None
    copy: Any = True
    has_parts: bool = False
    rule: AnyArray | None = None
    attributes: tuple[Any, ...] = ()
    is_flat: bool = False
    wanted: Normalization | None = None
    chunks: Any = None


class Kind(Protocol):
    """One kind of data. What it raises names attributes; whoever calls it adds the operator."""

    def describe(self, data: Any) -> tuple[tuple[int, ...], Any]:
        """Return the shape of data, and the dtype that its elements have in an array."""

    def run(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return what a call gives, or ``out``."""

    def run_list(self, call: DataCall, data: Sequence[Any], out: Any) -> Any:
        """Return what a call gives of a list of such data; its ``run`` takes a list of arrays."""


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


class PlannedKind(Kind):
    """What the kinds of such data have in common."""

    def plan(self, call: DataCall, shape: tuple[Any, ...], dtype: AnyDType) -> tuple[Sequence[PlannedOutput], Element]:
        """Return the outputs of a call on data of a shape and dtype, and the fill values of all slots.

        Of a list of data, it is the shapes of all.
        """
        if call.copy is False:
            rule = "be True or None for data that is not an array in memory"
            raise AttributeValueError.about("copy", rule, call.copy)
        if call.copy is not True and call.copy is not None:
            raise AttributeValueError.about("copy", "be True, False or None", call.copy)
        check_movable("data", dtype)
        outputs = call.lower(shape)
        fill = call.fill_value
        if type(fill) is not Element:
            fill = Element(encode_fills(dtype, max([output.fills for output in outputs], default=0), fill))
        return outputs, fill

    def plan_list(self, call: DataCall, data: Sequence[Any]) -> tuple[Sequence[PlannedOutput], Element, AnyDType]:
        """Return the outputs of a call on each of a list of data, the fill values of all slots, and the one dtype."""
        described = [self.describe(each) for each in data]
        dtype: AnyDType = described[0][1]
        check_equal("array", "dtype", [own for _, own in described])
        return *self.plan(call, tuple([shape for shape, _ in described]), dtype), dtype
