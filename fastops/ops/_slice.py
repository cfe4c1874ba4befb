"""TensorRT Slice (ISliceLayer)."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastops._arrays._fill_values import encode_channels, is_channel_list
from fastops._execution._channels import run_channels
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, as_indices
from fastops._geometry._sample_mode import Mode, SampleMode, as_mode
from fastops._lowering._arguments import MODES, Rule, optional
from fastops._lowering._slices import lower_windows
from fastops._lowering._windows import Windows, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering(
    "slice",
    Rule(r.WINDOWS, (r.START, r.SIZE, r.STRIDE, r.AXES, r.MODE), constants=MODES),
    start=as_indices,
    size=as_indices,
    stride=optional(as_indices),
    axes=optional(as_indices),
    mode=as_mode,
)
def lower_slice(
    shape: Indices,
    start: Indices,
    size: Indices,
    stride: Indices | None = None,
    *,
    axes: Indices | None = None,
    mode: Mode = SampleMode.STRICT_BOUNDS,
) -> Windows:
    """Return the plan of `fastops.slice` on data of this shape.

    Examples
    --------
    >>> import fastops as fo
    >>> print(fo.plan.slice((5,), [-2], [9], mode="reflect"))
    (5,) -> (9,)
      axis 0: extent 5, start -2, stride 1, count 9, reflect
    """
    return lower_windows("size", shape, start, size, stride, axes, mode)  # type: ignore[arg-type]  # It was read.


_OPERATOR = Operator(lower_slice)


@keeps_kind
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
    copy: bool | None = True,
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
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view. None: a view where all coordinates are in bounds and ``out`` is not given. A view
        with a stride of 0 is read-only.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    OutOfBoundsError
        A coordinate is out of bounds in mode strict_bounds, or an axis is empty and the mode is not fill.
    AttributeValueError
        Lists of the wrong length, a negative size, an axis that data does not have, or one that is named twice, an
        unknown mode, a fill value that does not fit or without mode fill, or ``copy=False`` where a copy is needed.
    DTypeError
        Indices that are no integers, a fill value of another kind, or data of dtype object.
    OutputError
        ``out`` has another shape or dtype, is read-only, or overlaps itself; or the output cannot be allocated.

    Notes
    -----
    Specification: TensorRT 10, ISliceLayer. TensorRT refuses int64 and bfloat16 in modes clamp, fill and reflect; here
    every mode takes every type.

    Examples
    --------
    >>> import numpy as np, fastops as fo
    >>> fo.slice(np.arange(5), [-2], [9], mode="reflect")
    array([2, 1, 0, 1, 2, 3, 4, 3, 2])
    >>> fo.slice(np.arange(4).reshape(2, 2), [-1], [4], axes=[1], mode="fill", fill_value=9)
    array([[9, 0, 1, 9],
           [9, 2, 3, 9]])
    """
    if fill_value is not None:
        _OPERATOR.check_fill_mode(mode, fill_value)
        if is_channel_list(fill_value, data):
            encode, attributes = partial(encode_channels, fill_value), (start, size, stride, axes, mode)
            return run_channels(_OPERATOR, data, attributes, channel_axis, encode, out, copy, chunks)
    return _OPERATOR.run_gather(data, (start, size, stride, axes, mode), out, copy, fill_value, chunks)
