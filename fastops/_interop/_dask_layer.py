"""Layers of dask's graphs that are plans: one task for each chunk of a result, made when it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import accumulate, product
from math import prod
from numbers import Integral
from typing import Any

import numpy as np
from dask._task_spec import Alias, GraphNode, Task, TaskRef
from dask.highlevelgraph import Layer, MaterializedLayer

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element
from fastops._execution._block_call import covers, execute_block, is_passed_on
from fastops._plans._planned_output import Block, OutputCutter, PlannedOutput
from fastops._runtime._launches import serial_launches

#: Lengths of chunks along each axis.
Chunks = tuple[tuple[int, ...], ...]


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
    ) -> None:
        super().__init__()
        self.name = name
        self._arguments = (name, source_name, output, source_chunks, chunks, dtype, fill)
        self._source_name = source_name
        self._source_chunks = source_chunks
        self._chunks = chunks
        self._starts = [list(accumulate(lengths, initial=0)) for lengths in chunks]
        self._cutter = OutputCutter(output, source_chunks)
        self._dtype = dtype
        self._fill = fill
        self._tasks: dict[Any, GraphNode] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return PlanLayer, self._arguments

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
        return all([isinstance(i, Integral) and 0 <= i < len(lengths) for i, lengths in sides])

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
        return layer, {key: set(task.dependencies) for key, task in tasks.items()}

    def _create_task(self, key: Any) -> GraphNode:
        """Return the task of a chunk: another name for a chunk of the source, where it is one."""
        region = [(starts[i], starts[i + 1]) for starts, i in zip(self._starts, key[1:], strict=True)]
        block = self._cutter.cut(region)
        chunks = tuple(dict.fromkeys([chunk for piece in block.pieces for chunk in piece.chunks()]))
        names = [(self._source_name, *chunk) for chunk in chunks]
        if len(chunks) == 1 and self._is_chunk(block, chunks[0]):
            return Alias(key, names[0])
        return Task(key, execute_chunk, ChunkWork(block, chunks, self._dtype, self._fill), *map(TaskRef, names))

    def _is_chunk(self, block: Block, chunk: tuple[int, ...]) -> bool:
        """True if a block is a chunk of the source as it is."""
        piece = block.pieces[0]
        shape = tuple([lengths[i] for lengths, i in zip(self._source_chunks, chunk, strict=True)])
        return (
            len(block.pieces) == 1
            and block.shape == piece.plan.source_shape == shape
            and covers(piece.place, block.split_shape)
            and is_passed_on(piece)
        )


class ChunkWork:
    """What a task does, besides the chunks that it reads.

    Parameters
    ----------
    block : Block
    chunks : tuple of tuple of int
        Which chunks it reads, by their numbers.
    dtype : dtype
    fill : Element
    """

    __slots__ = ("block", "chunks", "dtype", "fill")

    def __init__(self, block: Block, chunks: tuple[tuple[int, ...], ...], dtype: AnyDType, fill: Element) -> None:
        self.block = block
        self.chunks = chunks
        self.dtype = dtype
        self.fill = fill

    def __reduce__(self) -> tuple[Any, ...]:
        return ChunkWork, (self.block, self.chunks, self.dtype, self.fill)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return ChunkWork, str(self.block), self.chunks, str(self.dtype), self.fill.array.tobytes()


def execute_chunk(work: ChunkWork, *arrays: Any) -> AnyArray:
    """Return a chunk of a result, from the chunks that it reads, by one thread: dask runs as many at once as it may."""
    known = dict(zip(work.chunks, [np.asarray(array) for array in arrays], strict=True))
    with serial_launches():
        return execute_block(work.block, work.dtype, work.fill, lambda chunk, key: known[chunk][key])
