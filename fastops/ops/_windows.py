"""`windows`: many windows of one size, cut out of one array, or one window out of each of several arrays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from numpy import ndarray

from fastops._arrays._conversions import Normalization, find_conversion, read_normalization
from fastops._execution._execute import execute
from fastops._execution._windows import WindowsArguments, is_list_of_arrays, is_varied
from fastops._execution._windows_call import call_windows
from fastops._geometry._range_and_windows import WindowsGeometry, create_windows
from fastops._lowering._arguments import MODES, Rule, as_flag, as_index_or_indices, as_one_or_more, as_scalar, optional
from fastops._lowering._bounds import check_at_least, check_length, one_each, resolve_axes
from fastops._settings import CACHE_SIZE
from fastops._types import AnyArray, Data, Memory, Out
from fastops.ops import AttributeValueError, FastopsError, Index, Indices, Mode, OneOrMore, Operator, SampleMode, r

__all__ = ["windows"]


def geometry_of_windows(
    shape: Indices, size: Indices, stride: OneOrMore, axes: Indices | None, items: bool | None, mode: SampleMode
) -> WindowsGeometry:
    """Return the geometry of `fastops.windows`."""
    rank, first = len(shape), int(bool(items))
    if items and rank == 0:
        raise AttributeValueError.about("data", "have a first axis, which items index", shape)
    named = tuple(range(first, rank)) if axes is None else resolve_axes("axes", axes, rank)
    if items and 0 in named:
        raise AttributeValueError.about("axes", "not name axis 0, which items index", axes)
    which = "axis of data but the first" if items and axes is None else "axis of data" if axes is None else "of axes"
    check_length("size", size, len(named), which)
    check_at_least(0, size=size)
    strides = one_each("stride", stride, len(named), which)
    return create_windows(tuple(shape), tuple(size), strides, named, bool(items), mode)


find_windows = lru_cache(CACHE_SIZE)(geometry_of_windows)

#: If there are only a few windows, compiled code lowers them to the pieces of one output.
RULE = Rule(r.BATCH, (r.START, r.SIZE, r.STRIDE, r.AXES + r.OPTIONAL, r.MODE, r.ITEMS + r.OPTIONAL), constants=MODES)


@(_WINDOWS := Operator(geometry_of_windows, size=as_one_or_more, stride=as_index_or_indices, items=optional(as_flag)))
def windows(
    data: Data | Sequence[Memory[Any]],
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
    r"""Cut N windows of one size, each with its own start: as `fastops.slice` for each window, in one call.

    Window n reads coordinates ``starts[n] + y * stride`` for ``0 <= y < size``, along each of ``axes``. ``mode`` says
    what coordinates outside of data read, as for `fastops.slice`.

    Parameters
    ----------
    data : array_like, or list of N arrays
        Any shape, any dtype but object. All windows read one array; or, if data is a list of N arrays of one dtype and
        rank, window n reads array n, and extents may differ along ``axes``. The elements of the list are arrays or
        tensors in memory, mapped files, or objects that NumPy converts to arrays, such as images of Pillow.
    starts : array_like of int
        The first coordinates of each window, of shape (N, k). Coordinates are not counted from the end: -1 lies before
        the axis.
    size : list of int
        The number of outputs along each of the k axes, >= 0.
    stride : int, list of int or array_like of int
        The distance from the coordinate of one output to that of the next: one number for all, one for each axis, or of
        shape (N, k) for each window. A negative stride reads downwards from the start; 0 repeats one element.
    axes : list of int, optional
        The k axes that starts, size and stride are about; negative axes count from the end. The other axes are taken
        whole. All axes of data by default, without the first one if ``items`` are given.
    items : array_like of int, optional
        Of shape (N,): window n reads ``data[items[n]]``, so the result does not have the first axis of data.
    flip : int, list of int, or array_like of bool, optional
        What to mirror; a mirrored window has the same elements in reverse order. Integers are axes of data, along which
        all windows are mirrored. Booleans of shape (N, k) choose windows and axes. Booleans of shape (N,) choose
        windows, which are mirrored along the last of ``axes``; if k > 1, ``axes`` must be given.
    mode : SampleMode, int, str or object with a ``name``
        The mode, as for `fastops.slice`.
    fill_value : scalar or list of scalars, optional
        The value to fill with, in mode fill only, which the dtype of data must be able to express; zero by default. A
        list has a value for each index of a window along ``channel_axis``.
    channel_axis : int
        The axis of data that a list of fill values is about; the last axis by default.
    normalize : tuple, optional
        ``(mean, std)`` or ``(mean, std, axis)``: the result is ``(x - mean) / std``, computed as the stage
        ``normalize`` of `fastops.lazy` computes it. Mean and std are numbers, or have a number for each index of the
        result along ``axis``, which is the last one by default.
    dtype : dtype, optional
        The dtype of the result: float32, float16, bfloat16 or float64. By default, the dtype of data or, for a
        normalized result, that of ``out`` or, without ``out``, float32.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides, such as ``batch.transpose(0, 2, 3, 1)`` for a
        batch with channels first. It may overlap data.

    Returns
    -------
    ndarray
        Of shape (N, \*shape of data with size at axes): ``out``, or a fresh C-contiguous array.

    Raises
    ------
    OutOfBoundsError
        A coordinate of a window is out of bounds in mode strict_bounds, a window reads an empty axis and the mode is
        not fill, or data does not have an item. The error is about the first such window.
    AttributeValueError
        Shapes that do not fit, a negative size, an axis that data does not have or that is named twice, an unknown
        mode, or a fill value that does not fit or is given in another mode.
    DTypeError
        Starts or sizes that are not integers, a fill value of another kind, or data of dtype object.

    Notes
    -----
    All arguments are checked before the first byte is written. Threads share the windows or, if there are only a few
    windows, each window.

    Examples
    --------
    >>> fo.windows(np.arange(6), [[-1], [2], [4]], [3], mode="reflect")
    array([[1, 0, 1],
           [2, 3, 4],
           [4, 5, 4]])

    The second window is mirrored and reads the second row:

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
        own = _WINDOWS.lowering.read((size, 1 if is_varied(stride) else stride, axes, items is not None, mode))
        own_channel = as_scalar("channel_axis", channel_axis)
        if is_list and items is not None:
            raise AttributeValueError.about("items", "be None where data is a list of arrays", items)
        strides = stride if is_varied(stride) else None
        numbers = starts, strides, items, fill_value, own_channel
        arguments = WindowsArguments(*numbers, wanted, chunks, flip, are_named=axes is not None)
        return call_windows(data, out, lambda shape: find_windows(shape, *own), arguments, is_list=is_list)
    except FastopsError as error:
        error.add_context("windows", written)
        raise


def _run_few(data: Any, attributes: tuple[Any, ...], wanted: Normalization | None, out: Any) -> tuple[Any, ...] | None:
    """Return the results, or None if compiled code does not lower the attributes, such as those of many windows."""
    conversion = None
    if wanted is not None:
        if type(data) is not ndarray:
            return None
        conversion = find_conversion(wanted, data.dtype, out, data.ndim + (attributes[-1] is None))
        if conversion.axis == 0:
            return None
    return execute(RULE.words, data, None if out is None else (out,), None, attributes, conversion)
