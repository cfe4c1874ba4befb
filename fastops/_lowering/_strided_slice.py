"""Strided slices: what begin, end, strides and five masks say of the axes of data.

That is StridedSlice of OpenVINO and of TensorFlow. They differ in the clamping rule, in the strides that a shrunk
position may have, and in how callers write masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

from fastops._errors import AttributeValueError, OutOfBoundsError, counted
from fastops._lowering._bounds import Bounds, ClampRule, resolve_bounds
from fastops._lowering._windows import Windows
from fastops._settings import CACHE_SIZE

_NO_MASK: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between frameworks.

    Attributes
    ----------
    rule : ClampRule
        How bounds are clamped.
    shrinks_backwards : bool
        True if a shrunk position may have any stride; False if its stride must be positive.
    """

    rule: ClampRule
    shrinks_backwards: bool


class Use(Enum):
    """What one position of begin, end and strides is used for."""

    ELLIPSIS = "ellipsis"
    NEW_AXIS = "new axis"
    SHRINK = "shrink"
    SLICE = "slice"


_SLICE = Use.SLICE  # Looking it up would take longer than using it.


class Position(NamedTuple):
    """Position ``i`` of begin, end and strides, and the ``rank`` source axes from ``axis`` on that it is about."""

    i: int
    use: Use
    axis: int
    rank: int


def positions_of(
    rank: int, begin: Sequence[int], new_axis: Sequence[int], shrink: Sequence[int], ellipsis: Sequence[int]
) -> list[Position]:
    """Return what each position of begin is used for, then the axes that none names, as an ellipsis at the end.

    Masks have as many bits as begin. Where several are set at one position, the ellipsis counts first, then the new
    axis, then shrink.
    """
    n = len(begin)
    uses = [_SLICE] * n
    if 1 in ellipsis or 1 in new_axis or 1 in shrink:
        uses = [
            Use.ELLIPSIS if of_ellipsis else Use.NEW_AXIS if of_new else Use.SHRINK if of_shrink else _SLICE
            for of_ellipsis, of_new, of_shrink in zip(ellipsis, new_axis, shrink, strict=True)
        ]
    left = rank - n + uses.count(Use.ELLIPSIS) + uses.count(Use.NEW_AXIS)
    if left < 0:
        raise AttributeValueError.about(
            "begin", f"name at most {counted(rank, 'axis')}, not {rank - left}, in data of rank {rank}", begin
        )
    return _place(rank, left, *uses)


@lru_cache(CACHE_SIZE)
def _place(rank: int, left: int, *uses: Use) -> list[Position]:
    """Return the positions of these uses; an ellipsis stands for the `left` axes that no other position names."""
    positions = []
    axis = 0
    for i, use in enumerate(uses):
        taken = left if use is Use.ELLIPSIS else 0 if use is Use.NEW_AXIS else 1
        positions.append(Position(i, use, axis, taken))
        axis += taken
    if axis < rank:
        positions.append(Position(len(uses), Use.ELLIPSIS, axis, rank - axis))
    return positions


def lower_strided_slices(
    dialect: Dialect,
    shape: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    begin_mask: Sequence[int] = _NO_MASK,
    end_mask: Sequence[int] = _NO_MASK,
    new_axis_mask: Sequence[int] = _NO_MASK,
    shrink_axis_mask: Sequence[int] = _NO_MASK,
    ellipsis_mask: Sequence[int] = _NO_MASK,
) -> Windows:
    """Return the windows of a strided slice."""
    n = len(begin)
    for attribute, value in (("end", end), ("strides", strides)):
        if len(value) != n:
            raise AttributeValueError.about(attribute, f"have as many values as begin, {n}", value)
    if sum(ellipsis_mask) > 1:
        # The specification counts the bits beyond begin too, although they mean nothing.
        raise AttributeValueError.about("ellipsis_mask", "have at most one bit set", ellipsis_mask)
    begin_bits = fit_mask(begin_mask, n)
    end_bits = fit_mask(end_mask, n)
    if not (new_axis_mask or shrink_axis_mask or ellipsis_mask or 0 in strides or n > len(shape)):
        # Each position is about its own axis: what most calls mean, in a third of the time.
        bounds = list(map(resolve_bounds, shape, begin, end, strides, repeat(dialect.rule), begin_bits, end_bits))
        bounds += [(0, 1, extent) for extent in shape[n:]]
        return Windows(shape, bounds)
    new_axis, shrink, ellipsis = [fit_mask(mask, n) for mask in (new_axis_mask, shrink_axis_mask, ellipsis_mask)]
    bounds = []
    counts: list[int] = []
    for i, use, axis, rank in positions_of(len(shape), begin, new_axis, shrink, ellipsis):
        if use is _SLICE:
            extent, stride = shape[axis], strides[i]
            if stride == 0:
                raise AttributeValueError.about("strides", "not be 0", strides, axis, extent)
            bound = resolve_bounds(extent, begin[i], end[i], stride, dialect.rule, begin_bits[i], end_bits[i])
            bounds.append(bound)
            counts.append(bound[2])
        elif use is Use.NEW_AXIS:
            counts.append(1)
        elif use is Use.ELLIPSIS:
            whole = shape[axis : axis + rank]
            bounds += [(0, 1, extent) for extent in whole]
            counts += whole
        else:
            if strides[i] <= 0 and not dialect.shrinks_backwards:
                rule = "be positive where shrink_axis_mask is set"
                raise AttributeValueError.about("strides", rule, strides, axis, shape[axis])
            bounds.append(_shrink(begin[i], axis, shape[axis]))
    return Windows(shape, bounds, shape=counts)


def fit_mask(mask: Sequence[int], n: int) -> tuple[int, ...]:
    """Return a mask with n bits: short ones are padded with zeros, the rest of long ones is ignored."""
    return (*mask[:n], *(0,) * (n - len(mask))) if mask else (0,) * n


def _shrink(begin: int, axis: int, extent: int) -> Bounds:
    """Return the bounds that take one index of an axis, counted from the end where it is negative."""
    if not -extent <= begin < extent:
        rule = f"be in {-extent}..{extent - 1} where shrink_axis_mask is set" if extent else "not shrink an empty axis"
        raise OutOfBoundsError.about("begin", rule, begin, axis, extent)
    return begin % extent, 1, 1
