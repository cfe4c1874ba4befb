"""torch.nn.functional.pixel_shuffle, pixel_unshuffle, channel_shuffle and unfold."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Unpack

from fastops._lowering._bounds import check_at_least, one_each
from fastops._lowering._layouts import lower_blocks_of_channels, lower_blocks_of_space, lower_shuffle
from fastops._lowering._patches import cut_padded, lower_patches
from fastops._lowering._windows import Assembly, Windows, check_rank
from fastops._types import TensorOptions
from fastops.ops import AttributeValueError, Index, Indices, OneForAll, Tensor, TensorOperator

__all__ = ["channel_shuffle", "pixel_shuffle", "pixel_unshuffle", "unfold"]


def _lower_pixels(shape: Indices, block_size: Index, *, lower: Callable[..., Windows]) -> Windows:
    check_rank(shape, 3)
    channel, *spatial = range(len(shape))[-3:]
    return lower(shape, block_size, channel, spatial, depth_first=True)


@TensorOperator(partial(_lower_pixels, lower=lower_blocks_of_channels))
def pixel_shuffle(input: Tensor, upscale_factor: Index, **rest: Unpack[TensorOptions]) -> Tensor:
    """Move channels of a tensor into blocks of pixels: torch.nn.functional.pixel_shuffle.

    With upscale factor r, a tensor of shape (..., C * r * r, H, W) becomes one of shape (..., C, H * r, W * r), where
    ``output[..., c, h * r + i, w * r + j] = input[..., (c * r + i) * r + j, h, w]`` for ``0 <= i, j < r``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of rank 3 or more, of any strides and any type of whole bytes. It must not require a
        gradient.
    upscale_factor : int
        The height and the width of a block, >= 1. Its square divides the channels.

    Raises
    ------
    AttributeValueError
        A factor below 1 or whose square does not divide the channels, or a tensor of a rank below 3.

    Notes
    -----
    Specification: PyTorch 2.13, torch.nn.functional.pixel_shuffle.

    Examples
    --------
    >>> fot.pixel_shuffle(torch.arange(8).reshape(4, 1, 2), 2)
    tensor([[[0, 2, 1, 3],
             [4, 6, 5, 7]]])
    """


@TensorOperator(partial(_lower_pixels, lower=lower_blocks_of_space))
def pixel_unshuffle(input: Tensor, downscale_factor: Index, **rest: Unpack[TensorOptions]) -> Tensor:
    """Move blocks of pixels of a tensor into channels: torch.nn.functional.pixel_unshuffle.

    With downscale factor r, a tensor of shape (..., C, H * r, W * r) becomes one of shape (..., C * r * r, H, W), where
    ``output[..., (c * r + i) * r + j, h, w] = input[..., c, h * r + i, w * r + j]`` for ``0 <= i, j < r``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of rank 3 or more, of any strides and any type of whole bytes. It must not require a
        gradient.
    downscale_factor : int
        The height and the width of a block, >= 1. It divides the last two axes.

    Raises
    ------
    AttributeValueError
        A factor below 1 or that does not divide the last two axes, or a tensor of a rank below 3.

    Notes
    -----
    Specification: PyTorch 2.13, torch.nn.functional.pixel_unshuffle.

    Examples
    --------
    >>> fot.pixel_unshuffle(torch.arange(8).reshape(1, 2, 4), 2)
    tensor([[[0, 2]],
    <BLANKLINE>
            [[1, 3]],
    <BLANKLINE>
            [[4, 6]],
    <BLANKLINE>
            [[5, 7]]])
    """


def _lower_channel_shuffle(shape: Indices, groups: Index) -> Windows:
    check_rank(shape, 3)
    return lower_shuffle(shape, 1, groups)


@TensorOperator(_lower_channel_shuffle)
def channel_shuffle(input: Tensor, groups: Index, **rest: Unpack[TensorOptions]) -> Tensor:
    """Take one channel of each group of a tensor in turn: torch.nn.functional.channel_shuffle.

    With g groups of n channels each in axis 1, ``output[:, k * g + i] = input[:, i * n + k]`` for ``0 <= i < g`` and
    ``0 <= k < n``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of rank 3 or more, of any strides and any type of whole bytes. It must not require a
        gradient.
    groups : int
        The number of groups, >= 1. It divides the channels.

    Raises
    ------
    AttributeValueError
        A number of groups below 1 or that does not divide the channels, or a tensor of a rank below 3.

    Notes
    -----
    Specification: PyTorch 2.13, torch.nn.functional.channel_shuffle.

    Examples
    --------
    >>> fot.channel_shuffle(torch.arange(6).reshape(1, 6, 1), 2).flatten()
    tensor([0, 3, 1, 4, 2, 5])
    """


def _lower_unfold(
    shape: Indices, size: OneForAll, dilation: OneForAll, padding: OneForAll, stride: OneForAll
) -> Assembly:
    if len(shape) not in (3, 4):
        raise AttributeValueError.about("data", "have 3 or 4 axes", tuple(shape))
    if 0 in shape[-3:]:
        raise AttributeValueError.about("data", "have no empty axis but the batch", tuple(shape))
    lists = {"size": size, "dilation": dilation, "padding": padding, "stride": stride}
    which = "axis of images, rows and columns"
    sizes, rates, pads, strides = [one_each(name, value, 2, which) for name, value in lists.items()]
    check_at_least(1, size=sizes, dilation=rates, stride=strides)
    check_at_least(0, padding=pads)
    channels = len(shape) - 3
    cuts = []
    for k, axis in enumerate((channels + 1, channels + 2)):
        cut = cut_padded(axis, shape[axis], sizes[k], strides[k], rates[k], pads[k], pads[k])
        if cut.patches < 1:
            rule = f"be at most {shape[axis] + 2 * pads[k]} long with dilation, the length of the axis with its padding"
            raise AttributeValueError.about("size", rule, size, axis, shape[axis])
        cuts.append(cut)
    elements = [channels, len(shape), len(shape) + 1]
    batch = [[0]] if channels else []
    return lower_patches(shape, cuts, [*batch, elements, [channels + 1, channels + 2]])


@TensorOperator(_lower_unfold)
def unfold(
    input: Tensor,
    kernel_size: OneForAll,
    dilation: OneForAll = 1,
    padding: OneForAll = 0,
    stride: OneForAll = 1,
    **rest: Unpack[TensorOptions],
) -> Tensor:
    """Put each block of an image into a column of its own: torch.nn.functional.unfold, also known as im2col.

    With kernel size k, dilation d, padding p, stride s, and X blocks in a row, element
    ``[n, (c * k1 + i) * k2 + j, y * X + x]`` of the result reads element
    ``[n, c, y * s1 - p1 + i * d1, x * s2 - p2 + j * d2]`` of input, and is 0 if that lies outside of the image.

    Parameters
    ----------
    input : torch.Tensor
        Of shape (N, C, H, W) or (C, H, W), dense, on the CPU, of any strides and any type of whole bytes. It must not
        require a gradient.
    kernel_size, dilation, stride : int or list of 2 ints
        One number, or one for rows and one for columns, >= 1: the elements of a block, the distance from one element of
        a block to the next, and the distance from one block to the next.
    padding : int or list of 2 ints
        The number of zeros on each side of rows and of columns, >= 0.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of the dtype of input; of shape (N, ``C * k1 * k2``, blocks), or
        (``C * k1 * k2``, blocks) for an input without batch.

    Raises
    ------
    AttributeValueError
        A tensor of another rank or with an empty axis that is not the batch, a number that is too small, a list that
        does not have 2 values, or a block that does not fit into the padded image.

    Notes
    -----
    Specification: PyTorch 2.13, torch.nn.functional.unfold. This function accepts every dtype, not only floats.

    Examples
    --------
    >>> fot.unfold(torch.arange(1, 7).reshape(1, 2, 3), (1, 2))
    tensor([[1, 2, 4, 5],
            [2, 3, 5, 6]])
    """
