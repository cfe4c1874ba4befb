"""Repeats: tiles, which repeat axes as they are, repeats of each element, and broadcasts of axes of length 1."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from fastops._errors import AttributeValueError, counted
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._axes import with_ones
from fastops._lowering._bounds import Bounds
from fastops._lowering._windows import Windows


def lower_tiles(shape: Sequence[int], repeats: Sequence[int]) -> Windows:
    """Return the windows that repeat each axis so often, >= 0; the shorter list gets ones in front."""
    rank = max(len(shape), len(repeats))
    extents, times = with_ones(shape, rank), with_ones(repeats, rank)
    bounds = [(0, 1, extent * n) for extent, n in zip(extents, times, strict=True)]
    return Windows(extents, bounds, SampleMode.WRAP, None, shape)


def lower_repeats(shape: Sequence[int], n: int, axis: int | None) -> Windows:
    """Return the windows that give each element along an axis n times, >= 0, or each of the flattened data for None."""
    # Behind the axis stands one of length 1, whose n outputs all read the same: the two are one axis of the result.
    at = len(shape) if axis is None else axis + 1
    extents = [*shape[:at], 1, *shape[at:]]
    bounds: list[Bounds] = [(0, 1, extent) for extent in extents]
    bounds[at] = (0, 0, n)
    result = [prod(shape) * n] if axis is None else [*shape[:axis], shape[axis] * n, *shape[at:]]
    return Windows(extents, bounds, shape=result, source_shape=shape, order=tuple(range(len(extents))))


def lower_broadcasts(
    attribute: str, shape: Sequence[int], target: Sequence[int], source_shape: Sequence[int] | None = None
) -> Windows:
    """Return the windows that repeat axes of length 1 to a target shape, which has as many axes as ``shape``, or more.

    ``source_shape`` is data's, where ``shape`` has ones that data does not have.
    """
    extents = with_ones(shape, len(target))
    if len(target) < len(shape):
        raise AttributeValueError.about(attribute, f"have at least {counted(len(shape), 'value')}", tuple(target))
    bounds: list[Bounds] = []
    for axis, (extent, count) in enumerate(zip(extents, target, strict=True)):
        if count < 0 or (count != extent and extent != 1):
            rule = f"be {extent} where the data's length is not 1" if extent != 1 else "be at least 0"
            raise AttributeValueError.about(attribute, rule, tuple(target), axis, extent)
        bounds.append((0, 0 if extent == 1 else 1, count))
    return Windows(extents, bounds, source_shape=shape if source_shape is None else source_shape)


def lower_mutual_broadcasts(attribute: str, shape: Sequence[int], target: Sequence[int]) -> Windows:
    """Return the windows that repeat axes of length 1 to the shape to which data and the target broadcast."""
    rank = max(len(shape), len(target))
    both = []
    for axis, (extent, n) in enumerate(zip(with_ones(shape, rank), with_ones(target, rank), strict=True)):
        if n < 0 or (n != extent and extent != 1 and n != 1):
            rule = f"be 1 or {extent}" if extent != 1 else "be at least 0"
            raise AttributeValueError.about(attribute, rule, tuple(target), axis, extent)
        both.append(n if extent == 1 else extent)
    return lower_broadcasts(attribute, shape, both)
