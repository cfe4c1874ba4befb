"""ONNX DepthToSpace and SpaceToDepth."""

from __future__ import annotations

from typing import Any, Literal

from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import as_scalar, one_of
from fastops._lowering._layouts import Blocks, check_images, lower_blocks_of_channels, lower_blocks_of_space
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind


def _blocks_of(shape: Indices, size: Index, mode: str) -> Blocks:
    """Return the blocks of images, which data must be."""
    check_images(shape)
    return Blocks("blocksize", size, 1, (2, 3), depth_first=mode == "CRD")


@lowering("onnx.depth_to_space", blocksize=as_scalar, mode=one_of(("DCR", "CRD")))
def lower_depth_to_space(shape: Indices, blocksize: Index, mode: Literal["DCR", "CRD"] = "DCR") -> Windows:
    """Return the plan of `fastops.onnx.depth_to_space` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.onnx.depth_to_space((1, 8, 2, 3), 2).shape
    (1, 2, 4, 6)
    """
    return lower_blocks_of_channels(shape, _blocks_of(shape, blocksize, mode))


_DEPTH_TO_SPACE = Operator(lower_depth_to_space, data_name="input")


@keeps_kind
def depth_to_space(
    input: Data,
    blocksize: Index,
    mode: Literal["DCR", "CRD"] = "DCR",
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Move blocks of channels into rows and columns: ONNX DepthToSpace.

    With b, the size of blocks, and C' = C / (b * b), element ``[n, c, y * b + i, x * b + j]`` of the result is element
    ``[n, (i * b + j) * C' + c, y, x]`` of input in mode DCR, and ``[n, (c * b + i) * b + j, y, x]`` in mode CRD.

    Parameters
    ----------
    input : array_like
        Of shape (N, C, H, W), any dtype but object.
    blocksize : int
        Rows and columns of a block, >= 1; its square divides C.
    mode : str
        "DCR" or "CRD": which stand first along the channels, blocks or the channels of the result.
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
        Input is not of rank 4, a size below 1 or one whose square does not divide the channels, or another mode.
    DTypeError
        A size that is no integer, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: ONNX DepthToSpace-28 (and DepthToSpace-13 and DepthToSpace-11; DepthToSpace-1 is mode DCR).

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import onnx
    >>> onnx.depth_to_space(np.arange(8).reshape(1, 4, 1, 2), 2)
    array([[[[0, 2, 1, 3],
             [4, 6, 5, 7]]]])
    """
    return _DEPTH_TO_SPACE.run_gather(input, (blocksize, mode), out, copy, None, chunks)


@lowering("onnx.space_to_depth", blocksize=as_scalar, mode=one_of(("DCR", "CRD")))
def lower_space_to_depth(shape: Indices, blocksize: Index, mode: Literal["DCR", "CRD"] = "DCR") -> Windows:
    """Return the plan of `fastops.onnx.space_to_depth` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.onnx.space_to_depth((1, 2, 4, 6), 2).shape
    (1, 8, 2, 3)
    """
    return lower_blocks_of_space(shape, _blocks_of(shape, blocksize, mode))


_SPACE_TO_DEPTH = Operator(lower_space_to_depth, data_name="input")


@keeps_kind
def space_to_depth(
    input: Data,
    blocksize: Index,
    mode: Literal["DCR", "CRD"] = "DCR",
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Move blocks of rows and columns into channels: ONNX SpaceToDepth.

    With b, the size of blocks, element ``[n, c, y * b + i, x * b + j]`` of input is element
    ``[n, (i * b + j) * C + c, y, x]`` of the result in mode DCR, and ``[n, (c * b + i) * b + j, y, x]`` in mode CRD.

    Parameters
    ----------
    input : array_like
        Of shape (N, C, H, W), any dtype but object.
    blocksize : int
        Rows and columns of a block, >= 1; it divides H and W.
    mode : str
        "DCR" or "CRD": which stand first along the channels, blocks or the channels of input.
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
        Input is not of rank 4, a size below 1 or one that does not divide the rows and the columns, or another mode.
    DTypeError
        A size that is no integer, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: ONNX SpaceToDepth-28 (SpaceToDepth-13 and SpaceToDepth-1 are mode DCR).

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import onnx
    >>> onnx.space_to_depth(np.arange(8).reshape(1, 1, 2, 4), 2).tolist()
    [[[[0, 2]], [[1, 3]], [[4, 6]], [[5, 7]]]]
    """
    return _SPACE_TO_DEPTH.run_gather(input, (blocksize, mode), out, copy, None, chunks)
