"""ONNX's Slice, Split, Pad and CenterCropPad."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from fastops._arrays._outputs import MOST_AXES
from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, as_index, as_indices
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._arguments import Rule, as_element, at_most, modes_of, one_of, optional
from fastops._lowering._bounds import ClampRule, check_at_least_0, check_length, resolve_axes, resolve_axis_of
from fastops._lowering._moves import Sides, crop_first, lower_pads
from fastops._lowering._slices import MOST_PARTS, check_parts, lower_slices, lower_splits, resolve_lengths
from fastops._lowering._windows import Windows
from fastops._types import AnyArray, Copy, Data, Out, Outs
from fastops.kernels._tables import _rules as r

__all__ = ["center_crop_pad", "pad", "slice", "split"]


def _lower_slice(shape: Indices, start: Indices, stop: Indices, axes: Indices | None, step: Indices | None) -> Windows:
    return lower_slices(shape, start, stop, step, axes)


_SLICE = Operator(_lower_slice, Rule(r.SLICES, (r.BEGIN, r.END, r.AXES, r.STRIDE), ClampRule.OPENVINO.value))


@_SLICE
def slice(
    data: Data,
    starts: Indices,
    ends: Indices,
    axes: Indices | None = None,
    steps: Indices | None = None,
    *,
    out: Out = None,
    copy: Copy = True,
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

    Raises
    ------
    AttributeValueError
        Lists of different lengths, a step of 0 (on an empty axis too), an axis that data does not have, or one that is
        named twice.

    Notes
    -----
    Specification: ONNX Slice-13 (and Slice-10, Slice-11; Slice-1 has the same lists as attributes). With a negative
    step, a start before the axis is moved to index 0, where NumPy takes nothing. ONNX Runtime takes an end of exactly
    2^31 - 1 or 2^63 - 1 for one before the axis if the step is negative, which the specification does not say.

    Examples
    --------
    >>> onnx.slice(np.arange(10).reshape(2, 5), [-1], [-9], axes=[1], steps=[-2])
    array([[4, 2, 0],
           [9, 7, 5]])
    """
    return _SLICE.run_gather(data, (starts, ends, axes, steps), out, copy, None, chunks)


def _lower_split(shape: Indices, split: Indices | None, axis: Index, num_outputs: Index | None) -> list[Windows]:
    at = resolve_axis_of(shape, "axis", axis)
    if num_outputs is None:
        if not split:
            raise AttributeValueError.about("split", "have at least one length, or num_outputs be given", split)
        return lower_splits(shape, at, resolve_lengths("split", split, at, shape[at], may_infer=False))
    if split is not None:
        raise AttributeValueError.about("num_outputs", "not be given together with split", num_outputs)
    return lower_splits(shape, at, _lengths_of(num_outputs, at, shape[at]))


_SPLIT = Operator(
    _lower_split,
    Rule(r.SPLIT, (r.LENGTHS, r.AXIS, r.NUMBER)),
    split=optional(at_most(MOST_PARTS, as_indices)),
    axis=as_index,
    num_outputs=optional(as_index),
)


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


