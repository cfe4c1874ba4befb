"""OpenVINO StridedSlice-1."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from itertools import repeat
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from fastops._attributes import Indices, as_bits, as_indices
from fastops._axis_map import AxisMap
from fastops._bounds import ClampRule, resolve_bounds
from fastops._crop import Bounds, create_crop
from fastops._dtypes import AnyArray, AnyDType
from fastops._errors import AttributeValueError, OutOfBoundsError
from fastops._launch import Launch
from fastops._look_up import CACHE_SIZE
from fastops._operator import Operator, lowering
from fastops._plan import SlicePlan

OP = "strided_slice"
_NO_MASK: tuple[int, ...] = ()
_RULE = ClampRule.OPENVINO
_MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")


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


def read_positions(
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
        raise AttributeValueError(
            OP, "begin", f"name at most {rank} axes, not {rank - left}, in data of rank {rank}", begin
        )
    return _place_positions(rank, left, *uses)


@lru_cache(CACHE_SIZE)
def _place_positions(rank: int, left: int, *uses: Use) -> list[Position]:
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


def read_axes(
    shape: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    begin_mask: Sequence[int] = _NO_MASK,
    end_mask: Sequence[int] = _NO_MASK,
    new_axis_mask: Sequence[int] = _NO_MASK,
    shrink_axis_mask: Sequence[int] = _NO_MASK,
    ellipsis_mask: Sequence[int] = _NO_MASK,
) -> tuple[list[Bounds], list[int]]:
    """Return the start, stride and count of each source axis, and the shape of the result."""
    n = len(begin)
    for attribute, value in (("end", end), ("strides", strides)):
        if len(value) != n:
            raise AttributeValueError(OP, attribute, f"have as many values as begin, {n}", value)
    if sum(ellipsis_mask) > 1:
        # The specification counts the bits beyond begin too, although they mean nothing.
        raise AttributeValueError(OP, "ellipsis_mask", "have at most one bit set", ellipsis_mask)
    begin_bits = fit_mask(begin_mask, n)
    end_bits = fit_mask(end_mask, n)
    if not (new_axis_mask or shrink_axis_mask or ellipsis_mask or 0 in strides or n > len(shape)):
        # Each position is about its own axis: what most calls mean, in a third of the time.
        bounds = list(map(resolve_bounds, shape, begin, end, strides, repeat(_RULE), begin_bits, end_bits))
        bounds += [(0, 1, extent) for extent in shape[n:]]
        return bounds, [count for _, _, count in bounds]
    new_axis, shrink, ellipsis = [fit_mask(mask, n) for mask in (new_axis_mask, shrink_axis_mask, ellipsis_mask)]
    bounds = []
    counts: list[int] = []
    for i, use, axis, rank in read_positions(len(shape), begin, new_axis, shrink, ellipsis):
        if use is _SLICE:
            extent, stride = shape[axis], strides[i]
            if stride == 0:
                raise AttributeValueError(OP, "strides", "not be 0", strides, axis, extent)
            bound = resolve_bounds(extent, begin[i], end[i], stride, _RULE, begin_bits[i], end_bits[i])
            bounds.append(bound)
            counts.append(bound[2])
        elif use is Use.NEW_AXIS:
            counts.append(1)
        elif use is Use.ELLIPSIS:
            whole = shape[axis : axis + rank]
            bounds += [(0, 1, extent) for extent in whole]
            counts += whole
        else:
            bounds.append(_shrink(begin[i], axis, shape[axis]))
    return bounds, counts


def lower_strided_slice(shape: Sequence[int], *attributes: Sequence[int]) -> SlicePlan:
    """Return the plan of a StridedSlice-1 on data of this shape; the attributes are those of `read_axes`."""
    bounds, counts = read_axes(shape, *attributes)
    return SlicePlan.create(
        tuple([AxisMap.create(extent, *bound) for extent, bound in zip(shape, bounds, strict=True)]), tuple(counts)
    )


def fit_mask(mask: Sequence[int], n: int) -> tuple[int, ...]:
    """Return a mask with n bits: short ones are padded with zeros, the rest of long ones is ignored."""
    return (*mask[:n], *(0,) * (n - len(mask))) if mask else (0,) * n


def _shrink(begin: int, axis: int, extent: int) -> Bounds:
    """Return the bounds that take one index of an axis, counted from the end where it is negative."""
    if not -extent <= begin < extent:
        rule = f"be in {-extent}..{extent - 1} where shrink_axis_mask is set" if extent else "not shrink an empty axis"
        raise OutOfBoundsError(OP, "begin", rule, begin, axis, extent)
    return begin % extent, 1, 1


def _as_attributes(
    begin: Indices, end: Indices, strides: Indices | None, *masks: Indices
) -> tuple[tuple[int, ...], ...]:
    """Return what callers write, with or without masks, as the arguments of `read_axes` behind the shape."""
    first = as_indices(OP, "begin", begin)
    return (
        first,
        as_indices(OP, "end", end),
        (1,) * len(first) if strides is None else as_indices(OP, "strides", strides),
        *[as_bits(OP, name, mask) for name, mask in zip(_MASKS, masks, strict=False)],
    )


@lowering(OP)
def plan_strided_slice(
    shape: Indices,
    begin: Indices,
    end: Indices,
    strides: Indices | None = None,
    *,
    begin_mask: Indices = _NO_MASK,
    end_mask: Indices = _NO_MASK,
    new_axis_mask: Indices = _NO_MASK,
    shrink_axis_mask: Indices = _NO_MASK,
    ellipsis_mask: Indices = _NO_MASK,
) -> SlicePlan:
    """Return the plan of `fastops.strided_slice` on data of this shape.

    Examples
    --------
    >>> print(plan_strided_slice((2, 3, 4), [1, 0, 0], [0, 0, 2], begin_mask=[0, 1, 1], end_mask=[1, 1, 0]))
    (2, 3, 4) -> (1, 3, 2)
      axis 0: extent 2, start 1, stride 1, count 1, strict_bounds
      axis 1: extent 3, start 0, stride 1, count 3, strict_bounds
      axis 2: extent 4, start 0, stride 1, count 2, strict_bounds
    """
    masks = (begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)
    return lower_strided_slice(shape, *_as_attributes(begin, end, strides, *masks))


def _create_launch(shape: tuple[int, ...], byte_strides: tuple[int, ...], dtype: AnyDType, *attributes: Any) -> Launch:
    """Return the launch of a call with these attributes: begin, end, strides, and masks or none."""
    bounds, counts = read_axes(shape, *_as_attributes(*attributes))
    return create_crop(shape, byte_strides, dtype, bounds, tuple(counts))


_operator = Operator(OP, plan_strided_slice, _create_launch)
_run = _operator.run


def strided_slice(
    data: ArrayLike,
    begin: Indices,
    end: Indices,
    strides: Indices | None = None,
    *,
    begin_mask: Indices = _NO_MASK,
    end_mask: Indices = _NO_MASK,
    new_axis_mask: Indices = _NO_MASK,
    shrink_axis_mask: Indices = _NO_MASK,
    ellipsis_mask: Indices = _NO_MASK,
    out: AnyArray | None = None,
    copy: bool | None = True,
) -> Any:
    """Extract a strided slice of an array: OpenVINO StridedSlice-1.

    Position i of begin, end and strides is about one axis of data, from the front, and gives
    ``result[y] = data[start + y * strides[i]]`` for ``0 <= y < count``, where start and count come from
    ``begin[i] : end[i] : strides[i]`` as in Python slicing: negative bounds count from the end, and out-of-range ones
    are clamped. The masks change what a position means. Axes that no position names are taken whole.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object. Subclasses and masks are dropped.
    begin, end : list of int
        Bounds, as many as positions: sequences, or 1-D arrays of any integer type.
    strides : list of int, optional
        Steps, not 0; all 1 by default.
    begin_mask, end_mask : list of 0 and 1
        Where set, the bound is ignored and the axis's own end is taken.
    new_axis_mask : list of 0 and 1
        Where set, the position adds an axis of length 1, and its bounds are ignored.
    shrink_axis_mask : list of 0 and 1
        Where set, the position takes index ``begin[i]`` and drops the axis; end and stride are ignored.
    ellipsis_mask : list of 0 and 1
        Where set, at most once, the position stands for all axes that no other one names.
        Masks shorter than begin are padded with zeros, and the rest of longer ones is ignored.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view. None: a view, unless ``out`` is given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        Lists of different lengths, a stride of 0, more positions than axes, a mask bit that is neither 0 nor 1, two
        ellipses, or ``copy=False`` together with ``out``.
    OutOfBoundsError
        A shrunk index lies outside its axis.
    DTypeError
        Indices that are no integers, or data of dtype object.
    OutputError
        ``out`` has another shape or dtype, is read-only, or overlaps itself; or the output cannot be allocated.

    Notes
    -----
    Specification: StridedSlice, version StridedSlice-1. With a negative stride, a begin before the axis is moved to
    index 0, where NumPy takes nothing.

    Examples
    --------
    >>> import numpy as np, fastops as fo
    >>> fo.strided_slice(np.arange(10), [8], [1], [-3])
    array([8, 5, 2])
    >>> fo.strided_slice(np.arange(6).reshape(2, 3), [0, 1], [0, 0], end_mask=[1, 0], shrink_axis_mask=[0, 1])
    array([1, 4])
    """
    if begin_mask is end_mask is new_axis_mask is shrink_axis_mask is ellipsis_mask is _NO_MASK:
        return _run(data, (begin, end, strides), out, copy)
    masks = (begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)
    return _run(data, (begin, end, strides, *masks), out, copy)
