"""OpenVINO Slice and Split."""

from __future__ import annotations

from typing import Any

from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, as_index, as_indices
from fastops._lowering._arguments import Rule, as_scalar, optional
from fastops._lowering._bounds import ClampRule, resolve_axis_of
from fastops._lowering._slices import equal_lengths, lower_slices, lower_splits
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, Outs, keeps_kind
from fastops.kernels._tables import _rules as r

_NAMES = ("start", "stop", "step", "axes")


@lowering(
    "openvino.slice",
    Rule(r.SLICES, (r.BEGIN, r.END, r.STRIDE, r.AXES), ClampRule.OPENVINO.value),
    start=as_indices,
    stop=as_indices,
    step=as_indices,
    axes=optional(as_indices),
)
def lower_slice(shape: Indices, start: Indices, stop: Indices, step: Indices, axes: Indices | None = None) -> Windows:
    """Return the plan of `fastops.openvino.slice` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.openvino.slice((4, 6), [-1], [0], [-2], [1]).shape
    (4, 3)
    """
    return lower_slices(ClampRule.OPENVINO, _NAMES, shape, start, stop, step, axes)


_SLICE = Operator(lower_slice)


@keeps_kind
def slice(
    data: Data,
    start: Indices,
    stop: Indices,
    step: Indices,
    axes: Indices | None = None,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Take ``start : stop : step`` of some axes: OpenVINO Slice-8.

    ``result[y] = data[start + y * step]`` along each axis that axes names, for ``0 <= y < count``, as in Python
    slicing: negative bounds count from the end, out-of-range ones are clamped. The other axes are taken whole.

    Parameters
    ----------
    data : array_like
        Rank 1 or more where there are bounds, any dtype but object.
    start, stop, step : list of int
        Of one length. Steps are not 0.
    axes : list of int, optional
        The axes that they are about, each once, negative ones from the end; the first ones by default.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view. None: a view, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        Lists of different lengths, a step of 0 (on an empty axis too), an axis that data does not have, or one that is
        named twice.
    DTypeError
        Indices that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 8, Slice-8. With a negative step, a start before the axis is moved to index 0, where
    NumPy takes nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.slice(np.arange(10), [-1], [0], [-3])
    array([9, 6, 3])
    """
    return _SLICE.run_gather(data, (start, stop, step, axes), out, copy, None, chunks)


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


_SPLIT = Operator(lower_split)


@keeps_kind
def split(
    data: Data,
    axis: Index,
    num_splits: Index,
    *,
    out: Outs = None,
    copy: bool | None = True,
    chunks: Any = None,
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
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

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
    return _SPLIT.run_gather(data, (axis, num_splits), out, copy, None, chunks)
