"""OpenVINO's operators of blocks: SpaceToBatch, DepthToSpace, their inverses, ShuffleChannels, ExtractImagePatches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, TypeAlias

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import one_of
from fastops._lowering._bounds import check_length
from fastops._lowering._layouts import (
    check_images,
    lower_blocks_of_channels,
    lower_blocks_of_space,
    lower_blocks_to_batch,
    lower_blocks_to_space,
    lower_shuffle,
)
from fastops._lowering._moves import Sides
from fastops._lowering._patches import check_steps, cut_padded, cut_same, lower_patches
from fastops._lowering._windows import Assembly, Windows, check_rank
from fastops._types import AnyArray, Copy, Data, Out

__all__ = [
    "batch_to_space",
    "depth_to_space",
    "extract_image_patches",
    "shuffle_channels",
    "space_to_batch",
    "space_to_depth",
]


def _lower_batch(
    shape: Indices, blocks: Indices, before: Indices, after: Indices, *, lower: Callable[..., Assembly]
) -> Assembly:
    check_rank(shape, 2)
    # The block and the sides of the batch leave it as it is.
    for name, values, first in (("blocks", blocks, 1), ("before", before, 0), ("after", after, 0)):
        check_length(name, values, len(shape), "axis of data")
        if values[0] != first:
            raise AttributeValueError.about(name, f"begin with {first}, for the batch", tuple(values))
    return lower(shape, blocks[1:], Sides(before[1:], after[1:], "before", "after"))


_SPACE_TO_BATCH = Operator(partial(_lower_batch, lower=lower_blocks_to_batch))


@_SPACE_TO_BATCH
def space_to_batch(
    data: Data,
    block_shape: Indices,
    pads_begin: Indices,
    pads_end: Indices,
    *,
    out: Out = None,
    copy: Copy = True,
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

    Raises
    ------
    AttributeValueError
        Data of a rank below 2, lists of other lengths, blocks below 1 or ones that do not divide their axes with the
        pads, negative pads, a block or a pad of the batch, or more than 4096 block positions where pads are no
        multiples of the blocks.

    Notes
    -----
    Specification: OpenVINO opset 2, SpaceToBatch-2.

    Examples
    --------
    >>> openvino.space_to_batch(np.arange(1, 6).reshape(1, 5), [1, 2], [0, 1], [0, 0])
    array([[0, 2, 4],
           [1, 3, 5]])
    """
    return _SPACE_TO_BATCH.run_gather(data, (block_shape, pads_begin, pads_end), out, copy, None, chunks)


_BATCH_TO_SPACE = Operator(partial(_lower_batch, lower=lower_blocks_to_space))


