"""`crop_or_pad`: one array is cropped or padded to a size, at any place; several arrays become one batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from fastops._arrays._dtypes import as_int64
from fastops._arrays._inputs import as_source, check_equal
from fastops._errors import AttributeValueError, DTypeError, FastopsError, OutOfBoundsError
from fastops._execution._kinds import find_kind, shape_of
from fastops._execution._windows import as_flips, is_list_of_arrays, read_flips
from fastops._geometry._numbers import Index, Indices, OneForAll, as_indices, is_listed
from fastops._geometry._range_and_windows import WindowsGeometry
from fastops._lowering._arguments import as_index_or_indices, as_one_or_more, one_of
from fastops._lowering._slices import lower_windows
from fastops._types import AnyArray, Copy, Data, Memory, Out
from fastops.ops import Mode, Operator, SampleMode, Windows
from fastops.ops._slices import slice
from fastops.ops._windows import find_windows, windows

__all__ = ["crop_or_pad"]

#: The place of the window: in the middle, at random, or at given starts.
Position: TypeAlias = Literal["center", "random"] | Indices

_read_word = one_of(("center", "random"), hint=", or starts")


def _plan_of(shape: Sequence[int], size: Any, axes: Any) -> WindowsGeometry:
    """Return the geometry of windows of a size; its fields ``size`` and ``axes`` have a value for each axis."""
    own_axes, own_size = None if axes is None else as_indices("axes", axes), as_index_or_indices("size", size)
    if isinstance(own_size, int):
        own_size = (own_size,) * len(shape if own_axes is None else own_axes)
    return find_windows(tuple(shape), own_size, 1, own_axes, False, SampleMode.FILL)


def _drawn(low: list[list[int]], high: list[list[int]], rng: Any) -> list[list[int]]:
    """Return random numbers between two lists of lists, both included."""
    try:
        generator = np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise DTypeError.about("rng", "be a numpy.random.Generator, a seed, or None", rng) from error
    if len(low) == 1:
        # This draws the same numbers as one call for all axes, in less time.
        return [[int(generator.integers(*ends, endpoint=True)) for ends in zip(low[0], high[0], strict=True)]]
    return generator.integers(low, high, endpoint=True).tolist()


def _starts_of(
    extents: Sequence[Sequence[int]], size: Sequence[int], position: Any, rng: Any
) -> Sequence[Sequence[int]]:
    """Return the starts of the windows of arrays; ``extents`` has a row for each array."""
    word = _read_word("position", position) if isinstance(position, str) else ""
    if rng is not None and word != "random":
        raise AttributeValueError.about("rng", "be given for position 'random' only", rng)
    if not word:
        shape = (len(extents), len(size))
        rows = as_int64("position", position, (None, shape[1]), "for each array one start for each axis of size")
        if rows.shape != shape:
            raise AttributeValueError.about("position", f"have shape {shape}", rows.shape)
        return rows.tolist()
    rest = [[extent - n for extent, n in zip(row, size, strict=True)] for row in extents]
    # If an odd number of elements is cropped or padded, one more is at the end than at the beginning.
    centered = [[length // 2 if length > 0 else -(-length // 2) for length in row] for row in rest]
    if word == "center":
        return centered
    # An axis that is padded has only this start.
    low = [[min(start, 0) for start in row] for row in centered]
    high = [list(map(max, *rows)) for rows in zip(rest, centered, strict=True)]
    return _drawn(low, high, rng)


def _lower_window(
    shape: Sequence[int], size: Any, axes: Any, position: Any, rng: Any, flip: Any
) -> tuple[Sequence[int], tuple[int, ...], Sequence[int], tuple[int, ...]]:
    """Return start, size, stride and axes of the window of one array."""
    plan = _plan_of(shape, size, axes)
    given = position if isinstance(position, str) else [position if is_listed(position) else [position]]
    (start,) = _starts_of([[shape[k] for k in plan.axes]], plan.size, given, rng)
    if flip is None:
        return start, plan.size, plan.stride, plan.axes
    if type(flip) is not int:
        flip = as_flips(flip)
        if flip.dtype.kind == "b" and flip.shape == (len(plan.axes),):
            flip = flip[None]
    flips = read_flips(plan, flip, 1, are_named=axes is not None)[0].tolist()
    own_start = [x + (n - 1) * is_flipped for x, n, is_flipped in zip(start, plan.size, flips, strict=True)]
    return own_start, plan.size, [-1 if is_flipped else 1 for is_flipped in flips], plan.axes


def _as_position(attribute: str, position: Any) -> Any:
    return _read_word(attribute, position) if isinstance(position, str) else as_one_or_more(attribute, position)


def _lower_crop_or_pad(
    shape: Indices, size: OneForAll, axes: Indices | None, mode: SampleMode, position: Position, flip: Any
) -> Windows:
    if position == "random":
        raise AttributeValueError.about("position", "be center, or starts: plans draw no random numbers", position)
    start, own_size, stride, own_axes = _lower_window(shape, size, axes, position, None, flip)
    own = lower_windows(shape, start, own_size, stride, own_axes, mode)
    if mode is SampleMode.STRICT_BOUNDS:
        try:
            own.geometry()
        except OutOfBoundsError as error:
            raise OutOfBoundsError.about("position", error.rule, error.got, error.axis, error.extent) from None
    return own


# `_lower_window` reads flips, because it knows the shape of data.
@Operator(_lower_crop_or_pad, position=_as_position, flip=lambda _, flip: flip)
def crop_or_pad(
    data: Data | Sequence[Memory[Any]],
    size: OneForAll,
    *,
    axes: Indices | None = None,
    mode: Mode = "fill",
    fill_value: Any = None,
    channel_axis: Index = -1,
    position: Position = "center",
    rng: Any = None,
    flip: Any = None,
    out: Out = None,
    copy: Copy = True,
    chunks: Any = None,
) -> AnyArray:
    r"""Crop axes that are longer than a size, and pad axes that are shorter, in one step.

    Along each of ``axes``, of extent d and size n, the result reads coordinates ``start .. start + n - 1``. For
    position "center", ``start`` is ``(d - n) // 2`` if n is at most d, and ``-((n - d) // 2)`` otherwise. So if an odd
    number of elements is cropped or padded, one more of them is at the end than at the beginning.

    Parameters
    ----------
    data : array_like, or list of N arrays
        Any shape, any dtype but object. A list of arrays of one dtype and rank, such as images of several sizes, gives
        one batch.
    size : int or list of int
        The extents of the result along ``axes``, >= 0: one number for all axes, or one for each axis.
    axes : list of int, optional
        The k axes that size is about; negative axes count from the end. The other axes are taken whole. All axes by
        default.
    mode : SampleMode, int, str or object with a ``name``
        The mode of pads, as for `fastops.slice`.
    fill_value : scalar or list of scalars, optional
        The value to fill with, in mode fill only, which the dtype of data must be able to express; zero by default. A
        list has a value for each index of the result along ``channel_axis``.
    channel_axis : int
        The axis of data that a list of fill values is about; the last axis by default.
    position : str or list of int
        "center", "random", or the start along each of ``axes``, of shape (N, k) for a list of arrays. Starts may be
        negative and are not counted from the end. "random" chooses, with equal probability, one of the starts that keep
        the result inside of data; along an axis that is shorter than the result, data is put into the middle.
    rng : numpy.random.Generator or int, optional
        The generator of random starts, or its seed. Along axes that are not padded, the starts are
        ``default_rng(rng).integers(0, most, endpoint=True)`` with ``most = np.maximum(extents - size, 0)`` of shape (N,
        k), where N is 1 for a single array.
    flip : int, list of int, or array_like of bool, optional
        What to mirror after the crop: an axis of data or a list of axes; or booleans, one for each of ``axes`` or, if
        ``axes`` is given, one for the last of them. For a list of arrays, as for `fastops.windows`.
    copy : bool or None
        True: a copy. False: a view, or an error if the result cannot be a view. None: a view if nothing is padded and
        ``out`` is not given, and a copy otherwise. For a list of arrays: True.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the dtype of data, or a view of data. The result of N arrays has shape
        (N, \*shape of one result).

    Raises
    ------
    OutOfBoundsError
        Pads are needed and the mode is strict_bounds, or an axis is empty and the mode is not fill.
    AttributeValueError
        A list of the wrong length, a negative size, an axis that data does not have or that is named twice, an unknown
        position or mode, ``rng`` with a position that is not random, or a fill value that does not fit or is given in
        another mode.
    DTypeError
        Sizes, axes or starts that are not integers, an ``rng`` that is neither a generator nor a seed, a fill value of
        another kind, or data of dtype object.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.image.resize_with_crop_or_pad. That function and ONNX CenterCropPad have the same
    center as position "center". MONAI and nnU-Net may begin one element earlier or later if the difference is odd.

    Examples
    --------
    >>> image = np.arange(15).reshape(3, 5)
    >>> fo.crop_or_pad(image, [5, 3])
    array([[ 0,  0,  0],
           [ 1,  2,  3],
           [ 6,  7,  8],
           [11, 12, 13],
           [ 0,  0,  0]])
    >>> fo.crop_or_pad([image, image[:, :2]], [2, 4], position=[[1, 1], [0, -1]])
    array([[[ 6,  7,  8,  9],
            [11, 12, 13, 14]],
    <BLANKLINE>
           [[ 0,  0,  1,  0],
            [ 0,  5,  6,  0]]])
    """
    options: dict[str, Any] = {"mode": mode, "fill_value": fill_value, "channel_axis": channel_axis, "chunks": chunks}
    try:
        if is_list_of_arrays(data):
            if copy is not True:
                raise AttributeValueError.about("copy", "be True for a list of arrays", copy)
            # Objects such as images of Pillow are converted to arrays once.
            listed: Any = data
            own: Any = [each if find_kind(each) is not None else as_source(each)[0] for each in tuple(listed)]
            shapes = [shape_of(each) for each in own]
            plan = _plan_of(shapes[0], size, axes)
            check_equal("array", "rank", list(map(len, shapes)))
            starts = _starts_of([[each[k] for k in plan.axes] for each in shapes], plan.size, position, rng)
            named = None if axes is None else plan.axes
            return windows(own, starts, plan.size, axes=named, flip=flip, out=out, **options)
        if type(data) is not np.ndarray and find_kind(data) is None:
            data = as_source(data, may_copy=copy is not False)[0]
        start, own_size, stride, own_axes = _lower_window(shape_of(data), size, axes, position, rng, flip)
        return slice(data, start, own_size, stride, axes=own_axes, out=out, copy=copy, **options)
    except FastopsError as error:
        # The error names the operator that crop_or_pad has called, and its attributes, so name those of crop_or_pad
        # instead.
        error.op, error.attribute = "", error.attribute.replace("starts", "position").replace("start", "position")
        error.add_context("crop_or_pad", {"size": size, "axes": axes, "position": position})
        raise
