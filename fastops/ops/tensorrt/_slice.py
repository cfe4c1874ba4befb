"""TensorRT ISliceLayer, in its own words."""

from __future__ import annotations

from typing import Any

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Indices, as_indices
from fastops._geometry._sample_mode import SampleMode, TensorRTMode, as_tensorrt_mode
from fastops._lowering._arguments import TENSORRT_MODES, Rule, of_index_type
from fastops._lowering._slices import lower_windows
from fastops._types import AnyArray, Copy, Data, Out
from fastops.kernels._tables import _rules as r

__all__ = ["slice"]


_SLICE = Operator(
    lower_windows,
    Rule(r.WINDOWS, (r.START, r.SIZE, r.STRIDE, r.AXES, r.MODE), constants=TENSORRT_MODES),
    fill_name="fill",
    start=of_index_type(as_indices),
    shape=of_index_type(as_indices),
    stride=of_index_type(as_indices),
    mode=as_tensorrt_mode,
)


@_SLICE
def slice(
    input: Data,
    start: Indices,
    shape: Indices,
    stride: Indices,
    *,
    axes: Indices | None = None,
    mode: TensorRTMode = SampleMode.STRICT_BOUNDS,
    fill: Any = None,
    out: Out = None,
    copy: Copy = True,
    chunks: Any = None,
) -> AnyArray:
    """Read an array on a strided grid, inside and outside of it: TensorRT ISliceLayer.

    Along each axis of extent d, output y reads coordinate ``x = start + y * stride`` for ``0 <= y < shape``. Outside
    ``0..d-1`` it reads what mode says: STRICT_BOUNDS raises, WRAP ``x mod d``, CLAMP the nearest index, FILL the fill
    value, REFLECT ``c = |x| mod (2d - 2)``, then ``2d - 2 - c`` where ``c >= d``.

    Parameters
    ----------
    start : list of int
        First coordinates. They are never counted from the end.
    shape : list of int
        Numbers of outputs, >= 0: the result's shape along these axes.
    stride : list of int
        Coordinates from one output to the next: positive, negative, or 0, which repeats.
    axes : list of int, optional
        The axes that start, shape and stride are about; the others are taken whole. All axes by default.
    mode : SampleMode, int, str or object with a ``name``, optional
        ``tensorrt.SampleMode`` or `fastops.SampleMode`, its number (STRICT_BOUNDS 0, WRAP 1, CLAMP 2, FILL 3,
        REFLECT 4), or its name in any case. DEFAULT is another name of STRICT_BOUNDS, which is the default, as in
        TensorRT's layer.
    fill : scalar, optional
        For mode FILL only: what converts to input's type and keeps its meaning; zero by default.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where all coordinates are in bounds, and ``out`` is not
        given.

    Raises
    ------
    OutOfBoundsError
        A coordinate is out of bounds in mode STRICT_BOUNDS, or an axis is empty and the mode is not FILL.
    AttributeValueError
        Lists of the wrong length, a negative shape, an axis that input does not have, or one that is named twice, a
        mode that is not one of TensorRT's, a fill value that does not fit or without mode FILL.
    DTypeError
        Indices that are no integers, arrays of another type than int32 and int64, or data of dtype object.

    Notes
    -----
    Specification: TensorRT 10, ISliceLayer. TensorRT refuses int64 and bfloat16 in modes CLAMP, FILL and REFLECT; here
    every mode takes every type. `fastops.slice` has the same rules in words of its own, and a symmetric mode.

    Examples
    --------
    >>> tensorrt.slice(np.arange(5), [-2], [9], [1], mode="WRAP")
    array([3, 4, 0, 1, 2, 3, 4, 0, 1])
    """
    own = _SLICE.read("mode", mode)
    if fill is not None and own is not SampleMode.FILL:
        raise AttributeValueError(_SLICE.name, "fill", f"be given in mode FILL only, not in {own.name}", fill)
    return _SLICE.run_gather(input, (start, shape, stride, axes, own), out, copy, fill, chunks)
