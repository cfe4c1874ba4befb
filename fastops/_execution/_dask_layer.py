"""Layers of dask's graphs that are plans: one task for each chunk of a result, made when it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate, product
from math import prod
from typing import Any

import numpy as np
from dask._task_spec import Alias, GraphNode, Task, TaskRef
from dask.highlevelgraph import Layer, MaterializedLayer

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element
from fastops._arrays._outputs import allocate
from fastops._errors import AttributeValueError
from fastops._execution._block_call import check_chunk, region_of, write_pieces
from fastops._geometry._blocks import BlockPiece, ChunkPart
from fastops._geometry._builder import NEW
from fastops._geometry._geometry import SourceWindow, whole_geometry
from fastops._geometry._planned_output import OutputCutter, PlannedOutput
from fastops._geometry._result_chunks import Chunks
from fastops._geometry._source_runs import windows_of
from fastops._runtime._launches import serial_launches


class PlanLayer(Layer):  # type: ignore[misc]
    """The layer of a planned output of an array: few chunks of an array of many cost few tasks.

    Parameters
    ----------
    name : str
        Of the result.
    source_name : str
        Of the array that is read.
    output : PlannedOutput
    source_chunks, chunks : tuple of tuple of int
        The lengths of the chunks of both.
    dtype : dtype
    fill : Element
        The fill values of all slots.
    is_plain : bool
        True if chunks of the source are arrays of no subclass, so that they can be chunks of the result.

    Attributes
    ----------
    arguments : tuple
        All of these.
    """

    #: dask would make all tasks to find that.
    has_legacy_tasks = False

    def __init__(
        self,
        name: str,
        source_name: str,
        output: PlannedOutput,
        source_chunks: Chunks,
        chunks: Chunks,
        dtype: AnyDType,
        fill: Element,
        is_plain: bool,
    ) -> None:
        super().__init__()
        self.arguments = (name, source_name, output, source_chunks, chunks, dtype, fill, is_plain)
        self._starts = [list(accumulate(lengths, initial=0)) for lengths in chunks]
        self._cutter = OutputCutter(output, source_chunks)

    def __reduce__(self) -> tuple[Any, ...]:
        state = {"annotations": self.annotations, "collection_annotations": self.collection_annotations}
        return PlanLayer, self.arguments, state

    def is_materialized(self) -> bool:
        """Return False: a task is made each time that it is asked for."""
        return False

    def get_output_keys(self) -> set[Any]:
        """Return the keys of all chunks of the result."""
        return set(self)

    def __len__(self) -> int:
        return prod([len(starts) - 1 for starts in self._starts])

    def __iter__(self) -> Iterator[Any]:
        return product([self.arguments[0]], *[range(len(starts) - 1) for starts in self._starts])

    def cull(
        self,
        keys: set[Any],
        all_hlg_keys: Collection[Any],  # noqa: ARG002
    ) -> tuple[Layer, Mapping[Any, set[Any]]]:
        """Return a layer of the tasks of some chunks, and what each of them needs; no other task is made."""
        tasks = {key: self[key] for key in keys if key[0] == self.arguments[0]}
        layer = MaterializedLayer(tasks, annotations=self.annotations)
        return layer, {key: set(task.dependencies) for key, task in tasks.items()}

    def __getitem__(self, key: Any) -> GraphNode:
        name, source_name, _, source_chunks, _, dtype, fill, is_plain = self.arguments
        if type(key) is not tuple or key[:1] != (name,) or len(key) != 1 + len(self._starts):
            raise KeyError(key)
        try:
            region = [(starts[i], starts[i + 1]) for starts, i in zip(self._starts, key[1:], strict=True)]
        except (IndexError, TypeError) as error:
            raise KeyError(key) from error
        shape = tuple([stop - start for start, stop in region])
        pieces = tuple(self._cutter.cut(region))
        chunks: dict[tuple[int, ...], tuple[int, ...]] = {}
        for piece in pieces:
            for parts in product(*piece.parts) if piece.parts is not None else ():
                numbers = tuple([part.chunk for part in parts])
                chunks[numbers] = tuple([lengths[i] for lengths, i in zip(source_chunks, numbers, strict=True)])
        names = [(source_name, *numbers) for numbers in chunks]
        if is_plain and list(chunks.values()) == [shape] and _is_whole(pieces, shape):
            return Alias(key, names[0])
        return Task(key, run_block, shape, pieces, chunks, dtype, fill, *map(TaskRef, names))


def _is_whole(pieces: Sequence[BlockPiece], shape: tuple[int, ...]) -> bool:
    """True if a block of a shape is the one chunk of that shape that its pieces read."""
    geometry, whole = pieces[0].geometry, whole_geometry(shape)
    in_place = [NEW if n == 1 else SourceWindow(k, 0, 1) for k, n in enumerate(shape)]
    return len(pieces) == 1 and geometry[:4] == whole[:4] and list(windows_of(geometry)) == in_place


def run_block(
    shape: tuple[int, ...],
    pieces: Sequence[BlockPiece],
    chunks: Mapping[tuple[int, ...], tuple[int, ...]],
    dtype: AnyDType,
    fill: Element,
    *arrays: Any,
) -> AnyArray:
    """Return a chunk of a result, from the chunks that it reads, whose numbers and shapes are given.

    It is made by one thread: dask runs as many tasks at once as it may.
    """
    found = dict(zip(chunks, arrays, strict=True))
    for numbers, array in found.items():
        # One element of no axes may be a scalar.
        if not isinstance(array, np.ndarray | np.generic):
            raise AttributeValueError("chunk", "data", "be an array of NumPy, as its array says", type(array))
        found[numbers] = np.asarray(array)
        check_chunk(found[numbers], chunks[numbers], dtype)

    def read(sides: Sequence[Sequence[ChunkPart]], chosen: tuple[ChunkPart, ...] = ()) -> AnyArray:
        axis = len(chosen)
        if axis == len(sides):
            array: AnyArray = found[tuple([part.chunk for part in chosen])][region_of([part[1:] for part in chosen])]
            return array
        side_by_side = [read(sides, (*chosen, part)) for part in sides[axis]]
        return side_by_side[0] if len(side_by_side) == 1 else np.concatenate(side_by_side, axis, dtype=dtype)

    target = allocate(shape, dtype)
    with serial_launches():
        write_pieces(pieces, target, fill, read)
    return target
