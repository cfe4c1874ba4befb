"""Layouts: axes that are split, put in another order and merged again, without a change to what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import prod

from fastops._errors import AttributeValueError
from fastops._lowering._axes import resolve_axes
from fastops._lowering._bounds import Bounds
from fastops._lowering._windows import Windows


def lower_layout(
    shape: Sequence[int],
    splits: Sequence[Sequence[int]],
    merges: Sequence[Sequence[int]],
    bounds: Sequence[Bounds] | None = None,
) -> Windows:
    """Return the windows that split axes, and merge what comes of them.

    Parameters
    ----------
    shape : sequence of int
        The source's.
    splits : sequence of sequences of int
        The extents that each of its axes is split into.
    merges : sequence of sequences of int
        Which of these, counted through all splits, each axis of the result is made of: each of them once.
    bounds : sequence of (int, int, int), optional
        Start, stride and count of each of these; all of it by default.
    """
    extents = [extent for split in splits for extent in split]
    windows = [(0, 1, extent) for extent in extents] if bounds is None else bounds
    counts = [count for _, _, count in windows]
    result = [prod([counts[k] for k in merge]) for merge in merges]
    return Windows(extents, windows, shape=result, source_shape=shape, order=tuple(chain(*merges)))


def lower_transposition(attribute: str, shape: Sequence[int], axes: Sequence[int] | None) -> Windows:
    """Return the windows of axes in another order: axis k of the result is axis ``axes[k]``; None reverses them."""
    rank = len(shape)
    if axes is None:
        order = tuple(range(rank))[::-1]
    else:
        if len(axes) != rank:
            raise AttributeValueError.about(attribute, f"name each of the {rank} axes once", tuple(axes))
        order = resolve_axes(attribute, axes, rank)
    return Windows(shape, [(0, 1, extent) for extent in shape], shape=[shape[k] for k in order], order=order)


def split_of(attribute: str, shape: Sequence[int], axis: int, divisor: int, written: object) -> int:
    """Return how many times a divisor goes into an axis, which it must divide."""
    if shape[axis] % divisor:
        raise AttributeValueError.about(attribute, "divide the axis", written, axis, shape[axis])
    return shape[axis] // divisor


def split_of_square(attribute: str, shape: Sequence[int], axis: int, root: int) -> int:
    """Return how many times the square of a number goes into an axis, which it must divide."""
    if shape[axis] % root**2:
        raise AttributeValueError.about(attribute, "have a square that divides the axis", root, axis, shape[axis])
    return shape[axis] // root**2
