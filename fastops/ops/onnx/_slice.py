"""ONNX Slice."""

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

_NAMES = ("starts", "ends", "steps", "axes")


@lowering(
    "onnx.slice",
    Rule(r.SLICES, (r.BEGIN, r.END, r.AXES, r.STRIDE), ClampRule.OPENVINO.value),
    starts=as_indices,
    ends=as_indices,
    axes=optional(as_indices),
    steps=optional(as_indices),
)
def lower_slice(
    shape: Indices, starts: Indices, ends: Indices, axes: Indices | None = None, steps: Indices | None = None
) -> Windows:
    """Return the plan of `fastops.onnx.slice` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.onnx.slice((4, 6), [1], [-1], [1]).shape
    (4, 4)
    """
    return lower_slices(ClampRule.OPENVINO, _NAMES, shape, starts, ends, steps, axes)


_OPERATOR = Operator(lower_slice)


@keeps_kind
def slice(
    data: Data,
    starts: Indices,
    ends: Indices,
    axes: Indices | None = None,
    steps: Indices | None = None,
    *,
    out: Out = None,
    copy: bool | None = True,
) -> AnyArray:
    """Take ``starts : ends : steps`` of some axes: ONNX Slice.

    ``result[y] = data[start + y * step]`` along each axis that axes names, for ``0 <= y < count``, as in Python
    slicing: negative bounds count from the end, out-of-range ones are clamped. The other axes are taken whole.

    Parameters
    ----------
    data : array_like
        Rank 1 or more where there are bounds, any dtype but object.
    starts, ends : list of int
        Of one length.
    axes : list of int, optional
        The axes that they are about, each once, negative ones from the end; the first ones by default.
    steps : list of int, optional
        Not 0; all 1 by default.
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
    Specification: ONNX Slice-13 (and Slice-10, Slice-11; Slice-1 has the same lists as attributes). With a negative
    step, a start before the axis is moved to index 0, where NumPy takes nothing. ONNX Runtime takes an end of exactly
    2^31 - 1 or 2^63 - 1 for one before the axis if the step is negative, which the specification does not say.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import onnx
    >>> onnx.slice(np.arange(10).reshape(2, 5), [-1], [-9], axes=[1], steps=[-2])
    array([[4, 2, 0],
           [9, 7, 5]])
    """
    return _OPERATOR.run_gather(data, (starts, ends, axes, steps), out, copy)
