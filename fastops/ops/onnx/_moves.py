"""ONNX Transpose, DepthToSpace, SpaceToDepth, Tile and Expand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias, Unpack

from fastops._lowering import _layouts as layouts
from fastops._lowering._moves import lower_mutual_broadcasts, lower_tiles
from fastops._types import AnyArray, Data, Options
from fastops.ops import Index, Indices, Operator, Rule, Windows, r

__all__ = ["depth_to_space", "expand", "space_to_depth", "tile", "transpose"]


@Operator(partial(layouts.lower_transposition, from_end=False), Rule(r.TRANSPOSE, (r.ORDER,)))
def transpose(data: Data, perm: Indices | None = None, **rest: Unpack[Options]) -> AnyArray:
    """Put axes in another order: ONNX Transpose.

    Axis k of the result is axis ``perm[k]`` of data.

    Parameters
    ----------
    perm : list of int, optional
        Each axis of data once; negative axes are an error. The axes in reverse order by default.

    Raises
    ------
    AttributeValueError
        The list does not name each axis of data once.

    Notes
    -----
    Specification: ONNX Transpose-25 and earlier versions, which differ in the types of data.

    Examples
    --------
    >>> onnx.transpose(np.arange(6).reshape(2, 3))
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """


#: ONNX's orders of a block's elements: by depth, column and row, or by column, row and depth.
BlockMode: TypeAlias = Literal["DCR", "CRD"]


def _lower_blocks(shape: Indices, block_size: Index, mode: BlockMode, *, lower: Callable[..., Windows]) -> Windows:
    layouts.check_images(shape)
    return lower(shape, block_size, 1, (2, 3), depth_first=mode == "CRD")


@Operator(partial(_lower_blocks, lower=layouts.lower_blocks_of_channels))
def depth_to_space(input: Data, blocksize: Index, mode: BlockMode = "DCR", **rest: Unpack[Options]) -> AnyArray:
    """Move blocks of channels into rows and columns: ONNX DepthToSpace.

    With block size b and C' = C / (b * b), element ``[n, c, y * b + i, x * b + j]`` of the result reads element
    ``[n, (i * b + j) * C' + c, y, x]`` of input in mode DCR, and ``[n, (c * b + i) * b + j, y, x]`` in mode CRD.

    Parameters
    ----------
    input : array_like
        Of shape (N, C, H, W), any dtype but object.
    blocksize : int
        The number of rows and of columns of a block, >= 1. Its square divides C.
    mode : str
        The order of the channels of input: "DCR" has the position in a block first, "CRD" the channel of the result.

    Raises
    ------
    AttributeValueError
        Input is not of rank 4, a block size below 1 or whose square does not divide the channels, or an unknown mode.

    Notes
    -----
    Specification: ONNX DepthToSpace-28, DepthToSpace-13, DepthToSpace-11, and DepthToSpace-1, which has mode DCR.

    Examples
    --------
    >>> onnx.depth_to_space(np.arange(8).reshape(1, 4, 1, 2), 2)
    array([[[[0, 2, 1, 3],
             [4, 6, 5, 7]]]])
    """


@Operator(partial(_lower_blocks, lower=layouts.lower_blocks_of_space))
def space_to_depth(input: Data, blocksize: Index, mode: BlockMode = "DCR", **rest: Unpack[Options]) -> AnyArray:
    """Move blocks of rows and columns into channels: ONNX SpaceToDepth.

    With block size b, element ``[n, c, y * b + i, x * b + j]`` of input becomes element
    ``[n, (i * b + j) * C + c, y, x]`` of the result in mode DCR, and ``[n, (c * b + i) * b + j, y, x]`` in mode CRD.

    Parameters
    ----------
    input : array_like
        Of shape (N, C, H, W), any dtype but object.
    blocksize : int
        The number of rows and of columns of a block, >= 1. It divides H and W.
    mode : str
        The order of the channels of the result: "DCR" has the position in a block first, "CRD" the channel of input.

    Raises
    ------
    AttributeValueError
        Input is not of rank 4, a block size below 1 or that does not divide the rows and the columns, or an unknown
        mode.

    Notes
    -----
    Specification: ONNX SpaceToDepth-28, and SpaceToDepth-13 and SpaceToDepth-1, which have mode DCR.

    Examples
    --------
    >>> onnx.space_to_depth(np.arange(8).reshape(1, 1, 2, 4), 2).tolist()
    [[[[0, 2]], [[1, 3]], [[4, 6]], [[5, 7]]]]
    """


@Operator(partial(lower_tiles, one_per_axis=True), Rule(r.TILE, (r.REPEATS,), r.ONE_EACH))
def tile(input: Data, repeats: Indices, **rest: Unpack[Options]) -> AnyArray:
    """Repeat an array along its axes: ONNX Tile.

    Output y of an axis of length d reads index ``y mod d`` for ``0 <= y < d * repeats``.

    Parameters
    ----------
    repeats : list of int
        How often each axis is repeated, >= 0: one number for each axis.

    Raises
    ------
    AttributeValueError
        A list that does not have one number for each axis, or a negative number.

    Notes
    -----
    Specification: ONNX Tile-13 and Tile-6. Tile-1 has other inputs, a count and an axis.

    Examples
    --------
    >>> onnx.tile(np.arange(4).reshape(2, 2), [1, 2])
    array([[0, 1, 0, 1],
           [2, 3, 2, 3]])
    """


@Operator(lower_mutual_broadcasts)
def expand(input: Data, shape: Indices, **rest: Unpack[Options]) -> AnyArray:
    """Broadcast an array and a shape to each other: ONNX Expand.

    The shorter of the shape of input and ``shape`` gets ones in front. Output y of an axis reads index 0 if input has
    length 1 there, and index y otherwise. An axis where ``shape`` has 1 keeps its length.

    Parameters
    ----------
    shape : list of int
        The shape to broadcast to, >= 0.
    copy : bool or None
        True: a copy. False: a read-only view. None: a read-only view, unless ``out`` is given.

    Raises
    ------
    AttributeValueError
        An axis of different lengths in input and ``shape``, neither of which is 1.
    DTypeError
        A shape that is not a list of integers, or data of dtype object.

    Notes
    -----
    Specification: ONNX Expand-13 and Expand-8.

    Examples
    --------
    >>> onnx.expand(np.arange(2).reshape(2, 1), [3])
    array([[0, 0, 0],
           [1, 1, 1]])
    """
