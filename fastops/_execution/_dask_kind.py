"""Arrays of dask: a call on one gives an array of dask, with a task for each chunk of the result.

`PlanLayer` is the layer of dask's graph: it makes a task when dask asks for it, so that few chunks of a large array
cost few tasks. `DaskKind` lowers calls to such layers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate, product
from math import isnan, prod
from operator import getitem
from typing import Any

import dask.array as da
import numpy as np
from dask._task_spec import Task, TaskRef
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph, Layer, MaterializedLayer

from fastops._arrays._conversions import Normalization, check_channels, find_conversion
from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element
from fastops._arrays._outputs import allocate
from fastops._errors import AttributeValueError, DTypeError, shown
from fastops._execution._execute import convert_whole
from fastops._execution._planned_kind import DataCall, as_chunk, plan_outputs, write_pieces
from fastops._geometry._blocks import BlockPiece, Chunks, Range, Region, shape_of
from fastops._geometry._planned_output import OutputCutter, PlannedOutput
from fastops._runtime._kernels import serial_launches


class PlanLayer(Layer):  # type: ignore[misc]
    """The layer of a planned output of an array.

    Parameters
    ----------
    name, source_name : str
        The names of the result, and of the array that is read.
    output : PlannedOutput
    source_chunks, chunks : tuple of tuple of int
        The lengths of the chunks of the array that is read, and of the result.
    dtype : dtype
    fill : Element
        The fill values of all slots.

    Attributes
    ----------
    arguments : tuple
        The parameters.
    """

    #: Without this attribute, dask would make all tasks to look for legacy ones.
    has_legacy_tasks = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__()
        self.arguments = arguments
        _, _, output, source_chunks, chunks, *_ = arguments
        self._starts = [list(accumulate(lengths, initial=0)) for lengths in chunks]
        self._source_starts = [list(accumulate(lengths, initial=0)) for lengths in source_chunks]
        self._cutter = OutputCutter(output, source_chunks)

    def __reduce__(self) -> tuple[Any, ...]:
        state = {"annotations": self.annotations, "collection_annotations": self.collection_annotations}
        return PlanLayer, self.arguments, state

    def is_materialized(self) -> bool:
        """Return False: a task is made each time that dask asks for it."""
        return False

    def get_output_keys(self) -> set[Any]:
        """Return the keys of all chunks of the result."""
        return set(self)

    def __len__(self) -> int:
        return prod([len(starts) - 1 for starts in self._starts])

    def __iter__(self) -> Iterator[Any]:
        return product([self.arguments[0]], *[range(len(starts) - 1) for starts in self._starts])

    def cull(self, keys: set[Any], _all_hlg_keys: Collection[Any]) -> tuple[Layer, Mapping[Any, set[Any]]]:
        """Return a layer of the tasks of some chunks, and the keys that each of them needs; no other task is made."""
        tasks = {key: self[key] for key in keys if key[0] == self.arguments[0]}
        layer = MaterializedLayer(tasks, annotations=self.annotations)
        return layer, {key: set(task.dependencies) for key, task in tasks.items()}

    def __getitem__(self, key: Any) -> Task:
        name, source_name, _, source_chunks, _, dtype, fill = self.arguments
        # dask also looks for keys of other layers.
        if type(key) is not tuple or key[:1] != (name,):
            raise KeyError(key)
        region = tuple([(starts[i], starts[i + 1]) for starts, i in zip(self._starts, key[1:], strict=True)])
        pieces = tuple(self._cutter.cut(region))
        regions = {piece.read for piece in pieces if piece.read is not None}
        parts = {each: list(map(_parts_of, self._source_starts, each)) for each in regions}
        needed = [numbers for sides in parts.values() for numbers in product(*sides)]
        chunks = {numbers: tuple(map(getitem, source_chunks, numbers)) for numbers in needed}
        names = [(source_name, *numbers) for numbers in chunks]
        return Task(key, run_block, shape_of(region), pieces, parts, chunks, dtype, fill, *map(TaskRef, names))


def _parts_of(starts: Sequence[int], bounds: Range) -> dict[int, slice]:
    """Return the part of each chunk along an axis that lies in a range, by the number of the chunk."""
    low, high = bounds
    chunks = range(bisect_right(starts, low) - 1, bisect_left(starts, high))
    return {k: slice(max(low - starts[k], 0), min(high, starts[k + 1]) - starts[k]) for k in chunks}


# dask already runs as many tasks at once as it may, so each task uses one thread.
@serial_launches()
def run_block(
    shape: tuple[int, ...],
    pieces: Sequence[BlockPiece],
    parts: Mapping[Region, Sequence[Mapping[int, slice]]],
    chunks: Mapping[tuple[int, ...], tuple[int, ...]],
    dtype: AnyDType,
    fill: Element,
    *arrays: Any,
) -> AnyArray:
    """Return a chunk of a result.

    ``parts`` has the parts of chunks along each axis of all regions that are read, and ``chunks`` the numbers and the
    shapes of the source's ``arrays``.
    """
    found: dict[tuple[int, ...], Any] = {}
    for (numbers, own_shape), array in zip(chunks.items(), arrays, strict=True):
        found[numbers] = as_chunk(array, own_shape, dtype)

    def read(region: Region, *numbers: int) -> AnyArray:
        sides, axis = parts[region], len(numbers)
        if axis == len(sides):
            return found[numbers][(*map(getitem, sides, numbers), ...)]
        side_by_side = [read(region, *numbers, number) for number in sides[axis]]
        return side_by_side[0] if len(side_by_side) == 1 else np.concatenate(side_by_side, axis, dtype=dtype)

    target = allocate(shape, dtype)
    write_pieces(pieces, target, fill, read)
    return target


class DaskKind:
    """The `Kind` of dask's arrays."""

    def describe(self, data: Any) -> tuple[tuple[int, ...], AnyDType]:
        """Return the shape and the dtype; raise unless the chunks are NumPy arrays of known lengths."""
        if hasattr(data, "expr"):
            rule = "be an array of a graph, not an expression: set dask's array.query-planning to False"
            raise AttributeValueError.about("data", rule, type(data))
        if any([isnan(n) for n in data.shape]):
            rule = "have chunks of known sizes: call its compute_chunk_sizes() before"
            raise AttributeValueError.about("data", rule, data.chunks)
        if not hasattr(data._meta, "__array_interface__"):
            raise DTypeError.about("data", "have chunks that are arrays of NumPy", type(data._meta))
        return tuple([int(n) for n in data.shape]), data.dtype

    def run(self, call: DataCall, data: Any, out: Any) -> Any:
        """Return the result of a call: arrays that are computed when dask is asked for them."""
        if out is not None:
            raise AttributeValueError.about("out", "be None for arrays of dask, which are not in memory", type(out))
        outputs, fill, dtype = plan_outputs(self, call, data)
        if call.is_flat:
            # dask does not split an axis without elements.
            flat = apply_output(outputs[0], data.reshape(-1), fill, None) if data.size else data.copy()
            result = flat.reshape(data.shape)
            return result if call.chunks is None else result.rechunk(as_chunks(call.chunks, data.shape, dtype))
        results = [apply_output(output, data, fill, call.chunks) for output in outputs]
        if call.wanted is not None:
            return _convert(call.wanted, results[0])
        return results if call.has_parts else results[0]


