"""Layouts: axes that are split, reordered and merged; blocks between channels, the batch and the axes of space.

A block with pads reads outside of an axis, and a block with crops is not whole. One plan is enough if all pads and
crops are multiples of the blocks. Otherwise the result is made of pieces, which one launch writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain, product
from math import prod
from typing import NamedTuple

from fastops._errors import AttributeValueError, counted, each_axis
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._bounds import Bounds, check_at_least_0, check_length, resolve_axes
from fastops._lowering._windows import Assembly, Windows, check_pieces, check_rank


def lower_layout(
    shape: Sequence[int],
    splits: Sequence[Sequence[int]],
    merges: Sequence[Sequence[int]],
    bounds: Sequence[Bounds] | None = None,
    mode: SampleMode = SampleMode.STRICT_BOUNDS,
) -> Windows:
    """Return the windows that split axes, and merge what comes of them.

    Parameters
    ----------
    shape : sequence of int
        The source's.
    splits : sequence of sequences of int
        The extents that each of its axes is split into.
    merges : sequence of sequences of int
        Which of these, counted through all splits, each axis of the result is made of: each of them once.
    bounds : sequence of (int, int, int), optional
        Start, stride and count of each of these; all of it by default.
    mode : SampleMode
        What coordinates outside of them read.
    """
    extents = [extent for split in splits for extent in split]
    windows = [(0, 1, extent) for extent in extents] if bounds is None else bounds
    counts = [count for _, _, count in windows]
    result = [prod([counts[k] for k in merge]) for merge in merges]
    return Windows(extents, windows, mode, result, shape, order=tuple(chain(*merges)))


def lower_transposition(
    attribute: str, shape: Sequence[int], axes: Sequence[int] | None, *, from_end: bool = True
) -> Windows:
    """Return the windows of axes in another order: axis k of the result is axis ``axes[k]``; None reverses them.

    Negative axes count from the end where ``from_end`` is true, and are an error where it is not.
    """
    rank = len(shape)
    if axes is None:
        order = tuple(range(rank))[::-1]
    else:
        if len(axes) != rank:
            raise AttributeValueError.about(attribute, f"name {each_axis(rank)} once", tuple(axes))
        if not from_end and min(axes, default=0) < 0:
            raise AttributeValueError.about(attribute, f"be in 0..{rank - 1}, for data of rank {rank}", tuple(axes))
        order = resolve_axes(attribute, axes, rank)
    return Windows(shape, [(0, 1, extent) for extent in shape], shape=[shape[k] for k in order], order=order)


def lower_axis_moves(
    shape: Sequence[int], source: Sequence[int], destination: Sequence[int], names: tuple[str, str]
) -> Windows:
    """Return the windows of axes that get other places, where the rest keep their order; ``names`` are the lists'."""
    rank = len(shape)
    places = resolve_axes(names[1], destination, rank)
    moved = resolve_axes(names[0], source, rank)
    if len(moved) != len(places):
        rule = f"have as many values as {names[0]}, {len(moved)}"
        raise AttributeValueError.about(names[1], rule, tuple(destination))
    axis_at = dict(zip(places, moved, strict=True))
    rest = iter([axis for axis in range(rank) if axis not in moved])
    return lower_transposition(names[0], shape, [axis_at[k] if k in axis_at else next(rest) for k in range(rank)])


class Blocks(NamedTuple):
    """Blocks of elements along spatial axes, which are channels too.

    Attributes
    ----------
    attribute : str
        What the caller calls the size.
    size : int
        Elements of a block along each of the axes.
    channel : int
        The axis of channels.
    spatial : sequence of int
        The axes of which the blocks are parts.
    depth_first : bool
        Along the channels, the blocks come first, or, if this is true, the channels that make no blocks.
    least : int
        The least size.
    """

    attribute: str
    size: int
    channel: int
    spatial: Sequence[int]
    depth_first: bool = False
    least: int = 1


def lower_blocks_of_channels(shape: Sequence[int], blocks: Blocks) -> Windows:
    """Return the windows of channels that become blocks."""
    attribute, size, channel, spatial, depth_first, least = blocks
    check_size(attribute, size, least)
    channels, n = shape[channel], len(spatial)
    # Of a large size, the power may have thousands of digits.
    if channels and (size > channels or channels % size**n):
        power = "" if n == 1 else f", to the power of {n}"
        raise AttributeValueError.about(attribute, f"divide the channels{power}", size, channel, channels)
    left = channels // size**n if channels else 0
    splits = [[extent] for extent in shape]
    splits[channel] = [left, *[size] * n] if depth_first else [*[size] * n, left]
    merges = [[k] if k < channel else [k + n] for k in range(len(shape))]
    if depth_first:
        merges[channel] = [channel]
    for block, axis in enumerate(spatial, channel + depth_first):
        merges[axis].append(block)
    return lower_layout(shape, splits, merges)


def lower_blocks_of_space(shape: Sequence[int], blocks: Blocks) -> Windows:
    """Return the windows of blocks that become channels."""
    attribute, size, channel, spatial, depth_first, least = blocks
    check_size(attribute, size, least)
    splits = [[extent] for extent in shape]
    for axis in spatial:
        splits[axis] = [_split_of(attribute, shape, axis, size), size]
    firsts = list(accumulate(map(len, splits[:-1]), initial=0))
    merges, inside = [[first] for first in firsts], [firsts[axis] + 1 for axis in spatial]
    merges[channel] = [firsts[channel], *inside] if depth_first else [*inside, firsts[channel]]
    return lower_layout(shape, splits, merges)


def lower_shuffle(attribute: str, shape: Sequence[int], axis: int, groups: int) -> Windows:
    """Return the windows that take one channel of each of so many groups in turn."""
    check_size(attribute, groups)
    splits = [[extent] for extent in shape]
    splits[axis] = [groups, _split_of(attribute, shape, axis, groups)]
    merges = [[k] if k < axis else [k + 1] for k in range(len(shape))]
    merges[axis] = [axis + 1, axis]
    return lower_layout(shape, splits, merges)


def _split_of(attribute: str, shape: Sequence[int], axis: int, divisor: int) -> int:
    """Return how many times a divisor goes into an axis, which it must divide."""
    if shape[axis] % divisor:
        raise AttributeValueError.about(attribute, "divide the axis", divisor, axis, shape[axis])
    return shape[axis] // divisor


def check_size(attribute: str, size: int, least: int = 1) -> None:
    """Raise unless there are blocks of that size."""
    if size < least:
        raise AttributeValueError.about(attribute, f"be at least {least}", size)


def check_images(shape: Sequence[int]) -> None:
    """Raise unless data are images: batch, channels, rows and columns, in any order."""
    if len(shape) != 4:
        raise AttributeValueError.about("data", "have 4 axes", tuple(shape))


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
