"""OpenVINO VariadicSplit-1."""

from __future__ import annotations

from typing import Any

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, as_index, as_indices
from fastops._lowering._arguments import Rule, at_most
from fastops._lowering._bounds import resolve_axis_of
from fastops._lowering._slices import MOST_PARTS, lower_splits, resolve_lengths
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Outs, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering(
    "variadic_split",
    Rule(r.SPLIT, (r.AXIS, r.LENGTHS), r.MAY_INFER),
    axis=as_index,
    split_lengths=at_most(MOST_PARTS, as_indices),
)
def lower_variadic_split(shape: Indices, axis: Index, split_lengths: Indices) -> list[Windows]:
    """Return the plans of `fastops.variadic_split` on data of this shape, one per part.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.variadic_split((6, 4), 0, [-1, 2])]
    [(4, 4), (2, 4)]
    """
    at = resolve_axis_of(shape, "axis", axis)
    if not split_lengths:
        raise AttributeValueError.about("split_lengths", "have at least one length", split_lengths, at, shape[at])
    return lower_splits(shape, at, resolve_lengths("split_lengths", split_lengths, at, shape[at]))


_OPERATOR = Operator(lower_variadic_split)


@keeps_kind
def variadic_split(
    data: Data,
    axis: Index,
    split_lengths: Indices,
    *,
    out: Outs = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> list[AnyArray]:
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
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

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
    return _OPERATOR.run_gather(data, (axis, split_lengths), out, copy, None, chunks)
