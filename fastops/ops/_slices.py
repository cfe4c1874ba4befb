"""slice, strided_slice and variadic_split: windows and parts of data."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastops._arrays._fill_values import encode_channels, is_channel_list
from fastops._errors import AttributeValueError
from fastops._execution._channels import run_channels
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, as_index, as_indices
from fastops._geometry._sample_mode import Mode
from fastops._lowering._arguments import MODES, Rule, as_bits, at_most
from fastops._lowering._bounds import ClampRule, resolve_axis_of
from fastops._lowering._slices import (
    MOST_PARTS,
    lower_splits,
    lower_strided_slices,
    lower_windows,
    resolve_lengths,
)
from fastops._lowering._windows import Windows
from fastops._types import AnyArray, Copy, Data, Out, Outs
from fastops.kernels._tables import _rules as r

__all__ = ["slice", "strided_slice", "variadic_split"]


_SLICE = Operator(lower_windows, Rule(r.WINDOWS, (r.START, r.SIZE, r.STRIDE, r.AXES, r.MODE), constants=MODES))


@_SLICE
def slice(
    data: Data,
    start: Indices,
    size: Indices,
    stride: Indices | None = None,
    *,
    axes: Indices | None = None,
    mode: Mode = "strict_bounds",
    fill_value: Any = None,
    channel_axis: Index = -1,
    out: Out = None,
    copy: Copy = True,
    chunks: Any = None,
) -> AnyArray:
    """Read an array on a strided grid, inside and outside of it: TensorRT Slice.

    Along each axis, output y reads coordinate ``x = start + y * stride`` for ``0 <= y < size``. A coordinate outside
    ``0..d-1``, where d is the axis's extent, reads what ``mode`` says:

    - strict_bounds, or default: nothing, it is an error;
    - wrap: ``x mod d``;
    - clamp: ``min(max(x, 0), d - 1)``;
    - fill: ``fill_value``;
    - reflect: ``c = |x| mod (2d - 2)``, then ``2d - 2 - c`` where ``c >= d``;
    - symmetric, which is not one of TensorRT's: ``c = x mod 2d``, then ``2d - 1 - c`` where ``c >= d``.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object. Subclasses and masks are dropped.
    start : list of int
        First coordinates, one for each axis. They are not counted from the end: -1 is one before the axis.
    size : list of int
        Numbers of outputs, >= 0: the result's extents, not its ends.
    stride : list of int, optional
        Coordinates from one output to the next: positive, negative, or 0, which repeats; all 1 by default.
    axes : list of int, optional
        The axes that start, size and stride are about; the others are taken whole. All axes by default.
    mode : SampleMode, int, str or object with a ``name``
        A member, its number, its name in any case, or any enumeration member of such a name. NumPy's names are taken
        too (constant is fill, edge is clamp), and OpenCV's: replicate, reflect101, and the full ones as
        "BORDER_REFLECT", which is symmetric. The integers of cv2 are other modes' numbers here.
    fill_value : scalar or list of scalars, optional
        For mode fill only: what converts to data's type and keeps its meaning; zero by default. A list has a value for
        each index of the result along ``channel_axis``.
    channel_axis : int
        The axis that a list of fill values is about; the last one by default.

    Raises
    ------
    OutOfBoundsError
        A coordinate is out of bounds in mode strict_bounds, or an axis is empty and the mode is not fill.
    AttributeValueError
        Lists of the wrong length, a negative size, an axis that data does not have, or one that is named twice, an
        unknown mode, a fill value that does not fit or without mode fill, or ``copy=False`` where a copy is needed.
    DTypeError
        Indices that are no integers, a fill value of another kind, or data of dtype object.

    Notes
    -----
    Specification: TensorRT 10, ISliceLayer. TensorRT refuses int64 and bfloat16 in modes clamp, fill and reflect; here
    every mode takes every type.

    Examples
    --------
    >>> fo.slice(np.arange(5), [-2], [9], mode="reflect")
    array([2, 1, 0, 1, 2, 3, 4, 3, 2])
    >>> fo.slice(np.arange(4).reshape(2, 2), [-1], [4], axes=[1], mode="fill", fill_value=9)
    array([[9, 0, 1, 9],
           [9, 2, 3, 9]])
    """
    if fill_value is not None:
        _SLICE.check_fill_mode(mode, fill_value)
        if is_channel_list(fill_value, data):
            encode, attributes = partial(encode_channels, fill_value), (start, size, stride, axes, mode)
            return run_channels(_SLICE, data, attributes, channel_axis, encode, out, copy, chunks)
    return _SLICE.run_gather(data, (start, size, stride, axes, mode), out, copy, fill_value, chunks)


_NO_MASK: tuple[int, ...] = ()
_MASKS: dict[str, Any] = dict.fromkeys(
    ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"), as_bits
)
_STRIDED_SLICE = Operator(
    lower_strided_slices,
    Rule(
        r.SLICES,
        (r.BEGIN, r.END, r.STRIDE, r.BEGIN_MASK, r.END_MASK, r.NEW_AXIS_MASK, r.SHRINK_MASK, r.ELLIPSIS_MASK),
        ClampRule.OPENVINO.value,
    ),
    **_MASKS,
)


@_STRIDED_SLICE
def strided_slice(
    data: Data,
    begin: Indices,
    end: Indices,
    strides: Indices | None = None,
    *,
    begin_mask: Indices = _NO_MASK,
    end_mask: Indices = _NO_MASK,
    new_axis_mask: Indices = _NO_MASK,
    shrink_axis_mask: Indices = _NO_MASK,
    ellipsis_mask: Indices = _NO_MASK,
    out: Out = None,
    copy: Copy = True,
    chunks: Any = None,
) -> AnyArray:
    """Extract a strided slice of an array: OpenVINO StridedSlice-1.

    Position i of begin, end and strides is about one axis of data, from the front, and gives
    ``result[y] = data[start + y * strides[i]]`` for ``0 <= y < count``, where start and count come from
    ``begin[i] : end[i] : strides[i]`` as in Python slicing: negative bounds count from the end, and out-of-range ones
    are clamped. The masks change what a position means. Axes that no position names are taken whole.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object. Subclasses and masks are dropped.
    begin, end : list of int
        Bounds, as many as positions: sequences, or 1-D arrays of any integer type.
    strides : list of int, optional
        Steps, not 0; all 1 by default.
    begin_mask, end_mask : list of 0 and 1
        Where set, the bound is ignored and the axis's own end is taken.
    new_axis_mask : list of 0 and 1
        Where set, the position adds an axis of length 1, and its bounds are ignored.
    shrink_axis_mask : list of 0 and 1
        Where set, the position takes index ``begin[i]`` and drops the axis; end and stride are ignored.
    ellipsis_mask : list of 0 and 1
        Where set, at most once, the position stands for all axes that no other one names.
        Masks shorter than begin are padded with zeros, and the rest of longer ones is ignored.

    Raises
    ------
    AttributeValueError
        Lists of different lengths, a stride of 0, more positions than axes, a mask bit that is neither 0 nor 1, two
        ellipses, or ``copy=False`` together with ``out``.
    OutOfBoundsError
        A shrunk index lies outside its axis.

    Notes
    -----
    Specification: StridedSlice, version StridedSlice-1. With a negative stride, a begin before the axis is moved to
    index 0, where NumPy takes nothing.

    Examples
    --------
    >>> fo.strided_slice(np.arange(10), [8], [1], [-3])
    array([8, 5, 2])
    >>> fo.strided_slice(np.arange(6).reshape(2, 3), [0, 1], [0, 0], end_mask=[1, 0], shrink_axis_mask=[0, 1])
    array([1, 4])
    """
    if begin_mask is end_mask is new_axis_mask is shrink_axis_mask is ellipsis_mask is _NO_MASK:
        return _STRIDED_SLICE.run_gather(data, (begin, end, strides), out, copy, None, chunks)
    masks = (begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)
    return _STRIDED_SLICE.run_gather(data, (begin, end, strides, *masks), out, copy, None, chunks)


def _lower_variadic_split(shape: Indices, axis: Index, split_lengths: Indices) -> list[Windows]:
    at = resolve_axis_of(shape, "axis", axis)
    if not split_lengths:
        raise AttributeValueError.about("split_lengths", "have at least one length", split_lengths, at, shape[at])
    return lower_splits(shape, at, resolve_lengths("split_lengths", split_lengths, at, shape[at]))


_VARIADIC_SPLIT = Operator(
    _lower_variadic_split,
    Rule(r.SPLIT, (r.AXIS, r.LENGTHS), r.MAY_INFER),
    axis=as_index,
    split_lengths=at_most(MOST_PARTS, as_indices),
)


@_VARIADIC_SPLIT
def variadic_split(
    data: Data, axis: Index, split_lengths: Indices, *, out: Outs = None, copy: Copy = True, chunks: Any = None
) -> list[AnyArray]:
    """Split an array along an axis into parts of given lengths: OpenVINO VariadicSplit-1.

    Part k is ``data[..., s : s + split_lengths[k], ...]``, where s is the sum of the lengths before it. All parts are
    written by one launch of the kernel.

    Parameters
    ----------
    data : array_like
        Rank 1 or more, any dtype but object. Subclasses and masks are dropped.
    axis : int
        Axis to split, or an array of one; negative axes count from the end.
    split_lengths : list of int
        Lengths of the parts, 0 allowed. One may be -1: what the others leave. They must sum to the axis.

    Raises
    ------
    AttributeValueError
        The axis is none of data's, lengths below -1, more than one -1, a sum other than the axis, or no lengths.

    Notes
    -----
    Specification: VariadicSplit, version VariadicSplit-1. An empty list of lengths is an error on an empty axis too.

    Examples
    --------
    >>> fo.variadic_split(np.arange(6), 0, [1, -1, 2])
    [array([0]), array([1, 2, 3]), array([4, 5])]
    """
    return _VARIADIC_SPLIT.run_gather(data, (axis, split_lengths), out, copy, None, chunks)
