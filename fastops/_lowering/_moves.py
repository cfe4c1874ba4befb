"""Moves: rolls, reversals and rotations, in which elements change places along axes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fastops._lowering._windows import Windows
from fastops._plans._sample_mode import SampleMode


def lower_rolls(shape: Sequence[int], shifts: Sequence[int], axes: Sequence[int]) -> Windows:
    """Return the windows that move each element so far along its axes, around their ends; repeated axes add up."""
    total = [0] * len(shape)
    for axis, shift in zip(axes, shifts, strict=True):
        total[axis] += shift
    bounds = [(-shift % max(extent, 1), 1, extent) for extent, shift in zip(shape, total, strict=True)]
    return Windows(shape, bounds, SampleMode.WRAP)


def lower_reversals(shape: Sequence[int], axes: Collection[int]) -> Windows:
    """Return the windows that read these axes backwards."""
    return Windows(shape, [(extent - 1, -1, extent) if k in axes else (0, 1, extent) for k, extent in enumerate(shape)])


def lower_rotation(shape: Sequence[int], k: int, first: int, second: int) -> Windows:
    """Return the windows of k quarter turns in the plane of two different axes, from the first towards the second."""
    turns = k % 4
    # A quarter turn swaps the two axes; the one that is read backwards is named in the source's order.
    backwards = ((), (second,), (first, second), (first,))[turns]
    order = list(range(len(shape)))
    if turns % 2:
        order[first], order[second] = second, first
    bounds = lower_reversals(shape, backwards).bounds
    return Windows(shape, bounds, shape=[shape[axis] for axis in order], order=tuple(order))
