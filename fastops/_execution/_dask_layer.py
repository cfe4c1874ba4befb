"""Layers of dask's graphs that are plans: one task for each chunk of a result, made when it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate, product
from math import prod
from numbers import Integral
from typing import Any

import numpy as np
from dask._task_spec import Alias, GraphNode, Task, TaskRef
from dask.base import clone_key
from dask.graph_manipulation import chunks as manipulated
from dask.highlevelgraph import Layer, MaterializedLayer

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element
from fastops._arrays._outputs import allocate, is_array
from fastops._errors import AttributeValueError
from fastops._execution._block_call import ReadChunk, check_chunk, is_passed_on, is_whole, write_pieces
from fastops._execution._views import as_view
from fastops._geometry._blocks import BlockPart, BlockPiece
from fastops._geometry._geometry import Geometry
from fastops._geometry._json import geometry_to_json
from fastops._geometry._planned_output import OutputCutter, PlannedOutput
from fastops._geometry._result_chunks import Chunks
from fastops._runtime._launches import serial_launches


class PlanLayer(Layer):  # type: ignore[misc]
    """The layer of a planned output of an array.

    A task is made when it is asked for, and no other for it: a few chunks of an array of many cost a few tasks.

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
    """

    def __init__(
        self,
        name: str,
        source_name: str,
        output: PlannedOutput,
        source_chunks: Chunks,
        chunks: Chunks,
        dtype: AnyDType,
        fill: Element,
        is_plain: bool = True,
    ) -> None:
        super().__init__()
        self.name = name
        self._arguments = (name, source_name, output, source_chunks, chunks, dtype, fill, is_plain)
        self._is_plain = is_plain
        self._source_name = source_name
        self._source_chunks = source_chunks
        self._chunks = chunks
        self._starts = [list(accumulate(lengths, initial=0)) for lengths in chunks]
        self._cutter = OutputCutter(output, source_chunks)
        self._dtype = dtype
        self._fill = fill
        self._tasks: dict[Any, GraphNode] = {}
        self._works: dict[tuple[Any, ...], ChunkWork] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        state = {"annotations": self.annotations, "collection_annotations": self.collection_annotations}
        return PlanLayer, self._arguments, state

    @property
    def has_legacy_tasks(self) -> bool:
        """False: tasks are dask's own."""
        return False

    def is_materialized(self) -> bool:
        """True once all tasks were made."""
        return len(self._tasks) == len(self)

    def get_output_keys(self) -> set[Any]:
        """Return the keys of all chunks of the result."""
        return set(self)

    def __len__(self) -> int:
        return prod([len(lengths) for lengths in self._chunks])

    def __iter__(self) -> Iterator[Any]:
        return iter(product([self.name], *[range(len(lengths)) for lengths in self._chunks]))

    def __contains__(self, key: object) -> bool:
        if type(key) is not tuple or len(key) != 1 + len(self._chunks) or key[0] != self.name:
            return False
        sides = zip(key[1:], self._chunks, strict=True)
        return all([isinstance(i, Integral) and 0 <= int(i) < len(lengths) for i, lengths in sides])

    def __getitem__(self, key: Any) -> GraphNode:
        task = self._tasks.get(key)
        if task is None:
            if key not in self:
                raise KeyError(key)
            task = self._tasks[key] = self._create_task(key)
        return task

    def cull(
        self,
        keys: set[Any],
        all_hlg_keys: Collection[Any],  # noqa: ARG002
    ) -> tuple[Layer, Mapping[Any, set[Any]]]:
        """Return a layer of the tasks of some chunks, and what each of them needs; no other task is made."""
        tasks = {key: self[key] for key in keys if key in self}
        layer = MaterializedLayer(tasks, annotations=self.annotations)
        # Where no key is left to be needed, dask keeps all that is below. Chunks of fill values alone need one that no
        # layer has, so that all of it is left out.
        nothing = {(self.name, "nothing")}
        return layer, {key: set(task.dependencies) or nothing for key, task in tasks.items()}

    def clone(self, keys: set[Any], seed: Any, bind_to: Any = None) -> tuple[Layer, bool]:
        """Return the layer by other names, and if its tasks wait for a key: where they read nothing that has others."""
        if (self.name, *[0] * len(self._chunks)) not in keys:
            return self, False
        source_name = self._source_name
        is_source_cloned = any([each[0] == source_name for each in keys if type(each) is tuple])
        own_source = clone_key(source_name, seed) if is_source_cloned else source_name
        layer = PlanLayer(clone_key(self.name, seed), own_source, *self._arguments[2:])
        layer.annotations, layer.collection_annotations = self.annotations, self.collection_annotations
        if bind_to is None or is_source_cloned:
            return layer, False
        bound = {key: Task(key, manipulated.bind, layer[key], TaskRef(bind_to)) for key in layer}
        return MaterializedLayer(bound, annotations=self.annotations), True

    def _create_task(self, key: Any) -> GraphNode:
        """Return the task of a chunk: another name for a chunk of the source, where it is one."""
        region = [(starts[i], starts[i + 1]) for starts, i in zip(self._starts, key[1:], strict=True)]
        parts = self._cutter.cut(region)
        names = [(self._source_name, *chunk) for part in parts if part.reads for chunk in product(*part.chunks)]
        own = [(part.start, part.pieces, self._lengths_of(part)) for part in parts]
        shape = tuple([stop - start for start, stop in region])
        work_key = (shape, *[(start, id(pieces), lengths) for start, pieces, lengths in own])
        work = self._works.get(work_key)
        if work is None:
            work = self._works[work_key] = ChunkWork(shape, own, self._dtype, self._fill)
        if self._is_plain and work.is_alias:
            return Alias(key, names[0])
        return Task(key, execute_chunk, work, *map(TaskRef, names))

    def _lengths_of(self, part: BlockPart) -> Chunks:
        """Return the lengths of the chunks that a part reads."""
        sides = zip(self._source_chunks, part.chunks, strict=True) if part.reads else ()
        return tuple([tuple(map(lengths.__getitem__, own)) for lengths, own in sides])


