"""numpy.rot90."""

from __future__ import annotations

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError
from fastops._geometry._numbers import Index, Indices, as_index, as_indices
from fastops._lowering._axes import resolve_axes
from fastops._lowering._decorator import lowering
from fastops._lowering._moves import lower_rotation
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering("numpy.rot90", Rule(r.ROTATE, (r.TURNS, r.AXES)), k=as_index, axes=as_indices)
def lower_rot90(shape: Indices, k: Index = 1, axes: Indices = (0, 1)) -> Windows:
    """Return the plan of `fastops.numpy.rot90` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.numpy.rot90((4, 5, 3)).shape
    (5, 4, 3)
    """
    if len(axes) != 2:
        raise AttributeValueError.about("axes", "name two axes", axes)
    first, second = resolve_axes("axes", axes, len(shape))
    return lower_rotation(shape, k, first, second)


_OPERATOR = Operator(lower_rot90, data_name="m")


@keeps_kind
def rot90(
    m: Data,
    k: Index = 1,
    axes: Indices = (0, 1),
    *,
    out: Out = None,
    copy: bool | None = True,
) -> AnyArray:
    """Turn a plane by quarters: numpy.rot90, as a copy.

    Each quarter goes from the first of the axes towards the second. With d the length of the second axis of ``m``,
    element ``[i, j]`` of a plane that is turned by one quarter is element ``[j, d - 1 - i]`` of that of ``m``.

    Parameters
    ----------
    m : array_like
        At least two dimensions, any dtype but object.
    k : int
        How many quarters; negative ones go the other way.
    axes : list of int
        The two axes of the plane, negative ones from the end.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap ``m``.
    copy : bool or None
        True: a copy. False: a view, as NumPy gives. None: a view, unless ``out`` is given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of m's dtype, or a view of ``m``.

    Raises
    ------
    AttributeValueError
        Axes that are not two, that ``m`` does not have, or that are the same.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.rot90.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.rot90(np.arange(6).reshape(2, 3))
    array([[2, 5],
           [1, 4],
           [0, 3]])
    """
    return _OPERATOR.run_gather(m, (k, axes), out, copy)
