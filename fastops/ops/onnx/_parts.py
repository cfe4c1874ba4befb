"""ONNX Slice and Split."""

from __future__ import annotations

from typing import Any

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, as_index, as_indices
from fastops._lowering._arguments import Rule, at_most, optional
from fastops._lowering._bounds import ClampRule, resolve_axis_of
from fastops._lowering._slices import MOST_PARTS, check_parts, lower_slices, lower_splits, resolve_lengths
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, Outs, keeps_kind
from fastops.kernels._tables import _rules as r

_NAMES = ("starts", "ends", "steps", "axes")


@lowering(
    "onnx.slice",
    Rule(r.SLICES, (r.BEGIN, r.END, r.AXES, r.STRIDE), ClampRule.OPENVINO.value),
    starts=as_indices,
    ends=as_indices,
    axes=optional(as_indices),
    steps=optional(as_indices),
)
def lower_slice(
    shape: Indices, starts: Indices, ends: Indices, axes: Indices | None = None, steps: Indices | None = None
) -> Windows:
    """Return the plan of `fastops.onnx.slice` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.onnx.slice((4, 6), [1], [-1], [1]).shape
    (4, 4)
    """
    return lower_slices(ClampRule.OPENVINO, _NAMES, shape, starts, ends, steps, axes)


_SLICE = Operator(lower_slice)


@keeps_kind
def slice(
    data: Data,
    starts: Indices,
    ends: Indices,
    axes: Indices | None = None,
    steps: Indices | None = None,
    *,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Take ``starts : ends : steps`` of some axes: ONNX Slice.

    ``result[y] = data[start + y * step]`` along each axis that axes names, for ``0 <= y < count``, as in Python
    slicing: negative bounds count from the end, out-of-range ones are clamped. The other axes are taken whole.

    Parameters
    ----------
    data : array_like
        Rank 1 or more where there are bounds, any dtype but object.
    starts, ends : list of int
        Of one length.
    axes : list of int, optional
        The axes that they are about, each once, negative ones from the end; the first ones by default.
    steps : list of int, optional
        Not 0; all 1 by default.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view. None: a view, unless ``out`` is given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        Lists of different lengths, a step of 0 (on an empty axis too), an axis that data does not have, or one that is
        named twice.
    DTypeError
        Indices that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: ONNX Slice-13 (and Slice-10, Slice-11; Slice-1 has the same lists as attributes). With a negative
    step, a start before the axis is moved to index 0, where NumPy takes nothing. ONNX Runtime takes an end of exactly
    2^31 - 1 or 2^63 - 1 for one before the axis if the step is negative, which the specification does not say.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import onnx
    >>> onnx.slice(np.arange(10).reshape(2, 5), [-1], [-9], axes=[1], steps=[-2])
    array([[4, 2, 0],
           [9, 7, 5]])
    """
    return _SLICE.run_gather(data, (starts, ends, axes, steps), out, copy, None, chunks)


@lowering(
    "onnx.split",
    Rule(r.SPLIT, (r.LENGTHS, r.AXIS, r.NUMBER)),
    split=optional(at_most(MOST_PARTS, as_indices)),
    axis=as_index,
    num_outputs=optional(as_index),
)
def lower_split(
    shape: Indices, split: Indices | None = None, *, axis: Index = 0, num_outputs: Index | None = None
) -> list[Windows]:
    """Return the plans of `fastops.onnx.split` on data of this shape, one per part.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.onnx.split((7,), num_outputs=3)]
    [(3,), (3,), (1,)]
    """
    at = resolve_axis_of(shape, "axis", axis)
    if num_outputs is None:
        if not split:
            raise AttributeValueError.about("split", "have at least one length, or num_outputs be given", split)
        return lower_splits(shape, at, resolve_lengths("split", split, at, shape[at], may_infer=False))
    if split is not None:
        raise AttributeValueError.about("num_outputs", "not be given together with split", num_outputs)
    return lower_splits(shape, at, _lengths_of(num_outputs, at, shape[at]))


def _lengths_of(parts: int, axis: int, extent: int) -> tuple[int, ...]:
    """Return the lengths of so many parts: all the same, but for the last one, which is what they leave."""
    if parts < 1:
        raise AttributeValueError.about("num_outputs", "be at least 1", parts, axis, extent)
    length = -(-extent // parts)
    last = extent - length * (parts - 1)
    if last < 0:
        rule = f"leave at least 0 elements for the last part, behind parts of {length}"
        raise AttributeValueError.about("num_outputs", rule, parts, axis, extent)
    check_parts("num_outputs", parts)
    return (*(length,) * (parts - 1), last)


_SPLIT = Operator(lower_split, data_name="input")


@keeps_kind
def split(
    input: Data,
    split: Indices | None = None,
    *,
    axis: Index = 0,
    num_outputs: Index | None = None,
    out: Outs = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> list[AnyArray]:
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
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

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
    return _SPLIT.run_gather(input, (split, axis, num_outputs), out, copy, None, chunks)