@_SPLIT
def split(
    input: Data,
    split: Indices | None = None,
    *,
    axis: Index = 0,
    num_outputs: Index | None = None,
    out: Outs = None,
    copy: Copy = True,
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

    Raises
    ------
    AttributeValueError
        The axis is none of input's, lengths that are negative or do not sum to it, both or none of split and
        num_outputs, or more parts than the axis can be cut into.

    Notes
    -----
    Specification: ONNX Split-18 (and Split-2, Split-11, Split-13, which have no num_outputs). The last part may be
    empty, but no part can have less: 5 elements give no 4 parts, because 3 parts of 2 are more.

    Examples
    --------
    >>> onnx.split(np.arange(7), num_outputs=3)
    [array([0, 1, 2]), array([3, 4, 5]), array([6])]
    """
    return _SPLIT.run_gather(input, (split, axis, num_outputs), out, copy, None, chunks)


#: ONNX's modes.
PadMode: TypeAlias = Literal["constant", "reflect", "edge", "wrap"]

_MODES = modes_of(PadMode)


def _lower_pad(shape: Indices, pads: Indices, axes: Indices | None, mode: PadMode) -> Windows:
    rank = len(shape)
    named = resolve_axes("axes", range(rank) if axes is None else axes, rank)
    n = len(named)
    check_length("pads", pads, 2 * n, "side of each axis")
    before, after = [0] * rank, [0] * rank
    for axis, low, high in zip(named, pads[:n], pads[n:], strict=True):
        before[axis], after[axis] = low, high
    sides = Sides(before, after, "pads", "pads")
    return crop_first(lower_pads(shape, sides, _MODES[mode], mode), sides, mode)


_PAD = Operator(
    _lower_pad,
    Rule(r.PADS, (r.BEFORE, r.AXES, r.MODE), r.BY_HALVES, constants=_MODES),
    fill_name="constant_value",
    mode=one_of(PadMode),
)


@_PAD
def pad(
    data: Data,
    pads: Indices,
    constant_value: Any = None,
    axes: Indices | None = None,
    *,
    mode: PadMode = "constant",
    out: Out = None,
    copy: Copy = True,
    chunks: Any = None,
) -> AnyArray:
    """Pad, or crop, axes on their two sides: ONNX Pad.

    Along each axis of length d, output y reads coordinate ``x = y - before`` for ``0 <= y < before + d + after``.
    Outside ``0..d-1`` it reads what mode says: constant the value, edge the nearest index, reflect the mirrored index
    without the edge, wrap ``x mod d``.

    Parameters
    ----------
    pads : list of int
        The pads before each axis, then those behind each axis. Negative ones crop.
    constant_value : scalar or array of one element, optional
        What mode constant pads with: what converts to data's type and keeps its meaning; zero by default. Other modes
        have no use for it.
    axes : list of int, optional
        The axes that pads is about, each once, negative ones from the end; all axes by default.
    mode : str
        "constant", "reflect", "edge" or "wrap".

    Raises
    ------
    AttributeValueError
        Pads that are not two per axis, more cropped than there is, an axis that data does not have, or one that is
        named twice, an unknown mode, pads of an axis of which nothing is left in another mode than constant, or a value
        that does not fit.
    DTypeError
        Pads that are no integers, a value of another kind, or data of dtype object.

    Notes
    -----
    Specification: ONNX Pad-24 (and Pad-11 to Pad-23; Pad-2 has pads as an attribute). Pads reach any number of
    periods. Negative pads crop first, as in ONNX Runtime and in ONNX's reference implementation: wrap, reflect and edge
    read what they leave of an axis.

    Examples
    --------
    >>> onnx.pad(np.arange(1, 4), [2, 5], mode="reflect")
    array([3, 2, 1, 2, 3, 2, 1, 2, 3, 2])
    >>> onnx.pad(np.arange(4).reshape(2, 2), [1, 0], 7, [0])
    array([[7, 7],
           [0, 1],
           [2, 3]])
    """
    constant_value = as_element(constant_value, MOST_AXES)
    if constant_value is not None and _PAD.read("mode", mode) != "constant":
        constant_value = None
    return _PAD.run_gather(data, (pads, axes, mode), out, copy, constant_value, chunks)


def _lower_center_crop_pad(input_shape: Indices, shape: Indices, axes: Indices | None) -> Windows:
    rank = len(input_shape)
    named = resolve_axes("axes", range(rank) if axes is None else axes, rank)
    check_length("shape", shape, len(named), "axis")
    check_at_least_0("shape", shape)
    bounds = [(0, 1, extent) for extent in input_shape]
    for axis, count in zip(named, shape, strict=True):
        extent = input_shape[axis]
        # Both are rounded down: a window begins earlier, and a pad is longer behind.
        start = (extent - count) // 2 if count <= extent else -((count - extent) // 2)
        bounds[axis] = (start, 1, count)
    return Windows(input_shape, bounds, SampleMode.FILL)


_CENTER_CROP_PAD = Operator(_lower_center_crop_pad)


@_CENTER_CROP_PAD
def center_crop_pad(
    input_data: Data,
    shape: Indices,
    *,
    axes: Indices | None = None,
    out: Out = None,
    copy: Copy = True,
    chunks: Any = None,
) -> AnyArray:
    """Crop axes to their centre, or pad them with zeros around it: ONNX CenterCropPad.

    Along an axis of length d, output y reads coordinate ``x = y + floor((d - n) / 2)`` where its new length n is at
    most d, and else ``x = y - floor((n - d) / 2)``, which is zero outside ``0..d-1``.

    Parameters
    ----------
    shape : list of int
        The new lengths of the axes, >= 0.
    axes : list of int, optional
        The axes that shape is about, each once, negative ones from the end; the others stay. All axes by default.

    Raises
    ------
    AttributeValueError
        A shape that does not have one value for each axis, or negative ones, or an axis that input_data does not have,
        or one that is named twice.

    Notes
    -----
    Specification: ONNX CenterCropPad-18.

    Examples
    --------
    >>> onnx.center_crop_pad(np.arange(1, 7).reshape(2, 3), [2, 6])
    array([[0, 1, 2, 3, 0, 0],
           [0, 4, 5, 6, 0, 0]])
    """
    return _CENTER_CROP_PAD.run_gather(input_data, (shape, axes), out, copy, None, chunks)
