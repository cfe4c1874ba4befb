"""numpy.flip, roll, rot90, transpose and similar functions: elements and axes that change places."""

from __future__ import annotations

from math import prod
from typing import Any, Unpack

from fastops._lowering._bounds import resolve_axes, resolve_axis, resolve_axis_of
from fastops._lowering._layouts import lower_axis_moves, lower_exchange, lower_transposition
from fastops._lowering._moves import lower_flips, lower_rolls, lower_rotation
from fastops._types import AnyArray, Copy, Data, Options, Out
from fastops.ops import Index, Indices, OneOrMore, Operator, Rule, Windows, as_index, check_rank, r
from fastops.ops.numpy._copies import ScalarOperator, as_numpy_scalar

__all__ = ["flip", "fliplr", "flipud", "matrix_transpose", "moveaxis", "permute_dims"]
__all__ += ["roll", "rollaxis", "rot90", "swapaxes", "transpose"]


def _lower_fliplr(shape: Indices) -> Windows:
    check_rank(shape, 2)
    return lower_flips(shape, (1,))


def _lower_flipud(shape: Indices) -> Windows:
    return lower_flips(shape, (resolve_axis_of(shape, "axis", 0),))


@(_FLIP := Operator(lower_flips, Rule(r.FLIP, (r.AXES,), r.ALL_BY_DEFAULT)))
def flip(m: Data, axis: OneOrMore | None = None, *, out: Out = None, copy: Copy = True, chunks: Any = None) -> AnyArray:
    """Reverse the order of elements along axes: numpy.flip, as a copy.

    Output y of a flipped axis of length d reads index ``d - 1 - y``.

    Parameters
    ----------
    axis : int or list of int, optional
        The axes to flip; negative axes count from the end. All axes by default.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the dtype of ``m``, or a view of ``m``. For data of rank 0, a scalar.

    Raises
    ------
    AttributeValueError
        An axis that ``m`` does not have or that is named twice.

    Examples
    --------
    >>> fnp.flip(np.arange(6).reshape(2, 3), axis=1)
    array([[2, 1, 0],
           [5, 4, 3]])
    """
    return as_numpy_scalar(_FLIP.run_gather(m, (axis,), out, copy, None, chunks), out, copy)


@Operator(_lower_fliplr)
def fliplr(m: Data, **rest: Unpack[Options]) -> AnyArray:
    """Reverse the order of elements along the second axis: numpy.fliplr, as a copy.

    Parameters
    ----------
    m : array_like
        Rank 2 or more, any dtype.

    Raises
    ------
    AttributeValueError
        Data of rank 0 or 1.

    Examples
    --------
    >>> fnp.fliplr(np.arange(6).reshape(2, 3))
    array([[2, 1, 0],
           [5, 4, 3]])
    """


@Operator(_lower_flipud)
def flipud(m: Data, **rest: Unpack[Options]) -> AnyArray:
    """Reverse the order of elements along the first axis: numpy.flipud, as a copy.

    Parameters
    ----------
    m : array_like
        Rank 1 or more, any dtype.

    Raises
    ------
    AttributeValueError
        Data of rank 0.

    Examples
    --------
    >>> fnp.flipud(np.arange(6).reshape(2, 3))
    array([[3, 4, 5],
           [0, 1, 2]])
    """


def _lower_roll(shape: Indices, shift: OneOrMore, axes: OneOrMore | None) -> Windows:
    if axes is None:
        return lower_rolls((prod(shape),), (sum(shift),), (0,))
    resolve_axes("axes", axes, len(shape), may_repeat=True)
    # A single value is used for all values of the other list.
    if len(axes) == 1:
        axes = axes * len(shift)
    elif len(shift) == 1:
        shift = shift * len(axes)
    return lower_rolls(shape, shift, axes)


@(_ROLL := Operator(_lower_roll, Rule(r.ROLL, (r.SHIFT, r.AXES), r.ONE_OF_EITHER)))
def roll(
    a: Data, shift: OneOrMore, axis: OneOrMore | None = None, *, out: Out = None, copy: Copy = True, chunks: Any = None
) -> AnyArray:
    """Move elements along axes; elements that leave an axis at one end enter it at the other end: numpy.roll.

    Output y of an axis of length d reads index ``(y - s) mod d``, where s is the sum of the shifts of the axis. Without
    ``axis``, the elements move in the flattened array, and the result has the shape of ``a``.

    Parameters
    ----------
    shift : int or list of int
        The number of places by which elements move; a single number is used for all axes.
    axis : int or list of int, optional
        The axes of the shifts; negative axes count from the end. A single axis is used for all shifts. The shifts of an
        axis that is named twice add up.

    Raises
    ------
    AttributeValueError
        An axis that ``a`` does not have, or lists of different lengths.

    Examples
    --------
    >>> fnp.roll(np.arange(6).reshape(2, 3), 1)
    array([[5, 0, 1],
           [2, 3, 4]])
    >>> fnp.roll(np.arange(6).reshape(2, 3), 1, axis=1)
    array([[2, 0, 1],
           [5, 3, 4]])
    """
    return _ROLL.run_gather(a, (shift, axis), out, copy, None, chunks, is_flat=axis is None)


