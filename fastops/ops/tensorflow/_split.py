"""tf.split."""

from __future__ import annotations

from fastops._errors import AttributeValueError
from fastops._geometry._numbers import Index, Indices
from fastops._lowering._arguments import as_index_or_indices, as_scalar, at_most, optional
from fastops._lowering._axes import resolve_axis_of
from fastops._lowering._rule import Rule
from fastops._lowering._splits import MOST_PARTS, equal_lengths, lower_splits, resolve_lengths
from fastops._lowering._windows import Windows, lowering
from fastops._operators._operator import Operator
from fastops._types import AnyArray, Data, Outs, keeps_kind
from fastops.kernels._tables import _rules as r

_SPLITS = "num_or_size_splits"


@lowering(
    "tensorflow.split",
    Rule(r.SPLIT, (r.LENGTHS, r.AXIS, r.NUMBER), r.MAY_INFER, r.PARTS),
    num_or_size_splits=at_most(MOST_PARTS, as_index_or_indices),
    axis=as_scalar,
    num=optional(as_scalar),
)
def lower_split(
    shape: Indices, num_or_size_splits: Index | Indices, axis: Index = 0, num: Index | None = None
) -> list[Windows]:
    """Return the plans of `fastops.tensorflow.split` on data of this shape, one per part.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.tensorflow.split((6, 4), [-1, 1])]
    [(5, 4), (1, 4)]
    """
    at = resolve_axis_of(shape, "axis", axis)
    extent, sizes = shape[at], num_or_size_splits
    if isinstance(sizes, int):
        return lower_splits(shape, at, equal_lengths(_SPLITS, sizes, at, extent))
    if not sizes:
        raise AttributeValueError.about(_SPLITS, "have at least one length", sizes, at, extent)
    if num is not None and num != len(sizes):
        raise AttributeValueError.about("num", f"be the number of sizes, {len(sizes)}", num)
    return lower_splits(shape, at, resolve_lengths(_SPLITS, sizes, at, extent))


_OPERATOR = Operator(lower_split, data_name="value")


@keeps_kind
def split(
    value: Data,
    num_or_size_splits: Index | Indices,
    axis: Index = 0,
    num: Index | None = None,
    *,
    out: Outs = None,
    copy: bool | None = True,
) -> list[AnyArray]:
    """Split an array along an axis, into equal parts or parts of given sizes: tf.split.

    Part k is ``value[..., s : s + n, ...]``, where n is its size and s the sum of the sizes before it. All parts are
    written by one launch of the kernel.

    Parameters
    ----------
    value : array_like
        Rank 1 or more, any dtype but object.
    num_or_size_splits : int or list of int
        The number of equal parts, which must divide the axis, or the sizes, which must sum to it. One size may be -1:
        what the others leave.
    axis : int
        Axis to split; negative axes count from the end.
    num : int, optional
        The number of sizes; nothing that they do not say.
    out : sequence of ndarray, optional
        Where to write, one array a part, with any strides. They may overlap value, not each other.
    copy : bool or None
        True: copies. False: views. None: views, unless ``out`` is given.

    Returns
    -------
    list of ndarray
        The arrays of ``out``, or fresh C-contiguous arrays, or views of value.

    Raises
    ------
    AttributeValueError
        The axis is none of value's, a number that does not divide it, sizes that do not sum to it, or another num.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` has another number of arrays than parts, or one of them does not fit its part.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.split, without name.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import tensorflow
    >>> tensorflow.split(np.arange(6), [1, -1, 2])
    [array([0]), array([1, 2, 3]), array([4, 5])]
    """
    return _OPERATOR.run_gather(value, (num_or_size_splits, axis, num), out, copy)
