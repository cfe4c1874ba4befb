"""numpy.transpose, permute_dims, moveaxis, rollaxis and swapaxes: axes in another order."""

from __future__ import annotations

from typing import Any

from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, OneOrMore, as_index
from fastops._lowering._arguments import Rule, as_one_or_more, optional
from fastops._lowering._bounds import resolve_axis
from fastops._lowering._layouts import lower_axis_moves, lower_transposition
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
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
def transpose(
    a: Data, axes: Index | Indices | None = None, *, out: Out = None, copy: bool | None = True, chunks: Any = None
) -> AnyArray:
    """Put axes in another order: numpy.transpose, as a copy.

    Axis k of the result is axis ``axes[k]`` of ``a``.

    Parameters
    ----------
    a : array_like
        Any shape, any dtype.
    axes : int or list of int, optional
        Each axis once, negative ones from the end; the axes in reverse by default.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap ``a``.
    copy : bool or None
        True: a copy. False: a view, as NumPy gives. None: a view, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of a's dtype, or a view of ``a``.

    Raises
    ------
    AttributeValueError
        The axes are not those of ``a``, each once.
    DTypeError
        Axes that are no integers.
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
    return as_scalar_if(a, _TRANSPOSE.run_gather(a, (axes,), out, copy, None, chunks), out, copy)


@keeps_kind
def permute_dims(
    a: Data, axes: Index | Indices | None = None, *, out: Out = None, copy: bool | None = True, chunks: Any = None
) -> AnyArray:
    """Put axes in another order: numpy.permute_dims, which is numpy.transpose, as a copy.

    Axis k of the result is axis ``axes[k]`` of ``a``.

    Parameters
    ----------
    a, axes, out, copy, chunks
        What `fastops.numpy.transpose` takes.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of a's dtype, or a view of ``a``.

    Raises
    ------
    AttributeValueError, DTypeError, OutputError
        As `fastops.numpy.transpose` raises them.

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
    return as_scalar_if(a, _PERMUTE_DIMS.run_gather(a, (axes,), out, copy, None, chunks), out, copy)


@lowering("numpy.moveaxis", Rule(r.MOVE, (r.SOURCE, r.DESTINATION)), source=as_one_or_more, destination=as_one_or_more)
def lower_moveaxis(shape: Indices, source: OneOrMore, destination: OneOrMore) -> Windows:
    """Return the plan of `fastops.numpy.moveaxis` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.numpy.moveaxis((4, 5, 3), -1, 0).shape
    (3, 4, 5)
    """
    return lower_axis_moves(shape, source, destination, ("source", "destination"))


@lowering("numpy.rollaxis", axis=as_index, start=as_index)
def lower_rollaxis(shape: Indices, axis: Index, start: Index = 0) -> Windows:
    """Return the plan of `fastops.numpy.rollaxis` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.numpy.rollaxis((4, 5, 3), 2).shape
    (3, 4, 5)
    """
    rank = len(shape)
    moved = resolve_axis("axis", axis, rank)
    # It may stand behind the last one, too.
    before = rank if start == rank else resolve_axis("start", start, rank)
    order = [k for k in range(rank) if k != moved]
    order.insert(before - (moved < before), moved)
    return lower_transposition("axis", shape, order)


@lowering("numpy.swapaxes", Rule(r.SWAP, (r.FIRST, r.SECOND)), axis1=as_index, axis2=as_index)
def lower_swapaxes(shape: Indices, axis1: Index, axis2: Index) -> Windows:
    """Return the plan of `fastops.numpy.swapaxes` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.numpy.swapaxes((4, 5, 3), 0, -1).shape
    (3, 5, 4)
    """
    rank = len(shape)
    first, second = resolve_axis("axis1", axis1, rank), resolve_axis("axis2", axis2, rank)
    order = list(range(rank))
    order[first], order[second] = second, first
    return lower_transposition("axis1", shape, order)


_MOVEAXIS = Operator(lower_moveaxis, data_name="a")
_ROLLAXIS = Operator(lower_rollaxis, data_name="a")
_SWAPAXES = Operator(lower_swapaxes, data_name="a")


@keeps_kind
def moveaxis(
    a: Data,
    source: Index | Indices,
    destination: Index | Indices,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Move axes to other places: numpy.moveaxis, as a copy.

    Axis ``destination[i]`` of the result is axis ``source[i]`` of ``a``. The other axes keep their order.

    Parameters
    ----------
    a : array_like
        Any shape, any dtype.
    source : int or list of int
        The axes to move, each once, negative ones from the end.
    destination : int or list of int
        Their places in the result, as many, each once, negative ones from the end.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap ``a``.
    copy : bool or None
        True: a copy. False: a view, as NumPy gives. None: a view, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of a's dtype, or a view of ``a``.

    Raises
    ------
    AttributeValueError
        An axis that ``a`` does not have, or one that is named twice, or lists of different lengths.
    DTypeError
        Axes that are no integers.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.moveaxis.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    >>> fnp.moveaxis(np.zeros((2, 3, 4)), [0, 1], [-1, -2]).shape
    (4, 3, 2)
    """
    return as_scalar_if(a, _MOVEAXIS.run_gather(a, (source, destination), out, copy, None, chunks), out, copy)


@keeps_kind
def rollaxis(
    a: Data, axis: Index, start: Index = 0, *, out: Out = None, copy: bool | None = True, chunks: Any = None
) -> AnyArray:
    """Move an axis in front of another one: numpy.rollaxis, as a copy.

    The other axes keep their order.

    Parameters
    ----------
    a : array_like
        At least one dimension, any dtype.
    axis : int
        The axis to move, negative ones from the end.
    start : int
        The axis of ``a`` that it comes to stand in front of, negative ones from the end; the number of axes to put it
        behind the last one.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap ``a``.
    copy : bool or None
        True: a copy. False: a view, as NumPy gives. None: a view, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of a's dtype, or a view of ``a``.

    Raises
    ------
    AttributeValueError
        An axis that ``a`` does not have.
    DTypeError
        Axes that are no integers.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.rollaxis.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.rollaxis(np.zeros((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    return _ROLLAXIS.run_gather(a, (axis, start), out, copy, None, chunks)


@keeps_kind
def swapaxes(
    a: Data, axis1: Index, axis2: Index, *, out: Out = None, copy: bool | None = True, chunks: Any = None
) -> AnyArray:
    """Exchange two axes: numpy.swapaxes, as a copy.

    Element ``[..., j, ..., i, ...]`` of the result is element ``[..., i, ..., j, ...]`` of ``a``, where i stands at
    ``axis1`` of ``a`` and j at ``axis2``.

    Parameters
    ----------
    a : array_like
        At least one dimension, any dtype.
    axis1, axis2 : int
        The axes, negative ones from the end. They may be the same.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap ``a``.
    copy : bool or None
        True: a copy. False: a view, as NumPy gives. None: a view, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of a's dtype, or a view of ``a``.

    Raises
    ------
    AttributeValueError
        An axis that ``a`` does not have.
    DTypeError
        Axes that are no integers.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.swapaxes.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.swapaxes(np.arange(6).reshape(2, 3), 0, 1)
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """
    return _SWAPAXES.run_gather(a, (axis1, axis2), out, copy, None, chunks)
