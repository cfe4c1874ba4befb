"""Factors: lengths whose products make a shape, as a split source axis or a merged result axis has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

#: The axis of what has no axis in the shape: a length of 1 needs none.
NO_AXIS = -1


#: Where a length stands in a shape: its axis, and how many elements of that axis one of its own is.
Factor: TypeAlias = tuple[int, int]


def find_factors(lengths: Sequence[int], shape: Sequence[int]) -> list[Factor] | None:
    """Return where each length stands in a shape, in row-major order; None if they do not make it.

    Lengths of 1 stand nowhere, and axes of length 1 have no lengths.

    Examples
    --------
    >>> find_factors((2, 1, 3, 4), (6, 1, 4))
    [(0, 3), (-1, 0), (0, 1), (2, 1)]
    >>> find_factors((4, 3), (6, 2))
    """
    if tuple(lengths) == tuple(shape):
        return [(NO_AXIS, 0) if length == 1 else (axis, 1) for axis, length in enumerate(shape)]
    factors = []
    axis, place = len(shape), 0
    whole = 0
    for length in reversed(lengths):
        if length == 1:
            factors.append((NO_AXIS, 0))
            continue
        if place == whole:
            axis, place = _next_axis(shape, axis), 1
            if axis < 0:
                return None
            whole = shape[axis]
        factors.append((axis, place))
        place = place * length
    if place != whole or _next_axis(shape, axis) >= 0:
        return None
    return factors[::-1]


def _next_axis(shape: Sequence[int], axis: int) -> int:
    """Return the axis of more than one element, or of none, that stands before another one; negative for none."""
    axis -= 1
    while axis >= 0 and shape[axis] == 1:
        axis -= 1
    return axis


def makes_shape(lengths: Sequence[int], shape: Sequence[int]) -> bool:
    """True if lengths make a shape by merging neighbours, and adding and dropping axes of length 1."""
    return find_factors(lengths, shape) is not None
