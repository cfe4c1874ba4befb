"""numpy.transpose and numpy.permute_dims."""

from __future__ import annotations

from typing import Any

from fastops._arrays._dtypes import AnyArray
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import as_one_or_more, optional
from fastops._lowering._decorator import lowering
from fastops._lowering._layouts import lower_transposition
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r
from fastops.ops.numpy._results import as_scalar_if


@lowering("numpy.transpose", Rule(r.TRANSPOSE, (r.ORDER,), r.FROM_END), axes=optional(as_one_or_more))
def lower_transpose(shape: Indices, axes: Any = None) -> Windows:
    """Return the plan of `fastops.numpy.transpose` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.numpy.transpose((4, 5, 3), (2, 0, 1)).shape
    (3, 4, 5)
    """
    return lower_transposition("axes", shape, axes)


@lowering("numpy.permute_dims", Rule(r.TRANSPOSE, (r.ORDER,), r.FROM_END), axes=optional(as_one_or_more))
def lower_permute_dims(shape: Indices, axes: Any = None) -> Windows:
    """Return the plan of `fastops.numpy.permute_dims` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.numpy.permute_dims((4, 5, 3)).shape
    (3, 5, 4)
    """
    return lower_transposition("axes", shape, axes)


_TRANSPOSE = Operator(lower_transpose, data_name="a")
_PERMUTE_DIMS = Operator(lower_permute_dims, data_name="a")


@keeps_kind
def transpose(a: Data, axes: Index | Indices | None = None, *, out: Out = None, copy: bool | None = True) -> AnyArray:
    """Put axes in another order: numpy.transpose, as a copy.

    Axis k of the result is axis ``axes[k]`` of ``a``.

    Parameters
    ----------
    a : array_like
        Any shape, any dtype but object.
    axes : int or list of int, optional
        Each axis once, negative ones from the end; the axes in reverse by default.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap ``a``.
    copy : bool or None
        True: a copy. False: a view, as NumPy gives. None: a view, unless ``out`` is given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of a's dtype, or a view of ``a``.

    Raises
    ------
    AttributeValueError
        The axes are not those of ``a``, each once.
    DTypeError
        Axes that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.transpose.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.transpose(np.arange(6).reshape(2, 3))
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """
    return as_scalar_if(a, _TRANSPOSE.run_gather(a, (axes,), out, copy), out, copy)


@keeps_kind
def permute_dims(
    a: Data, axes: Index | Indices | None = None, *, out: Out = None, copy: bool | None = True
) -> AnyArray:
    """Put axes in another order: numpy.permute_dims, which is numpy.transpose, as a copy.

    Axis k of the result is axis ``axes[k]`` of ``a``.

    Parameters
    ----------
    a : array_like
        Any shape, any dtype but object.
    axes : int or list of int, optional
        Each axis once, negative ones from the end; the axes in reverse by default.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap ``a``.
    copy : bool or None
        True: a copy. False: a view, as NumPy gives. None: a view, unless ``out`` is given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of a's dtype, or a view of ``a``.

    Raises
    ------
    AttributeValueError
        The axes are not those of ``a``, each once.
    DTypeError
        Axes that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.permute_dims.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.permute_dims(np.zeros((2, 3, 4)), (1, 2, 0)).shape
    (3, 4, 2)
    """
    return as_scalar_if(a, _PERMUTE_DIMS.run_gather(a, (axes,), out, copy), out, copy)
