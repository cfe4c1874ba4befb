"""OpenVINO VariadicSplit-1."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from numpy.typing import ArrayLike

from fastops._attributes import Index, Indices, as_axis, as_index, as_indices, as_shape, own_words
from fastops._axis_map import AxisMap
from fastops._dtypes import AnyArray, AnyDType
from fastops._errors import AttributeValueError, OutputError, reading
from fastops._hold import hold, hold_all
from fastops._launch import MOST_KEPT_PARTS, Launch, create_launch
from fastops._look_up import LASTING, is_plain, key_of, lists_of, look_up, remembered
from fastops._plan import SlicePlan
from fastops._running import as_source, run_fresh_parts, run_into
from fastops._view import run_or_view

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


def plan_variadic_split(shape: Indices, axis: Index, split_lengths: Indices) -> list[SlicePlan]:
    """Return the plans of `fastops.variadic_split` on data of this shape, one a part.

    Examples
    --------
    >>> [plan.shape for plan in plan_variadic_split((6, 4), 0, [-1, 2])]
    [(4, 4), (2, 4)]
    """
    with own_words(axis=axis, split_lengths=split_lengths):
        lengths = as_indices(OP, "split_lengths", split_lengths, _MOST_PARTS)
        return list(lower_variadic_split(as_shape(OP, shape), as_index(OP, "axis", axis), lengths))


def _create_launch(shape: tuple[int, ...], byte_strides: tuple[int, ...], dtype: AnyDType, *key: Any) -> Launch:
    """Return the launch of a call; the lists of the key are one of the axis alone and split_lengths."""
    (axis,), split_lengths, _ = lists_of(key)
    lengths = as_indices(OP, "split_lengths", split_lengths, _MOST_PARTS, lasting=LASTING)
    plans = lower_variadic_split(shape, as_index(OP, "axis", axis), lengths)
    return create_launch(plans, byte_strides, dtype)


_find_launch = remembered(_create_launch)


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
    source: Any = data
    launch = None
    # An array of one element could become another axis later.
    if type(axis) is int and is_plain(split_lengths) and len(split_lengths) <= MOST_KEPT_PARTS:
        launch = look_up(_find_launch, data, (axis,), split_lengths, None)
    if launch is None:
        plain_outs = tuple(out) if is_plain(out) else ()  # type: ignore[arg-type]
        source, _held = as_source(OP, data, plain_outs, may_copy=copy is not False)
        with own_words(axis=axis, split_lengths=split_lengths):
            lengths = as_indices(OP, "split_lengths", split_lengths, _MOST_PARTS)
            key = key_of((as_index(OP, "axis", axis),), lengths, None)
            find = _find_launch if len(lengths) <= MOST_KEPT_PARTS else _create_launch
            launch = find(source.shape, source.strides, source.dtype, *key)
    outs, _held_outs = (None, None) if out is None else _as_outs(out, source, len(launch.shapes))
    if copy is True:
        if outs is None:
            return run_fresh_parts(OP, launch, source)
        run_into(OP, launch, source, outs)
        return list(outs)
    return run_or_view(OP, launch, source, outs, None, copy)


def _as_outs(out: Any, source: Any, parts: int) -> tuple[tuple[Any, ...], list[Any]]:
    """Return the caller's arrays, one a part, out of a list that may change, and what holds them and the source."""
    if is_plain(out):
        outs = (*out[: parts + 1],)
        if len(outs) == parts:
            return outs, []
    held = hold(source)
    rule = f"be a list of {parts} arrays"
    with reading(OP, "out", rule, out, OutputError):
        if not isinstance(out, list | tuple):
            raise OutputError(OP, "out", rule, out)
        # Each as soon as it is known: the next may be given by code of the caller's.
        outs = ()
        for each in islice(out, parts + 1):
            held += hold_all(OP, None, (each,))
            outs += (each,)
        if len(outs) != parts:
            raise OutputError(OP, "out", rule, out)
    return outs, held
