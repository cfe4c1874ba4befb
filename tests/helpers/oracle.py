"""What the operators mean, written once more from their specifications: NumPy and Python, nothing of fastops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def index(x: int, d: int, mode: str) -> int | None:
    """The index that coordinate x reads on an axis of length d; None for the fill value."""
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
    """StridedSlice-1, by NumPy's indexing; OpenVINO's clamp of a begin before the axis is made up for."""
    n = len(begin)
    masks = (begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)
    no_begin, no_end, is_new, shrinks, is_ellipsis = [[*mask, *[0] * n][:n] for mask in masks]
    named = sum(not (each or new) for each, new in zip(is_ellipsis, is_new, strict=True))
    if sum(ellipsis_mask) > 1 or not n == len(end) == len(strides) or named > data.ndim:
        raise ValueError
    key: list[Any] = []
    axis = 0
    for i in range(n):
        if is_ellipsis[i]:
            key.append(...)
            axis += data.ndim - named
        elif is_new[i]:
            key.append(None)
        else:
            d = data.shape[axis]
            axis += 1
            if shrinks[i]:
                if not -d <= begin[i] < d:
                    raise IndexError
                key.append(begin[i])
                continue
            first = max(begin[i], -d) if strides[i] < 0 else begin[i]
            # NumPy refuses a stride of 0.
            key.append(slice(None if no_begin[i] else first, None if no_end[i] else end[i], strides[i]))
    return np.array(data[tuple(key)], data.dtype)
