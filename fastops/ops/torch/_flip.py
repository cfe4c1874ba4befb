"""torch.flip."""

from __future__ import annotations

from fastops._arrays._tensors import Tensor
from fastops._geometry._numbers import Indices, as_indices
from fastops._lowering._axes import resolve_axes
from fastops._lowering._decorator import lowering
from fastops._lowering._moves import lower_reversals
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._tensor_operator import TensorOperator
from fastops.kernels._tables import _rules as r


@lowering("torch.flip", Rule(r.FLIP, (r.AXES,)), dims=as_indices)
def lower_flip(shape: Indices, dims: Indices) -> Windows:
    """Return the plan of `fastops.torch.flip` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.torch.flip((4,), (0,)))
    (4,) -> (4,)
      axis 0: extent 4, start 3, stride -1, count 4, strict_bounds
    """
    # A tensor of no axes counts as one of one.
    return lower_reversals(shape, resolve_axes("dims", dims, max(len(shape), 1)))


_OPERATOR = TensorOperator(lower_flip)


def flip(input: Tensor, dims: Indices, *, out: Tensor | None = None) -> Tensor:
    """Read axes of a tensor backwards: torch.flip.

    Output y of a flipped axis of length d reads index ``d - 1 - y``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of any shape and strides, and any type of whole bytes. It must not require a gradient.
    dims : list of int
        The axes, each once, negative ones from the end.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        An axis that input does not have, or one that is named twice, or a tensor that requires a gradient or is not
        plain memory.
    DTypeError
        No tensor, axes that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.flip.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.flip(torch.arange(3), (0,))
    tensor([2, 1, 0])
    """
    return _OPERATOR.run_tensor(input, (dims,), out)
