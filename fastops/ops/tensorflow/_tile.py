"""tf.tile."""

from __future__ import annotations

from typing import Any

from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._arguments import Rule
from fastops._lowering._bounds import check_at_least_0, check_length
from fastops._lowering._moves import lower_tiles
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering("tensorflow.tile", Rule(r.TILE, (r.REPEATS,), r.ONE_EACH), multiples=as_indices)
def lower_tile(shape: Indices, multiples: Indices) -> Windows:
    """Return the plan of `fastops.tensorflow.tile` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.tensorflow.tile((2, 3), [1, 2]).shape
    (2, 6)
    """
    check_length("multiples", multiples, len(shape), "axis of input")
    check_at_least_0("multiples", multiples)
    return lower_tiles(shape, multiples)


_OPERATOR = Operator(lower_tile, data_name="input")


@keeps_kind
def tile(input: Data, multiples: Indices, *, out: Out = None, copy: bool | None = True, chunks: Any = None) -> AnyArray:
    """Repeat an array along its axes: tf.tile.

    Output y of an axis of length d reads index ``y mod d`` for ``0 <= y < d * multiples``.

    Parameters
    ----------
    input : array_like
        Any shape, any dtype but object.
    multiples : list of int
        How often each axis is repeated, >= 0, one value per axis.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap input.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where only axes of length 1 are repeated, and ``out`` is
        not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of input's dtype, or a view of input.

    Raises
    ------
    AttributeValueError
        Multiples that are not one per axis, or negative.
    DTypeError
        Multiples that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.tile, without name.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import tensorflow
    >>> tensorflow.tile(np.arange(3), [2])
    array([0, 1, 2, 0, 1, 2])
    """
    return _OPERATOR.run_gather(input, (multiples,), out, copy, None, chunks)
