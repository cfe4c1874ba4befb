"""OpenVINO Slice, Split and Pad."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, Unpack

from fastops._lowering._arguments import Rule, constant_fill, modes_of
from fastops._lowering._bounds import check_length
from fastops._lowering._moves import Sides, lower_pads
from fastops._lowering._slices import lower_equal_parts, lower_slices
from fastops._types import AnyArray, Data, Options, PartsOptions
from fastops.ops import Index, Indices, Operator, Windows, as_index, r

__all__ = ["pad", "slice", "split"]


@Operator(lower_slices, Rule(r.SLICES, (r.BEGIN, r.END, r.STRIDE, r.AXES)))
def slice(
    data: Data, start: Indices, stop: Indices, step: Indices, axes: Indices | None = None, **rest: Unpack[Options]
) -> AnyArray:
    """Take ``start : stop : step`` along axes: OpenVINO Slice-8.

    Slices are those of Python: negative bounds count from the end, and bounds out of range are clamped.

    Parameters
    ----------
    start, stop : list of int
        The bounds, one for each of ``axes``.
    step : list of int
        The steps, one for each of ``axes``, not 0.
    axes : list of int, optional
        The axes to slice; negative axes count from the end. The other axes are taken whole. The first axes by default.

    Raises
    ------
    AttributeValueError
        Lists of different lengths, a step of 0 (on an empty axis too), or an axis that data does not have or that is
        named twice.

    Notes
    -----
    Specification: OpenVINO opset 8, Slice-8. With a negative step, a start before the axis is clamped to index 0; in
    NumPy, such a slice is empty.

    Examples
    --------
    >>> openvino.slice(np.arange(10), [-1], [0], [-3])
    array([9, 6, 3])
    """


@Operator(lower_equal_parts, Rule(r.SPLIT, (r.AXIS, r.LENGTHS), r.NO_LIST, r.PARTS), num_splits=as_index)
def split(data: Data, axis: Index, num_splits: Index, **rest: Unpack[PartsOptions]) -> list[AnyArray]:
    """Split an array along an axis into equal parts: OpenVINO Split-1.

    Part k is ``data[..., k * n : (k + 1) * n, ...]`` with ``n = data.shape[axis] / num_splits``. All parts are written
    together.

    Parameters
    ----------
    data : array_like
        Rank 1 or more, any dtype but object.
    axis : int
        The axis to split; negative axes count from the end.
    num_splits : int
        The number of parts, >= 1. It divides the axis.

    Raises
    ------
    AttributeValueError
        An axis that data does not have or that is not a scalar, or a number of parts that does not divide the axis.

    Notes
    -----
    Specification: OpenVINO opset 1, Split-1.

    Examples
    --------
    >>> openvino.split(np.arange(6), 0, 3)
    [array([0, 1]), array([2, 3]), array([4, 5])]
    """


#: OpenVINO's modes, in lower and upper case.
PadMode: TypeAlias = Literal["constant", "edge", "reflect", "symmetric", "CONSTANT", "EDGE", "REFLECT", "SYMMETRIC"]


def _lower_pad(shape: Indices, pads_begin: Indices, pads_end: Indices, pad_mode: PadMode) -> Windows:
    check_length("pads_begin", pads_begin, len(shape), "axis of arg")
    check_length("pads_end", pads_end, len(shape), "axis of arg")
    return lower_pads(shape, Sides(pads_begin, pads_end, "pads_begin", "pads_end"), pad_mode, one_fold=True)


@Operator(
    _lower_pad,
    Rule(r.PADS, (r.BEFORE, r.AFTER, r.MODE), r.BY_SIDES, r.ONE_FOLD, constants=modes_of(PadMode)),
    read_fill=constant_fill,
)
def pad(
    arg: Data, pads_begin: Indices, pads_end: Indices, pad_mode: PadMode, pad_value: Any = None, **rest: Unpack[Options]
) -> AnyArray:
    """Pad, or crop, each axis on its two sides: OpenVINO Pad-1 and Pad-12.

    Along each axis of length d, output y reads coordinate ``x = y - pads_begin`` for
    ``0 <= y < pads_begin + d + pads_end``. Outside ``0..d-1``, pad_mode says what is read: constant reads pad_value,
    edge the nearest index, reflect a mirrored index without repeating the edge element, and symmetric a mirrored index
    that repeats the edge element.

    Parameters
    ----------
    pads_begin, pads_end : list of int
        The pads before and after each axis. A negative pad crops.
    pad_mode : str
        "constant", "edge", "reflect" or "symmetric", in upper or lower case.
    pad_value : scalar, optional
        The value to pad with in mode constant, which the dtype of arg must be able to express; zero by default. Other
        modes ignore it.

    Raises
    ------
    AttributeValueError
        A list that does not have one pad for each axis, pads that crop more than an axis has, an unknown mode, a pad
        longer than ``d - 1`` in mode reflect or than d in mode symmetric, pads of an empty axis in another mode than
        constant, or a value that does not fit.
    DTypeError
        Pads that are not integers, a pad_value of another kind, or data of dtype object.

    Notes
    -----
    Specification: OpenVINO opset 1, Pad-1; opset 12, Pad-12, which adds negative pads. In `fastops.slice`, mirrored
    pads may be longer than the axis.

    Examples
    --------
    >>> openvino.pad(np.arange(1, 5), [2], [-1], "reflect")
    array([3, 2, 1, 2, 3])
    >>> openvino.pad(np.arange(1, 5), [1], [1], "constant", 9)
    array([9, 1, 2, 3, 4, 9])
    """
