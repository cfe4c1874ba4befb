"""tf.roll, tf.reverse and tf.transpose."""

from __future__ import annotations

from typing import Any

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, OneOrMore, as_indices
from fastops._lowering._arguments import Rule, as_one_or_more, optional
from fastops._lowering._bounds import resolve_axes
from fastops._lowering._layouts import lower_transposition
from fastops._lowering._moves import lower_reversals, lower_rolls
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering("tensorflow.roll", Rule(r.ROLL, (r.SHIFT, r.AXES)), shift=as_one_or_more, axis=as_one_or_more)
def lower_roll(shape: Indices, shift: OneOrMore, axis: OneOrMore) -> Windows:
    """Return the plan of `fastops.tensorflow.roll` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.tensorflow.roll((4,), -1, 0))
    (4,) -> (4,)
      axis 0: extent 4, start 1, stride 1, count 4, wrap
    """
    if not shape:
        raise AttributeValueError.about("data", "have at least one axis", shape)
    if len(shift) != len(axis):
        raise AttributeValueError.about("shift", f"have as many values as axis, {len(axis)}", shift)
    return lower_rolls(shape, shift, resolve_axes("axis", axis, len(shape), may_repeat=True))


_ROLL = Operator(lower_roll, data_name="input")


@keeps_kind
def roll(
    input: Data,
    shift: Index | Indices,
    axis: Index | Indices,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Move elements along axes, around their ends: tf.roll.

    Output y of an axis of length d reads index ``(y - s) mod d``, where s is the sum of its shifts.

    Parameters
    ----------
    input : array_like
        Rank 1 or more, any dtype but object.
    shift : int or list of int
        How far elements move, as many as axes.
    axis : int or list of int
        Along which axes, negative ones from the end; the shifts of an axis that is named twice add up.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap input.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where nothing moves and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of input's dtype, or a view of input.

    Raises
    ------
    AttributeValueError
        An axis that input does not have, or lists of different lengths.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.roll, without name.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import tensorflow
    >>> tensorflow.roll(np.arange(5), 2, 0)
    array([3, 4, 0, 1, 2])
    """
    return _ROLL.run_gather(input, (shift, axis), out, copy, None, chunks)


@lowering("tensorflow.reverse", Rule(r.FLIP, (r.AXES,)), axis=as_indices)
def lower_reverse(shape: Indices, axis: Indices) -> Windows:
    """Return the plan of `fastops.tensorflow.reverse` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.tensorflow.reverse((4,), [-1]))
    (4,) -> (4,)
      axis 0: extent 4, start 3, stride -1, count 4, strict_bounds
    """
    return lower_reversals(shape, resolve_axes("axis", axis, len(shape)))


_REVERSE = Operator(lower_reverse, data_name="tensor")


@keeps_kind
def reverse(tensor: Data, axis: Indices, *, out: Out = None, copy: bool | None = True, chunks: Any = None) -> AnyArray:
    """Read axes backwards: tf.reverse.

    Output y of a reversed axis of length d reads index ``d - 1 - y``.

    Parameters
    ----------
    tensor : array_like
        Any shape, any dtype but object.
    axis : list of int
        The axes, each once, negative ones from the end.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap the tensor.
    copy : bool or None
        True: a copy. False: a view. None: a view, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the tensor's dtype, or a view of it.

    Raises
    ------
    AttributeValueError
        An axis that the tensor does not have, or one that is named twice.
    DTypeError
        Axes that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.reverse, without name.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import tensorflow
    >>> tensorflow.reverse(np.arange(6).reshape(2, 3), [1])
    array([[2, 1, 0],
           [5, 4, 3]])
    """
    return _REVERSE.run_gather(tensor, (axis,), out, copy, None, chunks)


@lowering("tensorflow.transpose", Rule(r.TRANSPOSE, (r.ORDER,), r.FROM_END), perm=optional(as_indices))
def lower_transpose(shape: Indices, perm: Indices | None = None) -> Windows:
    """Return the plan of `fastops.tensorflow.transpose` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.tensorflow.transpose((4, 5, 3), [-1, 0, 1]).shape
    (3, 4, 5)
    """
    return lower_transposition("perm", shape, perm)


_TRANSPOSE = Operator(lower_transpose, data_name="a")


@keeps_kind
def transpose(
    a: Data, perm: Indices | None = None, *, out: Out = None, copy: bool | None = True, chunks: Any = None
) -> AnyArray:
    """Put axes in another order: tf.transpose.

    Axis k of the result is axis ``perm[k]`` of ``a``.

    Parameters
    ----------
    a : array_like
        Any shape, any dtype but object.
    perm : list of int, optional
        Each axis once, negative ones from the end; the axes in reverse by default.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap ``a``.
    copy : bool or None
        True: a copy. False: a view. None: a view, unless ``out`` is given.
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
        Axes that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.transpose, without conjugate and name: no element is changed.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import tensorflow
    >>> tensorflow.transpose(np.arange(6).reshape(2, 3), [1, 0])
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """
    return _TRANSPOSE.run_gather(a, (perm,), out, copy, None, chunks)
