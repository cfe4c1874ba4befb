"""numpy.flip, numpy.fliplr and numpy.flipud."""

from __future__ import annotations

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError
from fastops._geometry._numbers import Index, Indices, OneOrMore
from fastops._lowering._arguments import as_one_or_more, optional
from fastops._lowering._axes import resolve_axes, resolve_axis_of
from fastops._lowering._decorator import lowering
from fastops._lowering._moves import lower_reversals
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r
from fastops.ops.numpy._results import as_scalar


@lowering("numpy.flip", Rule(r.FLIP, (r.AXES,), r.ALL_BY_DEFAULT), axis=optional(as_one_or_more))
def lower_flip(shape: Indices, axis: OneOrMore | None = None) -> Windows:
    """Return the plan of `fastops.numpy.flip` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.numpy.flip((4,)))
    (4,) -> (4,)
      axis 0: extent 4, start 3, stride -1, count 4, strict_bounds
    """
    axes = range(len(shape)) if axis is None else resolve_axes("axis", axis, len(shape))
    return lower_reversals(shape, axes)


@lowering("numpy.fliplr")
def lower_fliplr(shape: Indices) -> Windows:
    """Return the plan of `fastops.numpy.fliplr` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> [axis.stride for axis in fo.plan.numpy.fliplr((4, 5)).axes]
    [1, -1]
    """
    if len(shape) < 2:
        raise AttributeValueError.about("data", "have at least two axes", tuple(shape))
    return lower_reversals(shape, (1,))


@lowering("numpy.flipud")
def lower_flipud(shape: Indices) -> Windows:
    """Return the plan of `fastops.numpy.flipud` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> [axis.stride for axis in fo.plan.numpy.flipud((4, 5)).axes]
    [-1, 1]
    """
    return lower_reversals(shape, (resolve_axis_of(shape, "axis", 0),))


_OPERATOR = Operator(lower_flip, data_name="m")
_FLIPLR = Operator(lower_fliplr, data_name="m")
_FLIPUD = Operator(lower_flipud, data_name="m")


@keeps_kind
def flip(m: Data, axis: Index | Indices | None = None, *, out: Out = None, copy: bool | None = True) -> AnyArray:
    """Read axes backwards: numpy.flip, as a copy.

    Output y of a flipped axis of length d reads index ``d - 1 - y``.

    Parameters
    ----------
    m : array_like
        Any shape, any dtype but object.
    axis : int or list of int, optional
        The axes, each once, negative ones from the end; all of them by default.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap m.
    copy : bool or None
        True: a copy. False: a view, as NumPy gives. None: a view, unless ``out`` is given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of m's dtype, or a view of m. Of no dimensions, a scalar.

    Raises
    ------
    AttributeValueError
        An axis that m does not have, or one that is named twice.
    DTypeError
        Axes that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.flip.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.flip(np.arange(6).reshape(2, 3), axis=1)
    array([[2, 1, 0],
           [5, 4, 3]])
    """
    return as_scalar(_OPERATOR.run_gather(m, (axis,), out, copy), out, copy)


@keeps_kind
def fliplr(m: Data, *, out: Out = None, copy: bool | None = True) -> AnyArray:
    """Read the second axis backwards: numpy.fliplr, as a copy.

    Output y of that axis, of length d, reads index ``d - 1 - y``.

    Parameters
    ----------
    m : array_like
        At least two dimensions, any dtype but object.
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
        Data of fewer dimensions.
    DTypeError
        Data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.fliplr.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.fliplr(np.arange(6).reshape(2, 3))
    array([[2, 1, 0],
           [5, 4, 3]])
    """
    return _FLIPLR.run_gather(m, (), out, copy)


@keeps_kind
def flipud(m: Data, *, out: Out = None, copy: bool | None = True) -> AnyArray:
    """Read the first axis backwards: numpy.flipud, as a copy.

    Output y of that axis, of length d, reads index ``d - 1 - y``.

    Parameters
    ----------
    m : array_like
        At least one dimension, any dtype but object.
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
        Data of fewer dimensions.
    DTypeError
        Data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.flipud.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.flipud(np.arange(6).reshape(2, 3))
    array([[3, 4, 5],
           [0, 1, 2]])
    """
    return _FLIPUD.run_gather(m, (), out, copy)
