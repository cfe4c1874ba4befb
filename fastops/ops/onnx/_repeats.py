"""ONNX Tile and Expand."""

from __future__ import annotations

from typing import Any

from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._arguments import Rule
from fastops._lowering._bounds import check_at_least_0, check_length
from fastops._lowering._moves import lower_mutual_broadcasts, lower_tiles
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering("onnx.tile", Rule(r.TILE, (r.REPEATS,), r.ONE_EACH), repeats=as_indices)
def lower_tile(shape: Indices, repeats: Indices) -> Windows:
    """Return the plan of `fastops.onnx.tile` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.onnx.tile((2, 3), [1, 2]).shape
    (2, 6)
    """
    check_length("repeats", repeats, len(shape), "axis of input")
    check_at_least_0("repeats", repeats)
    return lower_tiles(shape, repeats)


_TILE = Operator(lower_tile, data_name="input")


@keeps_kind
def tile(input: Data, repeats: Indices, *, out: Out = None, copy: bool | None = True, chunks: Any = None) -> AnyArray:
    """Repeat an array along its axes: ONNX Tile.

    Output y of an axis of length d reads index ``y mod d`` for ``0 <= y < d * repeats``.

    Parameters
    ----------
    input : array_like
        Any shape, any dtype but object.
    repeats : list of int
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
        Repeats that are not one per axis, or negative.
    DTypeError
        Repeats that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: ONNX Tile-13 (and Tile-6; Tile-1 has a count and an axis instead).

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import onnx
    >>> onnx.tile(np.arange(4).reshape(2, 2), [1, 2])
    array([[0, 1, 0, 1],
           [2, 3, 2, 3]])
    """
    return _TILE.run_gather(input, (repeats,), out, copy, None, chunks)


@lowering("onnx.expand", shape=as_indices)
def lower_expand(input_shape: Indices, shape: Indices) -> Windows:
    """Return the plan of `fastops.onnx.expand` on an input of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.onnx.expand((3, 1), (2, 1, 4)).shape
    (2, 3, 4)
    """
    return lower_mutual_broadcasts("shape", input_shape, shape)


_EXPAND = Operator(lower_expand, data_name="input")


@keeps_kind
def expand(input: Data, shape: Indices, *, out: Out = None, copy: bool | None = True, chunks: Any = None) -> AnyArray:
    """Broadcast an array and a shape to each other: ONNX Expand.

    The shorter of input's shape and shape gets ones in front. Output y of an axis reads index 0 where input has 1, else
    index y; where shape has 1, the axis stays as it is.

    Parameters
    ----------
    input : array_like
        Any shape, any dtype but object.
    shape : list of int
        What to broadcast to, >= 0.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap input.
    copy : bool or None
        True: a copy. False: a read-only view. None: that, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of input's dtype, or a view of input.

    Raises
    ------
    AttributeValueError
        Along an axis the two have different lengths, and neither is 1.
    DTypeError
        A shape that is no list of integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: ONNX Expand-13 (and Expand-8).

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import onnx
    >>> onnx.expand(np.arange(2).reshape(2, 1), [3])
    array([[0, 0, 0],
           [1, 1, 1]])
    """
    return _EXPAND.run_gather(input, (shape,), out, copy, None, chunks)
