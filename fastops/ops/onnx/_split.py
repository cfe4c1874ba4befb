"""ONNX Split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError
from fastops._lowering._family import MOST_PARTS, check_parts, resolve_axis, resolve_lengths, split_in_order
from fastops._operators._operator import Operator, lowering
from fastops._plans._integers import Index, Indices, as_index, as_indices
from fastops._plans._slice_plan import SlicePlan

OP = "onnx.split"


@lowering(OP)
def plan_split(
    shape: Indices, split: Indices | None = None, *, axis: Index = 0, num_outputs: Index | None = None
) -> list[SlicePlan]:
    """Return the plans of `fastops.onnx.split` on data of this shape, one a part.

    Examples
    --------
    >>> [plan.shape for plan in plan_split((7,), num_outputs=3)]
    [(3,), (3,), (1,)]
    """
    lengths = None if split is None else as_indices(OP, "split", split, MOST_PARTS)
    parts = None if num_outputs is None else as_index(OP, "num_outputs", num_outputs)
    number = as_index(OP, "axis", axis)
    at = resolve_axis(OP, "input", "axis", number, shape)
    if parts is None:
        if not lengths:
            raise AttributeValueError(OP, "split", "have at least one length, or num_outputs be given", split)
        lengths = resolve_lengths(OP, "split", lengths, at, shape[at], may_infer=False)
    elif lengths is not None:
        raise AttributeValueError(OP, "num_outputs", "not be given together with split", parts)
    else:
        lengths = _lengths_of(parts, at, shape[at])
    return list(split_in_order(shape, at, lengths))


def _lengths_of(parts: int, axis: int, extent: int) -> tuple[int, ...]:
    """Return the lengths of so many parts: all the same, but for the last one, which is what they leave."""
    if parts < 1:
        raise AttributeValueError(OP, "num_outputs", "be at least 1", parts, axis, extent)
    length = -(-extent // parts)
    last = extent - length * (parts - 1)
    if last < 0:
        rule = f"leave at least 0 elements for the last part, behind parts of {length}"
        raise AttributeValueError(OP, "num_outputs", rule, parts, axis, extent)
    check_parts(OP, "num_outputs", parts)
    return (*(length,) * (parts - 1), last)


_run = Operator(OP, plan_split, data_name="input").run_parts


def split(
    input: ArrayLike,
    split: Indices | None = None,
    *,
    axis: Index = 0,
    num_outputs: Index | None = None,
    out: Sequence[AnyArray] | None = None,
    copy: bool | None = True,
) -> list[Any]:
    """Split an array along an axis, by lengths or into a number of parts: ONNX Split.

    Part k is ``input[..., s : s + n, ...]``, where n is its length and s the sum of the lengths before it. Of
    num_outputs parts each has ``ceil(d / num_outputs)`` of an axis of length d, but for the last one, which has the
    rest. All parts are written by one launch of the kernel.

    Parameters
    ----------
    input : array_like
        Rank 1 or more, any dtype but object.
    split : list of int, optional
        Lengths of the parts, >= 0. They must sum to the axis.
    axis : int
        Axis to split; negative axes count from the end.
    num_outputs : int, optional
        Number of parts: where split is not given, and only there.
    out : sequence of ndarray, optional
        Where to write, one array a part, with any strides. They may overlap input, not each other.
    copy : bool or None
        True: copies. False: views. None: views, unless ``out`` is given.

    Returns
    -------
    list of ndarray
        The arrays of ``out``, or fresh C-contiguous arrays, or views of input.

    Raises
    ------
    AttributeValueError
        The axis is none of input's, lengths that are negative or do not sum to it, both or none of split and
        num_outputs, or more parts than the axis can be cut into.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` has another number of arrays than parts, or one of them does not fit its part.

    Notes
    -----
    Specification: ONNX Split-18 (and Split-2, Split-11, Split-13, which have no num_outputs). The last part may be
    empty, but no part can have less: 5 elements give no 4 parts, because 3 parts of 2 are more.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import onnx
    >>> onnx.split(np.arange(7), num_outputs=3)
    [array([0, 1, 2]), array([3, 4, 5]), array([6])]
    """
    return _run(input, (split, axis, num_outputs), out, copy)
