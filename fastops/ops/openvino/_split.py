"""OpenVINO Split-1."""

from __future__ import annotations

from fastops._geometry._numbers import Index, Indices, as_index
from fastops._lowering._arguments import as_scalar
from fastops._lowering._axes import resolve_axis_of
from fastops._lowering._rule import Rule
from fastops._lowering._splits import equal_lengths, lower_splits
from fastops._lowering._windows import Windows, lowering
from fastops._operators._operator import Operator
from fastops._types import AnyArray, Data, Outs, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering("openvino.split", Rule(r.SPLIT, (r.AXIS, r.LENGTHS), r.NO_LIST, r.PARTS), axis=as_scalar, num_splits=as_index)
def lower_split(shape: Indices, axis: Index, num_splits: Index) -> list[Windows]:
    """Return the plans of `fastops.openvino.split` on data of this shape, one per part.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.openvino.split((6, 4), 0, 2)]
    [(3, 4), (3, 4)]
    """
    at = resolve_axis_of(shape, "axis", axis)
    return lower_splits(shape, at, equal_lengths("num_splits", num_splits, at, shape[at]))


_OPERATOR = Operator(lower_split)


@keeps_kind
def split(
    data: Data,
    axis: Index,
    num_splits: Index,
    *,
    out: Outs = None,
    copy: bool | None = True,
) -> list[AnyArray]:
    """Split an array along an axis into equal parts: OpenVINO Split-1.

    Part k is ``data[..., k * n : (k + 1) * n, ...]`` with ``n = data.shape[axis] / num_splits``. All parts are written
    by one launch of the kernel.

    Parameters
    ----------
    data : array_like
        Rank 1 or more, any dtype but object.
    axis : int
        A scalar; negative axes count from the end.
    num_splits : int
        Number of parts, at least 1. It must divide the axis.
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
        The axis is none of data's, or no scalar, or num_splits does not divide it.
    DTypeError
        Axis or num_splits that are no integers, or data of dtype object.
    OutputError
        ``out`` has another number of arrays than parts, or one of them does not fit its part.

    Notes
    -----
    Specification: OpenVINO opset 1, Split-1.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.split(np.arange(6), 0, 3)
    [array([0, 1]), array([2, 3]), array([4, 5])]
    """
    return _OPERATOR.run_gather(data, (axis, num_splits), out, copy)