@Operator(lower_rotation, Rule(r.ROTATE, (r.TURNS, r.AXES)), k=as_index)
def rot90(m: Data, k: Index = 1, axes: Indices = (0, 1), **rest: Unpack[Options]) -> AnyArray:
    """Rotate the plane of two axes by quarter turns: numpy.rot90, as a copy.

    A quarter turn goes from the first axis towards the second: element ``[i, j]`` of the result reads element
    ``[j, d - 1 - i]`` of ``m``, where d is the length of the second axis of ``m``.

    Parameters
    ----------
    m : array_like
        Rank 2 or more, any dtype.
    k : int
        The number of quarter turns; negative numbers turn the other way.
    axes : list of int
        The two axes of the plane; negative axes count from the end.

    Raises
    ------
    AttributeValueError
        Other than two axes, an axis that ``m`` does not have, or an axis that is named twice.

    Examples
    --------
    >>> fnp.rot90(np.arange(6).reshape(2, 3))
    array([[2, 5],
           [1, 4],
           [0, 3]])
    """


@ScalarOperator(lower_transposition, Rule(r.TRANSPOSE, (r.ORDER,), r.FROM_END))
def transpose(a: Data, axes: OneOrMore | None = None, **rest: Unpack[Options]) -> AnyArray:
    """Put axes in another order: numpy.transpose, as a copy.

    Axis k of the result is axis ``axes[k]`` of ``a``.

    Parameters
    ----------
    axes : int or list of int, optional
        Each axis of ``a`` once; negative axes count from the end. The axes in reverse order by default.

    Raises
    ------
    AttributeValueError
        The list does not name each axis of ``a`` once.

    Examples
    --------
    >>> fnp.transpose(np.arange(6).reshape(2, 3))
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """


@ScalarOperator(lower_transposition, Rule(r.TRANSPOSE, (r.ORDER,), r.FROM_END))
def permute_dims(a: Data, axes: OneOrMore | None = None, **rest: Unpack[Options]) -> AnyArray:
    """Put axes in another order: numpy.permute_dims, as a copy. It is another name of `fastops.numpy.transpose`.

    Parameters
    ----------
    axes : int or list of int, optional
        Each axis of ``a`` once; negative axes count from the end. The axes in reverse order by default.

    Raises
    ------
    AttributeValueError
        The list does not name each axis of ``a`` once.

    Examples
    --------
    >>> fnp.permute_dims(np.zeros((2, 3, 4)), (1, 2, 0)).shape
    (3, 4, 2)
    """


def _lower_rollaxis(shape: Indices, axis: Index, start: Index) -> Windows:
    rank = len(shape)
    moved = resolve_axis("axis", axis, rank)
    # A start that equals the rank puts the axis after the last one.
    before = rank if start == rank else resolve_axis("start", start, rank)
    return lower_axis_moves(shape, (moved,), (before - (moved < before),))


@ScalarOperator(lower_axis_moves, Rule(r.MOVE, (r.SOURCE, r.DESTINATION)))
def moveaxis(a: Data, source: OneOrMore, destination: OneOrMore, **rest: Unpack[Options]) -> AnyArray:
    """Move axes to other places: numpy.moveaxis, as a copy.

    Axis ``destination[i]`` of the result is axis ``source[i]`` of ``a``. The other axes keep their order.

    Parameters
    ----------
    source : int or list of int
        The axes to move; negative axes count from the end.
    destination : int or list of int
        The place of each of these axes in the result; negative places count from the end.

    Raises
    ------
    AttributeValueError
        An axis that ``a`` does not have or that is named twice, or lists of different lengths.

    Examples
    --------
    >>> fnp.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    >>> fnp.moveaxis(np.zeros((2, 3, 4)), [0, 1], [-1, -2]).shape
    (4, 3, 2)
    """


@Operator(_lower_rollaxis, axis=as_index, start=as_index)
def rollaxis(a: Data, axis: Index, start: Index = 0, **rest: Unpack[Options]) -> AnyArray:
    """Move an axis in front of another one: numpy.rollaxis, as a copy.

    The other axes keep their order.

    Parameters
    ----------
    a : array_like
        Rank 1 or more, any dtype.
    axis : int
        The axis to move; negative axes count from the end.
    start : int
        The axis of ``a`` before which the moved axis is put; negative axes count from the end. If start is the rank of
        ``a``, the moved axis is put after the last axis.

    Raises
    ------
    AttributeValueError
        An axis that ``a`` does not have.

    Examples
    --------
    >>> fnp.rollaxis(np.zeros((2, 3, 4)), 2).shape
    (4, 2, 3)
    """


@Operator(lower_exchange, Rule(r.MOVE, (r.SOURCE, r.DESTINATION), r.EXCHANGE), axis1=as_index, axis2=as_index)
def swapaxes(a: Data, axis1: Index, axis2: Index, **rest: Unpack[Options]) -> AnyArray:
    """Exchange two axes: numpy.swapaxes, as a copy.

    Axis ``axis1`` of the result is axis ``axis2`` of ``a``, and axis ``axis2`` of the result is axis ``axis1`` of
    ``a``.

    Parameters
    ----------
    a : array_like
        Rank 1 or more, any dtype.
    axis1, axis2 : int
        The two axes, which may be the same; negative axes count from the end.

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


def _lower_matrix_transpose(shape: Indices) -> Windows:
    check_rank(shape, 2)
    return lower_exchange(shape, -1, -2)


@Operator(_lower_matrix_transpose)
def matrix_transpose(x: Data, **rest: Unpack[Options]) -> AnyArray:
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
