"""NumPy's basic indexing, as a copy."""

from __future__ import annotations

from typing import Any

from fastops._errors import DTypeError
from fastops._geometry._numbers import Indices
from fastops._lowering._indexing import INDEX_RULE, as_places, lower_basic_index
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows, lowering
from fastops._operators._operator import Operator
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r
from fastops.ops.numpy._results import as_scalar


@lowering("numpy.take_slice", Rule(r.INDEX, (r.BEGIN,), -1), index=as_places)
def lower_take_slice(shape: Indices, index: Any) -> Windows:
    """Return the plan of `fastops.numpy.take_slice` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.numpy.take_slice((4, 5, 6), (0, ..., slice(None, None, -2))).shape
    (5, 3)
    """
    return lower_basic_index(shape, index)


_OPERATOR = Operator(lower_take_slice, data_name="x")


@keeps_kind
def take_slice(x: Data, index: Any, *, out: Out = None, copy: bool | None = True) -> AnyArray:
    """Return ``x[index]`` for any basic index, as a copy.

    Parameters
    ----------
    x : array_like
        Any shape, any dtype but object.
    index : int, slice, Ellipsis, None, or tuple of these
        As in NumPy's basic indexing: an integer takes one index and drops the axis, None adds an axis, an ellipsis
        stands for the axes that nothing else names.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap x.
    copy : bool or None
        True: a copy. False: a view. None: a view, unless ``out`` is given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of x's dtype, or a view of x. An index of integers alone gives a
        scalar, as in NumPy, unless a view or ``out`` is asked for.

    Raises
    ------
    AttributeValueError
        More indices than axes, two ellipses, or a step of 0.
    OutOfBoundsError
        An integer lies outside its axis.
    DTypeError
        Anything else, as lists, booleans and arrays, which are advanced indices; or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, basic indexing.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.take_slice(np.arange(12).reshape(3, 4), np.s_[1:, ::-2])
    array([[ 7,  5],
           [11,  9]])
    """
    if type(index) is list:
        # Not a tuple of indices, for which a call would be looked up.
        raise DTypeError.also(IndexError)(_OPERATOR.name, "index", INDEX_RULE, index)
    result = _OPERATOR.run_gather(x, (index,), out, copy)
    if result.ndim or index is Ellipsis or (type(index) is tuple and any([place is Ellipsis for place in index])):
        return result
    return as_scalar(result, out, copy)
