"""What operators of blocks mean, in NumPy's reshape, transpose and pad, with nothing of fastops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def depth_to_space(x: Array, size: int, *, depth_first: bool) -> Array:
    batch, channels, *spatial = x.shape
    n = len(spatial)
    left = channels // size**n
    split = [batch, left, *[size] * n] if depth_first else [batch, *[size] * n, left]
    depth, first = (1, 2) if depth_first else (n + 1, 1)
    order = [0, depth] + [axis for k in range(n) for axis in (n + 2 + k, first + k)]
    return x.reshape(*split, *spatial).transpose(order).reshape(batch, left, *[extent * size for extent in spatial])


def space_to_depth(x: Array, size: int, *, depth_first: bool) -> Array:
    batch, channels, *spatial = x.shape
    n = len(spatial)
    split = [length for extent in spatial for length in (extent // size, size)]
    rows, blocks = [2 + 2 * k for k in range(n)], [3 + 2 * k for k in range(n)]
    order = [0, 1, *blocks, *rows] if depth_first else [0, *blocks, 1, *rows]
    shape = (batch, channels * size**n, *[extent // size for extent in spatial])
    return x.reshape(batch, channels, *split).transpose(order).reshape(shape)


def with_channels_last(function: Callable[..., Array], x: Array, size: int) -> Array:
    """Call one of the two above on data whose channels are the last axis."""
    return np.moveaxis(function(np.moveaxis(x, -1, 1), size, depth_first=False), 1, -1)


def with_vectors_last(function: Callable[..., Array], x: Array, size: int) -> Array:
    """Call one of the two above on each index of the last axis."""
    batch, length = x.shape[0], x.shape[-1]
    images = np.moveaxis(x, -1, 1).reshape(batch * length, *x.shape[1:-1])
    moved = function(images, size, depth_first=False)
    return np.moveaxis(moved.reshape(batch, length, *moved.shape[1:]), 1, -1)


def shuffle_channels(x: Array, axis: int, group: int) -> Array:
    before, extent, behind = x.shape[: axis % x.ndim], x.shape[axis], x.shape[axis % x.ndim + 1 :]
    return x.reshape(*before, group, extent // group, *behind).swapaxes(len(before), len(before) + 1).reshape(x.shape)


def space_to_batch(x: Array, blocks: Sequence[int], before: Sequence[int], after: Sequence[int]) -> Array:
    """The blocks and pads are those of axes 1, 2 and so on."""
    n = len(blocks)
    pads = [(0, 0), *zip(before, after, strict=True), *[(0, 0)] * (x.ndim - n - 1)]
    padded = np.pad(x, pads)
    pairs = list(zip(padded.shape[1:], blocks, strict=False))
    split = [length for extent, block in pairs for length in (extent // block, block)]
    order = [*range(2, 2 * n + 1, 2), 0, *range(1, 2 * n, 2), *range(2 * n + 1, x.ndim + n)]
    counts = [extent // block for extent, block in pairs]
    shape = (x.shape[0] * prod(blocks), *counts, *x.shape[n + 1 :])
    return padded.reshape(x.shape[0], *split, *x.shape[n + 1 :]).transpose(order).reshape(shape)


def batch_to_space(x: Array, blocks: Sequence[int], before: Sequence[int], after: Sequence[int]) -> Array:
    """The blocks and crops are those of axes 1, 2 and so on."""
    n = len(blocks)
    batch = x.shape[0] // prod(blocks)
    order = [n, *[axis for k in range(n) for axis in (n + 1 + k, k)], *range(2 * n + 1, x.ndim + n)]
    lengths = [extent * block for extent, block in zip(x.shape[1:], blocks, strict=False)]
    whole = x.reshape(*blocks, batch, *x.shape[1:]).transpose(order).reshape(batch, *lengths, *x.shape[n + 1 :])
    kept = [slice(low, n - high) for n, low, high in zip(lengths, before, after, strict=True)]
    return np.ascontiguousarray(whole[(slice(None), *kept)])
