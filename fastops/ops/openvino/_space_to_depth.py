"""OpenVINO SpaceToDepth-1."""

from __future__ import annotations

from fastops._arrays._dtypes import AnyArray
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import as_scalar, one_of
from fastops._lowering._decorator import lowering
from fastops._lowering._depths import BlockMode, check_spatial, lower_blocks_of_space
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind


@lowering(
    "openvino.space_to_depth", mode=one_of(("blocks_first", "depth_first"), in_any_case=True), block_size=as_scalar
)
def lower_space_to_depth(shape: Indices, mode: BlockMode, block_size: Index = 1) -> Windows:
    """Return the plan of `fastops.openvino.space_to_depth` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.openvino.space_to_depth((1, 2, 4, 6), "depth_first", 2).shape
    (1, 8, 2, 3)
    """
    check_spatial(shape)
    return lower_blocks_of_space("block_size", shape, block_size, depth_first=mode == "depth_first")


_OPERATOR = Operator(lower_space_to_depth)


@keeps_kind
def space_to_depth(
    data: Data,
    mode: BlockMode,
    block_size: Index = 1,
    *,
    out: Out = None,
    copy: bool | None = True,
) -> AnyArray:
    """Move blocks of the axes behind the channels into channels: OpenVINO SpaceToDepth-1.

    With b, the size of blocks, element ``[n, c, y1 * b + i1, ...]`` of data is element
    ``[n, ((i1 * b + i2) * b + ...) * C + c, y1, ...]`` of the result in mode blocks_first, and element
    ``[n, ((c * b + i1) * b + i2) * b + ..., y1, ...]`` in mode depth_first.

    Parameters
    ----------
    data : array_like
        Of shape (N, C, D1, ..., DK), rank 3 or more, any dtype but object.
    mode : str
        "blocks_first" or "depth_first": which stand first along the channels, in any case of letters.
    block_size : int
        Elements of a block along each axis, >= 1; it divides D1 to DK.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where there can be one, and ``out`` is not given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        Data of a rank below 3, a size below 1 or one that does not divide each axis behind the channels, or another
        mode.
    DTypeError
        A size that is no integer, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 1, SpaceToDepth-1.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.space_to_depth(np.arange(8).reshape(1, 2, 4), "depth_first", 2)
    array([[[0, 2],
            [1, 3],
            [4, 6],
            [5, 7]]])
    """
    return _OPERATOR.run_gather(data, (mode, block_size), out, copy)
