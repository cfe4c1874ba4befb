"""`slice`, `strided_slice` and `variadic_split`: windows and parts of data."""

from __future__ import annotations

from typing import Any, Unpack

from fastops._arrays._fill_values import is_channel_list
from fastops._execution._plan_call import run_channels
from fastops._lowering._arguments import MODES, Rule, as_bits
from fastops._lowering._slices import as_lengths, lower_lengths, lower_strided_slices, lower_windows, of_masks
from fastops._types import AnyArray, Copy, Data, Options, Out, PartsOptions
from fastops.ops import Index, Indices, Mode, Operator, as_index, r

__all__ = ["slice", "strided_slice", "variadic_split"]


@(_SLICE := Operator(lower_windows, Rule(r.WINDOWS, (r.START, r.SIZE, r.STRIDE, r.AXES, r.MODE), constants=MODES)))
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
    """Read an array on a strided grid, which may reach beyond the array: TensorRT Slice.

    Along each axis, output y reads coordinate ``x = start + y * stride`` for ``0 <= y < size``. If the coordinate lies
    outside ``0..d-1``, where d is the extent of the axis, ``mode`` says what is read:

    - strict_bounds, or default: nothing; the call raises an error;
    - wrap: index ``x mod d``;
    - clamp: index ``min(max(x, 0), d - 1)``;
    - fill: ``fill_value``;
    - reflect: index c with ``c = |x| mod (2d - 2)`` or, where ``c >= d``, ``2d - 2 - c``; 0 for d = 1;
    - symmetric, which TensorRT does not have: index c with ``c = x mod 2d`` or, where ``c >= d``, ``2d - 1 - c``.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object. Subclasses and masks are dropped.
    start : list of int
        The first coordinate along each axis. Coordinates are not counted from the end: -1 lies before the axis.
    size : list of int
        The number of outputs along each axis, >= 0.
    stride : list of int, optional
        The distance from the coordinate of one output to that of the next: positive, negative, or 0, which repeats one
        element; 1 along each axis by default.
    axes : list of int, optional
        The axes that start, size and stride are about; negative axes count from the end. The other axes are taken
        whole. All axes by default.
    mode : SampleMode, int, str or object with a ``name``
        A member of `fastops.SampleMode`, its number, its name in upper or lower case, or a member of another
        enumeration with such a name. NumPy's names are accepted too (constant is fill, edge is clamp), and so are
        OpenCV's: replicate, reflect101, and full names such as "BORDER_REFLECT", which is symmetric. OpenCV numbers its
        modes differently.
    fill_value : scalar or list of scalars, optional
        The value to fill with, in mode fill only, which the dtype of data must be able to express; zero by default. A
        list has a value for each index of the result along ``channel_axis``.
    channel_axis : int
        The axis that a list of fill values is about; the last axis by default.

    Raises
    ------
    OutOfBoundsError
        A coordinate is out of bounds in mode strict_bounds, or an empty axis has outputs and the mode is not fill.
    AttributeValueError
        A list of the wrong length, a negative size, an axis that data does not have or that is named twice, an unknown
        mode, a fill value that does not fit or is given in another mode, or ``copy=False`` where a copy is needed.
    DTypeError
        Indices that are not integers, a fill value of another kind, or data of dtype object.

    Notes
    -----
    Specification: TensorRT 10, ISliceLayer. TensorRT refuses int64 and bfloat16 in modes clamp, fill and reflect; this
    function accepts every dtype in every mode.

    Examples
    --------
    >>> fo.slice(np.arange(5), [-2], [9], mode="reflect")
    array([2, 1, 0, 1, 2, 3, 4, 3, 2])
    >>> fo.slice(np.arange(4).reshape(2, 2), [-1], [4], axes=[1], mode="fill", fill_value=9)
    array([[9, 0, 1, 9],
           [9, 2, 3, 9]])
    """
    if fill_value is not None:
        _SLICE.read_fill(fill_value, mode)
        if is_channel_list(fill_value, getattr(data, "dtype", None)):
            given, attributes = ("fill_value", fill_value), (start, size, stride, axes, mode)
            return run_channels(_SLICE, data, attributes, channel_axis, given, out, copy, chunks)
    return _SLICE.run_gather(data, (start, size, stride, axes, mode), out, copy, fill_value, chunks)


