"""tf.space_to_batch_nd and tf.batch_to_space, whose blocks may be along any axes."""

from __future__ import annotations

from typing import Any

from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._arguments import as_nested
from fastops._lowering._layouts import Sides, lower_blocks_to_batch, lower_blocks_to_space
from fastops._lowering._moves import split_pairs
from fastops._lowering._windows import Assembly, check_rank, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind


@lowering("tensorflow.space_to_batch_nd", block_shape=as_indices, paddings=as_nested)
def lower_space_to_batch_nd(shape: Indices, block_shape: Indices, paddings: Any) -> Assembly:
    """Return the plans of `fastops.tensorflow.space_to_batch_nd` on data of this shape, one a piece of the result.

    There is one plan where all pads are multiples of the blocks. Else there is one for each block position, in the
    order of the batch.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.tensorflow.space_to_batch_nd((3, 5), [2], [[1, 0]])]
    [(3, 3), (3, 3)]
    """
    check_rank(shape, len(block_shape) + 1)
    before, after = split_pairs("paddings", paddings, len(block_shape))
    return lower_blocks_to_batch(shape, block_shape, Sides(before, after, "paddings", "paddings"))


_SPACE_TO_BATCH_ND = Operator(lower_space_to_batch_nd, data_name="input")


@keeps_kind
def space_to_batch_nd(
    input: Data,
    block_shape: Indices,
    paddings: Any,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Move blocks of the axes behind the batch into the batch: tf.space_to_batch_nd.

    With b, the blocks, and p, the pads before each axis, element ``[(i1 * b2 + i2 ...) * N + n, y1, y2, ...]`` of the
    result is element ``[n, y1 * b1 + i1 - p1, y2 * b2 + i2 - p2, ...]`` of input, and 0 where that lies outside.

    Parameters
    ----------
    input : array_like
        Of shape (N, D1, ..., DM, ...), any dtype but object.
    block_shape : list of int
        Elements of a block along axes 1 to M, >= 1. Each divides its axis with its pads.
    paddings : list of pairs of int
        Zeros before and behind each of these axes, >= 0.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap input.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where there can be one, and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of input's dtype, or a view of input.

    Raises
    ------
    AttributeValueError
        Input of a rank below M + 1, another number of pairs, blocks below 1 or ones that do not divide their axes with
        the pads, negative pads, or more than 4096 block positions where pads are no multiples of the blocks.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.space_to_batch_nd, without name.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import tensorflow
    >>> tensorflow.space_to_batch_nd(np.arange(1, 6).reshape(1, 5), [2], [[1, 0]])
    array([[0, 2, 4],
           [1, 3, 5]])
    """
    return _SPACE_TO_BATCH_ND.run_gather(input, (block_shape, paddings), out, copy, None, chunks)


@lowering("tensorflow.batch_to_space_nd", block_shape=as_indices, crops=as_nested)
def lower_batch_to_space_nd(shape: Indices, block_shape: Indices, crops: Any) -> Assembly:
    """Return the plans of `fastops.tensorflow.batch_to_space_nd` on data of this shape, one a piece of the result.

    There is one plan where all crops are multiples of the blocks. Else each axis has up to three parts, a block that is
    cropped, whole ones and another one that is cropped; there is a plan for each product of them, in row-major order.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.tensorflow.batch_to_space_nd((2, 3), [2], [[1, 0]])]
    [(1, 1), (1, 4)]
    """
    check_rank(shape, len(block_shape) + 1)
    before, after = split_pairs("crops", crops, len(block_shape))
    return lower_blocks_to_space(shape, block_shape, Sides(before, after, "crops", "crops"))


_BATCH_TO_SPACE_ND = Operator(lower_batch_to_space_nd, data_name="input")


@keeps_kind
def batch_to_space_nd(
    input: Data,
    block_shape: Indices,
    crops: Any,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Move blocks of the batch into the axes behind it: tf.raw_ops.BatchToSpaceND.

    With b, the blocks, c, what is cropped before each axis, and N, the batch of the result, element
    ``[n, y1 * b1 + i1 - c1, y2 * b2 + i2 - c2, ...]`` of the result is element
    ``[(i1 * b2 + i2 ...) * N + n, y1, y2, ...]`` of input.

    Parameters
    ----------
    input : array_like
        Of shape (batch, D1, ..., DM, ...), any dtype but object.
    block_shape : list of int
        Elements of a block along axes 1 to M, >= 1. Their product divides the batch.
    crops : list of pairs of int
        What is left out before and behind each of these axes, >= 0.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap input.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where there can be one, and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of input's dtype, or a view of input.

    Raises
    ------
    AttributeValueError
        Input of a rank below M + 1, another number of pairs, blocks below 1 or ones whose product does not divide the
        batch, negative crops, more than there is, or crops that make more than 4096 pieces.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.raw_ops.BatchToSpaceND, which is tf.batch_to_space and
    tf.compat.v1.batch_to_space_nd, without name.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import tensorflow
    >>> tensorflow.batch_to_space_nd(np.arange(6).reshape(2, 3), [2], [[1, 0]])
    array([[3, 1, 4, 2, 5]])
    """
    return _BATCH_TO_SPACE_ND.run_gather(input, (block_shape, crops), out, copy, None, chunks)
