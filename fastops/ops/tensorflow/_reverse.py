"""tf.reverse."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray
from fastops._lowering._family import resolve_axes, reverse_axes
from fastops._operators._operator import Operator, lowering
from fastops._plans._integers import Indices, as_indices
from fastops._plans._slice_plan import SlicePlan

OP = "tensorflow.reverse"


@lowering(OP)
def plan_reverse(shape: Indices, axis: Indices) -> SlicePlan:
    """Return the plan of `fastops.tensorflow.reverse` on data of this shape.

    Examples
    --------
    >>> print(plan_reverse((4,), [-1]))
    (4,) -> (4,)
      axis 0: extent 4, start 3, stride -1, count 4, strict_bounds
    """
    return reverse_axes(shape, resolve_axes(OP, "axis", as_indices(OP, "axis", axis), len(shape)))


_run = Operator(OP, plan_reverse, data_name="tensor").run


def reverse(tensor: ArrayLike, axis: Indices, *, out: AnyArray | None = None, copy: bool | None = True) -> Any:
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
        An axis that the tensor has not, or that is named twice.
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
    return _run(tensor, (axis,), out, copy)
