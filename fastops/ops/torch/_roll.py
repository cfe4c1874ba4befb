"""torch.roll."""

from __future__ import annotations

from math import prod

from fastops._arrays._tensors import Tensor
from fastops._errors import AttributeValueError
from fastops._geometry._numbers import Index, Indices, OneOrMore
from fastops._lowering._arguments import as_one_or_more, optional
from fastops._lowering._axes import resolve_axes
from fastops._lowering._decorator import lowering
from fastops._lowering._moves import lower_rolls
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Windows
from fastops._operators._tensor_operator import TensorOperator
from fastops.kernels._tables import _rules as r


@lowering("torch.roll", Rule(r.ROLL, (r.SHIFT, r.AXES)), shifts=as_one_or_more, dims=optional(as_one_or_more))
def lower_roll(shape: Indices, shifts: OneOrMore, dims: OneOrMore | None = None) -> Windows:
    """Return the plan of `fastops.torch.roll` on a tensor of this shape.

    Without dims, it is a plan of the flattened tensor, which has one axis.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.torch.roll((4,), -1, 0))
    (4,) -> (4,)
      axis 0: extent 4, start 1, stride 1, count 4, wrap
    """
    if not shifts:
        raise AttributeValueError.about("shifts", "have at least one value", shifts)
    axes = dims or ()
    if not axes and len(shifts) == 1:
        return lower_rolls((prod(shape),), shifts, (0,))
    if len(shifts) != len(axes):
        raise AttributeValueError.about("shifts", f"have as many values as dims, {len(axes)}", shifts)
    return lower_rolls(shape, shifts, resolve_axes("dims", axes, len(shape), may_repeat=True))


_OPERATOR = TensorOperator(lower_roll)


def roll(
    input: Tensor, shifts: Index | Indices, dims: Index | Indices | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Move elements of a tensor along axes, around their ends: torch.roll.

    Output y of an axis of length d reads index ``(y - s) mod d``, where s is the sum of its shifts. Without dims, the
    elements move in the flattened tensor, whose shape is restored.

    Parameters
    ----------
    input : torch.Tensor
        Dense, on the CPU, of any shape and strides, and any type of whole bytes. It must not require a gradient.
    shifts : int or list of int
        How far elements move, one or more: as many as dims, or one, if there are none.
    dims : int or list of int, optional
        Along which axes, negative ones from the end; the shifts of an axis that is named twice add up.
    out : torch.Tensor, optional
        Where to write: of the result's shape and type, with any strides. It may overlap input.

    Returns
    -------
    torch.Tensor
        ``out``, or a fresh contiguous tensor of input's type.

    Raises
    ------
    AttributeValueError
        An axis that input does not have, no shifts, lists of different lengths, or a tensor that requires a gradient or
        is not plain memory.
    DTypeError
        No tensor, numbers that are no integers, or a type of less than a byte.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: PyTorch 2.13, torch.roll.

    Examples
    --------
    >>> import torch
    >>> from fastops import torch as fot
    >>> fot.roll(torch.arange(5), 2, 0)
    tensor([3, 4, 0, 1, 2])
    """
    # They are read once: reading them may run code of the caller's, which changes them.
    axes = None if dims is None else _OPERATOR.read("dims", dims)
    run = _OPERATOR.run_tensor if axes else _OPERATOR.run_flat_tensor
    return run(input, (shifts, axes), out)
