"""Depth and space: blocks of elements that move between the channels and other axes, and channels that are shuffled."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from fastops._errors import AttributeValueError
from fastops._lowering._layouts import lower_layout
from fastops._lowering._windows import Windows


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
