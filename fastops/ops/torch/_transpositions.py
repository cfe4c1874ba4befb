"""torch.transpose and torch.permute."""

from __future__ import annotations

from fastops._arrays._tensors import Tensor
from fastops._geometry._numbers import Index, Indices, as_indices
from fastops._lowering._arguments import as_scalar
from fastops._lowering._axes import resolve_axis
from fastops._lowering._layouts import lower_transposition
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows, lowering
from fastops._operators._tensor_operator import TensorOperator
from fastops.kernels._tables import _rules as r


@lowering("torch.transpose", Rule(r.SWAP, (r.FIRST, r.SECOND)), dim0=as_scalar, dim1=as_scalar)
def lower_transpose(shape: Indices, dim0: Index, dim1: Index) -> Windows:
    """Return the plan of `fastops.torch.transpose` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.transpose((4, 5, 3), 0, -1).shape
    (3, 5, 4)
    """
    rank = len(shape)
    # A tensor of no axes counts as one of one.
    first, second = resolve_axis("dim0", dim0, max(rank, 1)), resolve_axis("dim1", dim1, max(rank, 1))
    order = [second if axis == first else first if axis == second else axis for axis in range(rank)]
    return lower_transposition("dim0", shape, order)


_TRANSPOSE = TensorOperator(lower_transpose)


def transpose(input: Tensor, dim0: Index, dim1: Index, *, out: Tensor | None = None) -> Tensor:
    """Swap two axes of a tensor: torch.transpose, as a copy.

    Axis dim0 of the result is axis dim1 of input, and axis dim1 of the result is axis dim0 of input.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of any shape, any strides and any type of whole bytes. It must not require a
        gradient.
    dim0, dim1 : int
        The axes, which may be the same; negative ones count from the end.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        An axis that input does not have, or a tensor that requires a gradient or is not plain memory.
    DTypeError
        No tensor, dims that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.transpose, which gives a view.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.transpose(torch.arange(6).reshape(2, 3), 0, 1)
    tensor([[0, 3],
            [1, 4],
            [2, 5]])
    """
    return _TRANSPOSE.run_tensor(input, (dim0, dim1), out)


@lowering("torch.permute", Rule(r.TRANSPOSE, (r.ORDER,), r.FROM_END, r.NOTHING_REVERSES), dims=as_indices)
def lower_permute(shape: Indices, dims: Indices) -> Windows:
    """Return the plan of `fastops.torch.permute` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.permute((4, 5, 3), (2, 0, 1)).shape
    (3, 4, 5)
    """
    return lower_transposition("dims", shape, dims)


_PERMUTE = TensorOperator(lower_permute)


def permute(input: Tensor, dims: Indices, *, out: Tensor | None = None) -> Tensor:
    """Put the axes of a tensor in another order: torch.permute, as a copy.

    Axis k of the result is axis ``dims[k]`` of input.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of any shape, any strides and any type of whole bytes. It must not require a
        gradient.
    dims : list of int
        Each axis once, negative ones from the end.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        The dims are not the axes of input, each once, or a tensor that requires a gradient or is not plain memory.
    DTypeError
        No tensor, dims that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.permute, which gives a view.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.permute(torch.arange(6).reshape(2, 3), (1, 0))
    tensor([[0, 3],
            [1, 4],
            [2, 5]])
    """
    return _PERMUTE.run_tensor(input, (dims,), out)
