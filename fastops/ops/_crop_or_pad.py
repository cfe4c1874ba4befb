"""Crops and pads to a size: TensorFlow's resize_with_crop_or_pad, at any place, of one array or a batch of many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from fastops._arrays._dtypes import as_rows
from fastops._arrays._inputs import as_source, check_equal
from fastops._errors import AttributeValueError, DTypeError, FastopsError
from fastops._execution._kinds import find_kind, shape_of
from fastops._execution._operator import Operator
from fastops._execution._windows import as_flips, is_list_of_arrays, read_flips
from fastops._geometry._numbers import Index, Indices, OneOrMore, as_indices, is_listed
from fastops._geometry._range_and_windows import WindowsGeometry
from fastops._geometry._sample_mode import Mode, SampleMode, as_mode
from fastops._lowering._arguments import as_index_or_indices, as_one_or_more, one_of, optional
from fastops._lowering._slices import lower_windows
from fastops._lowering._windows import Windows
from fastops._types import AnyArray, Copy, Data, Memory, Out
from fastops.ops._slices import slice
from fastops.ops._windows import geometry_of_windows, windows

__all__ = ["crop_or_pad"]

#: Where the window is: in the middle, at a place that is drawn, or at starts.
Position: TypeAlias = Literal["center", "random"] | Indices

_read_word = one_of(("center", "random"), hint=", or starts")


def _plan_of(shape: Sequence[int], size: Any, axes: Any) -> WindowsGeometry:
    """Return the plan of windows of that size, which has the sizes and the axes that they are about."""
    own_axes, own_size = None if axes is None else as_indices("axes", axes), as_index_or_indices("size", size)
    if isinstance(own_size, int):
        own_size = (own_size,) * len(shape if own_axes is None else own_axes)
    return geometry_of_windows(tuple(shape), own_size, 1, own_axes, False, SampleMode.FILL)


def _drawn(rest: Sequence[Sequence[int]], rng: Any) -> list[list[int]]:
    """Return starts of windows inside of data, each as likely as any other, or 0."""
    try:
        generator = np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise DTypeError.about("rng", "be a numpy.random.Generator, a seed, or None", rng) from error
    most = [[max(length, 0) for length in row] for row in rest]
    if len(rest) == 1:
        # The same numbers, in less time.
        return [[int(generator.integers(0, length, endpoint=True)) for length in most[0]]]
    drawn: list[list[int]] = generator.integers(0, most, endpoint=True).tolist()
    return drawn


def _starts_of(
    extents: Sequence[Sequence[int]], size: Sequence[int], position: Any, rng: Any
) -> Sequence[Sequence[int]]:
    """Return the starts of windows of arrays, of which a row of extents each is given."""
    word = _read_word("position", position) if isinstance(position, str) else ""
    if rng is not None and word != "random":
        raise AttributeValueError.about("rng", "be given for position 'random' only", rng)
    if not word:
        shape = (len(extents), len(size))
        rows = as_rows("position", position, shape[1], "for each array one start for each axis of size")
        if rows.shape != shape:
            raise AttributeValueError.about("position", f"have shape {shape}", rows.shape)
        starts: list[list[int]] = rows.tolist()
        return starts
    rest = [[extent - n for extent, n in zip(row, size, strict=True)] for row in extents]
    # Of an odd number, one more is cropped or padded behind.
    centered = [[length // 2 if length > 0 else -(-length // 2) for length in row] for row in rest]
    if word == "center":
        return centered
    drawn = zip(rest, centered, _drawn(rest, rng), strict=True)
    return [[s if length < 0 else x for length, s, x in zip(*row, strict=True)] for row in drawn]


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


def _as_is(_: str, flip: Any) -> Any:
    """Return what is read with the shape of data."""
    return flip


def _lower_crop_or_pad(
    shape: Indices, size: OneOrMore, axes: Indices | None, mode: Mode, position: Position, flip: Any
) -> Windows:
    if position == "random":
        raise AttributeValueError.about("position", "be center, or starts: plans draw nothing", position)
    start, own_size, stride, own_axes = _lower_window(shape, size, axes, position, None, flip)
    return lower_windows("size", shape, start, own_size, stride, own_axes, mode)  # type: ignore[arg-type]  # It was read.


_CROP_OR_PAD = Operator(
    _lower_crop_or_pad,
    size=as_index_or_indices,
    axes=optional(as_indices),
    mode=as_mode,
    position=_as_position,
    flip=_as_is,
)


@_CROP_OR_PAD
def crop_or_pad(
    data: Data | Sequence[Memory[Any]],
    size: OneOrMore,
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
    r"""Give axes a size: cropped where they are longer, padded where they are shorter, in one step.

    Along each of ``axes``, of extent d and size n, the result reads coordinates ``start .. start + n - 1``. In the
    middle, ``start`` is ``(d - n) // 2`` where n is at most d, and ``-((n - d) // 2)`` elsewhere: of an odd number, one
    more is cropped, or padded, behind.

    Parameters
    ----------
    data : array_like, or list of N arrays
        Any shape, any dtype but object. Of a list of arrays of one dtype and rank, as images of several sizes, the
        result is one batch.
    size : int or list of int
        The result's extents along axes, >= 0: one number for all, or one for each.
    axes : list of int, optional
        The axes that size is about; the others are taken whole. All axes of data by default.
    mode : SampleMode, int, str or object with a ``name``
        What pads read, as for `fastops.slice`.
    fill_value : scalar or list of scalars, optional
        For mode fill only: what converts to data's type and keeps its meaning; zero by default. A list has a value for
        each index of the result along ``channel_axis``.
    channel_axis : int
        The axis of data that a list of fill values is about; the last one by default.
    position : str or list of int
        "center"; "random"; or the start along each of axes, of shape (N, k) for a list of arrays, which may be negative
        and is not counted from the end. Random starts are each as likely that keep the result inside of data; where
        data is shorter, it stands in the middle.
    rng : numpy.random.Generator or int, optional
        What draws random starts, or a seed: ``default_rng(rng).integers(0, most, endpoint=True)`` gives them, with
        ``most = np.maximum(extents - size, 0)`` of shape (N, k), where one array is N = 1.
    flip : int, list of int, or array_like of bool, optional
        What is mirrored, after it was cropped: an axis of data, or some; or booleans, of each of axes, or of the last
        one alone; for a list of arrays as for `fastops.windows`.
    copy : bool or None
        True: a copy. False: a view. None: a view where nothing is padded and ``out`` is not given. Of a list of arrays:
        True.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of data's dtype, or a view of it; of N arrays, it has shape
        (N, \*shape of one).

    Raises
    ------
    OutOfBoundsError
        Pads are needed and the mode is strict_bounds, or an axis is empty and the mode is not fill.
    AttributeValueError
        Lists of the wrong length, a negative size, an axis that data does not have, another position, ``rng`` for one
        that is not random, an unknown mode, a fill value that does not fit or without mode fill.
    DTypeError
        Numbers that are no integers, what cannot make a generator, a fill value of another kind, or data of dtype
        object.

    Notes
    -----
    Specification: TensorFlow 2.20, tf.image.resize_with_crop_or_pad, whose middle is this one; so is that of ONNX
    CenterCropPad. MONAI's and nnU-Net's crops of an odd difference may begin one earlier or later.

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
            # Others than arrays and tensors, as images of Pillow, become arrays once.
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
        shape = shape_of(data)
        start, own_size, stride, own_axes = _lower_window(shape, size, axes, position, rng, flip)
        return slice(data, start, own_size, stride, axes=own_axes, out=out, copy=copy, **options)
    except FastopsError as error:
        # Slices and windows do it, which the caller did not call.
        error.op, error.attribute = "", error.attribute.replace("starts", "position").replace("start", "position")
        error.add_context("crop_or_pad", {"size": size, "axes": axes, "position": position})
        raise
