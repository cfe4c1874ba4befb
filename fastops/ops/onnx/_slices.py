"""ONNX Slice, Split, Pad and CenterCropPad."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, Unpack

from fastops._arrays._outputs import MOST_AXES
from fastops._lowering._arguments import Rule, as_element, modes_of, optional
from fastops._lowering._bounds import check_length, resolve_axes, resolve_axis_of
from fastops._lowering._moves import Sides, lower_pads
from fastops._lowering._slices import as_lengths, check_parts, lower_lengths, lower_slices, lower_splits, lower_windows
from fastops._types import AnyArray, Data, Options, PartsOptions
from fastops.ops import AttributeValueError, Index, Indices, Operator, SampleMode, Windows, as_index, r

__all__ = ["center_crop_pad", "pad", "slice", "split"]


@Operator(lower_slices, Rule(r.SLICES, (r.BEGIN, r.END, r.AXES, r.STRIDE)))
def slice(
    data: Data,
    starts: Indices,
    ends: Indices,
    axes: Indices | None = None,
    steps: Indices | None = None,
    **rest: Unpack[Options],
) -> AnyArray:
    """Take ``starts : ends : steps`` along axes: ONNX Slice.

    Slices are those of Python: negative bounds count from the end, and bounds out of range are clamped.

    Parameters
    ----------
    starts, ends : list of int
        The bounds, one for each of ``axes``.
    axes : list of int, optional
        The axes to slice; negative axes count from the end. The other axes are taken whole. The first axes by default.
    steps : list of int, optional
        The steps, one for each of ``axes``, not 0; all 1 by default.

    Raises
    ------
    AttributeValueError
        Lists of different lengths, a step of 0 (on an empty axis too), or an axis that data does not have or that is
        named twice.

    Notes
    -----
    Specification: ONNX Slice-13, Slice-11 and Slice-10, and Slice-1, which has the lists as attributes. With a negative
    step, a start before the axis is clamped to index 0; the slice of NumPy is empty. If the step is negative, ONNX
    Runtime places an end of exactly 2^31 - 1 or 2^63 - 1 before the axis; the specification does not say so, and this
    function does not do so.

    Examples
    --------
    >>> onnx.slice(np.arange(10).reshape(2, 5), [-1], [-9], axes=[1], steps=[-2])
    array([[4, 2, 0],
           [9, 7, 5]])
    """


def _lower_split(shape: Indices, parts: Indices | None, axis: Index, num_outputs: Index | None) -> list[Windows]:
    at = resolve_axis_of(shape, "axis", axis)
    if num_outputs is None:
        if not parts:
            raise AttributeValueError.about("parts", "have at least one length, or num_outputs be given", parts)
        return lower_lengths(shape, at, parts, may_infer=False)
    if parts is not None:
        raise AttributeValueError.about("num_outputs", "not be given together with split", num_outputs)
    extent, n = shape[at], num_outputs
    if n < 1:
        raise AttributeValueError.about("num_outputs", "be at least 1", n, at, extent)
    # All parts have one length, except that the last part is the rest of the axis.
    length = -(-extent // n)
    last = extent - length * (n - 1)
    if last < 0:
        rule = f"leave at least 0 elements for the last part, after parts of {length}"
        raise AttributeValueError.about("num_outputs", rule, n, at, extent)
    check_parts("num_outputs", n)
    return lower_splits(shape, at, (*(length,) * (n - 1), last))


@Operator(
    _lower_split,
    Rule(r.SPLIT, (r.LENGTHS, r.AXIS, r.NUMBER)),
    split=optional(as_lengths),
    axis=as_index,
    num_outputs=optional(as_index),
)
def split(
    input: Data,
    split: Indices | None = None,
    *,
    axis: Index = 0,
    num_outputs: Index | None = None,
    **rest: Unpack[PartsOptions],
) -> list[AnyArray]:
    """Split an array along an axis, by lengths or into a number of parts: ONNX Split.

    Part k is ``input[..., s : s + n, ...]``, where n is its length and s the sum of the lengths before it. If
    num_outputs is given, each part has length ``ceil(d / num_outputs)``, where d is the length of the axis, except that
    the last part is the rest of the axis. All parts are written together.

    Parameters
    ----------
    input : array_like
        Rank 1 or more, any dtype but object.
    split : list of int, optional
        The lengths of the parts, >= 0, which must sum to the axis.
    axis : int
        The axis to split; negative axes count from the end.
    num_outputs : int, optional
        The number of parts, to be given if split is not given.

    Raises
    ------
    AttributeValueError
        An axis that input does not have, lengths that are negative or do not sum to the axis, both or neither of split
        and num_outputs, or a number of parts that leaves less than 0 elements for the last part.

    Notes
    -----
    Specification: ONNX Split-18, and Split-13, Split-11 and Split-2, which do not have num_outputs. The last part may
    be empty. 5 elements cannot be split into 4 parts, because 3 parts of 2 elements have 6.

    Examples
    --------
    >>> onnx.split(np.arange(7), num_outputs=3)
    [array([0, 1, 2]), array([3, 4, 5]), array([6])]
    """


#: ONNX's modes.
PadMode: TypeAlias = Literal["constant", "reflect", "edge", "wrap"]


def _lower_pad(shape: Indices, pads: Indices, axes: Indices | None, mode: PadMode) -> Windows:
    rank = len(shape)
    named = resolve_axes("axes", range(rank) if axes is None else axes, rank)
    n = len(named)
    check_length("pads", pads, 2 * n, "side of each axis")
    before, after = [0] * rank, [0] * rank
    for axis, low, high in zip(named, pads[:n], pads[n:], strict=True):
        before[axis], after[axis] = low, high
    return lower_pads(shape, Sides(before, after, "pads", "pads"), mode, crops_first=True)


@Operator(
    _lower_pad,
    Rule(r.PADS, (r.BEFORE, r.AXES, r.MODE), r.BY_HALVES, constants=modes_of(PadMode)),
    read_fill=lambda mode, value: as_element(value, MOST_AXES) if mode == "constant" else None,
)
def pad(
    data: Data,
    pads: Indices,
    constant_value: Any = None,
    axes: Indices | None = None,
    *,
    mode: PadMode = "constant",
    **rest: Unpack[Options],
) -> AnyArray:
    """Pad, or crop, axes on their two sides: ONNX Pad.

    Along each axis of length d, output y reads coordinate ``x = y - before`` for ``0 <= y < before + d + after``.
    Outside ``0..d-1``, mode says what is read: constant reads the value, edge the nearest index, reflect a mirrored
    index without repeating the edge element, and wrap index ``x mod d``.

    Parameters
    ----------
    pads : list of int
        The pads before each axis, then those after each axis. A negative pad crops.
    constant_value : scalar or array of one element, optional
        The value to pad with in mode constant, which the dtype of data must be able to express; zero by default. Other
        modes ignore it.
    axes : list of int, optional
        The axes that pads are about; negative axes count from the end. All axes by default.
    mode : str
        "constant", "reflect", "edge" or "wrap".

    Raises
    ------
    AttributeValueError
        A list that does not have two pads for each axis, pads that crop more than an axis has, an axis that data does
        not have or that is named twice, an unknown mode, pads in another mode than constant of an axis that is empty
        or cropped to nothing, or a value that does not fit.
    DTypeError
        Pads that are not integers, a value of another kind, or data of dtype object.

    Notes
    -----
    Specification: ONNX Pad-24, Pad-11 to Pad-23, and Pad-2, which has pads as an attribute. Pads may be longer than the
    axis. Negative pads crop first, as in ONNX Runtime and ONNX's reference implementation: wrap, reflect and edge read
    only what is left of the axis.

    Examples
    --------
    >>> onnx.pad(np.arange(1, 4), [2, 5], mode="reflect")
    array([3, 2, 1, 2, 3, 2, 1, 2, 3, 2])
    >>> onnx.pad(np.arange(4).reshape(2, 2), [1, 0], 7, [0])
    array([[7, 7],
           [0, 1],
           [2, 3]])
    """


def _lower_center_crop_pad(input_shape: Indices, size: Indices, axes: Indices | None) -> Windows:
    """Return the windows in the middle of axes, or around them."""
    named = range(len(input_shape)) if axes is None else resolve_axes("axes", axes, len(input_shape))
    check_length("size", size, len(named), "axis")
    # Both halves are rounded down, so if the difference is odd, one more element is cropped or padded at the end.
    rest = [input_shape[axis] - count for axis, count in zip(named, size, strict=True)]
    starts = [length // 2 if length >= 0 else -(-length // 2) for length in rest]
    return lower_windows(input_shape, starts, size, None, axes, SampleMode.FILL)


@Operator(_lower_center_crop_pad)
def center_crop_pad(
    input_data: Data, shape: Indices, *, axes: Indices | None = None, **rest: Unpack[Options]
) -> AnyArray:
    """Crop axes at both ends, or pad them with zeros at both ends, to given lengths: ONNX CenterCropPad.

    Along an axis of length d with new length n, output y reads coordinate ``x = y + floor((d - n) / 2)`` if n is at
    most d, and ``x = y - floor((n - d) / 2)`` otherwise. Outputs whose coordinate lies outside ``0..d-1`` are zero.

    Parameters
    ----------
    shape : list of int
        The new length of each of ``axes``, >= 0.
    axes : list of int, optional
        The axes that shape is about; negative axes count from the end. The other axes are taken whole. All axes by
        default.

    Raises
    ------
    AttributeValueError
        A shape that does not have one number for each of ``axes``, a negative number, or an axis that input_data does
        not have or that is named twice.

    Notes
    -----
    Specification: ONNX CenterCropPad-18.

    Examples
    --------
    >>> onnx.center_crop_pad(np.arange(1, 7).reshape(2, 3), [2, 6])
    array([[0, 1, 2, 3, 0, 0],
           [0, 4, 5, 6, 0, 0]])
    """
