"""tf.transpose."""

from __future__ import annotations

from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._arguments import optional
from fastops._lowering._layouts import lower_transposition
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows, lowering
from fastops._operators._operator import Operator
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


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


_OPERATOR = Operator(lower_transpose, data_name="a")


@keeps_kind
def transpose(a: Data, perm: Indices | None = None, *, out: Out = None, copy: bool | None = True) -> AnyArray:
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
    return _OPERATOR.run_gather(a, (perm,), out, copy)
