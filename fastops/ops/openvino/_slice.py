"""OpenVINO Slice-8."""

from __future__ import annotations

from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._arguments import optional
from fastops._lowering._bounds import ClampRule
from fastops._lowering._rule import Rule
from fastops._lowering._slices import lower_slices
from fastops._lowering._windows import Windows, lowering
from fastops._operators._operator import Operator
from fastops._types import AnyArray, Data, Out, keeps_kind
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


_OPERATOR = Operator(lower_slice)


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
    return _OPERATOR.run_gather(data, (start, stop, step, axes), out, copy)
