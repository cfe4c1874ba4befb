"""What patches of axes mean, in NumPy's pad and sliding windows, with nothing of fastops."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]


class Cut(NamedTuple):
    """How an axis is cut: elements of a patch, from one patch to the next, between elements, and pads on both sides."""

    axis: int
    size: int
    stride: int = 1
    rate: int = 1
    before: int = 0
    after: int = 0


def cut_same(x: Array, axis: int, size: int, stride: int = 1, rate: int = 1, *, more_before: bool = False) -> Cut:
    """Return the cut of an axis with as few pads as there have to be for a patch at each stride."""
    extent, reach = x.shape[axis], (size - 1) * rate + 1
    last = (extent - 1) // stride * stride
    pads = max(last + reach - extent, 0)
    less, more = pads // 2, pads - pads // 2
    return Cut(axis, size, stride, rate, *((more, less) if more_before else (less, more)))


def patches(x: Array, *cuts: Cut, mode: str = "constant") -> Array:
    """Return patches along these axes, and behind all axes, the elements of patches along each."""
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
    """Return patches of images of four axes, of which the channels are axis ``first``, with elements among channels."""
    order = [k for k in range(4) if k != channels]
    order[first:first] = [4, 5, channels]
    moved = found.transpose(order)
    before, merged, behind = moved.shape[:first], moved.shape[first : first + 3], moved.shape[first + 3 :]
    return moved.reshape(*before, prod(merged), *behind)
