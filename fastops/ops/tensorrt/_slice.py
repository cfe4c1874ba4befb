"""TensorRT ISliceLayer, with TensorRT's names of arguments."""

from __future__ import annotations

from typing import Any, Unpack

from fastops._geometry._sample_mode import SampleMode, TensorRTMode, as_tensorrt_mode
from fastops._lowering._arguments import TENSORRT_MODES, Rule, of_index_type
from fastops._lowering._slices import lower_windows
from fastops._types import AnyArray, Data, Options
from fastops.ops import Indices, Operator, as_indices, r

__all__ = ["slice"]


@Operator(
    lower_windows,
    Rule(r.WINDOWS, (r.START, r.SIZE, r.STRIDE, r.AXES, r.MODE), constants=TENSORRT_MODES),
    **dict.fromkeys(("start", "shape", "stride"), of_index_type(as_indices)),
    mode=as_tensorrt_mode,
)
def slice(
    input: Data,
    start: Indices,
    shape: Indices,
    stride: Indices,
    *,
    axes: Indices | None = None,
    mode: TensorRTMode = SampleMode.STRICT_BOUNDS,
    fill: Any = None,
    **rest: Unpack[Options],
) -> AnyArray:
    """Read an array on a strided grid, which may reach beyond the array: TensorRT ISliceLayer.

    Along each axis, output y reads coordinate ``x = start + y * stride`` for ``0 <= y < shape``. If the coordinate lies
    outside ``0..d-1``, where d is the extent of the axis, ``mode`` says what is read:

    - STRICT_BOUNDS, or DEFAULT: nothing; the call raises an error;
    - WRAP: index ``x mod d``;
    - CLAMP: index ``min(max(x, 0), d - 1)``;
    - FILL: ``fill``;
    - REFLECT: index c with ``c = |x| mod (2d - 2)`` or, where ``c >= d``, ``2d - 2 - c``; 0 for d = 1.

    Parameters
    ----------
    start : list of int
        The first coordinate along each axis. Coordinates are not counted from the end: -1 lies before the axis.
    shape : list of int
        The number of outputs along each axis, >= 0.
    stride : list of int
        The distance from the coordinate of one output to that of the next: positive, negative, or 0, which repeats one
        element.
    axes : list of int, optional
        The axes that start, shape and stride are about; negative axes count from the end. The other axes are taken
        whole. All axes by default.
    mode : SampleMode, int, str or object with a ``name``, optional
        A member of ``tensorrt.SampleMode`` or `fastops.SampleMode`, its number (STRICT_BOUNDS 0, WRAP 1, CLAMP 2, FILL
        3, REFLECT 4), or its name in upper or lower case. DEFAULT is another name of STRICT_BOUNDS.
    fill : scalar, optional
        The value to fill with, in mode FILL only, which the dtype of input must be able to express; zero by default.

    Raises
    ------
    OutOfBoundsError
        A coordinate is out of bounds in mode STRICT_BOUNDS, or an empty axis has outputs and the mode is not FILL.
    AttributeValueError
        A list of the wrong length, a negative number of outputs, an axis that input does not have or that is named
        twice, a mode that TensorRT does not have, or a fill value that does not fit or is given in another mode.
    DTypeError
        Indices that are not integers, or arrays of types other than int32 and int64; or data of dtype object.

    Notes
    -----
    Specification: TensorRT 10, ISliceLayer. TensorRT refuses int64 and bfloat16 in modes CLAMP, FILL and REFLECT; this
    function accepts every dtype in every mode. `fastops.slice` has the same rules with other names, and mode symmetric.

    Examples
    --------
    >>> tensorrt.slice(np.arange(5), [-2], [9], [1], mode="WRAP")
    array([3, 4, 0, 1, 2, 3, 4, 0, 1])
    """
