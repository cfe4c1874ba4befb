"""torch.tile and torch.repeat_interleave."""

from __future__ import annotations

from fastops._arrays._tensors import Tensor
from fastops._errors import AttributeValueError
from fastops._execution._operator import TensorOperator
from fastops._geometry._numbers import Index, Indices, as_indices
from fastops._lowering._arguments import Rule, as_scalar, optional
from fastops._lowering._bounds import check_at_least_0, resolve_axis
from fastops._lowering._moves import lower_repeats, lower_tiles
from fastops._lowering._windows import Windows, lowering
from fastops.kernels._tables import _rules as r


@lowering("torch.tile", Rule(r.TILE, (r.REPEATS,), r.ANY_NUMBER), dims=as_indices)
def lower_tile(shape: Indices, dims: Indices) -> Windows:
    """Return the plan of `fastops.torch.tile` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.tile((3,), (2, 2)).shape
    (2, 6)
    """
    check_at_least_0("dims", dims)
    return lower_tiles(shape, dims)


_TILE = TensorOperator(lower_tile)


def tile(input: Tensor, dims: Indices, *, out: Tensor | None = None) -> Tensor:
    """Repeat a tensor along its axes: torch.tile.

    The shorter of input's shape and dims gets ones in front; then output y of an axis of length d reads index
    ``y mod d`` for ``0 <= y < d * dims``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of any shape, any strides and any type of whole bytes. It must not require a
        gradient.
    dims : list of int
        How often each axis is repeated, >= 0.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        Negative repeats, or a tensor that requires a gradient or is not plain memory.
    DTypeError
        No tensor, repeats that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.tile.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.tile(torch.arange(3), (2, 1))
    tensor([[0, 1, 2],
            [0, 1, 2]])
    """
    return _TILE.run_tensor(input, (dims,), out)


@lowering("torch.repeat_interleave", repeats=as_scalar, dim=optional(as_scalar))
def lower_repeat_interleave(shape: Indices, repeats: Index, dim: Index | None = None) -> Windows:
    """Return the plan of `fastops.torch.repeat_interleave` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.repeat_interleave((2, 3), 2, 1).shape
    (2, 6)
    """
    if repeats < 0:
        raise AttributeValueError.about("repeats", "be at least 0", repeats)
    return lower_repeats(shape, repeats, None if dim is None else resolve_axis("dim", dim, len(shape)))


_REPEAT_INTERLEAVE = TensorOperator(lower_repeat_interleave)


def repeat_interleave(input: Tensor, repeats: Index, dim: Index | None = None, *, out: Tensor | None = None) -> Tensor:
    """Repeat each element of a tensor, one after the other: torch.repeat_interleave.

    Output y of the axis reads index ``y // repeats``. Without dim, the axis is that of the flattened tensor, and the
    result has one axis.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of any shape, any strides and any type of whole bytes. It must not require a
        gradient.
    repeats : int
        How often each element is repeated, >= 0.
    dim : int, optional
        The axis; negative ones count from the end.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        Negative repeats, or a list of them, an axis that input does not have, or a tensor that requires a gradient or
        is not plain memory.
    DTypeError
        No tensor, numbers that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.repeat_interleave, of a number of repeats that all elements share, without
    output_size.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.repeat_interleave(torch.arange(3), 2)
    tensor([0, 0, 1, 1, 2, 2])
    """
    return _REPEAT_INTERLEAVE.run_tensor(input, (repeats, dim), out)
