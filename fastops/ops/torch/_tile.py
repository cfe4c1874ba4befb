"""torch.tile."""

from __future__ import annotations

from fastops._arrays._tensors import Tensor
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._axes import check_at_least_0
from fastops._lowering._decorator import lowering
from fastops._lowering._repeats import lower_tiles
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._tensor_operator import TensorOperator
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


_OPERATOR = TensorOperator(lower_tile)


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
    return _OPERATOR.run_tensor(input, (dims,), out)
