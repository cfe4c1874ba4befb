"""Batches and space: blocks of elements that move between the batch and the axes behind it, with pads and crops.

Padded blocks of an axis read outside of it, and cropped ones are not whole, so that no one plan says what they do: the
result is made of pieces, which one launch writes. Where all pads and crops are multiples of the blocks, one plan does.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from fastops._errors import AttributeValueError, counted
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._axes import check_at_least_0, check_length
from fastops._lowering._bounds import Bounds
from fastops._lowering._layouts import lower_layout
from fastops._lowering._windows import Assembly, Windows, check_pieces, check_rank

_BLOCKS = "block_shape"


class Sides(NamedTuple):
    """Pads or crops of the axes behind the batch: before each and behind it, and what a caller calls either."""

    before: Sequence[int]
    after: Sequence[int]
    before_name: str
    after_name: str

    def check(self) -> None:
        """Raise for negative ones."""
        for name, values in ((self.before_name, self.before), (self.after_name, self.after)):
            check_at_least_0(name, values)


def lower_blocks_to_batch(shape: Sequence[int], blocks: Sequence[int], pads: Sides) -> Assembly:
    """Return the pieces of blocks along axes 1, 2 and so on, which become a part of the batch, block positions first.

    Where the pads make it several pieces, each block position is one, in row-major order.
    """
    _check_blocks(blocks)
    pads.check()
    batch, spatial, others = shape[0], shape[1 : len(blocks) + 1], shape[len(blocks) + 1 :]
    counts = []
    for k, (extent, block, low, high) in enumerate(zip(spatial, blocks, pads.before, pads.after, strict=True)):
        if (extent + low + high) % block:
            raise AttributeValueError.about(_BLOCKS, "divide each axis with its pads", tuple(blocks), k + 1, extent)
        counts.append((extent + low + high) // block)
    result = (batch * prod(blocks), *counts, *others)
    if 0 in result:
        return _nothing(shape, result)
    n = len(blocks)
    if not any(extent % block or low % block for extent, block, low in zip(spatial, blocks, pads.before, strict=True)):
        splits = [[batch], *[[extent // block, block] for extent, block in zip(spatial, blocks, strict=True)]]
        bounds: list[Bounds] = [(0, 1, batch)]
        for count, block, low in zip(counts, blocks, pads.before, strict=True):
            bounds += [(-low // block, 1, count), (0, 1, block)]
        merges = [[*range(2, 2 * n + 1, 2), 0], *[[k] for k in range(1, 2 * n, 2)]]
        return Assembly.of_one(_lower_rest(shape, splits, merges, bounds, SampleMode.FILL))
    check_pieces(_BLOCKS, prod(blocks), blocks)
    windows = []
    for position in product(*map(range, blocks)):
        axes = zip(position, pads.before, blocks, counts, strict=True)
        inside: list[Bounds] = [(first - low, block, count) for first, low, block, count in axes]
        whole: list[Bounds] = [(0, 1, extent) for extent in others]
        windows.append(Windows(shape, [(0, 1, batch), *inside, *whole], SampleMode.FILL))
    starts = [(k * batch, *[0] * (len(shape) - 1)) for k in range(len(windows))]
    return Assembly(result, windows, starts)


def lower_blocks_to_space(shape: Sequence[int], blocks: Sequence[int], crops: Sides) -> Assembly:
    """Return the pieces of a batch of which a part becomes blocks along axes 1, 2 and so on, without what is cropped.

    Along an axis, the blocks that are whole are one piece, and one before and one behind them are cropped, as far as
    there are such. The pieces are the products of those of the axes, in row-major order.
    """
    _check_blocks(blocks)
    crops.check()
    n, blocks_of_all = len(blocks), prod(blocks)
    batch, spatial, others = shape[0], shape[1 : n + 1], shape[n + 1 :]
    if batch % blocks_of_all:
        raise AttributeValueError.about(_BLOCKS, "have a product that divides the batch", tuple(blocks), 0, batch)
    lengths = []
    for k, (extent, block, low, high) in enumerate(zip(spatial, blocks, crops.before, crops.after, strict=True)):
        if low + high > extent * block:
            name, values = (crops.after_name, crops.after) if high > low else (crops.before_name, crops.before)
            rule = f"crop at most {counted(extent * block, 'element')} together"
            raise AttributeValueError.about(name, rule, tuple(values), k + 1, extent)
        lengths.append(extent * block - low - high)
    result = (batch // blocks_of_all, *lengths, *others)
    if 0 in result:
        return _nothing(shape, result)
    boxes = [_boxes(low, length, block) for low, length, block in zip(crops.before, lengths, blocks, strict=True)]
    check_pieces(_BLOCKS, prod(map(len, boxes)), blocks)
    splits = [[*blocks, result[0]], *[[extent] for extent in spatial]]
    merges = [[n], *[[n + 1 + k, k] for k in range(n)]]
    windows, starts = [], []
    for piece in product(*boxes):
        inside = [(box.first, 1, box.taken) for box in piece]
        bounds: list[Bounds] = [*inside, (0, 1, result[0]), *[(box.row, 1, box.rows) for box in piece]]
        windows.append(_lower_rest(shape, splits, merges, bounds, SampleMode.STRICT_BOUNDS))
        starts.append((0, *[box.start for box in piece], *[0] * len(others)))
    return Assembly(result, windows, starts)


class _Box(NamedTuple):
    """Blocks of one axis that are cropped alike.

    They start at `start` of the result; each reads elements ``first .. first + taken - 1`` of the block, and they are
    blocks ``row .. row + rows - 1``.
    """

    start: int
    row: int
    rows: int
    first: int
    taken: int


def _boxes(low: int, length: int, block: int) -> list[_Box]:
    """Return the boxes of one axis of blocks, of which so many elements are left behind so many that are cropped."""
    row, first = divmod(low, block)
    last_row, last = divmod(low + length, block)
    if row == last_row:
        return [_Box(0, row, 1, first, last - first)]
    boxes = []
    if first:
        boxes.append(_Box(0, row, 1, first, block - first))
        row += 1
    if row < last_row:
        boxes.append(_Box(row * block - low, row, last_row - row, 0, block))
    if last:
        boxes.append(_Box(last_row * block - low, last_row, 1, 0, last))
    return boxes


def _lower_rest(
    shape: Sequence[int],
    splits: Sequence[Sequence[int]],
    merges: Sequence[Sequence[int]],
    bounds: Sequence[Bounds],
    mode: SampleMode,
) -> Windows:
    """Return the windows of a layout of the first axes; the others are whole, and stay where they are."""
    others = shape[len(splits) :]
    n = sum(map(len, splits))
    return lower_layout(
        shape,
        [*splits, *[[extent] for extent in others]],
        [*merges, *[[n + k] for k in range(len(others))]],
        [*bounds, *[(0, 1, extent) for extent in others]],
        mode,
    )


def _nothing(shape: Sequence[int], result: Sequence[int]) -> Assembly:
    """Return an output without elements, for which nothing is read."""
    return Assembly.of_one(Windows(shape, [(0, 1, 0)] * len(shape), shape=result, order=range(len(shape))))


def check_block_lists(shape: Sequence[int], blocks: Sequence[int], **sides: Sequence[int]) -> None:
    """Raise unless there is a block and a side for each axis, by which the batch is left as it is."""
    check_rank(shape, 2)
    for name, values, first in ((_BLOCKS, blocks, 1), *[(name, values, 0) for name, values in sides.items()]):
        check_length(name, values, len(shape), "axis of data")
        if values[0] != first:
            raise AttributeValueError.about(name, f"begin with {first}, for the batch", tuple(values))


def _check_blocks(blocks: Sequence[int]) -> None:
    if min(blocks, default=1) < 1:
        raise AttributeValueError.about(_BLOCKS, "be at least 1", tuple(blocks))
