"""torch.nn.functional.unfold."""

from __future__ import annotations

from typing import Any

from fastops._arrays._tensors import Tensor
from fastops._errors import AttributeValueError
from fastops._execution._operator import TensorOperator
from fastops._geometry._numbers import Indices, OneOrMore
from fastops._lowering._arguments import as_index_or_indices
from fastops._lowering._bounds import check_at_least_0, check_length
from fastops._lowering._patches import check_steps, cut_padded, lower_patches
from fastops._lowering._windows import Assembly, lowering


@lowering(
    "torch.unfold",
    kernel_size=as_index_or_indices,
    dilation=as_index_or_indices,
    padding=as_index_or_indices,
    stride=as_index_or_indices,
)
def lower_unfold(
    shape: Indices, kernel_size: OneOrMore, dilation: OneOrMore = 1, padding: OneOrMore = 0, stride: OneOrMore = 1
) -> Assembly:
    """Return the plans of `fastops.torch.unfold` on a tensor of this shape, one a piece of the result.

    Without padding there is one plan. With it, blocks that lie inside are one piece, and along each axis, each block
    that reaches beyond it is one, unless it is zeros alone; the shapes of pieces have rows and columns of blocks apart.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.torch.unfold((2, 3, 5, 6), 3)]
    [(2, 27, 12)]
    >>> fo.plan.torch.unfold((2, 3, 5, 6), 3, padding=1)[4].shape
    (2, 27, 3, 4)
    """
    if len(shape) not in (3, 4):
        raise AttributeValueError.about("data", "have 3 or 4 axes", tuple(shape))
    if 0 in shape[-3:]:
        raise AttributeValueError.about("data", "have no empty axis but the batch", tuple(shape))
    sizes, rates = _pair("kernel_size", kernel_size), _pair("dilation", dilation)
    pads, strides = _pair("padding", padding), _pair("stride", stride)
    check_steps(kernel_size=sizes, dilation=rates, stride=strides)
    check_at_least_0("padding", pads)
    channels = len(shape) - 3
    cuts = []
    for k, axis in enumerate((channels + 1, channels + 2)):
        cut = cut_padded(axis, shape[axis], sizes[k], strides[k], rates[k], pads[k], pads[k])
        if cut.patches < 1:
            rule = f"be at most {shape[axis] + 2 * pads[k]} long with dilation, the axis with its padding"
            raise AttributeValueError.about("kernel_size", rule, kernel_size, axis, shape[axis])
        cuts.append(cut)
    elements = [channels, len(shape), len(shape) + 1]
    batch = [[0]] if channels else []
    return lower_patches("kernel_size", shape, cuts, [*batch, elements, [channels + 1, channels + 2]])


def _pair(attribute: str, value: OneOrMore) -> Any:
    """Return one value for rows and one for columns."""
    if isinstance(value, int):
        return (value, value)
    check_length(attribute, value, 2, "axis of images, rows and columns")
    return value


_OPERATOR = TensorOperator(lower_unfold)


def unfold(
    input: Tensor,
    kernel_size: OneOrMore,
    dilation: OneOrMore = 1,
    padding: OneOrMore = 0,
    stride: OneOrMore = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Put each block of an image into a column of its own: torch.nn.functional.unfold, or im2col.

    With k, d, p and s for kernel_size, dilation, padding and stride, and X blocks in a row, element
    ``[n, (c * k1 + i) * k2 + j, y * X + x]`` of the result is element
    ``[n, c, y * s1 - p1 + i * d1, x * s2 - p2 + j * d2]`` of input, and 0 where that lies outside.

    Parameters
    ----------
    input : torch.Tensor
        Of shape (N, C, H, W) or (C, H, W): dense, on the CPU, of any type of whole bytes, whatever its strides. It must
        not require a gradient.
    kernel_size, dilation, stride : int or list of 2 ints
        Each >= 1, of rows and columns: elements of a block, coordinates from one element to the next, and from one
        block to the next.
    padding : int or list of 2 ints
        Zeros on either side of rows and columns, >= 0.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type; of shape (N, ``C * k1 * k2``, blocks), or without N.

    Raises
    ------
    AttributeValueError
        A tensor of another rank, or with an empty axis but the batch, numbers below what they may be, lists that have
        not 2 values, a block that does not fit in the padded image, or a tensor that requires a gradient or is not
        plain memory.
    DTypeError
        No tensor, numbers that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.nn.functional.unfold. It takes all types, and not floats alone.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.unfold(torch.arange(1, 7).reshape(1, 2, 3), (1, 2))
    tensor([[1, 2, 4, 5],
            [2, 3, 5, 6]])
    """
    return _OPERATOR.run_tensor(input, (kernel_size, dilation, padding, stride), out)
