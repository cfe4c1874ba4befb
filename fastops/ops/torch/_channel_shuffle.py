"""torch.nn.functional.channel_shuffle."""

from __future__ import annotations

from fastops._arrays._tensors import Tensor
from fastops._errors import AttributeValueError
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import as_scalar
from fastops._lowering._decorator import lowering
from fastops._lowering._layouts import lower_layout, split_of
from fastops._lowering._windows import Windows
from fastops._operators._tensor_operator import TensorOperator


@lowering("torch.channel_shuffle", groups=as_scalar)
def lower_channel_shuffle(shape: Indices, groups: Index) -> Windows:
    """Return the plan of `fastops.torch.channel_shuffle` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.channel_shuffle((1, 4, 2), 2).order
    (0, 2, 1, 3)
    """
    if len(shape) < 3:
        raise AttributeValueError.about("data", "have at least three axes", tuple(shape))
    if groups < 1:
        raise AttributeValueError.about("groups", "be at least 1", groups)
    size = split_of("groups", shape, 1, groups, groups)
    splits = [[shape[0]], [groups, size], *[[extent] for extent in shape[2:]]]
    merges = [[0], [2, 1], *[[k + 1] for k in range(2, len(shape))]]
    return lower_layout(shape, splits, merges)


_OPERATOR = TensorOperator(lower_channel_shuffle)


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
    return _OPERATOR.run_tensor(input, (groups,), out)
