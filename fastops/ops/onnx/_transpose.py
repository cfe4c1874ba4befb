"""ONNX Transpose."""

from __future__ import annotations

from typing import Any

from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._arguments import Rule, optional
from fastops._lowering._layouts import lower_transposition
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering("onnx.transpose", Rule(r.TRANSPOSE, (r.ORDER,)), perm=optional(as_indices))
def lower_transpose(shape: Indices, perm: Indices | None = None) -> Windows:
    """Return the plan of `fastops.onnx.transpose` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.onnx.transpose((4, 5, 3), [2, 0, 1]).shape
    (3, 4, 5)
    """
    return lower_transposition("perm", shape, perm, from_end=False)


_OPERATOR = Operator(lower_transpose)


@keeps_kind
def transpose(
    data: Data,
    perm: Indices | None = None,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Put axes in another order: ONNX Transpose.

    Axis k of the result is axis ``perm[k]`` of data.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object.
    perm : list of int, optional
        Each axis of data once, >= 0; the axes in reverse by default.
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
        The axes are not those of data, each once.
    DTypeError
        Axes that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: ONNX Transpose-25 (and those before, which differ in the types of data).

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import onnx
    >>> onnx.transpose(np.arange(6).reshape(2, 3))
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """
    return _OPERATOR.run_gather(data, (perm,), out, copy, None, chunks)