@Operator(lower_strided_slices, Rule(r.SLICES, (r.BEGIN, r.END, r.STRIDE, *r.MASKS)), **of_masks(as_bits))
def strided_slice(
    data: Data,
    begin: Indices,
    end: Indices,
    strides: Indices | None = None,
    *,
    begin_mask: Indices = (),
    end_mask: Indices = (),
    new_axis_mask: Indices = (),
    shrink_axis_mask: Indices = (),
    ellipsis_mask: Indices = (),
    **rest: Unpack[Options],
) -> AnyArray:
    """Extract a strided slice of an array: OpenVINO StridedSlice-1.

    Position i of begin, end and strides is about one axis of data, counted from the front, and takes
    ``begin[i] : end[i] : strides[i]`` as in Python slicing: negative bounds count from the end, and bounds out of range
    are clamped. Bit i of a mask gives position i another meaning. Axes that no position names are taken whole.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object. Subclasses and masks are dropped.
    begin, end : list of int
        The bounds, one for each position.
    strides : list of int, optional
        The steps, one for each position, not 0; all 1 by default.
    begin_mask, end_mask : list of 0 and 1
        A set bit leaves the bound out, as the Python slice ``[:]`` does.
    new_axis_mask : list of 0 and 1
        A set bit adds an axis of length 1; the bounds at this position are ignored.
    shrink_axis_mask : list of 0 and 1
        A set bit takes index ``begin[i]`` and drops the axis; end and stride at this position are ignored.
    ellipsis_mask : list of 0 and 1
        A set bit, at most one, takes all axes that no other position names. In all masks, missing bits are zero, and
        bits beyond begin are ignored, except that ellipses are counted there too.

    Raises
    ------
    AttributeValueError
        Lists of different lengths, a stride of 0, more positions than axes, a mask bit that is neither 0 nor 1, two
        ellipses, or ``copy=False`` together with ``out``.
    OutOfBoundsError
        An index that drops an axis lies outside of the axis.

    Notes
    -----
    Specification: OpenVINO opset 1, StridedSlice-1. With a negative stride, a begin before the axis is clamped to index
    0; the slice of NumPy is empty.

    Examples
    --------
    >>> fo.strided_slice(np.arange(10), [8], [1], [-3])
    array([8, 5, 2])
    >>> fo.strided_slice(np.arange(6).reshape(2, 3), [0, 1], [0, 0], end_mask=[1, 0], shrink_axis_mask=[0, 1])
    array([1, 4])
    """


@Operator(lower_lengths, Rule(r.SPLIT, (r.AXIS, r.LENGTHS), r.MAY_INFER), axis=as_index, split_lengths=as_lengths)
def variadic_split(data: Data, axis: Index, split_lengths: Indices, **rest: Unpack[PartsOptions]) -> list[AnyArray]:
    """Split an array along an axis into parts of given lengths: OpenVINO VariadicSplit-1.

    Part k is ``data[..., s : s + split_lengths[k], ...]``, where s is the sum of the lengths before it. All parts are
    written together.

    Parameters
    ----------
    data : array_like
        Rank 1 or more, any dtype but object. Subclasses and masks are dropped.
    axis : int
        The axis to split, an integer or an array of one integer; negative axes count from the end.
    split_lengths : list of int
        The lengths of the parts, >= 0, which must sum to the axis. One length may be -1, which stands for the rest of
        the axis.

    Raises
    ------
    AttributeValueError
        An axis that data does not have, a length below -1, more than one -1, lengths that do not sum to the axis, or no
        lengths.

    Notes
    -----
    Specification: OpenVINO opset 1, VariadicSplit-1. An empty list of lengths is an error on an empty axis too.

    Examples
    --------
    >>> fo.variadic_split(np.arange(6), 0, [1, -1, 2])
    [array([0]), array([1, 2, 3]), array([4, 5])]
    """
