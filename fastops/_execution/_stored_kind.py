"""Data in files, as h5py and zarr open them: a call reads what its plan reads of each chunk, and gives an array."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise, product
from math import prod
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element
from fastops._arrays._outputs import allocate, as_output, overlap_each_other
from fastops._errors import AttributeValueError, OutputError, counted
from fastops._execution._block_call import ReadChunk, write_pieces
from fastops._execution._planned_kind import PlannedKind
from fastops._geometry._numbers import is_of
from fastops._geometry._planned_output import OutputCutter, PlannedOutput
from fastops._geometry._result_chunks import ChunkLimits, regular_lengths

# What is read at once of data that is not stored in chunks.
_MOST_BYTES = 1 << 24


class StoredKind(PlannedKind):
    """The kind of data that a basic index reads, and that says of itself what chunks it has: ``chunks``, or None."""

    def describe(self, data: Any) -> tuple[tuple[int, ...], AnyDType]:
        """Return the shape and the dtype of data; h5py's may be closed, or have no shape."""
        if not getattr(getattr(data, "id", None), "valid", True):
            raise AttributeValueError.about("data", "be open", type(data))
        if not hasattr(data, "shape"):
            raise AttributeValueError.about("data", "be an array of the group: pass group[name]", type(data))
        if data.shape is None:
            raise AttributeValueError.about("data", "have a shape, which empty datasets have not", type(data))
        return tuple([int(n) for n in data.shape]), np.dtype(data.dtype)

    def targets(
        self, outputs: Sequence[PlannedOutput], dtype: AnyDType, out: Any, *, has_parts: bool
    ) -> Sequence[AnyArray | None]:
        """Return the caller's arrays, which do not overlap, or None for each output."""
        if out is None:
            return [None] * len(outputs)
        outs = (out if is_of(out, list, tuple) else ()) if has_parts else (out,)
        if len(outs) != len(outputs):
            raise OutputError.about("out", f"be a list of {counted(len(outputs), 'array')}", out)
        targets = [as_output(own, output.shape, dtype)[0] for own, output in zip(outs, outputs, strict=True)]
        if overlap_each_other(targets):
            raise OutputError.about("out", "hold arrays that do not overlap each other", out)
        return targets

    def gather(self, output: PlannedOutput, data: Any, target: AnyArray | None, fill: Element) -> AnyArray:
        """Return one output, or write it into a target, chunk after chunk."""
        shape, dtype = self.describe(data)
        own = allocate(output.shape, dtype) if target is None else target
        lengths = _chunks_of(shape, dtype.itemsize, getattr(data, "chunks", None))
        cutter = OutputCutter(output, lengths)
        starts = [tuple(accumulate(each, initial=0)) for each in lengths]
        chunks = output.default_chunks(lengths, ChunkLimits.of_array(output.shape))
        for region in product(*[pairwise(accumulate(each, initial=0)) for each in chunks]):
            key: Any = (*[slice(*bounds) for bounds in region], ...)
            for part in cutter.cut(region):
                write_pieces(part.pieces, part.start, own[key], fill, _reader(data, starts, part.chunks))
        return own


def _reader(data: Any, starts: Sequence[Sequence[int]], chunks: Sequence[Sequence[int]]) -> ReadChunk:
    """Return what reads of data the part of a chunk, which is told by its numbers among ``chunks``."""

    def read(chunk: tuple[int, ...], key: tuple[slice, ...]) -> AnyArray:
        firsts = [own[numbers[i]] for own, numbers, i in zip(starts, chunks, chunk, strict=True)]
        place = [slice(first + side.start, first + side.stop) for first, side in zip(firsts, key, strict=True)]
        array: AnyArray = np.asarray(data[tuple(place)])
        if not place and array.dtype.newbyteorder("=") == data.dtype.newbyteorder("="):
            # Of data without axes, libraries give a scalar, whose bytes are in the machine's order.
            array = array.astype(data.dtype)
        return array

    return read


def _chunks_of(shape: tuple[int, ...], width: int, chunks: tuple[int, ...] | None) -> tuple[tuple[int, ...], ...]:
    """Return the lengths of chunks: those in which data is stored, or else of rows that lie together."""
    if chunks is None:
        own = list(shape)
        for k in range(len(shape)):
            row = prod(own[k + 1 :]) * width
            own[k] = min(own[k], max(_MOST_BYTES // max(row, 1), 1))
            if own[k] * row <= _MOST_BYTES:
                break
        chunks = tuple(own)
    return tuple([regular_lengths(n, length) for n, length in zip(shape, chunks, strict=True)])


STORED = StoredKind()
