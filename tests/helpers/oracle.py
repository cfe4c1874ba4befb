"""Operators written from their specifications, in NumPy and Python, without fastops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

#: The modes of np.pad for the modes of fastops that read beyond an axis.
PAD_MODES = {"reflect": "reflect", "clamp": "edge", "wrap": "wrap", "fill": "constant", "symmetric": "symmetric"}

#: The masks of a strided slice.
MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")


def index(x: int, d: int, mode: str) -> int | None:
    """Return the index that coordinate x reads on an axis of length d, or None for the fill value."""
    if 0 <= x < d:
        return x
    if mode == "fill":
        return None
    if d == 0 or mode == "strict_bounds":
        raise IndexError(x)
    if mode == "wrap":
        return x % d
    if mode == "clamp":
        return 0 if x < 0 else d - 1
    # The folded axis, written out: 0 1 2 3 2 1 for reflect, 0 1 2 3 3 2 1 0 for symmetric.
    there = range(d)
    back = there[-2:0:-1] if mode == "reflect" else there[::-1]
    x %= len(there) + len(back)
    return there[x] if x < d else back[x - d]


def slice_(
    data: Array, start: Sequence[int], size: Sequence[int], stride: Sequence[int], mode: str, fill: Any = 0
) -> Array:
    """TensorRT Slice on all axes; the fill value is one more element behind each axis."""
    if 0 in size:
        return np.empty(tuple(size), data.dtype)
    padded = np.pad(data, (0, 1), constant_values=fill)
    coordinates = [[b + y * s for y in range(n)] for b, s, n in zip(start, stride, size, strict=True)]
    found = [[index(x, d, mode) for x in xs] for xs, d in zip(coordinates, data.shape, strict=True)]
    return padded[np.ix_(*[[-1 if k is None else k for k in each] for each in found])]


def strided_slice(
    data: Array,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    begin_mask: Sequence[int] = (),
    end_mask: Sequence[int] = (),
    new_axis_mask: Sequence[int] = (),
    shrink_axis_mask: Sequence[int] = (),
    ellipsis_mask: Sequence[int] = (),
) -> Array:
    """StridedSlice-1, by NumPy's indexing, with OpenVINO's clamp of a begin before the axis."""
    n, axis = len(begin), 0
    masks = (begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)
    padded = [[*mask, *[0] * n][:n] for mask in masks]
    named = sum(not (new or ellipsis) for _, _, new, _, ellipsis in zip(*padded, strict=True))
    if sum(ellipsis_mask) > 1 or named > data.ndim:
        raise ValueError
    key: list[Any] = []
    for low, high, stride, *bits in zip(begin, end, strides, *padded, strict=True):
        no_low, no_high, is_new, shrinks, is_ellipsis = bits
        if is_ellipsis or is_new:
            key.append(... if is_ellipsis else None)
            axis += data.ndim - named if is_ellipsis else 0
        elif shrinks:
            key.append(low)
            axis += 1
        else:
            first = max(low, -data.shape[axis]) if stride < 0 else low
            # NumPy refuses a stride of 0.
            key.append(slice(None if no_low else first, None if no_high else high, stride))
            axis += 1
    return np.array(data[tuple(key)], data.dtype)


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


def in_format(function: Callable[..., Array], x: Array, size: int, data_format: str = "NHWC") -> Array:
    """Call `depth_to_space` or `space_to_depth` on data in a format of TensorFlow."""
    if data_format == "NCHW":
        return function(x, size, depth_first=False)
    x = np.moveaxis(x, -1, 1)
    if data_format == "NHWC":
        return np.moveaxis(function(x, size, depth_first=False), 1, -1)
    # In NCHW_VECT_C, each index of the last axis has an image of its own.
    batch, length = x.shape[:2]
    moved = function(x.reshape(batch * length, *x.shape[2:]), size, depth_first=False)
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


class Cut(NamedTuple):
    """The cut of an axis into patches: their size, stride and rate, and the pads before and after the axis."""

    axis: int
    size: int
    stride: int = 1
    rate: int = 1
    before: int = 0
    after: int = 0


def cut_same(x: Array, axis: int, size: int, stride: int = 1, rate: int = 1, *, more_before: bool = False) -> Cut:
    """Return the cut of an axis with the fewest pads that give ceil(extent / stride) patches."""
    extent, reach = x.shape[axis], (size - 1) * rate + 1
    last = (extent - 1) // stride * stride
    pads = max(last + reach - extent, 0)
    less, more = pads // 2, pads - pads // 2
    return Cut(axis, size, stride, rate, *((more, less) if more_before else (less, more)))


def patches(x: Array, *cuts: Cut, mode: str = "constant") -> Array:
    """Return patches: each cut axis counts the patches, and new axes behind all others hold the elements."""
    pads = [(0, 0)] * x.ndim
    for cut in cuts:
        pads[cut.axis] = (cut.before, cut.after)
    reach = [(cut.size - 1) * cut.rate + 1 for cut in cuts]
    padded: Array = np.pad(x, pads, mode=mode)  # type: ignore[call-overload]
    windows = np.lib.stride_tricks.sliding_window_view(padded, reach, [cut.axis for cut in cuts])
    steps = [slice(None)] * windows.ndim
    for j, cut in enumerate(cuts):
        steps[cut.axis] = slice(None, None, cut.stride)
        steps[x.ndim + j] = slice(None, None, cut.rate)
    return windows[tuple(steps)]


def as_depth(found: Array, *, first: int, channels: int) -> Array:
    """Return patches of images of four axes, with the elements merged into the channels, which are axis ``first``."""
    order = [k for k in range(4) if k != channels]
    order[first:first] = [4, 5, channels]
    moved = found.transpose(order)
    before, merged, behind = moved.shape[:first], moved.shape[first : first + 3], moved.shape[first + 3 :]
    return moved.reshape(*before, prod(merged), *behind)
