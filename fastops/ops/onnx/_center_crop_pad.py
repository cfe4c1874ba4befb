"""ONNX CenterCropPad."""

from __future__ import annotations

from fastops._arrays._dtypes import AnyArray
from fastops._geometry._numbers import Indices, as_indices
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._arguments import optional
from fastops._lowering._axes import check_at_least_0, check_length, resolve_axes
from fastops._lowering._decorator import lowering
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._types import Data, Out, keeps_kind


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


_OPERATOR = Operator(lower_center_crop_pad, data_name="input_data")


@keeps_kind
def center_crop_pad(
    input_data: Data,
    shape: Indices,
    *,
    axes: Indices | None = None,
    out: Out = None,
    copy: bool | None = True,
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
    return _OPERATOR.run_gather(input_data, (shape, axes), out, copy)
