"""Windows: many outputs of one size, cut out of one array, or one out of each of several."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from numpy import ndarray

from fastops._arrays._conversions import Normalization, find_conversion, read_normalization
from fastops._errors import AttributeValueError, FastopsError
from fastops._execution._execute import execute
from fastops._execution._operator import Operator
from fastops._execution._windows import WindowsArguments, is_list_of_arrays, is_varied
from fastops._execution._windows_call import call_windows
from fastops._geometry._numbers import Index, Indices, OneOrMore, as_indices
from fastops._geometry._range_and_windows import WindowsGeometry, create_windows
from fastops._geometry._sample_mode import Mode, SampleMode, as_mode
from fastops._lowering._arguments import MODES, Rule, as_flag, as_index_or_indices, as_one_or_more, as_scalar, optional
from fastops._lowering._bounds import check_at_least_0, check_length, resolve_axes
from fastops._settings import CACHE_SIZE
from fastops._types import AnyArray, Data, Memory, Out, Stored
from fastops.kernels._tables import _rules as r

__all__ = ["windows"]


def _lower_windows(
    shape: Indices, size: Indices, stride: OneOrMore, axes: Indices | None, items: bool, mode: Mode
) -> WindowsGeometry:
    return geometry_of_windows(tuple(shape), size, stride, axes, bool(items), mode)  # type: ignore[arg-type]  # It was read.


_WINDOWS = Operator(
    _lower_windows,
    size=as_one_or_more,
    stride=as_index_or_indices,
    axes=optional(as_indices),
    items=optional(as_flag),
    mode=as_mode,
)


@lru_cache(CACHE_SIZE)
def geometry_of_windows(
    shape: tuple[int, ...],
    size: tuple[int, ...],
    stride: int | tuple[int, ...],
    axes: tuple[int, ...] | None,
    items: bool,
    mode: SampleMode,
) -> WindowsGeometry:
    """Return the plan of `fastops.windows` for plain values."""
    rank, first = len(shape), int(items)
    if items and rank == 0:
        raise AttributeValueError.about("data", "have a first axis, of which items are indices", shape)
    named = tuple(range(first, rank)) if axes is None else resolve_axes("axes", axes, rank)
    if items and 0 in named:
        raise AttributeValueError.about("axes", "not name axis 0, of which items are indices", axes)
    which = "axis of data but the first" if items and axes is None else "axis of data" if axes is None else "of axes"
    check_length("size", size, len(named), which)
    check_at_least_0("size", size)
    strides = (stride,) * len(named) if isinstance(stride, int) else stride
    check_length("stride", strides, len(named), which)
    return create_windows(shape, size, strides, named, items, mode)


#: Few windows are pieces of one output, as compiled code lowers them.
RULE = Rule(r.BATCH, (r.START, r.SIZE, r.STRIDE, r.AXES + r.OPTIONAL, r.MODE, r.ITEMS + r.OPTIONAL), constants=MODES)


@_WINDOWS
def windows(
    data: Data | Sequence[Memory[Any] | Stored],
    starts: Any,
    size: Indices,
    stride: Any = 1,
    *,
    axes: Indices | None = None,
    items: Any = None,
    flip: Any = None,
    mode: Mode = "strict_bounds",
    fill_value: Any = None,
    channel_axis: Index = -1,
    normalize: Any = None,
    dtype: Any = None,
    out: Out = None,
    chunks: Any = None,
) -> AnyArray:
    r"""Cut N windows of one size, each from a start of its own: what `fastops.slice` reads, N times, in one launch.

    Window n reads coordinates ``starts[n] + y * stride`` for ``0 <= y < size``, along each of ``axes``. What lies
    outside of data, ``mode`` says, as for `fastops.slice`.

    Parameters
    ----------
    data : array_like, or list of N arrays
        Any shape, any dtype but object: all windows read it. Of a list of arrays of one dtype and rank, or of objects
        that NumPy reads as arrays, such as images of Pillow, window n reads array n: their extents may differ along
        axes. So it does of a list of arrays of dask, and of one that begins with an array of zarr or a dataset of h5py:
        of each, it reads what the window needs.
    starts : array_like of int
        Of shape (N, k): the first coordinates of each window. They are not counted from the end: -1 is one before the
        axis.
    size : list of int
        k numbers of outputs, >= 0.
    stride : int, list of int or array_like of int
        Coordinates from one output to the next: one for all, one for each axis, or of shape (N, k) for each window.
        Negative ones read downwards from the start; 0 repeats.
    axes : list of int, optional
        The k axes that starts, size and stride are about; the others are taken whole. All axes of data by default,
        but for the first where items are given.
    items : array_like of int, optional
        Of shape (N,): window n reads ``data[items[n]]``, and has no such axis.
    flip : int, list of int, or array_like of bool, optional
        What is mirrored: it reads the same elements, in reverse order. Integers are axes of data, of all windows.
        Booleans say which windows: one for each, about the last of ``axes``, which are named then; or of shape (N, k),
        for each window and axis.
    mode : SampleMode, int, str or object with a ``name``
        As for `fastops.slice`.
    fill_value : scalar or list of scalars, optional
        For mode fill only: what converts to data's type and keeps its meaning; zero by default. A list has a value for
        each index of a window along ``channel_axis``.
    channel_axis : int
        The axis of data that a list of fill values is about; the last one by default.
    normalize : tuple, optional
        ``(mean, std)`` or ``(mean, std, axis)``: numbers, or one for each channel, which lie along an axis of the
        result, its last one by default. The result is ``(x - mean) / std`` of what is read, computed as the stage
        ``normalize`` of `fastops.lazy` does.
    dtype : dtype, optional
        float32, float16, bfloat16 or float64: elements are cast to it. By default, the type of ``out``, or float32, if
        they are normalized, and else data's.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides, as ``batch.transpose(0, 2, 3, 1)`` of a batch
        of channels first. It may overlap data.

    Returns
    -------
    ndarray
        Of shape (N, \*shape of data with size at axes): ``out``, or a fresh C-contiguous array.

    Raises
    ------
    OutOfBoundsError
        The first window of which a coordinate is out of bounds in mode strict_bounds, or that reads an empty axis in
        another mode but fill; an item that data does not have.
    AttributeValueError
        Shapes that do not fit, a negative size, an axis that data does not have, or one that is named twice, an unknown
        mode, a fill value that does not fit or without mode fill.
    DTypeError
        Numbers that are no integers, a fill value of another kind, or data of dtype object.

    Notes
    -----
    All is checked before the first byte is written. Threads share the windows, or each window if they are few.

    Examples
    --------
    >>> fo.windows(np.arange(6), [[-1], [2], [4]], [3], mode="reflect")
    array([[1, 0, 1],
           [2, 3, 4],
           [4, 5, 4]])

    The second window is mirrored, and read in the second row:

    >>> fo.windows([[1, 2, 3], [4, 5, 6]], [[0], [1]], [2], axes=[1], items=[0, 1], flip=[False, True])
    array([[1, 2],
           [6, 5]])
    """
    written = {"size": size, "axes": axes, "mode": mode}
    try:
        wanted = read_normalization(normalize, dtype, -1)
        is_list = is_list_of_arrays(data)
        if flip is None and fill_value is None and chunks is None:
            results = _run_few(data, (starts, size, stride, axes, mode, items), wanted, out)
            if results is not None:
                return results[0]
        own, own_channel = _read(size, stride, axes, items, mode), as_scalar("channel_axis", channel_axis)
        if is_list and items is not None:
            raise AttributeValueError.about("items", "be None where data is a list of arrays", items)
        strides = stride if is_varied(stride) else None
        numbers = starts, strides, items, fill_value, own_channel
        arguments = WindowsArguments(*numbers, wanted, chunks, flip, are_named=axes is not None)
        return call_windows(data, out, lambda shape: geometry_of_windows(shape, *own), arguments, is_list=is_list)
    except FastopsError as error:
        error.add_context("windows", written)
        raise


def _read(size: Any, stride: Any, axes: Any, items: Any, mode: Any) -> tuple[Any, ...]:
    """Return the plain values of a plan's attributes, whose stride is 1 where each window has its own."""
    # Not by the lowering, whose reading takes as long as all else that comes before the kernel.
    own_stride = 1 if is_varied(stride) else as_index_or_indices("stride", stride)
    own_axes = None if axes is None else as_indices("axes", axes)
    return as_one_or_more("size", size), own_stride, own_axes, items is not None, as_mode("mode", mode)


def _run_few(data: Any, attributes: tuple[Any, ...], wanted: Normalization | None, out: Any) -> tuple[Any, ...] | None:
    """Return windows of an array that are few, as compiled code lowers their attributes; None for all others."""
    conversion = None
    if wanted is not None:
        if type(data) is not ndarray:
            return None
        conversion = find_conversion(wanted, data.dtype, out, data.ndim + (attributes[-1] is None))
        if conversion.axis == 0:
            return None
    return execute(RULE.words, data, None if out is None else (out,), None, attributes, conversion)
