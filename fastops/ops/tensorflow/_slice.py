"""tf.slice."""

from __future__ import annotations

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._axes import check_length
from fastops._lowering._decorator import lowering
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering("tensorflow.slice", Rule(r.WINDOWS, (r.START, r.SIZE), r.REST_IF_MINUS_1), begin=as_indices, size=as_indices)
def lower_slice(shape: Indices, begin: Indices, size: Indices) -> Windows:
    """Return the plan of `fastops.tensorflow.slice` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.tensorflow.slice((4, 6), [1, 2], [2, -1]).shape
    (2, 4)
    """
    check_length("begin", begin, len(shape), "axis of input_")
    check_length("size", size, len(shape), "axis of input_")
    bounds = []
    for axis, (extent, start, count) in enumerate(zip(shape, begin, size, strict=True)):
        if not 0 <= start <= extent:
            raise AttributeValueError.about("begin", f"be in 0..{extent}", begin, axis, extent)
        if not -1 <= count <= extent - start:
            rule = f"be in 0..{extent - start}, or -1 for all that is left, from {start} on"
            raise AttributeValueError.about("size", rule, size, axis, extent)
        bounds.append((start, 1, extent - start if count == -1 else count))
    return Windows(shape, bounds)


_OPERATOR = Operator(lower_slice, data_name="input_")


@keeps_kind
def slice(input_: Data, begin: Indices, size: Indices, *, out: Out = None, copy: bool | None = True) -> AnyArray:
    """Take a window of an array: tf.slice.

    ``result[y] = input_[begin + y]`` along each axis, for ``0 <= y < size``.

    Parameters
    ----------
    input_ : array_like
        Any shape, any dtype but object.
    begin : list of int
        Where the window begins, one value per axis, never counted from the end.
    size : list of int
        How long it is, one value per axis; -1 for all that is left.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap the input.
    copy : bool or None
        True: a copy. False: a view. None: a view, unless ``out`` is given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the input's dtype, or a view of it.

    Raises
    ------
    AttributeValueError
        Lists that do not have one value per axis, or a window that is not inside of the input.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.slice, without name.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import tensorflow
    >>> tensorflow.slice(np.arange(12).reshape(3, 4), [1, 2], [-1, 2])
    array([[ 6,  7],
           [10, 11]])
    """
    return _OPERATOR.run_gather(input_, (begin, size), out, copy)
