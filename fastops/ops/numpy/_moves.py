"""numpy.flip, fliplr, flipud, roll and rot90: elements that change places."""

from __future__ import annotations

from math import prod
from typing import Any

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, OneOrMore, as_index, as_indices
from fastops._lowering._arguments import Rule, as_one_or_more, optional
from fastops._lowering._bounds import resolve_axes, resolve_axis_of
from fastops._lowering._moves import lower_reversals, lower_rolls, lower_rotation
from fastops._lowering._windows import Windows, check_rank, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r
from fastops.ops.numpy._results import as_numpy_scalar


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
    check_rank(shape, 2)
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


_FLIP = Operator(lower_flip, data_name="m")
_FLIPLR = Operator(lower_fliplr, data_name="m")
_FLIPUD = Operator(lower_flipud, data_name="m")


@keeps_kind
def flip(
    m: Data, axis: Index | Indices | None = None, *, out: Out = None, copy: bool | None = True, chunks: Any = None
) -> AnyArray:
    """Read axes backwards: numpy.flip, as a copy.

    Output y of a flipped axis of length d reads index ``d - 1 - y``.

    Parameters
    ----------
    m : array_like
        Any shape, any dtype.
    axis : int or list of int, optional
        The axes, each once, negative ones from the end; all of them by default.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap m.
    copy : bool or None
        True: a copy. False: a view, as NumPy gives. None: a view, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of m's dtype, or a view of m. Of no dimensions, a scalar.

    Raises
    ------
    AttributeValueError
        An axis that m does not have, or one that is named twice.
    DTypeError
        Axes that are no integers.
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
    return as_numpy_scalar(_FLIP.run_gather(m, (axis,), out, copy, None, chunks), out, copy)


@keeps_kind
def fliplr(m: Data, *, out: Out = None, copy: bool | None = True, chunks: Any = None) -> AnyArray:
    """Read the second axis backwards: numpy.fliplr, as a copy.

    Output y of that axis, of length d, reads index ``d - 1 - y``.

    Parameters
    ----------
    m : array_like
        At least two dimensions, any dtype.
    out, copy, chunks
        What `fastops.numpy.flip` takes.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of m's dtype, or a view of ``m``.

    Raises
    ------
    AttributeValueError
        Data of fewer dimensions.
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
    return _FLIPLR.run_gather(m, (), out, copy, None, chunks)


@keeps_kind
def flipud(m: Data, *, out: Out = None, copy: bool | None = True, chunks: Any = None) -> AnyArray:
    """Read the first axis backwards: numpy.flipud, as a copy.

    Output y of that axis, of length d, reads index ``d - 1 - y``.

    Parameters
    ----------
    m : array_like
        At least one dimension, any dtype.
    out, copy, chunks
        What `fastops.numpy.flip` takes.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of m's dtype, or a view of ``m``.

    Raises
    ------
    AttributeValueError
        Data of fewer dimensions.
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
    return _FLIPUD.run_gather(m, (), out, copy, None, chunks)


@lowering(
    "numpy.roll", Rule(r.ROLL, (r.SHIFT, r.AXES), r.BROADCAST), shift=as_one_or_more, axis=optional(as_one_or_more)
)
def lower_roll(shape: Indices, shift: OneOrMore, axis: OneOrMore | None = None) -> Windows:
    """Return the plan of `fastops.numpy.roll` on data of this shape.

    Without an axis, it is a plan of the flattened data, which has one axis.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.numpy.roll((2, 4), 1, 1))
    (2, 4) -> (2, 4)
      axis 0: extent 2, start 0, stride 1, count 2, strict_bounds
      axis 1: extent 4, start 3, stride 1, count 4, wrap
    """
    if axis is None:
        return lower_rolls((prod(shape),), (sum(shift),), (0,))
    axes = resolve_axes("axis", axis, len(shape), may_repeat=True)
    # One of either holds for all of the other.
    if len(axes) != len(shift) and 1 not in (len(axes), len(shift)):
        raise AttributeValueError.about("shift", f"have as many values as axis, {len(axes)}, or one", shift)
    n = len(axes) * len(shift) // max(min(len(axes), len(shift)), 1)
    return lower_rolls(shape, shift * (n // max(len(shift), 1)), axes * (n // max(len(axes), 1)))


_ROLL = Operator(lower_roll, data_name="a")


@keeps_kind
def roll(
    a: Data,
    shift: Index | Indices,
    axis: Index | Indices | None = None,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Move elements along axes, around their ends: numpy.roll.

    Output y of an axis of length d reads index ``(y - s) mod d``, where s is the sum of its shifts. Without an axis,
    the elements move in the flattened array, whose shape is restored.

    Parameters
    ----------
    a : array_like
        Any shape, any dtype.
    shift : int or list of int
        How far elements move.
    axis : int or list of int, optional
        Along which axes, negative ones from the end; the shifts of an axis that is named twice add up. Where one of
        shift and axis has one value, it holds for all of the other.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap a.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where nothing moves and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of a's dtype, or a view of a.

    Raises
    ------
    AttributeValueError
        An axis that a does not have, or lists of different lengths.
    DTypeError
        Numbers that are no integers.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.roll.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
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


_ROT90 = Operator(lower_rot90, data_name="m")


@keeps_kind
def rot90(
    m: Data,
    k: Index = 1,
    axes: Indices = (0, 1),
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
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
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap ``m``.
    copy : bool or None
        True: a copy. False: a view, as NumPy gives. None: a view, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of m's dtype, or a view of ``m``.

    Raises
    ------
    AttributeValueError
        Axes that are not two, that ``m`` does not have, or that are the same.
    DTypeError
        Numbers that are no integers.
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
    return _ROT90.run_gather(m, (k, axes), out, copy, None, chunks)
