"""torch.nn.functional.pixel_shuffle, pixel_unshuffle and channel_shuffle."""

from __future__ import annotations

from fastops._arrays._tensors import Tensor
from fastops._execution._operator import TensorOperator
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import as_scalar
from fastops._lowering._layouts import Blocks, lower_blocks_of_channels, lower_blocks_of_space, lower_shuffle
from fastops._lowering._windows import Windows, check_rank, lowering


def _blocks_of(shape: Indices, attribute: str, size: Index) -> Blocks:
    """Return the blocks along the last two axes, behind the channels."""
    check_rank(shape, 3)
    channel, *spatial = range(len(shape))[-3:]
    return Blocks(attribute, size, channel, spatial, depth_first=True)


@lowering("torch.pixel_shuffle", upscale_factor=as_scalar)
def lower_pixel_shuffle(shape: Indices, upscale_factor: Index) -> Windows:
    """Return the plan of `fastops.torch.pixel_shuffle` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.pixel_shuffle((8, 3, 5), 2).shape
    (2, 6, 10)
    """
    return lower_blocks_of_channels(shape, _blocks_of(shape, "upscale_factor", upscale_factor))


_PIXEL_SHUFFLE = TensorOperator(lower_pixel_shuffle)


def pixel_shuffle(input: Tensor, upscale_factor: Index, *, out: Tensor | None = None) -> Tensor:
    """Move channels of a tensor into blocks of pixels: torch.nn.functional.pixel_shuffle.

    With r for the factor, a tensor of shape ``(..., C * r * r, H, W)`` becomes one of ``(..., C, H * r, W * r)``, where
    ``output[..., c, h * r + i, w * r + j] = input[..., (c * r + i) * r + j, h, w]`` for ``0 <= i, j < r``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of rank 3 or more and any type of whole bytes, whatever its strides. It must not require a
        gradient.
    upscale_factor : int
        The height and the width of a block, >= 1.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        A factor below 1, or whose square does not divide the channels, a tensor of less than three axes, or one that
        requires a gradient or is not plain memory.
    DTypeError
        No tensor, a factor that is no integer, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.nn.functional.pixel_shuffle.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.pixel_shuffle(torch.arange(8).reshape(4, 1, 2), 2)
    tensor([[[0, 2, 1, 3],
             [4, 6, 5, 7]]])
    """
    return _PIXEL_SHUFFLE.run_tensor(input, (upscale_factor,), out)


@lowering("torch.pixel_unshuffle", downscale_factor=as_scalar)
def lower_pixel_unshuffle(shape: Indices, downscale_factor: Index) -> Windows:
    """Return the plan of `fastops.torch.pixel_unshuffle` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.pixel_unshuffle((2, 6, 10), 2).shape
    (8, 3, 5)
    """
    return lower_blocks_of_space(shape, _blocks_of(shape, "downscale_factor", downscale_factor))


_PIXEL_UNSHUFFLE = TensorOperator(lower_pixel_unshuffle)


def pixel_unshuffle(input: Tensor, downscale_factor: Index, *, out: Tensor | None = None) -> Tensor:
    """Move blocks of pixels of a tensor into channels: torch.nn.functional.pixel_unshuffle.

    With r for the factor, a tensor of shape ``(..., C, H * r, W * r)`` becomes one of ``(..., C * r * r, H, W)``, where
    ``output[..., (c * r + i) * r + j, h, w] = input[..., c, h * r + i, w * r + j]`` for ``0 <= i, j < r``.

    Parameters
    ----------
    input, out
        What `fastops.torch.pixel_shuffle` takes.
    downscale_factor : int
        The height and the width of a block, >= 1.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        A factor below 1, or that does not divide the last two axes, a tensor of less than three axes, or one that
        requires a gradient or is not plain memory.
    DTypeError
        No tensor, a factor that is no integer, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.nn.functional.pixel_unshuffle.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.pixel_unshuffle(torch.arange(8).reshape(1, 2, 4), 2)
    tensor([[[0, 2]],
    <BLANKLINE>
            [[1, 3]],
    <BLANKLINE>
            [[4, 6]],
    <BLANKLINE>
            [[5, 7]]])
    """
    return _PIXEL_UNSHUFFLE.run_tensor(input, (downscale_factor,), out)


@lowering("torch.channel_shuffle", groups=as_scalar)
def lower_channel_shuffle(shape: Indices, groups: Index) -> Windows:
    """Return the plan of `fastops.torch.channel_shuffle` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.channel_shuffle((1, 4, 2), 2).order
    (0, 2, 1, 3)
    """
    check_rank(shape, 3)
    return lower_shuffle("groups", shape, 1, groups)


_CHANNEL_SHUFFLE = TensorOperator(lower_channel_shuffle)


def channel_shuffle(input: Tensor, groups: Index, *, out: Tensor | None = None) -> Tensor:
    """Take one channel of each group of a tensor in turn: torch.nn.functional.channel_shuffle.

    With g groups of n channels each in axis 1, ``output[:, k * g + i] = input[:, i * n + k]`` for ``0 <= i < g`` and
    ``0 <= k < n``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of rank 3 or more and any type of whole bytes, whatever its strides. It must not require a
        gradient.
    groups : int
        How many groups of channels there are, >= 1.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        Groups below 1, or that do not divide the channels, a tensor of less than three axes, or one that requires a
        gradient or is not plain memory.
    DTypeError
        No tensor, groups that are no integer, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.nn.functional.channel_shuffle.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.channel_shuffle(torch.arange(6).reshape(1, 6, 1), 2).flatten()
    tensor([0, 3, 1, 4, 2, 5])
    """
    return _CHANNEL_SHUFFLE.run_tensor(input, (groups,), out)
