"""OpenVINO Tile-1."""

from __future__ import annotations

from fastops._arrays._dtypes import AnyArray
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._decorator import lowering
from fastops._lowering._repeats import lower_tiles
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering("openvino.tile", Rule(r.TILE, (r.REPEATS,), r.FROM_0), repeats=as_indices)
def lower_tile(shape: Indices, repeats: Indices) -> Windows:
    """Return the plan of `fastops.openvino.tile` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.openvino.tile((3,), [2, 2]).shape
    (2, 6)
    """
    return lower_tiles(shape, [max(n, 0) for n in repeats])


_OPERATOR = Operator(lower_tile)


@keeps_kind
def tile(data: Data, repeats: Indices, *, out: Out = None, copy: bool | None = True) -> AnyArray:
    """Repeat an array along its axes: OpenVINO Tile-1.

    The shorter of data's shape and repeats gets ones in front; then output y of an axis of length d reads index
    ``y mod d`` for ``0 <= y < d * repeats``.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object.
    repeats : list of int
        How often each axis is repeated; a negative number counts as 0.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where only axes of length 1 are repeated, and ``out`` is
        not given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        ``copy=False`` where a copy is needed.
    DTypeError
        Repeats that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 1, Tile-1.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.tile(np.arange(3), [2, 2])
    array([[0, 1, 2, 0, 1, 2],
           [0, 1, 2, 0, 1, 2]])
    """
    return _OPERATOR.run_gather(data, (repeats,), out, copy)
