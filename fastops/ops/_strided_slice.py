"""OpenVINO StridedSlice-1."""

from __future__ import annotations

from typing import Any

from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._arguments import Rule, as_bits, optional
from fastops._lowering._bounds import ClampRule
from fastops._lowering._slices import Dialect, lower_strided_slices
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r

_NO_MASK: tuple[int, ...] = ()
_DIALECT = Dialect(ClampRule.OPENVINO, shrinks_backwards=True)


@lowering(
    "strided_slice",
    Rule(
        r.SLICES,
        (r.BEGIN, r.END, r.STRIDE, r.BEGIN_MASK, r.END_MASK, r.NEW_AXIS_MASK, r.SHRINK_MASK, r.ELLIPSIS_MASK),
        ClampRule.OPENVINO.value,
    ),
    begin=as_indices,
    end=as_indices,
    strides=optional(as_indices),
    begin_mask=as_bits,
    end_mask=as_bits,
    new_axis_mask=as_bits,
    shrink_axis_mask=as_bits,
    ellipsis_mask=as_bits,
)
def lower_strided_slice(
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
) -> Windows:
    """Return the plan of `fastops.strided_slice` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.strided_slice((2, 3, 4), [1, 0, 0], [0, 0, 2], begin_mask=[0, 1, 1], end_mask=[1, 1, 0]))
    (2, 3, 4) -> (1, 3, 2)
      axis 0: extent 2, start 1, stride 1, count 1, strict_bounds
      axis 1: extent 3, start 0, stride 1, count 3, strict_bounds
      axis 2: extent 4, start 0, stride 1, count 2, strict_bounds
    """
    steps = (1,) * len(begin) if strides is None else strides
    masks = (begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)
    return lower_strided_slices(_DIALECT, shape, begin, end, steps, *masks)


_OPERATOR = Operator(lower_strided_slice)


@keeps_kind
def strided_slice(
    data: Data,
    begin: Indices,
    end: Indices,
    strides: Indices | None = None,
    *,
    begin_mask: Indices = _NO_MASK,
    end_mask: Indices = _NO_MASK,
    new_axis_mask: Indices = _NO_MASK,
    shrink_axis_mask: Indices = _NO_MASK,
    ellipsis_mask: Indices = _NO_MASK,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
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
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

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
        return _OPERATOR.run_gather(data, (begin, end, strides), out, copy, None, chunks)
    masks = (begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)
    return _OPERATOR.run_gather(data, (begin, end, strides, *masks), out, copy, None, chunks)
