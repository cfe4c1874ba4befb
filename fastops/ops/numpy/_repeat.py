"""numpy.repeat."""

from __future__ import annotations

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError
from fastops._geometry._numbers import Index, Indices, as_index
from fastops._lowering._arguments import optional
from fastops._lowering._axes import resolve_axis
from fastops._lowering._decorator import lowering
from fastops._lowering._repeats import lower_repeats
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind


@lowering("numpy.repeat", repeats=as_index, axis=optional(as_index))
def lower_repeat(shape: Indices, repeats: Index, axis: Index | None = None) -> Windows:
    """Return the plan of `fastops.numpy.repeat` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.numpy.repeat((2, 3), 4).shape
    (24,)
    >>> fo.plan.numpy.repeat((2, 3), 4, 0).shape
    (8, 3)
    """
    if repeats < 0:
        raise AttributeValueError.about("repeats", "be at least 0", repeats)
    if axis is None:
        return lower_repeats(shape, repeats, None)
    # NumPy takes data of rank 0 for data of one axis.
    known = resolve_axis("axis", axis, max(len(shape), 1))
    return lower_repeats(shape, repeats, known if shape else None)


_OPERATOR = Operator(lower_repeat, data_name="a")


@keeps_kind
def repeat(
    a: Data,
    repeats: Index,
    axis: Index | None = None,
    *,
    out: Out = None,
    copy: bool | None = True,
) -> AnyArray:
    """Repeat each element: numpy.repeat, with one number for all elements.

    Output y of the axis reads index ``floor(y / repeats)``, for ``0 <= y < d * repeats`` where d is its length.
    Without an axis, the elements of the flattened array are repeated, and the result has one axis.

    Parameters
    ----------
    a : array_like
        Any shape, any dtype but object. Data of rank 0 is taken for one element of one axis.
    repeats : int
        How often each element is repeated, >= 0. A list of one integer is taken too; np.repeat has a number for each
        element.
    axis : int, optional
        The axis, negative ones from the end.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap ``a``.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where nothing is repeated, ``out`` is not given, and the
        result needs no other memory.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of a's dtype, or a view of ``a``.

    Raises
    ------
    AttributeValueError
        An axis that ``a`` does not have, negative repeats, or several.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.repeat.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.repeat(np.array([[1, 2], [3, 4]]), 2)
    array([1, 1, 2, 2, 3, 3, 4, 4])
    >>> fnp.repeat(np.array([[1, 2], [3, 4]]), 2, axis=1)
    array([[1, 1, 2, 2],
           [3, 3, 4, 4]])
    """
    return _OPERATOR.run_gather(a, (repeats, axis), out, copy)
