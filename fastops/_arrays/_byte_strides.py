"""Byte strides: those of contiguous arrays, and what memory arrays span."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

#: Arrays span fewer bytes, so that addresses, and what is added to one, stay far from the ends of 64-bit integers.
LARGEST_SPAN = 1 << 61


def span_of(shape: Sequence[int], byte_strides: Sequence[int], width: int) -> tuple[int, int]:
    """Return the lowest byte of an array, counted from its element 0, and one beyond the highest.

    Both are 0 for an empty array, of which the byte strides can be anything.
    """
    if 0 in shape:
        return 0, 0
    low, high = 0, width
    for extent, stride in zip(shape, byte_strides, strict=True):
        if stride < 0:
            low += (extent - 1) * stride
        else:
            high += (extent - 1) * stride
    return low, high


def is_nested(shape: Sequence[int], byte_strides: Sequence[int], width: int) -> bool:
    """True if each axis, taken by rising byte strides, steps over all that the ones before it span.

    Then no two elements share a byte.
    """
    axes = sorted((abs(stride), n) for stride, n in zip(byte_strides, shape, strict=True) if n > 1)
    span = width
    for stride, n in axes:
        if stride < span:
            return False
        span += stride * (n - 1)
    return True


def is_spannable(span: tuple[int, int]) -> bool:
    """True if elements of an array with this `span_of` lie no further from each other than there is memory."""
    low, high = span
    return high - low <= LARGEST_SPAN


def without_far_strides(array: Any) -> Any:
    """Return an array with strides of 0 in the place of those that lead nowhere, if they are as long as memory.

    NumPy's indices leave any stride to an axis of one index, up to the ends of 64-bit integers.
    """
    strides = array.strides
    if not strides or -LARGEST_SPAN < min(strides) <= max(strides) < LARGEST_SPAN:
        return array
    near = [0 if n == 1 else stride for n, stride in zip(array.shape, strides, strict=True)]
    return np.lib.stride_tricks.as_strided(array, strides=near)