@_BATCH_TO_SPACE
def batch_to_space(
    data: Data,
    block_shape: Indices,
    crops_begin: Indices,
    crops_end: Indices,
    *,
    out: Out = None,
    copy: Copy = True,
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

    Raises
    ------
    AttributeValueError
        Data of a rank below 2, lists of other lengths, blocks below 1 or ones whose product does not divide the batch,
        negative crops, more than there is, a block or a crop of the batch, or crops that make more than 4096 pieces.

    Notes
    -----
    Specification: OpenVINO opset 2, BatchToSpace-2.

    Examples
    --------
    >>> openvino.batch_to_space(np.arange(6).reshape(2, 3), [1, 2], [0, 1], [0, 0])
    array([[3, 1, 4, 2, 5]])
    """
    return _BATCH_TO_SPACE.run_gather(data, (block_shape, crops_begin, crops_end), out, copy, None, chunks)


#: OpenVINO's modes, in any case.
BlockMode: TypeAlias = Literal["blocks_first", "depth_first", "BLOCKS_FIRST", "DEPTH_FIRST"]

_as_mode = one_of(BlockMode, in_any_case=True)


def _lower_blocks(shape: Indices, mode: BlockMode, block_size: Index, *, lower: Callable[..., Windows]) -> Windows:
    check_rank(shape, 3)
    return lower(shape, block_size, 1, range(2, len(shape)), depth_first=mode == "depth_first")


_DEPTH_TO_SPACE = Operator(partial(_lower_blocks, lower=lower_blocks_of_channels), mode=_as_mode)


@_DEPTH_TO_SPACE
def depth_to_space(
    data: Data, mode: BlockMode, block_size: Index = 1, *, out: Out = None, copy: Copy = True, chunks: Any = None
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

    Raises
    ------
    AttributeValueError
        Data of a rank below 3, a size below 1 or one whose power of K does not divide the channels, or another mode.

    Notes
    -----
    Specification: OpenVINO opset 1, DepthToSpace-1.

    Examples
    --------
    >>> openvino.depth_to_space(np.arange(8).reshape(1, 4, 2), "blocks_first", 2)
    array([[[0, 4, 1, 5],
            [2, 6, 3, 7]]])
    """
    return _DEPTH_TO_SPACE.run_gather(data, (mode, block_size), out, copy, None, chunks)


_SPACE_TO_DEPTH = Operator(partial(_lower_blocks, lower=lower_blocks_of_space), mode=_as_mode)


@_SPACE_TO_DEPTH
def space_to_depth(
    data: Data, mode: BlockMode, block_size: Index = 1, *, out: Out = None, copy: Copy = True, chunks: Any = None
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

    Raises
    ------
    AttributeValueError
        Data of a rank below 3, a size below 1 or one that does not divide each axis behind the channels, or another
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
    return _SPACE_TO_DEPTH.run_gather(data, (mode, block_size), out, copy, None, chunks)


_SHUFFLE_CHANNELS = Operator(lower_shuffle)


@_SHUFFLE_CHANNELS
def shuffle_channels(
    data: Data, axis: Index = 1, group: Index = 1, *, out: Out = None, copy: Copy = True, chunks: Any = None
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

    Raises
    ------
    AttributeValueError
        An axis that data does not have, or a group below 1 or one that does not divide the axis.

    Notes
    -----
    Specification: OpenVINO opset 1, ShuffleChannels-1.

    Examples
    --------
    >>> openvino.shuffle_channels(np.arange(6).reshape(1, 6), group=2)
    array([[0, 3, 1, 4, 2, 5]])
    """
    return _SHUFFLE_CHANNELS.run_gather(data, (axis, group), out, copy, None, chunks)


#: OpenVINO's ways to pad, in any case.
AutoPad: TypeAlias = Literal["valid", "same_upper", "same_lower", "VALID", "SAME_UPPER", "SAME_LOWER"]


def _lower_extract_image_patches(
    shape: Indices, size: Indices, stride: Indices, rate: Indices, auto_pad: AutoPad
) -> Assembly:
    check_images(shape)
    for name, values in (("size", size), ("stride", stride), ("rate", rate)):
        check_length(name, values, 2, "axis of images, rows and columns")
    check_steps(size=size, stride=stride, rate=rate)
    cuts = []
    for k in (0, 1):
        numbers = (k + 2, shape[k + 2], size[k], stride[k], rate[k])
        is_same = auto_pad != "valid"
        cuts.append(cut_same(*numbers, more_before=auto_pad == "same_lower") if is_same else cut_padded(*numbers))
    return lower_patches(shape, cuts, [[0], [4, 5, 1], [2], [3]])


_EXTRACT_IMAGE_PATCHES = Operator(_lower_extract_image_patches, auto_pad=one_of(AutoPad, in_any_case=True))


@_EXTRACT_IMAGE_PATCHES
def extract_image_patches(
    data: Data,
    sizes: Indices,
    strides: Indices,
    rates: Indices,
    auto_pad: AutoPad,
    *,
    out: Out = None,
    copy: Copy = True,
    chunks: Any = None,
) -> AnyArray:
    """Cut images into patches, each of which becomes the channels of one pixel: OpenVINO ExtractImagePatches-3.

    With s, t and r for sizes, strides and rates, and p for the pads before an axis, element
    ``[n, (i * s2 + j) * C + c, y, x]`` of the result is element ``[n, c, y * t1 - p1 + i * r1, x * t2 - p2 + j * r2]``
    of data, and 0 where that lies outside.

    Parameters
    ----------
    data : array_like
        Of shape (N, C, H, W), any dtype but object.
    sizes, strides, rates : list of int
        Of rows and columns, each >= 1: elements of a patch, coordinates from one patch to the next, and from one
        element of a patch to the next.
    auto_pad : str
        In any case of letters. valid: patches lie in the image. same_upper, same_lower: there is one for each stride,
        begun or whole, and as few zeros before and behind the image as they need; of an odd number one more behind, or
        before it.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data; of shape (N, ``s1 * s2 * C``, rows of
        patches, patches in a row).

    Raises
    ------
    AttributeValueError
        Data that does not have 4 axes, lists that are not of 2 values >= 1, or another pad.

    Notes
    -----
    Specification: OpenVINO opset 3, ExtractImagePatches-3. Sizes of 0, which it allows without a word on how many
    empty patches there are, are refused. There are no patches of valid along an axis that is shorter than one.

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
    return _EXTRACT_IMAGE_PATCHES.run_gather(data, (sizes, strides, rates, auto_pad), out, copy, None, chunks)
