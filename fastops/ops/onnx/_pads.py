"""ONNX Pad and CenterCropPad."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from fastops._arrays._outputs import MOST_AXES
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, as_indices
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._arguments import Rule, as_element, one_of, optional
from fastops._lowering._bounds import check_at_least_0, check_length, resolve_axes
from fastops._lowering._moves import crop_first, lower_pads
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r

#: ONNX's modes.
PadMode: TypeAlias = Literal["constant", "reflect", "edge", "wrap"]

_MODES: dict[PadMode, SampleMode] = {
    "constant": SampleMode.FILL,
    "reflect": SampleMode.REFLECT,
    "edge": SampleMode.CLAMP,
    "wrap": SampleMode.WRAP,
}


@lowering(
    "onnx.pad",
    Rule(r.PADS, (r.BEFORE, r.AXES, r.MODE), r.BY_HALVES, constants=_MODES),
    pads=as_indices,
    axes=optional(as_indices),
    mode=one_of(_MODES),
)
def lower_pad(shape: Indices, pads: Indices, axes: Indices | None = None, *, mode: PadMode = "constant") -> Windows:
    """Return the plan of `fastops.onnx.pad` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.plan.onnx.pad((3, 4), [1, 2], [-1], mode="wrap").shape
    (3, 7)
    """
    rank = len(shape)
    named = resolve_axes("axes", range(rank) if axes is None else axes, rank)
    n = len(named)
    check_length("pads", pads, 2 * n, "side of each axis")
    before, after = [0] * rank, [0] * rank
    for axis, low, high in zip(named, pads[:n], pads[n:], strict=True):
        before[axis], after[axis] = low, high
    windows = lower_pads("pads", shape, before, after, _MODES[mode], mode)
    return crop_first("pads", windows, before, after, mode)


_PAD = Operator(lower_pad, fill_name="constant_value")


@keeps_kind
def pad(
    data: Data,
    pads: Indices,
    constant_value: Any = None,
    axes: Indices | None = None,
    *,
    mode: PadMode = "constant",
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Pad, or crop, axes on their two sides: ONNX Pad.

    Along each axis of length d, output y reads coordinate ``x = y - before`` for ``0 <= y < before + d + after``.
    Outside ``0..d-1`` it reads what mode says: constant the value, edge the nearest index, reflect the mirrored index
    without the edge, wrap ``x mod d``.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object.
    pads : list of int
        The pads before each axis, then those behind each axis. Negative ones crop.
    constant_value : scalar or array of one element, optional
        What mode constant pads with: what converts to data's type and keeps its meaning; zero by default. Other modes
        have no use for it.
    axes : list of int, optional
        The axes that pads is about, each once, negative ones from the end; all axes by default.
    mode : str
        "constant", "reflect", "edge" or "wrap".
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where nothing is padded and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        Pads that are not two per axis, more cropped than there is, an axis that data does not have, or one that is
        named twice, an unknown mode, pads of an axis of which nothing is left in another mode than constant, or a value
        that does not fit.
    DTypeError
        Pads that are no integers, a value of another kind, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: ONNX Pad-24 (and Pad-11 to Pad-23; Pad-2 has pads as an attribute). Pads reach any number of
    periods. Negative pads crop first, as in ONNX Runtime and in ONNX's reference implementation: wrap, reflect and edge
    read what they leave of an axis.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import onnx
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


@lowering("onnx.center_crop_pad", shape=as_indices, axes=optional(as_indices))
def lower_center_crop_pad(input_shape: Indices, shape: Indices, *, axes: Indices | None = None) -> Windows:
    """Return the plan of `fastops.onnx.center_crop_pad` on an input of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.onnx.center_crop_pad((8, 3), [5, 6]))
    (8, 3) -> (5, 6)
      axis 0: extent 8, start 1, stride 1, count 5, strict_bounds
      axis 1: extent 3, start -1, stride 1, count 6, fill
    """
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


_CENTER_CROP_PAD = Operator(lower_center_crop_pad, data_name="input_data")


@keeps_kind
def center_crop_pad(
    input_data: Data,
    shape: Indices,
    *,
    axes: Indices | None = None,
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Crop axes to their centre, or pad them with zeros around it: ONNX CenterCropPad.

    Along an axis of length d, output y reads coordinate ``x = y + floor((d - n) / 2)`` where its new length n is at
    most d, and else ``x = y - floor((n - d) / 2)``, which is zero outside ``0..d-1``.

    Parameters
    ----------
    input_data : array_like
        Any shape, any dtype but object.
    shape : list of int
        The new lengths of the axes, >= 0.
    axes : list of int, optional
        The axes that shape is about, each once, negative ones from the end; the others stay. All axes by default.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap input_data.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where nothing is padded and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of input_data's dtype, or a view of input_data.

    Raises
    ------
    AttributeValueError
        A shape that does not have one value for each axis, or negative ones, or an axis that input_data does not have,
        or one that is named twice.
    DTypeError
        Numbers that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: ONNX CenterCropPad-18.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import onnx
    >>> onnx.center_crop_pad(np.arange(1, 7).reshape(2, 3), [2, 6])
    array([[0, 1, 2, 3, 0, 0],
           [0, 4, 5, 6, 0, 0]])
    """
    return _CENTER_CROP_PAD.run_gather(input_data, (shape, axes), out, copy, None, chunks)
