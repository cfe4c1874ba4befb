"""numpy.broadcast_to, as a copy."""

from __future__ import annotations

from fastops._arrays._dtypes import AnyArray
from fastops._geometry._numbers import Index, Indices, OneOrMore
from fastops._lowering._arguments import as_one_or_more
from fastops._lowering._decorator import lowering
from fastops._lowering._repeats import lower_broadcasts
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind
from fastops.ops.numpy._results import as_read_only


@lowering("numpy.broadcast_to", shape=as_one_or_more)
def lower_broadcast_to(array_shape: Indices, shape: OneOrMore) -> Windows:
    """Return the plan of `fastops.numpy.broadcast_to` on an array of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.numpy.broadcast_to((3, 1), (2, 3, 4)).shape
    (2, 3, 4)
    """
    return lower_broadcasts("shape", array_shape, shape)


_OPERATOR = Operator(lower_broadcast_to, data_name="array")


@keeps_kind
def broadcast_to(array: Data, shape: Index | Indices, *, out: Out = None, copy: bool | None = True) -> AnyArray:
    """Repeat axes of length 1 to a shape: numpy.broadcast_to, as a copy.

    The array's shape gets ones in front. Output y of an axis reads index 0 where the array has 1, else index y.

    Parameters
    ----------
    array : array_like
        Any shape, any dtype but object.
    shape : int or list of int
        The shape of the result.
    out : ndarray, optional
        Where to write: of that shape and the array's dtype, with any strides. It may overlap the array.
    copy : bool or None
        True: a copy. False: a read-only view, as NumPy gives. None: that, unless ``out`` is given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the array's dtype, or a view of it.

    Raises
    ------
    AttributeValueError
        The array has another length than 1 and the shape's along an axis, or more axes.
    DTypeError
        A shape of no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.broadcast_to, without subok: subclasses are dropped.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.broadcast_to(np.arange(3), (2, 3))
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    return as_read_only(_OPERATOR.run_gather(array, (shape,), out, copy), out, copy)
