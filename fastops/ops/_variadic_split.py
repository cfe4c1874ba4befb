"""OpenVINO VariadicSplit-1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from fastops._attributes import Index, Indices, as_axis, as_index, as_indices
from fastops._axis_map import AxisMap
from fastops._dtypes import AnyArray
from fastops._errors import AttributeValueError
from fastops._operator import Operator, lowering
from fastops._plan import SlicePlan

OP = "variadic_split"

# An axis can be split into that many parts.
_MOST_PARTS = 1 << 20


def lower_variadic_split(shape: Sequence[int], axis: int, split_lengths: Sequence[int]) -> tuple[SlicePlan, ...]:
    """Return the plans of a VariadicSplit-1 on data of this shape, one a part."""
    if not shape:
        raise AttributeValueError(OP, "data", "have at least one axis", tuple(shape))
    axis = as_axis(OP, "axis", axis, len(shape))
    extent = shape[axis]
    lengths = resolve_lengths(split_lengths, axis, extent)
    whole = [AxisMap.whole(n) for n in shape]
    plans = []
    start = 0
    for length in lengths:
        part = AxisMap.create(extent, start, 1, length)
        plans.append(SlicePlan.create((*whole[:axis], part, *whole[axis + 1 :])))
        start += length
    return tuple(plans)


def resolve_lengths(split_lengths: Sequence[int], axis: int, extent: int) -> tuple[int, ...]:
    """Return the lengths with the one -1 replaced by what the others leave of the axis."""
    lengths = tuple(split_lengths)
    if not lengths:
        raise AttributeValueError(OP, "split_lengths", "have at least one length", split_lengths, axis, extent)
    if min(lengths) < -1:
        raise AttributeValueError(OP, "split_lengths", "be at least 0, or -1 once", split_lengths, axis, extent)
    unknown = lengths.count(-1)
    if unknown > 1:
        raise AttributeValueError(OP, "split_lengths", "have -1 at most once", split_lengths, axis, extent)
    rest = extent - (sum(lengths) + unknown)
    if rest < 0 or (rest > 0 and not unknown):
        raise AttributeValueError(OP, "split_lengths", f"sum to {extent}", split_lengths, axis, extent)
    return tuple(rest if length == -1 else length for length in lengths)


@lowering(OP)
def plan_variadic_split(shape: Indices, axis: Index, split_lengths: Indices) -> list[SlicePlan]:
    """Return the plans of `fastops.variadic_split` on data of this shape, one a part.

    Examples
    --------
    >>> [plan.shape for plan in plan_variadic_split((6, 4), 0, [-1, 2])]
    [(4, 4), (2, 4)]
    """
    lengths = as_indices(OP, "split_lengths", split_lengths, _MOST_PARTS)
    return list(lower_variadic_split(shape, as_index(OP, "axis", axis), lengths))


_operator = Operator(OP, plan_variadic_split)
_run = _operator.run_parts


def variadic_split(
    data: ArrayLike,
    axis: Index,
    split_lengths: Indices,
    *,
    out: Sequence[AnyArray] | None = None,
    copy: bool | None = True,
) -> list[Any]:
    """Split an array along an axis into parts of given lengths: OpenVINO VariadicSplit-1.

    Part k is ``data[..., s : s + split_lengths[k], ...]``, where s is the sum of the lengths before it. All parts are
    written by one launch of the kernel.

    Parameters
    ----------
    data : array_like
        Rank 1 or more, any dtype but object. Subclasses and masks are dropped.
    axis : int
        Axis to split, or an array of one; negative axes count from the end.
    split_lengths : list of int
        Lengths of the parts, 0 allowed. One may be -1: what the others leave. They must sum to the axis.
    out : sequence of ndarray, optional
        Where to write, one array a part, with any strides. They may overlap data, not each other.
    copy : bool or None
        True: copies. False: views. None: views, unless ``out`` is given.

    Returns
    -------
    list of ndarray
        The arrays of ``out``, or fresh C-contiguous arrays, or views of data.

    Raises
    ------
    AttributeValueError
        The axis is none of data's, lengths below -1, more than one -1, a sum other than the axis, or no lengths.
    DTypeError
        Axis or lengths that are no integers, or data of dtype object.
    OutputError
        ``out`` has another number of arrays than parts, or one of them does not fit its part.

    Notes
    -----
    Specification: VariadicSplit, version VariadicSplit-1. An empty list of lengths is an error on an empty axis too.

    Examples
    --------
    >>> import numpy as np, fastops as fo
    >>> fo.variadic_split(np.arange(6), 0, [1, -1, 2])
    [array([0]), array([1, 2, 3]), array([4, 5])]
    """
    return _run(data, (axis, split_lengths), out, copy)
