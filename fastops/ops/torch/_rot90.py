"""torch.rot90."""

from __future__ import annotations

from fastops._arrays._tensors import Tensor
from fastops._errors import AttributeValueError
from fastops._geometry._numbers import Index, Indices, as_indices
from fastops._lowering._arguments import as_scalar
from fastops._lowering._axes import resolve_axes
from fastops._lowering._decorator import lowering
from fastops._lowering._moves import lower_rotation
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._tensor_operator import TensorOperator
from fastops.kernels._tables import _rules as r


@lowering("torch.rot90", Rule(r.ROTATE, (r.TURNS, r.AXES)), k=as_scalar, dims=as_indices)
def lower_rot90(shape: Indices, k: Index = 1, dims: Indices = (0, 1)) -> Windows:
    """Return the plan of `fastops.torch.rot90` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.rot90((2, 3)).shape
    (3, 2)
    """
    if len(shape) < 2:
        raise AttributeValueError.about("data", "have at least two axes", tuple(shape))
    if len(dims) != 2:
        raise AttributeValueError.about("dims", "have 2 values", dims)
    first, second = resolve_axes("dims", dims, len(shape))
    return lower_rotation(shape, k, first, second)


_OPERATOR = TensorOperator(lower_rot90)


def rot90(input: Tensor, k: Index = 1, dims: Indices = (0, 1), *, out: Tensor | None = None) -> Tensor:
    """Rotate a tensor in the plane of two axes, by quarter turns: torch.rot90, as a copy.

    The first quarter turn moves what lies along the first axis towards the second: on a matrix of m columns,
    ``output[y, x] = input[x, m - 1 - y]``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of rank 2 or more and any type of whole bytes, whatever its strides. It must not require a
        gradient.
    k : int
        How many quarter turns; negative ones turn the other way.
    dims : list of int
        Two different axes, negative ones from the end; from the first towards the second.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        Axes that are not two, or the same, or that input does not have, a tensor of less than two axes, or one that
        requires a gradient or is not plain memory.
    DTypeError
        No tensor, numbers that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.rot90.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.rot90(torch.arange(6).reshape(2, 3))
    tensor([[2, 5],
            [1, 4],
            [0, 3]])
    """
    return _OPERATOR.run_tensor(input, (k, dims), out)