class ChunkWork:
    """What a task does, besides the chunks that it reads. Chunks inside of a result have the same.

    Parameters
    ----------
    shape : tuple of int
        Of the result.
    parts : list of (tuple of int, tuple of BlockPiece, Chunks)
        Where each begins, its pieces, and the lengths of the chunks that it reads along each axis.
    dtype : dtype
    fill : Element
    """

    __slots__ = ("_dtype", "_fill", "_parts", "_passed_on", "_shape")

    def __init__(
        self,
        shape: tuple[int, ...],
        parts: Sequence[tuple[tuple[int, ...], tuple[BlockPiece, ...], Chunks]],
        dtype: AnyDType,
        fill: Element,
    ) -> None:
        self._shape = shape
        self._parts = parts
        self._dtype = dtype
        self._fill = fill
        # The plan of what the result is, or repeats along axes of its own, if it is no more.
        self._passed_on: Geometry | None = None
        if len(parts) == 1 and len(parts[0][1]) == 1:
            start, (piece,), lengths = parts[0]
            if is_whole(piece, start, shape) and is_passed_on(piece) and all([len(own) == 1 for own in lengths]):
                # A view of a part would keep all of a chunk in memory.
                is_all = piece.geometry.source_shape == tuple([own[0] for own in lengths])
                self._passed_on = piece.geometry if is_all else None

    def __reduce__(self) -> tuple[Any, ...]:
        return ChunkWork, (self._shape, self._parts, self._dtype, self._fill)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        pieces = [
            (start, [(*piece[:3], geometry_to_json(piece.geometry)) for piece in own], n)
            for start, own, n in self._parts
        ]
        return "ChunkWork", self._shape, str(pieces), str(self._dtype), self._fill.array.tobytes()

    @property
    def is_alias(self) -> bool:
        """True if the result is the one chunk that it reads."""
        return self._passed_on is not None and self._passed_on.source_shape == self._shape

    def run(self, arrays: Sequence[AnyArray]) -> AnyArray:
        """Return the result of the chunks that it reads, those of its parts in turn, each in row-major order."""
        shapes = [shape for _, pieces, own in self._parts if pieces[0].parts is not None for shape in product(*own)]
        for array, shape in zip(arrays, shapes, strict=True):
            check_chunk(array, shape, self._dtype)
        if self._passed_on is not None:
            return as_view(self._passed_on, arrays[0]).reshape(self._shape)
        target = allocate(self._shape, self._dtype)
        first = 0
        for start, pieces, lengths in self._parts:
            sizes = [len(own) for own in lengths]
            n = prod(sizes) if pieces[0].parts is not None else 0
            write_pieces(pieces, start, target, self._fill, _reader(arrays[first : first + n], sizes))
            first += n
        return target


def _reader(arrays: Sequence[AnyArray], sizes: Sequence[int]) -> ReadChunk:
    """Return what reads a part of one of arrays, which lie in a grid of these sizes."""

    def read(chunk: tuple[int, ...], key: tuple[slice, ...]) -> AnyArray:
        place = 0
        for i, n in zip(chunk, sizes, strict=True):
            place = place * n + i
        own: Any = (*key, ...)
        part: AnyArray = arrays[place][own]
        return part

    return read


def execute_chunk(work: ChunkWork, *arrays: Any) -> AnyArray:
    """Return a chunk of a result, from the chunks that it reads, by one thread: dask runs as many at once as it may."""
    for array in arrays:
        # One element of no axes may be a scalar.
        if not is_array(array) and not isinstance(array, np.generic):
            raise AttributeValueError("chunk", "data", "be an array of NumPy, as its array says", type(array))
    with serial_launches():
        return work.run([np.asarray(array) for array in arrays])
