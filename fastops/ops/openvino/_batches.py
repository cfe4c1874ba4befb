"""OpenVINO SpaceToBatch and BatchToSpace."""

from __future__ import annotations

from typing import Any

from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._layouts import Sides, check_block_lists, lower_blocks_to_batch, lower_blocks_to_space
from fastops._lowering._windows import Assembly, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind


@lowering("openvino.space_to_batch", block_shape=as_indices, pads_begin=as_indices, pads_end=as_indices)
def lower_space_to_batch(shape: Indices, block_shape: Indices, pads_begin: Indices, pads_end: Indices) -> Assembly:
    """Return the plans of `fastops.openvino.space_to_batch` on data of this shape, one a piece of the result.

    There is one plan where all pads are multiples of the blocks. Else there is one for each block position, in the
    order of the batch.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.openvino.space_to_batch((3, 5), [1, 2], [0, 1], [0, 0])]
    [(3, 3), (3, 3)]
    """
    check_block_lists(shape, block_shape, pads_begin=pads_begin, pads_end=pads_end)
    pads = Sides(pads_begin[1:], pads_end[1:], "pads_begin", "pads_end")
    return lower_blocks_to_batch(shape, block_shape[1:], pads)


_SPACE_TO_BATCH = Operator(lower_space_to_batch)


@keeps_kind
def space_to_batch(
    data: Data,
    block_shape: Indices,
    pads_begin: Indices,
    pads_end: Indices,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Move blocks of the axes behind the batch into the batch: OpenVINO SpaceToBatch-2.

    With b, the blocks, and p, the pads before each axis, element ``[(i1 * b2 + i2 ...) * N + n, y1, y2, ...]`` of the
    result is element ``[n, y1 * b1 + i1 - p1, y2 * b2 + i2 - p2, ...]`` of data, and 0 where that lies outside.

    Parameters
    ----------
    data : array_like
        Of shape (N, D1, D2, ...), rank 2 or more, any dtype but object.
    block_shape : list of int
        Elements of a block along each axis, >= 1, one value per axis; 1 for the batch. Each divides its axis with its
        pads.
    pads_begin, pads_end : list of int
        Zeros before and behind each axis, >= 0, one value per axis; 0 for the batch.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where there can be one, and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        Data of a rank below 2, lists of other lengths, blocks below 1 or ones that do not divide their axes with the
        pads, negative pads, a block or a pad of the batch, or more than 4096 block positions where pads are no
        multiples of the blocks.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 2, SpaceToBatch-2.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.space_to_batch(np.arange(1, 6).reshape(1, 5), [1, 2], [0, 1], [0, 0])
    array([[0, 2, 4],
           [1, 3, 5]])
    """
    return _SPACE_TO_BATCH.run_gather(data, (block_shape, pads_begin, pads_end), out, copy, None, chunks)


@lowering("openvino.batch_to_space", block_shape=as_indices, crops_begin=as_indices, crops_end=as_indices)
def lower_batch_to_space(shape: Indices, block_shape: Indices, crops_begin: Indices, crops_end: Indices) -> Assembly:
    """Return the plans of `fastops.openvino.batch_to_space` on data of this shape, one a piece of the result.

    There is one plan where all crops are multiples of the blocks. Else each axis has up to three parts, a block that is
    cropped, whole ones and another one that is cropped; there is a plan for each product of them, in row-major order.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.openvino.batch_to_space((2, 3), [1, 2], [0, 1], [0, 0])]
    [(1, 1), (1, 4)]
    """
    check_block_lists(shape, block_shape, crops_begin=crops_begin, crops_end=crops_end)
    crops = Sides(crops_begin[1:], crops_end[1:], "crops_begin", "crops_end")
    return lower_blocks_to_space(shape, block_shape[1:], crops)


_BATCH_TO_SPACE = Operator(lower_batch_to_space)


@keeps_kind
def batch_to_space(
    data: Data,
    block_shape: Indices,
    crops_begin: Indices,
    crops_end: Indices,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Move blocks of the batch into the axes behind it: OpenVINO BatchToSpace-2.

    With b, the blocks, c, what is cropped before each axis, and N, the batch of the result, element
    ``[n, y1 * b1 + i1 - c1, y2 * b2 + i2 - c2, ...]`` of the result is element
    ``[(i1 * b2 + i2 ...) * N + n, y1, y2, ...]`` of data.

    Parameters
    ----------
    data : array_like
        Of shape (batch, D1, D2, ...), rank 2 or more, any dtype but object.
    block_shape : list of int
        Elements of a block along each axis, >= 1, one value per axis; 1 for the batch. Their product divides the batch.
    crops_begin, crops_end : list of int
        What is left out before and behind each axis, >= 0, one value per axis; 0 for the batch.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where there can be one, and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        Data of a rank below 2, lists of other lengths, blocks below 1 or ones whose product does not divide the batch,
        negative crops, more than there is, a block or a crop of the batch, or crops that make more than 4096 pieces.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 2, BatchToSpace-2.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.batch_to_space(np.arange(6).reshape(2, 3), [1, 2], [0, 1], [0, 0])
    array([[3, 1, 4, 2, 5]])
    """
    return _BATCH_TO_SPACE.run_gather(data, (block_shape, crops_begin, crops_end), out, copy, None, chunks)
