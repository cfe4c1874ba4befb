"""OpenVINO DepthToSpace, SpaceToDepth and ShuffleChannels."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import as_scalar, one_of
from fastops._lowering._bounds import resolve_axis_of
from fastops._lowering._layouts import Blocks, lower_blocks_of_channels, lower_blocks_of_space, lower_shuffle
from fastops._lowering._windows import Windows, check_rank, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind

#: OpenVINO's modes, in any case.
BlockMode: TypeAlias = Literal["blocks_first", "depth_first", "BLOCKS_FIRST", "DEPTH_FIRST"]

_as_mode = one_of(("blocks_first", "depth_first"), in_any_case=True)


def _blocks_of(shape: Indices, mode: BlockMode, size: Index) -> Blocks:
    """Return the blocks along all axes behind the channels, of which data must have one."""
    check_rank(shape, 3)
    return Blocks("block_size", size, 1, range(2, len(shape)), depth_first=mode == "depth_first")


@lowering("openvino.depth_to_space", mode=_as_mode, block_size=as_scalar)
def lower_depth_to_space(shape: Indices, mode: BlockMode, block_size: Index = 1) -> Windows:
    """Return the plan of `fastops.openvino.depth_to_space` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.openvino.depth_to_space((1, 8, 2, 3), "depth_first", 2).shape
    (1, 2, 4, 6)
    """
    return lower_blocks_of_channels(shape, _blocks_of(shape, mode, block_size))


_DEPTH_TO_SPACE = Operator(lower_depth_to_space)


@keeps_kind
def depth_to_space(
    data: Data,
    mode: BlockMode,
    block_size: Index = 1,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Move blocks of channels into the axes behind them: OpenVINO DepthToSpace-1.

    With b, the size of blocks, K axes behind the channels and C' = C / b^K, element ``[n, c, y1 * b + i1, ...]`` of the
    result is element ``[n, ((i1 * b + i2) * b + ...) * C' + c, y1, ...]`` of data in mode blocks_first, and
    ``[n, ((c * b + i1) * b + i2) * b + ..., y1, ...]`` in mode depth_first.

    Parameters
    ----------
    data : array_like
        Of shape (N, C, D1, ..., DK), rank 3 or more, any dtype but object.
    mode : str
        "blocks_first" or "depth_first": which stand first along the channels, in any case of letters.
    block_size : int
        Elements of a block along each axis, >= 1; its power of K divides C.
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
        Data of a rank below 3, a size below 1 or one whose power of K does not divide the channels, or another mode.
    DTypeError
        A size that is no integer, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 1, DepthToSpace-1.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.depth_to_space(np.arange(8).reshape(1, 4, 2), "blocks_first", 2)
    array([[[0, 4, 1, 5],
            [2, 6, 3, 7]]])
    """
    return _DEPTH_TO_SPACE.run_gather(data, (mode, block_size), out, copy, None, chunks)


@lowering("openvino.space_to_depth", mode=_as_mode, block_size=as_scalar)
def lower_space_to_depth(shape: Indices, mode: BlockMode, block_size: Index = 1) -> Windows:
    """Return the plan of `fastops.openvino.space_to_depth` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.openvino.space_to_depth((1, 2, 4, 6), "depth_first", 2).shape
    (1, 8, 2, 3)
    """
    return lower_blocks_of_space(shape, _blocks_of(shape, mode, block_size))


_SPACE_TO_DEPTH = Operator(lower_space_to_depth)


@keeps_kind
def space_to_depth(
    data: Data,
    mode: BlockMode,
    block_size: Index = 1,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
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
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

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
    return _SPACE_TO_DEPTH.run_gather(data, (mode, block_size), out, copy, None, chunks)


@lowering("openvino.shuffle_channels", axis=as_scalar, group=as_scalar)
def lower_shuffle_channels(shape: Indices, axis: Index = 1, group: Index = 1) -> Windows:
    """Return the plan of `fastops.openvino.shuffle_channels` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.openvino.shuffle_channels((1, 6, 2), group=3).order
    (0, 2, 1, 3)
    """
    return lower_shuffle("group", shape, resolve_axis_of(shape, "axis", axis), group)


_SHUFFLE_CHANNELS = Operator(lower_shuffle_channels)


@keeps_kind
def shuffle_channels(
    data: Data,
    axis: Index = 1,
    group: Index = 1,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Take the channels of groups in turn: OpenVINO ShuffleChannels-1.

    Along an axis of length C, output ``k * group + g`` reads index ``g * C / group + k``, for ``0 <= g < group``.

    Parameters
    ----------
    data : array_like
        Rank 1 or more, any dtype but object.
    axis : int
        The axis of the channels; negative axes count from the end.
    group : int
        How many groups there are, >= 1; it divides the axis.
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
        An axis that data does not have, or a group below 1 or one that does not divide the axis.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: OpenVINO opset 1, ShuffleChannels-1.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import openvino
    >>> openvino.shuffle_channels(np.arange(6).reshape(1, 6), group=2)
    array([[0, 3, 1, 4, 2, 5]])
    """
    return _SHUFFLE_CHANNELS.run_gather(data, (axis, group), out, copy, None, chunks)
