"""numpy.flip, roll, rot90, transpose and their kin: elements and axes that change places."""

from __future__ import annotations

from math import prod
from typing import Any

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, OneOrMore, as_index
from fastops._lowering._arguments import Rule
from fastops._lowering._bounds import resolve_axes, resolve_axis, resolve_axis_of
from fastops._lowering._layouts import lower_axis_moves, lower_exchange, lower_transposition
from fastops._lowering._moves import lower_flips, lower_reversals, lower_rolls, lower_rotation
from fastops._lowering._windows import Windows, check_rank
from fastops._types import AnyArray, Copy, Data, Out
from fastops.kernels._tables import _rules as r
from fastops.ops.numpy._copy import as_numpy_scalar, as_scalar_if

__all__ = ["flip", "fliplr", "flipud", "matrix_transpose", "moveaxis", "permute_dims"]
__all__ += ["roll", "rollaxis", "rot90", "swapaxes", "transpose"]


_FLIP = Operator(lower_flips, Rule(r.FLIP, (r.AXES,), r.ALL_BY_DEFAULT))


def _lower_fliplr(shape: Indices) -> Windows:
    check_rank(shape, 2)
    return lower_reversals(shape, (1,))


_FLIPLR = Operator(_lower_fliplr)


def _lower_flipud(shape: Indices) -> Windows:
    return lower_reversals(shape, (resolve_axis_of(shape, "axis", 0),))


_FLIPUD = Operator(_lower_flipud)


@_FLIP
def flip(m: Data, axis: OneOrMore | None = None, *, out: Out = None, copy: Copy = True, chunks: Any = None) -> AnyArray:
    """Read axes backwards: numpy.flip, as a copy.

    Output y of a flipped axis of length d reads index ``d - 1 - y``.

    Parameters
    ----------
    axis : int or list of int, optional
        The axes, each once, negative ones from the end; all of them by default.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of m's dtype, or a view of m. Of no dimensions, a scalar.

    Raises
    ------
    AttributeValueError
        An axis that m does not have, or one that is named twice.

    Examples
    --------
    >>> fnp.flip(np.arange(6).reshape(2, 3), axis=1)
    array([[2, 1, 0],
           [5, 4, 3]])
    """
    return as_numpy_scalar(_FLIP.run_gather(m, (axis,), out, copy, None, chunks), out, copy)


@_FLIPLR
def fliplr(m: Data, *, out: Out = None, copy: Copy = True, chunks: Any = None) -> AnyArray:
    """Read the second axis backwards: numpy.fliplr, as a copy.

    Output y of that axis, of length d, reads index ``d - 1 - y``.

    Parameters
    ----------
    m : array_like
        At least two dimensions, any dtype.

    Raises
    ------
    AttributeValueError
        Data of fewer dimensions.

    Examples
    --------
    >>> fnp.fliplr(np.arange(6).reshape(2, 3))
    array([[2, 1, 0],
           [5, 4, 3]])
    """
    return _FLIPLR.run_gather(m, (), out, copy, None, chunks)


@_FLIPUD
def flipud(m: Data, *, out: Out = None, copy: Copy = True, chunks: Any = None) -> AnyArray:
    """Read the first axis backwards: numpy.flipud, as a copy.

    Output y of that axis, of length d, reads index ``d - 1 - y``.

    Parameters
    ----------
    m : array_like
        At least one dimension, any dtype.

    Raises
    ------
    AttributeValueError
        Data of fewer dimensions.

    Examples
    --------
    >>> fnp.flipud(np.arange(6).reshape(2, 3))
    array([[3, 4, 5],
           [0, 1, 2]])
    """
    return _FLIPUD.run_gather(m, (), out, copy, None, chunks)


