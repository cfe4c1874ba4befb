"""numpy.tile, numpy.repeat and numpy.broadcast_to, the last as a copy."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, OneOrMore, as_index
from fastops._lowering._arguments import Rule, as_one_or_more, optional
from fastops._lowering._bounds import check_at_least_0, resolve_axis
from fastops._lowering._moves import lower_broadcasts, lower_repeats, lower_tiles
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r
from fastops.ops.numpy._results import as_read_only


@lowering("numpy.tile", Rule(r.TILE, (r.REPEATS,), r.MAY_BE_ONE), reps=as_one_or_more)
def lower_tile(shape: Indices, reps: OneOrMore) -> Windows:
    """Return the plan of `fastops.numpy.tile` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.numpy.tile((3,), (2, 2)).shape
    (2, 6)
    """
    check_at_least_0("reps", reps)
    return lower_tiles(shape, reps)


_TILE = Operator(lower_tile, data_name="A")


@keeps_kind
def tile(A: Data, reps: Index | Indices, *, out: Out = None, copy: bool | None = True, chunks: Any = None) -> AnyArray:  # noqa: N803 - NumPy's own name.
    """Repeat an array along its axes: numpy.tile.

    The shorter of A's shape and reps gets ones in front; then output y of an axis of length d reads index ``y mod d``
    for ``0 <= y < d * reps``.

    Parameters
    ----------
    A : array_like
        Any shape, any dtype.
    reps : int or list of int
        How often each axis is repeated, >= 0.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap A.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where only axes of length 1 are repeated, and ``out`` is
        not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of A's dtype, or a view of A.

    Raises
    ------
    AttributeValueError
        Negative repeats.
    DTypeError
        Repeats that are no integers.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.tile.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.tile(np.arange(3), (2, 1))
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    return _TILE.run_gather(A, (reps,), out, copy, None, chunks)


@lowering("numpy.repeat", Rule(r.REPEAT, (r.REPEATS, r.AXIS)), repeats=as_index, axis=optional(as_index))
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


_REPEAT = Operator(lower_repeat, data_name="a")


@keeps_kind
def repeat(
    a: Data,
    repeats: Index | Indices | ArrayLike,
    axis: Index | None = None,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Repeat each element: numpy.repeat.

    With one number for all elements, output y of an axis of length d reads index ``floor(y / repeats)``, for ``0 <= y <
    d * repeats``. Without an axis, the elements of the flattened array are repeated, and the result has one axis.

    Parameters
    ----------
    a : array_like
        Any shape, any dtype. Data of rank 0 is taken for one element of one axis.
    repeats : int or array_like of int
        How often each element is repeated, >= 0. NumPy repeats by a number for each element of the axis.
    axis : int, optional
        The axis, negative ones from the end.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap ``a``.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where nothing is repeated, ``out`` is not given, and the
        result needs no other memory.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of a's dtype, or a view of ``a``.

    Raises
    ------
    AttributeValueError
        An axis that ``a`` does not have, negative repeats, or a list of another length than the axis.
    DTypeError
        Numbers that are no integers.
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
    return _REPEAT.run_gather(a, (repeats, axis), out, copy, None, chunks)


@lowering("numpy.broadcast_to", Rule(r.BROADCAST, (r.SHAPE,)), shape=as_one_or_more)
def lower_broadcast_to(array_shape: Indices, shape: OneOrMore) -> Windows:
    """Return the plan of `fastops.numpy.broadcast_to` on an array of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.numpy.broadcast_to((3, 1), (2, 3, 4)).shape
    (2, 3, 4)
    """
    return lower_broadcasts("shape", array_shape, shape)


_BROADCAST_TO = Operator(lower_broadcast_to, data_name="array")


@keeps_kind
def broadcast_to(
    array: Data,
    shape: Index | Indices,
    subok: bool = False,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Repeat axes of length 1 to a shape: numpy.broadcast_to, as a copy.

    The array's shape gets ones in front. Output y of an axis reads index 0 where the array has 1, else index y.

    Parameters
    ----------
    array : array_like
        Any shape, any dtype.
    shape : int or list of int
        The shape of the result.
    subok : bool
        True to keep a subclass of ndarray: NumPy repeats arrays of such.
    out : ndarray, optional
        Where to write: of that shape and the array's dtype, with any strides. It may overlap the array.
    copy : bool or None
        True: a copy. False: a read-only view, as NumPy gives. None: that, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the array's dtype, or a view of it.

    Raises
    ------
    AttributeValueError
        The array has another length than 1 and the shape's along an axis, or more axes.
    DTypeError
        A shape of no integers.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.broadcast_to.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.broadcast_to(np.arange(3), (2, 3))
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    others = {"subok": subok} if subok else {}
    return as_read_only(_BROADCAST_TO.run_gather(array, (shape,), out, copy, None, chunks, others), out, copy)
