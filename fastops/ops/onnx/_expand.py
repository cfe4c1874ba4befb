"""ONNX Expand."""

from __future__ import annotations

from fastops._arrays._dtypes import AnyArray
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._decorator import lowering
from fastops._lowering._repeats import lower_mutual_broadcasts
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind


@lowering("onnx.expand", shape=as_indices)
def lower_expand(input_shape: Indices, shape: Indices) -> Windows:
    """Return the plan of `fastops.onnx.expand` on an input of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.onnx.expand((3, 1), (2, 1, 4)).shape
    (2, 3, 4)
    """
    return lower_mutual_broadcasts("shape", input_shape, shape)


_OPERATOR = Operator(lower_expand, data_name="input")


@keeps_kind
def expand(input: Data, shape: Indices, *, out: Out = None, copy: bool | None = True) -> AnyArray:
    """Broadcast an array and a shape to each other: ONNX Expand.

    The shorter of input's shape and shape gets ones in front. Output y of an axis reads index 0 where input has 1, else
    index y; where shape has 1, the axis stays as it is.

    Parameters
    ----------
    input : array_like
        Any shape, any dtype but object.
    shape : list of int
        What to broadcast to, >= 0.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap input.
    copy : bool or None
        True: a copy. False: a read-only view. None: that, unless ``out`` is given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of input's dtype, or a view of input.

    Raises
    ------
    AttributeValueError
        Along an axis the two have different lengths, and neither is 1.
    DTypeError
        A shape that is no list of integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: ONNX Expand-13 (and Expand-8).

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import onnx
    >>> onnx.expand(np.arange(2).reshape(2, 1), [3])
    array([[0, 0, 0],
           [1, 1, 1]])
    """
    return _OPERATOR.run_gather(input, (shape,), out, copy)
