"""torch.nn.functional.pixel_shuffle."""

from __future__ import annotations

from fastops._arrays._tensors import Tensor
from fastops._errors import AttributeValueError
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import as_scalar
from fastops._lowering._decorator import lowering
from fastops._lowering._layouts import lower_layout, split_of_square
from fastops._lowering._windows import Windows
from fastops._operators._tensor_operator import TensorOperator


@lowering("torch.pixel_shuffle", upscale_factor=as_scalar)
def lower_pixel_shuffle(shape: Indices, upscale_factor: Index) -> Windows:
    """Return the plan of `fastops.torch.pixel_shuffle` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.pixel_shuffle((8, 3, 5), 2).shape
    (2, 6, 10)
    """
    n, r = len(shape) - 3, upscale_factor
    if n < 0:
        raise AttributeValueError.about("data", "have at least three axes", tuple(shape))
    if r < 1:
        raise AttributeValueError.about("upscale_factor", "be at least 1", r)
    channels = split_of_square("upscale_factor", shape, n, r)
    # (c, i, j), h, w behind the leading axes become c, (h, i), (w, j).
    splits = [*[[extent] for extent in shape[:n]], [channels, r, r], [shape[-2]], [shape[-1]]]
    merges = [*[[k] for k in range(n)], [n], [n + 3, n + 1], [n + 4, n + 2]]
    return lower_layout(shape, splits, merges)


_OPERATOR = TensorOperator(lower_pixel_shuffle)


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
    return _OPERATOR.run_tensor(input, (upscale_factor,), out)
