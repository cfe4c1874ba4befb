"""What the operators mean, written once more from their specifications: NumPy and Python, nothing of fastops."""

from __future__ import annotations

import itertools
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
    there = list(range(d))
    back = there[-2:0:-1] if mode == "reflect" else there[::-1]
    return (there + back)[x % len(there + back)] if d > 1 else 0


def slice_(
    data: Array, start: Sequence[int], size: Sequence[int], stride: Sequence[int], mode: str, fill: Any = 0
) -> Array:
    """TensorRT Slice on all axes, element by element."""
    out = np.empty(tuple(size), data.dtype)
    if out.size == 0:
        return out
    indices = [
        [index(b + y * s, d, mode) for y in range(n)]
        for b, s, n, d in zip(start, stride, size, data.shape, strict=True)
    ]
    for y in itertools.product(*(range(n) for n in size)):
        at = [indices[k][y[k]] for k in range(len(y))]
        out[y] = fill if None in at else data[tuple(at)]
    return out


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
    if sum(ellipsis_mask) > 1 or not len(begin) == len(end) == len(strides):
        raise ValueError
    n = len(begin)
    bit = lambda mask, i: i < len(mask) and mask[i] == 1  # noqa: E731
    named = sum(not bit(ellipsis_mask, i) and not bit(new_axis_mask, i) for i in range(n))
    if named > data.ndim:
        raise ValueError
    key: list[Any] = []
    axis = 0
    for i in range(n):
        if bit(ellipsis_mask, i):
            key += [slice(None)] * (data.ndim - named)
            axis += data.ndim - named
        elif bit(new_axis_mask, i):
            key.append(None)
        else:
            d = data.shape[axis]
            axis += 1
            if bit(shrink_axis_mask, i):
                if not -d <= begin[i] < d:
                    raise IndexError
                key.append(int(begin[i]))
                continue
            if strides[i] == 0:
                raise ValueError
            first = None if bit(begin_mask, i) else int(begin[i])
            if first is not None and strides[i] < 0 and first < -d:
                first = -d
            key.append(slice(first, None if bit(end_mask, i) else int(end[i]), int(strides[i])))
    return data[tuple(key)].copy()
