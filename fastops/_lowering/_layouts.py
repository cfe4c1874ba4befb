"""Layouts: axes that are split, reordered and merged; blocks that move between channels, batch and spatial axes.

Blocks may reach into the pads of an axis, and crops may cut blocks apart. One plan is enough if all pads and crops are
multiples of the blocks. Otherwise the result is made of pieces, which one launch writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from math import prod

from fastops._errors import AttributeValueError, counted, each_axis
from fastops._lowering._arguments import Ints
from fastops._lowering._bounds import check_at_least, resolve_axes, resolve_axis, resolve_axis_of
from fastops._lowering._moves import Sides
from fastops._lowering._patches import Cut, lower_fold, lower_patches
from fastops._lowering._windows import Assembly, Windows


def lower_layout(shape: Ints, splits: Sequence[Ints], merges: Sequence[Ints]) -> Windows:
    """Return the windows that split axes into factors, and merge factors into the axes of the result.

    Parameters
    ----------
    shape : sequence of int
        The shape of the source.
    splits : sequence of sequences of int
        The extents of the factors of each axis of the source.
    merges : sequence of sequences of int
        The factors of each axis of the result. Factors are counted through all splits; each occurs once.
    """
    extents = list(chain(*splits))
    result = [prod([extents[k] for k in merge]) for merge in merges]
    whole = [(0, 1, extent) for extent in extents]
    return Windows(extents, whole, shape=result, source_shape=shape, order=tuple(chain(*merges)))


def lower_transposition(shape: Ints, axes: Ints | None, *, from_end: bool = True) -> Windows:
    """Return the windows of axes in another order: axis k of the result is axis ``axes[k]``; None reverses the axes.

    Negative axes count from the end or, without ``from_end``, are an error.
    """
    rank = len(shape)
    if axes is None:
        order = tuple(range(rank))[::-1]
    else:
        if len(axes) != rank:
            raise AttributeValueError.about("axes", f"name {each_axis(rank)} once", tuple(axes))
        if not from_end and min(axes, default=0) < 0:
            raise AttributeValueError.about("axes", f"be in 0..{rank - 1}, for data of rank {rank}", tuple(axes))
        order = resolve_axes("axes", axes, rank)
    return Windows(shape, [(0, 1, extent) for extent in shape], shape=[shape[k] for k in order], order=order)


def lower_exchange(shape: Ints, axis1: int, axis2: int, *, least_rank: int = 0) -> Windows:
    """Return the windows that exchange two axes; data of a rank below ``least_rank`` counts as data of this rank."""
    rank = max(len(shape), least_rank)
    first, second = resolve_axis("axis1", axis1, rank), resolve_axis("axis2", axis2, rank)
    order = list(range(rank))
    order[first], order[second] = second, first
    return lower_transposition(shape, order[: len(shape)])


def lower_axis_moves(shape: Ints, source: Ints, destination: Ints) -> Windows:
    """Return the windows of axes that move from source to destination; the other axes keep their order."""
    rank = len(shape)
    places = resolve_axes("destination", destination, rank)
    moved = resolve_axes("source", source, rank)
    if len(moved) != len(places):
        rule = f"have as many values as source, {len(moved)}"
        raise AttributeValueError.about("destination", rule, tuple(destination))
    axis_at = dict(zip(places, moved, strict=True))
    rest = iter([axis for axis in range(rank) if axis not in moved])
    return lower_transposition(shape, [axis_at[k] if k in axis_at else next(rest) for k in range(rank)])


def lower_blocks_of_channels(
    shape: Ints, block_size: int, channel: int, spatial: Ints, depth_first: bool = False
) -> Windows:
    """Return the windows of blocks of channels that move into spatial axes.

    Along the axis ``channel``, the positions in a block come first or, with ``depth_first``, the channels of the
    result.
    """
    check_at_least(1, block_size=[block_size])
    channels, n = shape[channel], len(spatial)
    # The power of a large size may have thousands of digits, so the size is compared first.
    if channels and (block_size > channels or channels % block_size**n):
        power = "" if n == 1 else f", to the power of {n}"
        raise AttributeValueError.about("block_size", f"divide the channels{power}", block_size, channel, channels)
    left = channels // block_size**n if channels else 0
    splits = [[extent] for extent in shape]
    splits[channel] = [left, *[block_size] * n] if depth_first else [*[block_size] * n, left]
    merges = [[k] if k < channel else [k + n] for k in range(len(shape))]
    if depth_first:
        merges[channel] = [channel]
    for block, axis in enumerate(spatial, channel + depth_first):
        merges[axis].append(block)
    return lower_layout(shape, splits, merges)


def lower_blocks_of_space(
    shape: Ints, block_size: int, channel: int, spatial: Ints, depth_first: bool = False
) -> Windows:
    """Return the windows of blocks of space that move into channels, the inverse of `lower_blocks_of_channels`."""
    check_at_least(1, block_size=[block_size])
    splits = [[extent] for extent in shape]
    for axis in spatial:
        splits[axis] = [_split_of("block_size", shape, axis, block_size), block_size]
    firsts = list(accumulate(map(len, splits[:-1]), initial=0))
    merges, inside = [[first] for first in firsts], [firsts[axis] + 1 for axis in spatial]
    merges[channel] = [firsts[channel], *inside] if depth_first else [*inside, firsts[channel]]
    return lower_layout(shape, splits, merges)


def lower_shuffle(shape: Ints, axis: int, groups: int) -> Windows:
    """Return the windows that take one channel of each group in turn."""
    channel = resolve_axis_of(shape, "axis", axis)
    check_at_least(1, groups=[groups])
    splits = [[extent] for extent in shape]
    splits[channel] = [groups, _split_of("groups", shape, channel, groups)]
    merges = [[k] if k < channel else [k + 1] for k in range(len(shape))]
    merges[channel] = [channel + 1, channel]
    return lower_layout(shape, splits, merges)


def _split_of(attribute: str, shape: Ints, axis: int, divisor: int) -> int:
    """Return the length of an axis divided by ``divisor``; raise if there is a remainder."""
    if shape[axis] % divisor:
        raise AttributeValueError.about(attribute, "divide the axis", divisor, axis, shape[axis])
    return shape[axis] // divisor


def check_images(shape: Ints) -> None:
    """Raise unless data has the four axes of a batch of images, in any order."""
    if len(shape) != 4:
        raise AttributeValueError.about("data", "have 4 axes", tuple(shape))


_BLOCKS = "block_shape"


def lower_blocks_to_batch(shape: Ints, blocks: Ints, pads: Sides) -> Assembly:
    """Return the pieces of a result whose batch takes the blocks of axes 1, 2 and so on, block positions first."""
    check_at_least(1, block_shape=blocks)
    pads.check()
    cuts = []
    spatial = shape[1 : len(blocks) + 1]
    for k, (extent, block, low, high) in enumerate(zip(spatial, blocks, pads.before, pads.after, strict=True), 1):
        if (extent + low + high) % block:
            raise AttributeValueError.about(_BLOCKS, "divide each axis with its pads", tuple(blocks), k, extent)
        cuts.append(Cut(k, block, (extent + low + high) // block, block, 1, low))
    elements = range(len(shape), len(shape) + len(blocks))
    return lower_patches(shape, cuts, [[*elements, 0], *[[k] for k in range(1, len(shape))]], attribute=_BLOCKS)


def lower_blocks_to_space(shape: Ints, blocks: Ints, crops: Sides) -> Assembly:
    """Return the pieces of a result whose axes 1, 2 and so on take the blocks of the batch, and are then cropped.

    Along an axis, all whole blocks are one piece, and each of up to two cropped blocks is another. The pieces of the
    result are the products of the axes' pieces, in row-major order.
    """
    check_at_least(1, block_shape=blocks)
    crops.check()
    n, blocks_of_all = len(blocks), prod(blocks)
    batch, spatial, others = shape[0], shape[1 : n + 1], shape[n + 1 :]
    if batch % blocks_of_all:
        raise AttributeValueError.about(_BLOCKS, "have a product that divides the batch", tuple(blocks), 0, batch)
    lengths = []
    for k, (extent, block, low, high) in enumerate(zip(spatial, blocks, crops.before, crops.after, strict=True)):
        if low + high > extent * block:
            name, written = crops.named(high > low)
            rule = f"crop at most {counted(extent * block, 'element')} together"
            raise AttributeValueError.about(name, rule, written, k + 1, extent)
        lengths.append(extent * block - low - high)
    result = (batch // blocks_of_all, *lengths, *others)
    if 0 in result:
        return Assembly.empty(shape, result)
    cuts = []
    for k, (block, low, length) in enumerate(zip(blocks, crops.before, lengths, strict=True)):
        # Leave out the blocks after the last one that the result takes elements of.
        cuts.append((Cut(k + 1, block, -(-(low + length) // block), block, 1, low), n + 1 + k, k))
    extents = [*blocks, result[0], *shape[1:]]
    order = [n, *chain(*[(n + k, k - 1) for k in range(1, n + 1)]), *range(2 * n + 1, len(extents))]
    return lower_fold((_BLOCKS, blocks), shape, result, cuts, extents, order)