def _convert(wanted: Normalization, array: Any) -> Any:
    """Return an array of dask with its elements converted, chunk by chunk."""
    conversion = find_conversion(wanted, array.dtype, None, array.ndim)
    check_channels(conversion, array.shape)
    if conversion.axis >= 0:
        # A chunk must have all channels, because ``wanted`` has a mean and std for each channel.
        array = array.rechunk({conversion.axis: -1})
    meta = np.empty((0,) * array.ndim, conversion.result)
    return da.map_blocks(_convert_block, array, wanted=wanted, dtype=conversion.result, meta=meta)


@serial_launches()
def _convert_block(block: Any, wanted: Normalization) -> Any:
    """Return a chunk with its elements converted, by one thread."""
    return convert_whole(np.asarray(block), wanted)


DASK_ARRAYS = DaskKind()


def apply_output(output: PlannedOutput, array: Any, fill: Element, chunks: Any) -> Any:
    """Return a planned output of an array of dask."""
    shape, dtype = output.shape, array.dtype
    own = output.default_chunks(array.chunks, dtype.itemsize) if chunks is None else as_chunks(chunks, shape, dtype)
    # Chunks of the result are plain arrays, also if chunks of the source are of a subclass.
    meta = np.empty((0,) * len(shape), dtype)
    token = tokenize(array.name, output, fill.array.tobytes(), own)
    name = f"fastops-{token}"
    layer = PlanLayer(name, array.name, output, array.chunks, own, dtype, fill)
    return da.Array(HighLevelGraph.from_collections(name, layer, dependencies=[array]), name, chunks=own, meta=meta)


def as_chunks(chunks: Any, shape: tuple[int, ...], dtype: AnyDType) -> Chunks:
    """Return the lengths of chunks that a caller has written in one of dask's forms."""
    rule = f"have lengths that add up to the shape {shown(shape)}, in a form that dask takes"
    try:
        own: Chunks = da.core.normalize_chunks(chunks, shape, dtype=dtype)
    except (ValueError, TypeError, ArithmeticError) as error:
        raise AttributeValueError.about("chunks", rule, chunks) from error
    if tuple(map(sum, own)) != shape or any([n < 0 for lengths in own for n in lengths]):
        raise AttributeValueError.about("chunks", rule, chunks)
    return own
