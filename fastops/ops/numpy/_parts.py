"""numpy.split and similar functions, and basic indexing."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any, Unpack

from fastops._lowering import _slices as slices
from fastops._lowering._arguments import Rule, as_index_or_indices, at_most
from fastops._lowering._bounds import resolve_axis_of, resolve_bounds
from fastops._types import AnyArray, Copy, Data, Out, Outs, PartsOptions
from fastops.ops import AttributeValueError, Index, Indices, OneOrMore, Operator, Windows, check_rank, r
from fastops.ops.numpy._copies import as_numpy_scalar

__all__ = ["array_split", "dsplit", "hsplit", "split", "take_slice", "unstack", "vsplit"]


@(_TAKE_SLICE := Operator(slices.lower_basic_index, Rule(r.SLICES, (r.INDEX,), r.NUMPY_CLAMP), index=slices.as_places))
def take_slice(x: Data, index: Any, *, out: Out = None, copy: Copy = True, chunks: Any = None) -> AnyArray:
    """Return ``x[index]`` for any basic index, as a copy.

    Parameters
    ----------
    x : array_like
        Any shape, any dtype but object.
    index : int, slice, Ellipsis, None, or tuple of these
        A basic index of NumPy: an integer takes one index and drops the axis, None adds an axis, and an ellipsis takes
        the axes that nothing else names.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the dtype of x, or a view of x. An index that consists of integers
        gives a scalar, as in NumPy, unless a view or ``out`` is asked for.

    Raises
    ------
    AttributeValueError
        More indices than axes, two ellipses, or a step of 0.
    OutOfBoundsError
        An integer lies outside of its axis.
    DTypeError
        An index of another kind, such as a list, a boolean or an array, which are advanced indices; or data of dtype
        object.

    Notes
    -----
    Specification: NumPy 2.4, basic indexing.

    Examples
    --------
    >>> fnp.take_slice(np.arange(12).reshape(3, 4), np.s_[1:, ::-2])
    array([[ 7,  5],
           [11,  9]])
    """
    result = _TAKE_SLICE.run_gather(x, (index,), out, copy, None, chunks)
    if result.ndim or index is Ellipsis or (type(index) is tuple and any([place is Ellipsis for place in index])):
        return result
    return as_numpy_scalar(result, out, copy)


#: Reads a number of parts, or the indices between parts.
as_sections = at_most(slices.MOST_PARTS - 1, as_index_or_indices)


def _lower_split(shape: Indices, parts: OneOrMore, axis: Index, *, may_differ: bool = False) -> list[Windows]:
    """Return the windows of equal parts, or of the parts between indices, which are bounds as in slicing."""
    if isinstance(parts, int):
        return slices.lower_equal_parts(shape, axis, parts, may_differ=may_differ)
    at = resolve_axis_of(shape, "axis", axis)
    extent = shape[at]
    bounds = [resolve_bounds(extent, *ends, 1, r.NUMPY_CLAMP) for ends in pairwise((0, *parts, extent))]
    return slices.lower_parts(shape, at, [(start, count) for start, _, count in bounds])


@Operator(_lower_split, Rule(r.SPLIT, (r.LENGTHS, r.AXIS), r.ARE_INDICES, r.PARTS), indices_or_sections=as_sections)
def split(ary: Data, indices_or_sections: OneOrMore, axis: Index = 0, **rest: Unpack[PartsOptions]) -> list[AnyArray]:
    """Split an array along an axis, at indices or into equal parts: numpy.split.

    Part k is ``ary[..., indices[k - 1] : indices[k], ...]``; the first part begins at the start of the axis, and the
    last part ends at its end. All parts are written together.

    Parameters
    ----------
    ary : array_like
        Rank 1 or more, any dtype.
    indices_or_sections : int or list of int
        The number of equal parts, which must divide the axis, or the indices between parts. As in slicing, negative
        indices count from the end, and parts may overlap or be empty.
    axis : int
        The axis to split; negative axes count from the end.

    Raises
    ------
    AttributeValueError
        An axis that ``ary`` does not have, or a number of parts that does not divide the axis.

    Examples
    --------
    >>> fnp.split(np.arange(6), [1, -2])
    [array([0]), array([1, 2, 3]), array([4, 5])]
    """


@Operator(
    partial(_lower_split, may_differ=True),
    Rule(r.SPLIT, (r.LENGTHS, r.AXIS), r.ARE_INDICES, r.UNEQUAL_PARTS),
    indices_or_sections=as_sections,
)
def array_split(
    ary: Data, indices_or_sections: OneOrMore, axis: Index = 0, **rest: Unpack[PartsOptions]
) -> list[AnyArray]:
    """Split an array along an axis, at indices or into parts of nearly equal lengths: numpy.array_split.

    This is `fastops.numpy.split`, except that a number of parts n need not divide the length d of the axis: the first
    ``d mod n`` parts have one element more than the other parts.

    Parameters
    ----------
    ary : array_like
        Rank 1 or more, any dtype.
    indices_or_sections : int or list of int
        The number of parts, or the indices between parts, as for `fastops.numpy.split`.
    axis : int
        The axis to split; negative axes count from the end.

    Raises
    ------
    AttributeValueError
        An axis that ``ary`` does not have, or a number of parts below 1.

    Examples
    --------
    >>> fnp.array_split(np.arange(5), 2)
    [array([0, 1, 2]), array([3, 4])]
    """


def _lower_along(shape: Indices, parts: OneOrMore, *, axis: int, least_rank: int) -> list[Windows]:
    """Return the windows of parts of an axis or, if data does not have this axis, of the last one."""
    check_rank(shape, least_rank)
    return _lower_split(shape, parts, min(axis, len(shape) - 1))


@Operator(partial(_lower_along, axis=1, least_rank=1), indices_or_sections=as_sections)
def hsplit(ary: Data, indices_or_sections: OneOrMore, **rest: Unpack[PartsOptions]) -> list[AnyArray]:
    """Split an array along its second axis or, if it has rank 1, along its only axis: numpy.hsplit.

    Parameters
    ----------
    ary : array_like
        Rank 1 or more, any dtype.
    indices_or_sections : int or list of int
        The number of equal parts, or the indices between parts, as for `fastops.numpy.split`.

    Examples
    --------
    >>> [part.shape for part in fnp.hsplit(np.zeros((2, 5)), [1, 3])]
    [(2, 1), (2, 2), (2, 2)]
    """


@Operator(partial(_lower_along, axis=0, least_rank=2), indices_or_sections=as_sections)
def vsplit(ary: Data, indices_or_sections: OneOrMore, **rest: Unpack[PartsOptions]) -> list[AnyArray]:
    """Split an array along its first axis: numpy.vsplit.

    Parameters
    ----------
    ary : array_like
        Rank 2 or more, any dtype.
    indices_or_sections : int or list of int
        The number of equal parts, or the indices between parts, as for `fastops.numpy.split`.

    Examples
    --------
    >>> fnp.vsplit(np.arange(6).reshape(2, 3), 2)
    [array([[0, 1, 2]]), array([[3, 4, 5]])]
    """


@Operator(partial(_lower_along, axis=2, least_rank=3), indices_or_sections=as_sections)
def dsplit(ary: Data, indices_or_sections: OneOrMore, **rest: Unpack[PartsOptions]) -> list[AnyArray]:
    """Split an array along its third axis: numpy.dsplit.

    Parameters
    ----------
    ary : array_like
        Rank 3 or more, any dtype.
    indices_or_sections : int or list of int
        The number of equal parts, or the indices between parts, as for `fastops.numpy.split`.

    Examples
    --------
    >>> [part.shape for part in fnp.dsplit(np.zeros((2, 3, 4)), 2)]
    [(2, 3, 2), (2, 3, 2)]
    """


def _lower_unstack(shape: Indices, axis: Index) -> list[Windows]:
    at = resolve_axis_of(shape, "axis", axis)
    slices.check_parts("axis", shape[at])
    if not shape[at]:
        raise AttributeValueError.about("axis", "name an axis that is not empty", axis, at, 0)
    parts = slices.lower_splits(shape, at, (1,) * shape[at])
    return [part._replace(shape=(*shape[:at], *shape[at + 1 :])) for part in parts]


@(_UNSTACK := Operator(_lower_unstack))
def unstack(x: Data, *, axis: Index = 0, out: Outs = None, copy: Copy = True, chunks: Any = None) -> list[AnyArray]:
    """Split an array into its elements along an axis, and drop the axis: numpy.unstack.

    Part k is ``x[..., k, ...]``. The result is a list; that of NumPy is a tuple.

    Parameters
    ----------
    x : array_like
        Rank 1 or more, any dtype.
    axis : int
        The axis to split; negative axes count from the end.

    Examples
    --------
    >>> fnp.unstack(np.arange(6).reshape(2, 3), axis=1)
    [array([0, 3]), array([1, 4]), array([2, 5])]
    """
    parts = _UNSTACK.run_gather(x, (axis,), out, copy, None, chunks)
    # If the class of x has a function of its own in place of NumPy's, that function may return anything.
    return [as_numpy_scalar(part, out, copy) for part in parts] if type(parts) is list else parts
