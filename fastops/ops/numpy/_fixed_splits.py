"""numpy.hsplit, vsplit and dsplit: numpy.split along the second, the first and the third axis."""

from __future__ import annotations

from typing import Any

from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._windows import Windows, check_rank, lowering
from fastops._types import AnyArray, Data, Outs, keeps_kind
from fastops.ops.numpy._parts import as_sections, split_axis


@lowering("numpy.hsplit", indices_or_sections=as_sections)
def lower_hsplit(shape: Indices, indices_or_sections: Index | Indices) -> list[Windows]:
    """Return the plans of `fastops.numpy.hsplit` on data of this shape, one per part.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.numpy.hsplit((2, 5), [1, 3])]
    [(2, 1), (2, 2), (2, 2)]
    """
    check_rank(shape, 1)
    return split_axis(shape, min(len(shape) - 1, 1), indices_or_sections)


@lowering("numpy.vsplit", indices_or_sections=as_sections)
def lower_vsplit(shape: Indices, indices_or_sections: Index | Indices) -> list[Windows]:
    """Return the plans of `fastops.numpy.vsplit` on data of this shape, one per part.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.numpy.vsplit((4, 3), 2)]
    [(2, 3), (2, 3)]
    """
    check_rank(shape, 2)
    return split_axis(shape, 0, indices_or_sections)


@lowering("numpy.dsplit", indices_or_sections=as_sections)
def lower_dsplit(shape: Indices, indices_or_sections: Index | Indices) -> list[Windows]:
    """Return the plans of `fastops.numpy.dsplit` on data of this shape, one per part.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.numpy.dsplit((2, 3, 4), 2)]
    [(2, 3, 2), (2, 3, 2)]
    """
    check_rank(shape, 3)
    return split_axis(shape, 2, indices_or_sections)


_HSPLIT = Operator(lower_hsplit, data_name="ary")
_VSPLIT = Operator(lower_vsplit, data_name="ary")
_DSPLIT = Operator(lower_dsplit, data_name="ary")


@keeps_kind
def hsplit(
    ary: Data, indices_or_sections: Index | Indices, *, out: Outs = None, copy: bool | None = True, chunks: Any = None
) -> list[AnyArray]:
    """Split an array along its second axis, or the one that it has: numpy.hsplit.

    Parameters
    ----------
    ary : array_like
        Rank 1 or more, any dtype.
    indices_or_sections, out, copy, chunks
        What `fastops.numpy.split` takes.

    Returns
    -------
    list of ndarray
        The arrays of ``out``, or fresh C-contiguous arrays, or views of ary.

    Raises
    ------
    AttributeValueError
        Data of fewer axes, or a number of parts that does not divide the axis.
    DTypeError, OutputError
        As `fastops.numpy.split` raises them.

    Notes
    -----
    Specification: NumPy 2.4, numpy.hsplit.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.hsplit(np.arange(6).reshape(2, 3), [1])
    [array([[0],
           [3]]), array([[1, 2],
           [4, 5]])]
    """
    return _HSPLIT.run_gather(ary, (indices_or_sections,), out, copy, None, chunks)


@keeps_kind
def vsplit(
    ary: Data, indices_or_sections: Index | Indices, *, out: Outs = None, copy: bool | None = True, chunks: Any = None
) -> list[AnyArray]:
    """Split an array along its first axis: numpy.vsplit.

    Parameters
    ----------
    ary : array_like
        Rank 2 or more, any dtype.
    indices_or_sections, out, copy, chunks
        What `fastops.numpy.split` takes.

    Returns
    -------
    list of ndarray
        The arrays of ``out``, or fresh C-contiguous arrays, or views of ary.

    Raises
    ------
    AttributeValueError
        Data of fewer axes, or a number of parts that does not divide the axis.
    DTypeError, OutputError
        As `fastops.numpy.split` raises them.

    Notes
    -----
    Specification: NumPy 2.4, numpy.vsplit.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.vsplit(np.arange(6).reshape(2, 3), 2)
    [array([[0, 1, 2]]), array([[3, 4, 5]])]
    """
    return _VSPLIT.run_gather(ary, (indices_or_sections,), out, copy, None, chunks)


@keeps_kind
def dsplit(
    ary: Data, indices_or_sections: Index | Indices, *, out: Outs = None, copy: bool | None = True, chunks: Any = None
) -> list[AnyArray]:
    """Split an array along its third axis: numpy.dsplit.

    Parameters
    ----------
    ary : array_like
        Rank 3 or more, any dtype.
    indices_or_sections, out, copy, chunks
        What `fastops.numpy.split` takes.

    Returns
    -------
    list of ndarray
        The arrays of ``out``, or fresh C-contiguous arrays, or views of ary.

    Raises
    ------
    AttributeValueError
        Data of fewer axes, or a number of parts that does not divide the axis.
    DTypeError, OutputError
        As `fastops.numpy.split` raises them.

    Notes
    -----
    Specification: NumPy 2.4, numpy.dsplit.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.dsplit(np.arange(4).reshape(1, 2, 2), 2)
    [array([[[0],
            [2]]]), array([[[1],
            [3]]])]
    """
    return _DSPLIT.run_gather(ary, (indices_or_sections,), out, copy, None, chunks)
