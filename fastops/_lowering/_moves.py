"""Moves: rolls, reversals and rotations, in which elements change places and none is repeated or left out."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._windows import Windows


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
    """Return the windows that turn a plane by k quarters, from axis ``first`` towards axis ``second``."""
    quarters = k % 4
    # Three quarters read axis `first` backwards, one reads axis `second` so, and two read both.
    backwards = [axis for axis, turns in ((first, (2, 3)), (second, (1, 2))) if quarters in turns]
    bounds = lower_reversals(shape, backwards).bounds
    order = list(range(len(shape)))
    if quarters % 2:
        order[first], order[second] = second, first
    return Windows(shape, bounds, shape=[shape[axis] for axis in order], order=order)