def _lower_roll(shape: Indices, shift: OneOrMore, axes: OneOrMore | None) -> Windows:
    if axes is None:
        return lower_rolls((prod(shape),), (sum(shift),), (0,))
    resolve_axes("axes", axes, len(shape), may_repeat=True)
    # A single value holds for all values of the other list.
    if len(axes) != len(shift) and 1 not in (len(axes), len(shift)):
        raise AttributeValueError.about("shift", f"have as many values as axis, {len(axes)}, or one", shift)
    n = len(axes) * len(shift) // max(min(len(axes), len(shift)), 1)
    return lower_rolls(shape, shift * (n // max(len(shift), 1)), axes * (n // max(len(axes), 1)))


_ROLL = Operator(_lower_roll, Rule(r.ROLL, (r.SHIFT, r.AXES), r.BROADCAST))


@_ROLL
def roll(
    a: Data, shift: OneOrMore, axis: OneOrMore | None = None, *, out: Out = None, copy: Copy = True, chunks: Any = None
) -> AnyArray:
    """Move elements along axes, around their ends: numpy.roll.

    Output y of an axis of length d reads index ``(y - s) mod d``, where s is the sum of its shifts. Without an axis,
    the elements move in the flattened array, whose shape is restored.

    Parameters
    ----------
    shift : int or list of int
        How far elements move.
    axis : int or list of int, optional
        Along which axes, negative ones from the end; the shifts of an axis that is named twice add up. Where one of
        shift and axis has one value, it holds for all of the other.

    Raises
    ------
    AttributeValueError
        An axis that a does not have, or lists of different lengths.

    Examples
    --------
    >>> fnp.roll(np.arange(6).reshape(2, 3), 1)
    array([[5, 0, 1],
           [2, 3, 4]])
    >>> fnp.roll(np.arange(6).reshape(2, 3), 1, axis=1)
    array([[2, 0, 1],
           [5, 3, 4]])
    """
    if axis is not None:
        return _ROLL.run_gather(a, (shift, axis), out, copy, None, chunks)
    return _ROLL.run_flat(a, (shift, None), out, copy, chunks)


_ROT90 = Operator(lower_rotation, Rule(r.ROTATE, (r.TURNS, r.AXES)), k=as_index)


@_ROT90
def rot90(
    m: Data, k: Index = 1, axes: Indices = (0, 1), *, out: Out = None, copy: Copy = True, chunks: Any = None
) -> AnyArray:
    """Turn a plane by quarters: numpy.rot90, as a copy.

    Each quarter goes from the first of the axes towards the second. With d the length of the second axis of ``m``,
    element ``[i, j]`` of a plane that is turned by one quarter is element ``[j, d - 1 - i]`` of that of ``m``.

    Parameters
    ----------
    m : array_like
        At least two dimensions, any dtype.
    k : int
        How many quarters; negative ones go the other way.
    axes : list of int
        The two axes of the plane, negative ones from the end.

    Raises
    ------
    AttributeValueError
        Axes that are not two, that ``m`` does not have, or that are the same.

    Examples
    --------
    >>> fnp.rot90(np.arange(6).reshape(2, 3))
    array([[2, 5],
           [1, 4],
           [0, 3]])
    """
    return _ROT90.run_gather(m, (k, axes), out, copy, None, chunks)


_TRANSPOSE = Operator(lower_transposition, Rule(r.TRANSPOSE, (r.ORDER,), r.FROM_END))


_PERMUTE_DIMS = Operator(lower_transposition, Rule(r.TRANSPOSE, (r.ORDER,), r.FROM_END))


@_TRANSPOSE
def transpose(
    a: Data, axes: OneOrMore | None = None, *, out: Out = None, copy: Copy = True, chunks: Any = None
) -> AnyArray:
    """Put axes in another order: numpy.transpose, as a copy.

    Axis k of the result is axis ``axes[k]`` of ``a``.

    Parameters
    ----------
    axes : int or list of int, optional
        Each axis once, negative ones from the end; the axes in reverse by default.

    Raises
    ------
    AttributeValueError
        The axes are not those of ``a``, each once.

    Examples
    --------
    >>> fnp.transpose(np.arange(6).reshape(2, 3))
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """
    return as_scalar_if(a, _TRANSPOSE.run_gather(a, (axes,), out, copy, None, chunks), out, copy)


@_PERMUTE_DIMS
def permute_dims(
    a: Data, axes: OneOrMore | None = None, *, out: Out = None, copy: Copy = True, chunks: Any = None
) -> AnyArray:
    """Put axes in another order: numpy.permute_dims, which is numpy.transpose, as a copy.

    Axis k of the result is axis ``axes[k]`` of ``a``.

    Parameters
    ----------
    a, axes
        What `fastops.numpy.transpose` takes.

    Raises
    ------
    AttributeValueError
        As `fastops.numpy.transpose` raises it.

    Examples
    --------
    >>> fnp.permute_dims(np.zeros((2, 3, 4)), (1, 2, 0)).shape
    (3, 4, 2)
    """
    return as_scalar_if(a, _PERMUTE_DIMS.run_gather(a, (axes,), out, copy, None, chunks), out, copy)


_MOVEAXIS = Operator(lower_axis_moves, Rule(r.MOVE, (r.SOURCE, r.DESTINATION)))


def _lower_rollaxis(shape: Indices, axis: Index, start: Index) -> Windows:
    rank = len(shape)
    moved = resolve_axis("axis", axis, rank)
    # It may stand behind the last one, too.
    before = rank if start == rank else resolve_axis("start", start, rank)
    order = [k for k in range(rank) if k != moved]
    order.insert(before - (moved < before), moved)
    return lower_transposition(shape, order)


_ROLLAXIS = Operator(_lower_rollaxis, axis=as_index, start=as_index)


_SWAPAXES = Operator(lower_exchange, Rule(r.SWAP, (r.FIRST, r.SECOND)), axis1=as_index, axis2=as_index)


@_MOVEAXIS
def moveaxis(
    a: Data, source: OneOrMore, destination: OneOrMore, *, out: Out = None, copy: Copy = True, chunks: Any = None
) -> AnyArray:
    """Move axes to other places: numpy.moveaxis, as a copy.

    Axis ``destination[i]`` of the result is axis ``source[i]`` of ``a``. The other axes keep their order.

    Parameters
    ----------
    source : int or list of int
        The axes to move, each once, negative ones from the end.
    destination : int or list of int
        Their places in the result, as many, each once, negative ones from the end.

    Raises
    ------
    AttributeValueError
        An axis that ``a`` does not have, or one that is named twice, or lists of different lengths.

    Examples
    --------
    >>> fnp.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    >>> fnp.moveaxis(np.zeros((2, 3, 4)), [0, 1], [-1, -2]).shape
    (4, 3, 2)
    """
    return as_scalar_if(a, _MOVEAXIS.run_gather(a, (source, destination), out, copy, None, chunks), out, copy)


@_ROLLAXIS
def rollaxis(
    a: Data, axis: Index, start: Index = 0, *, out: Out = None, copy: Copy = True, chunks: Any = None
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

    Raises
    ------
    AttributeValueError
        An axis that ``a`` does not have.

    Examples
    --------
    >>> fnp.rollaxis(np.zeros((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    return _ROLLAXIS.run_gather(a, (axis, start), out, copy, None, chunks)


@_SWAPAXES
def swapaxes(
    a: Data, axis1: Index, axis2: Index, *, out: Out = None, copy: Copy = True, chunks: Any = None
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

    Raises
    ------
    AttributeValueError
        An axis that ``a`` does not have.

    Examples
    --------
    >>> fnp.swapaxes(np.arange(6).reshape(2, 3), 0, 1)
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """
    return _SWAPAXES.run_gather(a, (axis1, axis2), out, copy, None, chunks)


def _lower_matrix_transpose(shape: Indices) -> Windows:
    check_rank(shape, 2)
    rank = len(shape)
    return lower_transposition(shape, (*range(rank - 2), rank - 1, rank - 2))


_MATRIX_TRANSPOSE = Operator(_lower_matrix_transpose)


@_MATRIX_TRANSPOSE
def matrix_transpose(x: Data, *, out: Out = None, copy: Copy = True, chunks: Any = None) -> AnyArray:
    """Exchange the last two axes: numpy.matrix_transpose, as a copy.

    Parameters
    ----------
    x : array_like
        Rank 2 or more, any dtype.

    Examples
    --------
    >>> fnp.matrix_transpose(np.zeros((2, 3, 4))).shape
    (2, 4, 3)
    """
    return _MATRIX_TRANSPOSE.run_gather(x, (), out, copy, None, chunks)
