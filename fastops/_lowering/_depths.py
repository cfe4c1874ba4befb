"""Depth and space: blocks of elements that move between the channels and the axes behind them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Literal, TypeAlias

from fastops._errors import AttributeValueError
from fastops._lowering._layouts import lower_layout, split_of
from fastops._lowering._windows import Windows

#: OpenVINO's modes, in any case.
BlockMode: TypeAlias = Literal["blocks_first", "depth_first", "BLOCKS_FIRST", "DEPTH_FIRST"]


def lower_blocks_of_channels(attribute: str, shape: Sequence[int], size: int, *, depth_first: bool) -> Windows:
    """Return the windows of channels that become blocks of so many elements along each axis behind them.

    Along the channels, the blocks come first, or the channels that are left, if ``depth_first`` is true.
    """
    batch, channels, *spatial = shape
    n = len(spatial)
    check_size(attribute, size)
    blocks = [size] * n
    # Of a large size, the product may have thousands of digits.
    if channels and (size > channels or channels % prod(blocks)):
        power = "" if n == 1 else f", to the power of {n}"
        raise AttributeValueError.about(attribute, f"divide the channels{power}", size, 1, channels)
    left = channels // prod(blocks) if channels else 0
    depth, first = ([left, *blocks], 2) if depth_first else ([*blocks, left], 1)
    merges = [[0], [1 if depth_first else n + 1], *[[n + 2 + k, first + k] for k in range(n)]]
    return lower_layout(shape, [[batch], depth, *[[extent] for extent in spatial]], merges)


def lower_blocks_of_space(attribute: str, shape: Sequence[int], size: int, *, depth_first: bool) -> Windows:
    """Return the windows of blocks of so many elements along each axis behind the channels, which become channels.

    Along the channels, the blocks come first, or the channels that there were, if ``depth_first`` is true.
    """
    batch, channels, *spatial = shape
    check_size(attribute, size)
    splits = [[split_of(attribute, shape, k, size, size), size] for k in range(2, len(shape))]
    blocks = [3 + 2 * k for k in range(len(spatial))]
    depth = [1, *blocks] if depth_first else [*blocks, 1]
    return lower_layout(shape, [[batch], [channels], *splits], [[0], depth, *[[block - 1] for block in blocks]])


def check_size(attribute: str, size: int, least: int = 1) -> None:
    """Raise unless there are blocks of that size."""
    if size < least:
        raise AttributeValueError.about(attribute, f"be at least {least}", size)


def check_spatial(shape: Sequence[int]) -> None:
    """Raise unless there is an axis behind the batch and the channels."""
    if len(shape) < 3:
        raise AttributeValueError.about("data", "have at least 3 axes", tuple(shape))


def check_images(shape: Sequence[int]) -> None:
    """Raise unless data are images: batch, channels, rows and columns."""
    if len(shape) != 4:
        raise AttributeValueError.about("data", "have 4 axes", tuple(shape))
