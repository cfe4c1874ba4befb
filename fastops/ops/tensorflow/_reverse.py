"""tf.reverse."""

from __future__ import annotations

from fastops._arrays._dtypes import AnyArray
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._axes import resolve_axes
from fastops._lowering._decorator import lowering
from fastops._lowering._moves import lower_reversals
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


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


_OPERATOR = Operator(lower_reverse, data_name="tensor")


@keeps_kind
def reverse(tensor: Data, axis: Indices, *, out: Out = None, copy: bool | None = True) -> AnyArray:
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
    return _OPERATOR.run_gather(tensor, (axis,), out, copy)
