"""Layouts: axes that are split, put in another order and merged again, without a change to what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import prod

from fastops._errors import AttributeValueError, each_axis
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._axes import resolve_axes
from fastops._lowering._bounds import Bounds
from fastops._lowering._windows import Windows


def lower_layout(
    shape: Sequence[int],
    splits: Sequence[Sequence[int]],
    merges: Sequence[Sequence[int]],
    bounds: Sequence[Bounds] | None = None,
    mode: SampleMode = SampleMode.STRICT_BOUNDS,
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
    mode : SampleMode
        What coordinates outside of them read.
    """
    extents = [extent for split in splits for extent in split]
    windows = [(0, 1, extent) for extent in extents] if bounds is None else bounds
    counts = [count for _, _, count in windows]
    result = [prod([counts[k] for k in merge]) for merge in merges]
    return Windows(extents, windows, mode, result, shape, order=tuple(chain(*merges)))


def lower_transposition(
    attribute: str, shape: Sequence[int], axes: Sequence[int] | None, *, from_end: bool = True
) -> Windows:
    """Return the windows of axes in another order: axis k of the result is axis ``axes[k]``; None reverses them.

    Negative axes count from the end where ``from_end`` is true, and are an error where it is not.
    """
    rank = len(shape)
    if axes is None:
        order = tuple(range(rank))[::-1]
    else:
        if len(axes) != rank:
            raise AttributeValueError.about(attribute, f"name {each_axis(rank)} once", tuple(axes))
        if not from_end and min(axes, default=0) < 0:
            raise AttributeValueError.about(attribute, f"be in 0..{rank - 1}, for data of rank {rank}", tuple(axes))
        order = resolve_axes(attribute, axes, rank)
    return Windows(shape, [(0, 1, extent) for extent in shape], shape=[shape[k] for k in order], order=order)


def lower_axis_moves(
    shape: Sequence[int], source: Sequence[int], destination: Sequence[int], names: tuple[str, str]
) -> Windows:
    """Return the windows of axes that get other places, where the rest keep their order; ``names`` are the lists'."""
    rank = len(shape)
    places = resolve_axes(names[1], destination, rank)
    moved = resolve_axes(names[0], source, rank)
    if len(moved) != len(places):
        rule = f"have as many values as {names[0]}, {len(moved)}"
        raise AttributeValueError.about(names[1], rule, tuple(destination))
    axis_at = dict(zip(places, moved, strict=True))
    rest = iter([axis for axis in range(rank) if axis not in moved])
    return lower_transposition(names[0], shape, [axis_at[k] if k in axis_at else next(rest) for k in range(rank)])
