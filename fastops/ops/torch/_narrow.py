"""torch.narrow."""

from __future__ import annotations

from fastops._arrays._tensors import Tensor
from fastops._errors import AttributeValueError
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import as_scalar
from fastops._lowering._axes import resolve_axis_of
from fastops._lowering._decorator import lowering
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._tensor_operator import TensorOperator
from fastops.kernels._tables import _rules as r


@lowering(
    "torch.narrow",
    Rule(r.WINDOWS, (r.AXES, r.START, r.SIZE), r.ONE_AXIS),
    dim=as_scalar,
    start=as_scalar,
    length=as_scalar,
)
def lower_narrow(shape: Indices, dim: Index, start: Index, length: Index) -> Windows:
    """Return the plan of `fastops.torch.narrow` on a tensor of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.torch.narrow((3, 4), 1, -2, 2).shape
    (3, 2)
    """
    axis = resolve_axis_of(shape, "dim", dim)
    extent = shape[axis]
    if not -extent <= start <= extent:
        raise AttributeValueError.also(IndexError).about("start", f"be in {-extent}..{extent}", start, axis, extent)
    begin = start + extent if start < 0 else start
    if not 0 <= length <= extent - begin:
        raise AttributeValueError.about("length", f"be in 0..{extent - begin}, from {begin} on", length, axis, extent)
    return Windows(shape, [(begin, 1, length) if k == axis else (0, 1, whole) for k, whole in enumerate(shape)])


_OPERATOR = TensorOperator(lower_narrow)


def narrow(input: Tensor, dim: Index, start: Index, length: Index, *, out: Tensor | None = None) -> Tensor:
    """Take a part of an axis of a tensor: torch.narrow, as a copy.

    Output y of the axis reads index ``start + y`` for ``0 <= y < length``.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of rank 1 or more, of any strides and any type of whole bytes. It must not require a
        gradient.
    dim : int
        The axis; negative ones count from the end.
    start : int
        Where the part begins; negative numbers count from the end.
    length : int
        How long it is.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        An axis that input does not have, a part that is not inside of it, or a tensor that requires a gradient or is
        not plain memory.
    DTypeError
        No tensor, numbers that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.narrow, which gives a view.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.narrow(torch.arange(5), 0, 1, 3)
    tensor([1, 2, 3])
    """
    return _OPERATOR.run_tensor(input, (dim, start, length), out)
