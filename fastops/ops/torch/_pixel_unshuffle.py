"""torch.nn.functional.pixel_unshuffle."""

from __future__ import annotations

from fastops._arrays._tensors import Tensor
from fastops._errors import AttributeValueError
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import as_scalar
from fastops._lowering._decorator import lowering
from fastops._lowering._layouts import lower_layout, split_of
from fastops._lowering._windows import Windows
from fastops._operators._tensor_operator import TensorOperator


@lowering("torch.pixel_unshuffle", downscale_factor=as_scalar)
def lower_pixel_unshuffle(shape: Indices, downscale_factor: Index) -> Windows:
    """Return the plan of `fastops.torch.pixel_unshuffle` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.pixel_unshuffle((2, 6, 10), 2).shape
    (8, 3, 5)
    """
    n, r = len(shape) - 3, downscale_factor
    if n < 0:
        raise AttributeValueError.about("data", "have at least three axes", tuple(shape))
    if r < 1:
        raise AttributeValueError.about("downscale_factor", "be at least 1", r)
    height, width = [split_of("downscale_factor", shape, axis, r, r) for axis in (n + 1, n + 2)]
    # c, (h, i), (w, j) behind the leading axes become (c, i, j), h, w.
    splits = [*[[extent] for extent in shape[:n]], [shape[n]], [height, r], [width, r]]
    merges = [*[[k] for k in range(n)], [n, n + 2, n + 4], [n + 1], [n + 3]]
    return lower_layout(shape, splits, merges)


_OPERATOR = TensorOperator(lower_pixel_unshuffle)


def pixel_unshuffle(input: Tensor, downscale_factor: Index, *, out: Tensor | None = None) -> Tensor:
    """Move blocks of pixels of a tensor into channels: torch.nn.functional.pixel_unshuffle.

    With r for the factor, a tensor of shape ``(..., C, H * r, W * r)`` becomes one of ``(..., C * r * r, H, W)``, where
    ``output[..., (c * r + i) * r + j, h, w] = input[..., c, h * r + i, w * r + j]`` for ``0 <= i, j < r``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of rank 3 or more and any type of whole bytes, whatever its strides. It must not require a
        gradient.
    downscale_factor : int
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
    return _OPERATOR.run_tensor(input, (downscale_factor,), out)
