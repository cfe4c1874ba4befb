"""tf.space_to_batch_nd, tf.nn.space_to_depth and their inverses, and tf.image.extract_patches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, TypeAlias, Unpack

from fastops._errors import AttributeValueError, counted
from fastops._lowering import _layouts as layouts
from fastops._lowering._arguments import as_nested
from fastops._lowering._bounds import check_at_least
from fastops._lowering._moves import split_pairs
from fastops._lowering._patches import cut_padded, cut_same, lower_patches
from fastops._types import AnyArray, Data, Options
from fastops.ops import Assembly, Index, Indices, Operator, Windows, check_rank

__all__ = ["batch_to_space_nd", "depth_to_space", "extract_patches", "space_to_batch_nd", "space_to_depth"]


def _lower_batch(shape: Indices, block_shape: Indices, pairs: Any, *, lower: Callable[..., Assembly]) -> Assembly:
    check_rank(shape, len(block_shape) + 1)
    return lower(shape, block_shape, split_pairs("pairs", pairs, len(block_shape)))


@Operator(partial(_lower_batch, lower=layouts.lower_blocks_to_batch), paddings=as_nested)
def space_to_batch_nd(input: Data, block_shape: Indices, paddings: Any, **rest: Unpack[Options]) -> AnyArray:
    """Move blocks of the axes after the batch into the batch: tf.space_to_batch_nd.

    With blocks b and pads p before each axis, element ``[(i1 * b2 + i2 ...) * N + n, y1, y2, ...]`` of the result reads
    element ``[n, y1 * b1 + i1 - p1, y2 * b2 + i2 - p2, ...]`` of input, and is 0 if that lies outside of input.

    Parameters
    ----------
    input : array_like
        Of shape (N, D1, ..., DM, ...), any dtype but object.
    block_shape : list of int
        The number of elements of a block along each of axes 1 to M, >= 1. It divides the axis with its pads.
    paddings : list of pairs of int
        The number of zeros before and after each of these axes, >= 0.

    Raises
    ------
    AttributeValueError
        Input of a rank below M + 1, other than M pairs, a block below 1 or that does not divide its axis with the pads,
        a negative pad, or, for data that is not in memory, pads that give more than 4096 pieces.

    Examples
    --------
    >>> tensorflow.space_to_batch_nd(np.arange(1, 6).reshape(1, 5), [2], [[1, 0]])
    array([[0, 2, 4],
           [1, 3, 5]])
    """


@Operator(partial(_lower_batch, lower=layouts.lower_blocks_to_space), crops=as_nested)
def batch_to_space_nd(input: Data, block_shape: Indices, crops: Any, **rest: Unpack[Options]) -> AnyArray:
    """Move blocks of the batch into the axes after it: tf.raw_ops.BatchToSpaceND.

    With blocks b, crops c before each axis, and batch N of the result, element
    ``[n, y1 * b1 + i1 - c1, y2 * b2 + i2 - c2, ...]`` of the result reads element
    ``[(i1 * b2 + i2 ...) * N + n, y1, y2, ...]`` of input.

    Parameters
    ----------
    input : array_like
        Of shape (batch, D1, ..., DM, ...), any dtype but object.
    block_shape : list of int
        The number of elements of a block along each of axes 1 to M, >= 1. The product divides the batch.
    crops : list of pairs of int
        The number of elements to leave out at the beginning and at the end of each of these axes of the result, >= 0.

    Raises
    ------
    AttributeValueError
        Input of a rank below M + 1, other than M pairs, a block below 1, blocks whose product does not divide the
        batch, a negative crop, crops of more elements than the axis has, or crops that give more than 4096 pieces.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.raw_ops.BatchToSpaceND, without the argument name. Other names of this function
    are tf.batch_to_space and tf.compat.v1.batch_to_space_nd.

    Examples
    --------
    >>> tensorflow.batch_to_space_nd(np.arange(6).reshape(2, 3), [2], [[1, 0]])
    array([[3, 1, 4, 2, 5]])
    """


#: TensorFlow's layouts of images.
Format: TypeAlias = Literal["NHWC", "NCHW", "NCHW_VECT_C"]

# The axes of each format: N is the batch, C channels, H rows, W columns, and V a vector of four channels.
_FORMATS: dict[Format, str] = {"NHWC": "NHWC", "NCHW": "NCHW", "NCHW_VECT_C": "NCHWV"}

_LENGTH_OF_V = 4


def _lower_blocks(shape: Indices, block_size: Index, data_format: Format, *, lower: Callable[..., Windows]) -> Windows:
    axes = _FORMATS[data_format]
    if len(shape) != len(axes):
        rule = f"have {counted(len(axes), 'axis')} in format {data_format}"
        raise AttributeValueError.about("data", rule, tuple(shape))
    if axes[-1] == "V" and shape[-1] != _LENGTH_OF_V:
        rule = f"have a last axis of {_LENGTH_OF_V} in format {data_format}"
        raise AttributeValueError.about("data", rule, tuple(shape))
    # TensorFlow refuses blocks of one element.
    check_at_least(2, block_size=[block_size])
    return lower(shape, block_size, axes.index("C"), (axes.index("H"), axes.index("W")))


@Operator(partial(_lower_blocks, lower=layouts.lower_blocks_of_channels))
def depth_to_space(input: Data, block_size: Index, data_format: Format = "NHWC", **rest: Unpack[Options]) -> AnyArray:
    """Move blocks of channels into rows and columns: tf.nn.depth_to_space.

    With block size b and C' = C / (b * b), element ``[n, y * b + i, x * b + j, c]`` of the result reads element
    ``[n, y, x, (i * b + j) * C' + c]`` of input. In formats NCHW and NCHW_VECT_C, element
    ``[n, c, y * b + i, x * b + j]`` of the result reads element ``[n, (i * b + j) * C' + c, y, x]``.

    Parameters
    ----------
    input : array_like
        Of shape (N, H, W, C), (N, C, H, W) or (N, C, H, W, 4), according to data_format, any dtype but object.
    block_size : int
        The number of rows and of columns of a block, >= 2. Its square divides C.
    data_format : str
        The order of the axes: "NHWC", "NCHW" or "NCHW_VECT_C", which has an additional last axis of length 4.

    Raises
    ------
    AttributeValueError
        Input does not have the rank of the format, a block size below 2 or whose square does not divide the channels,
        or an unknown format.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.nn.depth_to_space, without the argument name. This function accepts every dtype
    in every format.

    Examples
    --------
    >>> tensorflow.depth_to_space(np.arange(8).reshape(1, 1, 2, 4), 2).squeeze()
    array([[0, 1, 4, 5],
           [2, 3, 6, 7]])
    """


@Operator(partial(_lower_blocks, lower=layouts.lower_blocks_of_space))
def space_to_depth(input: Data, block_size: Index, data_format: Format = "NHWC", **rest: Unpack[Options]) -> AnyArray:
    """Move blocks of rows and columns into channels: tf.nn.space_to_depth.

    With block size b, element ``[n, y * b + i, x * b + j, c]`` of input becomes element
    ``[n, y, x, (i * b + j) * C + c]`` of the result. In formats NCHW and NCHW_VECT_C, element
    ``[n, c, y * b + i, x * b + j]`` of input becomes element ``[n, (i * b + j) * C + c, y, x]``.

    Parameters
    ----------
    input : array_like
        Of shape (N, H, W, C), (N, C, H, W) or (N, C, H, W, 4), according to data_format, any dtype but object.
    block_size : int
        The number of rows and of columns of a block, >= 2. It divides H and W.
    data_format : str
        The order of the axes: "NHWC", "NCHW" or "NCHW_VECT_C", which has an additional last axis of length 4.

    Raises
    ------
    AttributeValueError
        Input does not have the rank of the format, a block size below 2 or that does not divide the rows and the
        columns, or an unknown format.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.nn.space_to_depth, without the argument name. This function accepts every dtype
    in every format.

    Examples
    --------
    >>> tensorflow.space_to_depth(np.arange(8).reshape(1, 2, 4, 1), 2)
    array([[[[0, 1, 4, 5],
             [2, 3, 6, 7]]]])
    """


#: TensorFlow's ways to pad.
Padding: TypeAlias = Literal["VALID", "SAME"]


def _lower_extract_patches(shape: Indices, size: Indices, stride: Indices, rate: Indices, padding: Padding) -> Assembly:
    layouts.check_images(shape)
    for name, values in (("size", size), ("stride", stride), ("rate", rate)):
        if len(values) != 4 or values[0] != 1 or values[3] != 1:
            raise AttributeValueError.about(name, "have 4 values, 1 as the first and 1 as the last", tuple(values))
    check_at_least(1, size=size, stride=stride, rate=rate)
    cuts = []
    for axis in (1, 2):
        numbers = (axis, shape[axis], size[axis], stride[axis], rate[axis])
        # TensorFlow rounds a negative number of patches up, so an axis that is a little too short has 0 patches.
        longest = shape[axis] + 2 * stride[axis] - 1
        if padding == "VALID" and (size[axis] - 1) * rate[axis] >= longest:
            rule = f"reach over at most {counted(longest, 'element')}, not two strides beyond the axis, for VALID"
            raise AttributeValueError.about("size", rule, tuple(size), axis, shape[axis])
        cuts.append(cut_same(*numbers) if padding == "SAME" else cut_padded(*numbers))
    return lower_patches(shape, cuts, [[0], [1], [2], [4, 5, 3]])


@Operator(_lower_extract_patches)
def extract_patches(
    images: Data, sizes: Indices, strides: Indices, rates: Indices, padding: Padding, **rest: Unpack[Options]
) -> AnyArray:
    """Cut images into patches, each of which becomes the channels of one pixel: tf.image.extract_patches.

    With sizes s, strides t, rates r, and pads p before rows and columns, element ``[n, y, x, (i * s2 + j) * C + c]`` of
    the result reads element ``[n, y * t1 - p1 + i * r1, x * t2 - p2 + j * r2, c]`` of images, and is 0 if that lies
    outside of the image.

    Parameters
    ----------
    images : array_like
        Of shape (N, H, W, C), any dtype but object.
    sizes, strides, rates : list of int
        ``[1, rows, columns, 1]`` with numbers >= 1: the elements of a patch, the distance from one patch to the next,
        and the distance from one element of a patch to the next.
    padding : str
        "VALID": no pads, so all patches lie inside the image. "SAME": ``ceil(d / stride)`` patches along an axis of
        length d, with as few zeros on both sides as these need; if the number of zeros is odd, one more is after the
        image.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the dtype of images, or a view of images; of shape (N, rows of
        patches, patches in a row, ``s1 * s2 * C``).

    Raises
    ------
    AttributeValueError
        Images are not of rank 4, a list is not of this form, an unknown padding, or patches that are longer than the
        image by two strides or more with VALID.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.image.extract_patches, without the argument name.

    Examples
    --------
    >>> image = np.arange(1, 10).reshape(1, 3, 3, 1)
    >>> tensorflow.extract_patches(image, [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "SAME")
    array([[[[1, 2, 4, 5],
             [3, 0, 6, 0]],
    <BLANKLINE>
            [[7, 8, 0, 0],
             [9, 0, 0, 0]]]])
    """
