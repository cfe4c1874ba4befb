"""OpenVINO SpaceToBatch, BatchToSpace, DepthToSpace, SpaceToDepth, ShuffleChannels and ExtractImagePatches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias, Unpack

from fastops._lowering import _layouts as layouts
from fastops._lowering._bounds import check_at_least, check_length
from fastops._lowering._moves import Sides
from fastops._lowering._patches import cut_padded, cut_same, lower_patches
from fastops._types import AnyArray, Data, Options
from fastops.ops import Assembly, AttributeValueError, Index, Indices, Operator, Windows, check_rank

__all__ = ["batch_to_space", "depth_to_space", "extract_image_patches"]
__all__ += ["shuffle_channels", "space_to_batch", "space_to_depth"]


def _lower_batch(
    shape: Indices, blocks: Indices, before: Indices, after: Indices, *, lower: Callable[..., Assembly]
) -> Assembly:
    check_rank(shape, 2)
    # Blocks and pads or crops must not change the batch.
    for name, values, first in (("blocks", blocks, 1), ("before", before, 0), ("after", after, 0)):
        check_length(name, values, len(shape), "axis of data")
        if values[0] != first:
            raise AttributeValueError.about(name, f"begin with {first}, for the batch", tuple(values))
    return lower(shape, blocks[1:], Sides(before[1:], after[1:], "before", "after"))


@Operator(partial(_lower_batch, lower=layouts.lower_blocks_to_batch))
def space_to_batch(
    data: Data, block_shape: Indices, pads_begin: Indices, pads_end: Indices, **rest: Unpack[Options]
) -> AnyArray:
    """Move blocks of the axes after the batch into the batch: OpenVINO SpaceToBatch-2.

    With blocks b and pads p before each axis, element ``[(i1 * b2 + i2 ...) * N + n, y1, y2, ...]`` of the result reads
    element ``[n, y1 * b1 + i1 - p1, y2 * b2 + i2 - p2, ...]`` of data, and is 0 if that lies outside of data.

    Parameters
    ----------
    data : array_like
        Of shape (N, D1, D2, ...), rank 2 or more, any dtype but object.
    block_shape : list of int
        The number of elements of a block along each axis, >= 1, and 1 for the batch. It divides the axis with its pads.
    pads_begin, pads_end : list of int
        The number of zeros before and after each axis, >= 0, and 0 for the batch.

    Raises
    ------
    AttributeValueError
        Data of rank 0 or 1, a list that does not have one number for each axis, a block below 1 or that does not divide
        its axis with the pads, a negative pad, a block other than 1 or a pad other than 0 for the batch, or, for data
        that is not in memory, pads that give more than 4096 pieces.

    Notes
    -----
    Specification: OpenVINO opset 2, SpaceToBatch-2.

    Examples
    --------
    >>> openvino.space_to_batch(np.arange(1, 6).reshape(1, 5), [1, 2], [0, 1], [0, 0])
    array([[0, 2, 4],
           [1, 3, 5]])
    """


@Operator(partial(_lower_batch, lower=layouts.lower_blocks_to_space))
def batch_to_space(
    data: Data, block_shape: Indices, crops_begin: Indices, crops_end: Indices, **rest: Unpack[Options]
) -> AnyArray:
    """Move blocks of the batch into the axes after it: OpenVINO BatchToSpace-2.

    With blocks b, crops c before each axis, and batch N of the result, element
    ``[n, y1 * b1 + i1 - c1, y2 * b2 + i2 - c2, ...]`` of the result reads element
    ``[(i1 * b2 + i2 ...) * N + n, y1, y2, ...]`` of data.

    Parameters
    ----------
    data : array_like
        Of shape (batch, D1, D2, ...), rank 2 or more, any dtype but object.
    block_shape : list of int
        The number of elements of a block along each axis, >= 1, and 1 for the batch. The product divides the batch.
    crops_begin, crops_end : list of int
        The number of elements to leave out at the beginning and at the end of each axis of the result, >= 0, and 0 for
        the batch.

    Raises
    ------
    AttributeValueError
        Data of rank 0 or 1, a list that does not have one number for each axis, a block below 1, blocks whose product
        does not divide the batch, a negative crop, crops of more elements than the axis has, a block other than 1 or a
        crop other than 0 for the batch, or crops that give more than 4096 pieces.

    Notes
    -----
    Specification: OpenVINO opset 2, BatchToSpace-2.

    Examples
    --------
    >>> openvino.batch_to_space(np.arange(6).reshape(2, 3), [1, 2], [0, 1], [0, 0])
    array([[3, 1, 4, 2, 5]])
    """


#: OpenVINO's modes, in lower and upper case.
BlockMode: TypeAlias = Literal["blocks_first", "depth_first", "BLOCKS_FIRST", "DEPTH_FIRST"]


def _lower_blocks(shape: Indices, mode: BlockMode, block_size: Index, *, lower: Callable[..., Windows]) -> Windows:
    check_rank(shape, 3)
    return lower(shape, block_size, 1, range(2, len(shape)), depth_first=mode == "depth_first")


@Operator(partial(_lower_blocks, lower=layouts.lower_blocks_of_channels))
def depth_to_space(data: Data, mode: BlockMode, block_size: Index = 1, **rest: Unpack[Options]) -> AnyArray:
    """Move blocks of channels into the axes after the channels: OpenVINO DepthToSpace-1.

    With block size b, K axes after the channels, and C' = C / b^K, element ``[n, c, y1 * b + i1, ...]`` of the result
    reads element ``[n, ((i1 * b + i2) * b + ...) * C' + c, y1, ...]`` of data in mode blocks_first, and
    ``[n, ((c * b + i1) * b + i2) * b + ..., y1, ...]`` in mode depth_first.

    Parameters
    ----------
    data : array_like
        Of shape (N, C, D1, ..., DK), rank 3 or more, any dtype but object.
    mode : str
        The order of the channels of data, in upper or lower case: "blocks_first" has the position in a block first,
        "depth_first" the channel of the result.
    block_size : int
        The number of elements of a block along each axis, >= 1. Its K-th power divides C.

    Raises
    ------
    AttributeValueError
        Data of a rank below 3, a block size below 1 or whose K-th power does not divide the channels, or an unknown
        mode.

    Notes
    -----
    Specification: OpenVINO opset 1, DepthToSpace-1.

    Examples
    --------
    >>> openvino.depth_to_space(np.arange(8).reshape(1, 4, 2), "blocks_first", 2)
    array([[[0, 4, 1, 5],
            [2, 6, 3, 7]]])
    """


@Operator(partial(_lower_blocks, lower=layouts.lower_blocks_of_space))
def space_to_depth(data: Data, mode: BlockMode, block_size: Index = 1, **rest: Unpack[Options]) -> AnyArray:
    """Move blocks of the axes after the channels into the channels: OpenVINO SpaceToDepth-1.

    With block size b, element ``[n, c, y1 * b + i1, ...]`` of data becomes element
    ``[n, ((i1 * b + i2) * b + ...) * C + c, y1, ...]`` of the result in mode blocks_first, and
    ``[n, ((c * b + i1) * b + i2) * b + ..., y1, ...]`` in mode depth_first.

    Parameters
    ----------
    data : array_like
        Of shape (N, C, D1, ..., DK), rank 3 or more, any dtype but object.
    mode : str
        The order of the channels of the result, in upper or lower case: "blocks_first" has the position in a block
        first, "depth_first" the channel of data.
    block_size : int
        The number of elements of a block along each axis, >= 1. It divides D1 to DK.

    Raises
    ------
    AttributeValueError
        Data of a rank below 3, a block size below 1 or that does not divide each axis after the channels, or an unknown
        mode.

    Notes
    -----
    Specification: OpenVINO opset 1, SpaceToDepth-1.

    Examples
    --------
    >>> openvino.space_to_depth(np.arange(8).reshape(1, 2, 4), "depth_first", 2)
    array([[[0, 2],
            [1, 3],
            [4, 6],
            [5, 7]]])
    """


@Operator(layouts.lower_shuffle)
def shuffle_channels(data: Data, axis: Index = 1, group: Index = 1, **rest: Unpack[Options]) -> AnyArray:
    """Take one channel of each group in turn: OpenVINO ShuffleChannels-1.

    Along an axis of length C, output ``k * group + g`` reads index ``g * C / group + k``, for ``0 <= g < group``.

    Parameters
    ----------
    data : array_like
        Rank 1 or more, any dtype but object.
    axis : int
        The axis of the channels; negative axes count from the end.
    group : int
        The number of groups, >= 1. It divides the axis.

    Raises
    ------
    AttributeValueError
        An axis that data does not have, or a number of groups below 1 or that does not divide the axis.

    Notes
    -----
    Specification: OpenVINO opset 1, ShuffleChannels-1.

    Examples
    --------
    >>> openvino.shuffle_channels(np.arange(6).reshape(1, 6), group=2)
    array([[0, 3, 1, 4, 2, 5]])
    """


#: OpenVINO's ways to pad, in lower and upper case.
AutoPad: TypeAlias = Literal["valid", "same_upper", "same_lower", "VALID", "SAME_UPPER", "SAME_LOWER"]


def _lower_extract_image_patches(
    shape: Indices, size: Indices, stride: Indices, rate: Indices, auto_pad: AutoPad
) -> Assembly:
    layouts.check_images(shape)
    for name, values in (("size", size), ("stride", stride), ("rate", rate)):
        check_length(name, values, 2, "axis of images, rows and columns")
    check_at_least(1, size=size, stride=stride, rate=rate)
    cut = cut_padded if auto_pad == "valid" else partial(cut_same, more_before=auto_pad == "same_lower")
    cuts = [cut(*numbers) for numbers in zip((2, 3), shape[2:], size, stride, rate, strict=True)]
    return lower_patches(shape, cuts, [[0], [4, 5, 1], [2], [3]])


@Operator(_lower_extract_image_patches)
def extract_image_patches(
    data: Data, sizes: Indices, strides: Indices, rates: Indices, auto_pad: AutoPad, **rest: Unpack[Options]
) -> AnyArray:
    """Cut images into patches, each of which becomes the channels of one pixel: OpenVINO ExtractImagePatches-3.

    With sizes s, strides t, rates r, and pads p before rows and columns, element ``[n, (i * s2 + j) * C + c, y, x]`` of
    the result reads element ``[n, c, y * t1 - p1 + i * r1, x * t2 - p2 + j * r2]`` of data, and is 0 if that lies
    outside of the image.

    Parameters
    ----------
    data : array_like
        Of shape (N, C, H, W), any dtype but object.
    sizes, strides, rates : list of int
        Two numbers each, for rows and for columns, >= 1: the elements of a patch, the distance from one patch to the
        next, and the distance from one element of a patch to the next.
    auto_pad : str
        How to pad, as a word in upper or lower case. "valid": none, so all patches lie inside the image. "same_upper"
        and "same_lower": ``ceil(d / stride)`` patches along an axis of length d, with as few zeros on both sides as
        these need; if the number of zeros is odd, one more is after the image, or before it for "same_lower".

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the dtype of data, or a view of data; of shape (N, ``s1 * s2 * C``,
        rows of patches, patches in a row).

    Raises
    ------
    AttributeValueError
        Data is not of rank 4, a list does not have 2 numbers >= 1, or an unknown ``auto_pad``.

    Notes
    -----
    Specification: OpenVINO opset 3, ExtractImagePatches-3. It allows sizes of 0 without saying how many empty patches
    there are; this function refuses them. With "valid", an axis that is shorter than a patch has no patches.

    Examples
    --------
    >>> image = np.arange(1, 10).reshape(1, 1, 3, 3)
    >>> openvino.extract_image_patches(image, [2, 2], [2, 2], [1, 1], "same_lower")
    array([[[[0, 0],
             [0, 5]],
    <BLANKLINE>
            [[0, 0],
             [4, 6]],
    <BLANKLINE>
            [[0, 2],
             [0, 8]],
    <BLANKLINE>
            [[1, 3],
             [7, 9]]]])
    """
