"""Blocks, run: a part of an output from parts of a source, which are arrays of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element
from fastops._arrays._outputs import allocate
from fastops._execution._execute import run_call
from fastops._execution._plan_call import run_slice_plan
from fastops._execution._prepared_call import prepare_plans
from fastops._execution._views import as_view
from fastops._plans._axis_map import AxisMap
from fastops._plans._blocks import BlockPiece, Range
from fastops._plans._planned_output import Block


def execute_block(
    block: Block, dtype: AnyDType, fill: Element, read: Callable[[tuple[int, ...], tuple[slice, ...]], AnyArray]
) -> AnyArray:
    """Return a block as a fresh array; ``read(chunk, key)`` gives what a basic index takes of a chunk of the source.

    A block that is a chunk of the source as it is, or repeats it along axes of its own, is a view of that chunk.
    """
    if len(block.pieces) == 1 and covers(block.pieces[0].place, block.split_shape):
        (piece,) = block.pieces
        source = _source_of(piece, dtype, read)
        if is_passed_on(piece):
            return as_view(piece.plan, source).reshape(block.shape)
        result: AnyArray = run_slice_plan(piece.plan, source, None, fill)
        return result.reshape(block.shape)
    target = allocate(block.split_shape, dtype)
    write_block(block, target, fill, read)
    return target.reshape(block.shape)


def write_block(
    block: Block, target: AnyArray, fill: Element, read: Callable[[tuple[int, ...], tuple[slice, ...]], AnyArray]
) -> None:
    """Write a block into an array of its ``split_shape``."""
    for piece in block.pieces:
        # The dots keep an array of no axes an array.
        place = target[(*_slices(piece.place), ...)]
        if piece.split is not None:
            split_shape, within = piece.split
            place = place.reshape(split_shape)[_slices(within)]
        source = _source_of(piece, target.dtype, read)
        # Nobody else has the target, so that a caller's checks would only take time.
        call = prepare_plans((piece.plan,), source.strides, target.dtype, (place.strides,))
        run_call(call, (place,), source, fill.array)


def covers(place: Sequence[Range], shape: Sequence[int]) -> bool:
    """True if a place in a block is all of it."""
    return tuple(place) == tuple([(0, n) for n in shape])


def is_passed_on(piece: BlockPiece) -> bool:
    """True if a piece gives what it reads, all of it and in order, repeated at most along axes of its own."""
    plan = piece.plan
    if piece.split is not None or piece.parts is None or not plan.is_view or not plan.is_ordered:
        return False
    moving = [axis for axis in plan.axes if axis.extent != 1]
    return plan.windows is None and all([axis == AxisMap.whole(axis.extent) for axis in moving])


def _source_of(
    piece: BlockPiece, dtype: AnyDType, read: Callable[[tuple[int, ...], tuple[slice, ...]], AnyArray]
) -> AnyArray:
    """Return what the plan of a piece takes: a part of one chunk, or parts of several, put together."""
    if piece.parts is None:
        return np.empty((), dtype)
    chunks = list(piece.chunks())
    if len(chunks) == 1:
        return read(chunks[0], tuple([slice(own[0].start, own[0].stop) for own in piece.parts]))
    whole = allocate(piece.plan.source_shape, dtype)
    ends: list[dict[int, tuple[slice, slice]]] = []
    for own in piece.parts:
        at, known = 0, {}
        for part in own:
            n = part.stop - part.start
            known[part.chunk] = (slice(at, at + n), slice(part.start, part.stop))
            at += n
        ends.append(known)
    for chunk in chunks:
        sides = [known[k] for known, k in zip(ends, chunk, strict=True)]
        whole[tuple([to for to, _ in sides])] = read(chunk, tuple([of for _, of in sides]))
    return whole


def _slices(ranges: Sequence[Range]) -> tuple[slice, ...]:
    return tuple([slice(start, stop) for start, stop in ranges])
