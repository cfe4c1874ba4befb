"""Calls on data that is no array of NumPy, and data in files that h5py and zarr open.

For each *kind* of data, a `Kind` runs the calls. Arrays of dask and data in files are not in memory as a whole: a call
on them is lowered to planned outputs, which are made block by block, each from the parts of chunks that it reads. A
call on data in files (`StoredKind`) gives an array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate, pairwise, product
from math import prod
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from fastops._arrays._conversions import Normalization
from fastops._arrays._dtypes import AnyArray, AnyDType, check_movable
from fastops._arrays._fill_values import Element, encode_fills
from fastops._arrays._outputs import allocate, as_outputs
from fastops._errors import AttributeValueError, shown
from fastops._execution._execute import check_copy, convert_whole, find_call, move
from fastops._geometry._blocks import BlockPiece, Range, Region, regular_lengths, shape_of
from fastops._geometry._planned_output import OutputCutter, PlannedOutput

# The most bytes that are read at once of data that is not stored in chunks.
_MOST_BYTES = 1 << 24


class DataCall(NamedTuple):
    """A call, as kinds of data get it.

    Attributes
    ----------
    run : callable
        Runs the call on an array of NumPy: ``run(array, out)``, where ``out`` is None, an array, or one for each
        output. If the data is a list, it runs on a list of arrays.
    lower : callable
        Returns the planned outputs for data of a shape: ``lower(shape)``.
    fill_value : object
        The caller's fill value, or an `Element`.
    copy : object
        The caller's argument ``copy``.
    has_parts : bool
        True if there is a list of outputs.
    is_list : bool
        True if the data is a list of arrays or of tensors, and the result is one array.
    wanted : Normalization or None
        How the elements of the one output are converted.
    chunks : object
        The caller's argument ``chunks``, for arrays of dask.
    is_flat : bool
        True if the one output is of flattened data, and the result has the shape of data; ``run`` flattens arrays
        itself.
    """

    run: Callable[[Any, Any], Any]
    lower: Callable[[tuple[int, ...]], Sequence[PlannedOutput]]
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


#: Returns a region of a source. It checks the array's shape and dtype: kernels would read beyond a smaller array.
ReadRegion: TypeAlias = Callable[[Region], AnyArray]


def write_pieces(pieces: Iterable[BlockPiece], target: AnyArray, fill: Element, read: ReadRegion) -> None:
    """Write the pieces of a block into its array, which has no other references."""
    for piece in pieces:
        place = target[region_of(piece.place)]
        source = np.empty((), target.dtype) if piece.read is None else read(piece.read)
        move(find_call(piece.geometry), (place,), source, fill.array)


def region_of(bounds: Sequence[Range]) -> Any:
    """Return the index of a region; its ellipsis keeps an array without axes from becoming a scalar."""
    return (*[slice(start, stop) for start, stop in bounds], ...)


def as_chunk(chunk: Any, shape: tuple[int, ...], dtype: AnyDType) -> AnyArray:
    """Return a chunk, or a part of one, as an array of the shape and the dtype that the whole array has promised.

    Elements that libraries give as scalars, and arrays that were pickled, have the machine's order of bytes. Scalars of
    text are as long as their text.
    """
    array = np.asarray(chunk)
    is_shorter = array.dtype.kind == dtype.kind and dtype.kind in "SU" and array.dtype.itemsize <= dtype.itemsize
    if array.shape != shape or not (is_shorter or np.can_cast(array.dtype, dtype, "equiv")):
        rule = f"have the shape {shown(shape)} and the dtype {dtype} that the whole array declares"
        raise AttributeValueError("chunk", "data", rule, f"{shown(array.shape)} of {array.dtype}")
    return array.astype(dtype, copy=False)


def plan_outputs(kind: Kind, call: DataCall, data: Any) -> tuple[Sequence[PlannedOutput], Element, AnyDType]:
    """Return the outputs of a call on data that is not in memory, the fill values of all slots, and the dtype."""
    shape, dtype = kind.describe(data)
    check_copy(call.copy, "data that is not an array in memory")
    check_movable("data", dtype)
    outputs = call.lower(shape)
    fill = call.fill_value
    if type(fill) is not Element:
        fill = encode_fills(dtype, max([output.fills for output in outputs], default=0), fill)
    return outputs, fill, dtype


class StoredKind:
    """The `Kind` of data that is read by a basic index, and whose attribute ``chunks`` has its chunks or is None."""

    def describe(self, data: Any) -> tuple[tuple[int, ...], AnyDType]:
        """Return the shape and the dtype of data; raise for groups, and for closed or empty datasets."""
        if not getattr(getattr(data, "id", None), "valid", True):
            raise AttributeValueError.about("data", "be open", type(data))
        if not hasattr(data, "shape"):
            raise AttributeValueError.about("data", "be an array of the group: pass group[name]", type(data))
        if data.shape is None:
            raise AttributeValueError.about("data", "have a shape: an empty dataset has none", type(data))
        return tuple([int(n) for n in data.shape]), np.dtype(data.dtype)

    def run(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return the result of a call as arrays, or write it into ``out``."""
        if call.wanted is not None:
            return convert_whole(self.run(call._replace(wanted=None), data, None), call.wanted, out)
        outputs, fill, dtype = plan_outputs(self, call, data)
        if call.is_flat:
            # All of data is needed.
            return call.run(_read_region(data, tuple([(0, n) for n in data.shape]), dtype), out)
        if out is None:
            results = [allocate(output.shape, dtype) for output in outputs]
            out = results if call.has_parts else results[0]
        pinned = as_outputs(out if call.has_parts else [out], [(output.shape, dtype) for output in outputs])
        for output, (target, _pinned) in zip(outputs, pinned, strict=True):
            gather(output, data, target, fill)
        return out


def gather(output: PlannedOutput, data: Any, target: AnyArray, fill: Element) -> None:
    """Write one output, block after block."""
    shape, width = output.source_shape, target.dtype.itemsize
    # A file that is mapped into memory is one chunk: the system reads the pages that are touched.
    lengths = shape if isinstance(data, np.ndarray) else getattr(data, "chunks", None)
    if lengths is None:
        # Read blocks of neighbouring rows.
        rows = [max(prod(shape[k + 1 :]) * width, 1) for k in range(len(shape))]
        lengths = [max(_MOST_BYTES // row, 1) for row in rows]
    chunks = tuple(map(regular_lengths, shape, lengths))
    cutter, read = OutputCutter(output, chunks), partial(_read_region, data, dtype=target.dtype)
    # The result is in memory as a whole, so make blocks large: then each chunk is read less often.
    blocks = output.default_chunks(chunks, width, target.size)
    for region in product(*[pairwise(accumulate(each, initial=0)) for each in blocks]):
        write_pieces(cutter.cut(region), target[region_of(region)], fill, read)


def _read_region(data: Any, region: Region, dtype: AnyDType) -> AnyArray:
    """Return a region of data as an array, of the shape and dtype that data has promised."""
    return as_chunk(data[tuple([slice(*bounds) for bounds in region])], shape_of(region), dtype)


STORED = StoredKind()
