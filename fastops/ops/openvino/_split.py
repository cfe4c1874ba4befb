"""OpenVINO Split-1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray
from fastops._lowering._family import equal_lengths, resolve_axis, split_in_order
from fastops._operators._operator import Operator, lowering
from fastops._plans._integers import Index, Indices, as_index, as_scalar
from fastops._plans._slice_plan import SlicePlan

OP = "openvino.split"


@lowering(OP)
def plan_split(shape: Indices, axis: Index, num_splits: Index) -> list[SlicePlan]:
    """Return the plans of `fastops.openvino.split` on data of this shape, one a part.

    Examples
    --------
    >>> [plan.shape for plan in plan_split((6, 4), 0, 2)]
    [(3, 4), (3, 4)]
    """
    parts = as_index(OP, "num_splits", num_splits)
    number = as_scalar(OP, "axis", axis)
    at = resolve_axis(OP, "data", "axis", number, shape)
    return list(split_in_order(shape, at, equal_lengths(OP, "num_splits", parts, at, shape[at])))


_run = Operator(OP, plan_split).run_parts


def split(
    data: ArrayLike,
    axis: Index,
    num_splits: Index,
    *,
    out: Sequence[AnyArray] | None = None,
    copy: bool | None = True,
) -> list[Any]:
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
    return _run(data, (axis, num_splits), out, copy)
