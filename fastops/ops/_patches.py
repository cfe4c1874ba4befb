"""`patches` and `frame`: windows at equal distances; `fold`, the inverse of `patches`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, Unpack, get_args

import numpy as np

from fastops._arrays._dtypes import kind_of
from fastops._arrays._inputs import as_source
from fastops._arrays._outputs import allocate, as_output
from fastops._errors import AttributeValueError, DTypeError, FastopsError, named, shown
from fastops._execution._kinds import TENSORS, find_kind
from fastops._execution._planned_kind import DataCall
from fastops._lowering._arguments import MODES, Rule, as_shape, one_of
from fastops._lowering._bounds import check_at_least, one_each, resolve_axes, resolve_axis_of
from fastops._lowering._patches import Cut, cut_padded, cut_same, lower_fold, lower_patches as lower_patches
from fastops._types import AnyArray, Copy, Data, Options, Out
from fastops.ops import Assembly, Index, Indices, Mode, OneForAll, Operator, SampleMode, r

__all__ = ["fold", "frame", "patches"]

#: The patches that are cut: those inside of data, ``ceil(d / stride)`` patches, or the fewest that cover data.
Cover: TypeAlias = Literal["valid", "same", "all"]


def _cut(axis: int, extent: int, size: int, stride: int, cover: str) -> Cut:
    """Return the cut of an axis into patches."""
    if cover == "same":
        return cut_same(axis, extent, size, stride, 1)
    if cover == "valid" or not extent:
        return cut_padded(axis, extent, size, stride)
    if stride > size:
        rule = f"be at most the size {size} for cover 'all', so that no elements lie between patches"
        raise AttributeValueError.about("stride", rule, stride, axis, extent)
    return Cut(axis, size, max(-(-(extent - size) // stride), 0) + 1, stride)


def cuts_of(
    shape: Sequence[int], size: OneForAll, stride: OneForAll | None, axes: Sequence[int] | None, cover: str
) -> list[Cut]:
    """Return the cuts of axes into patches, in the order of ``axes``."""
    named_axes = tuple(range(len(shape))) if axes is None else resolve_axes("axes", axes, len(shape))
    k, which = len(named_axes), "axis of data" if axes is None else "of axes"
    sizes = one_each("size", size, k, which)
    strides = sizes if stride is None else one_each("stride", stride, k, which)
    check_at_least(1, size=sizes, stride=strides)
    steps = zip(sizes, strides, strict=True)
    return [_cut(axis, shape[axis], *own, cover) for axis, own in zip(named_axes, steps, strict=True)]


def _lower_patches(
    shape: Indices, size: OneForAll, stride: OneForAll | None, axes: Indices | None, mode: SampleMode, cover: Cover
) -> Assembly:
    cuts = cuts_of(shape, size, stride, axes, cover)
    rank = len(shape)
    elements = {cut.axis: rank + j for j, cut in enumerate(cuts)}
    merges = [*[[cut.axis] for cut in cuts], *[[elements.get(k, k)] for k in range(rank)]]
    for cut in cuts:
        is_beyond = cut.before > 0 or (cut.patches - 1) * cut.stride - cut.before + cut.size > shape[cut.axis]
        if cut.patches and is_beyond and mode is SampleMode.STRICT_BOUNDS:
            raise AttributeValueError.about("mode", "not be strict_bounds for patches that reach beyond data", mode)
    return lower_patches(shape, cuts, merges, mode)


@Operator(_lower_patches)
def patches(
    data: Data,
    size: OneForAll,
    stride: OneForAll | None = None,
    *,
    axes: Indices | None = None,
    mode: Mode = "reflect",
    fill_value: Any = None,
    cover: Cover = "valid",
    **rest: Unpack[Options],
) -> AnyArray:
    r"""Cut data into a grid of patches, which may overlap and may reach beyond data; `fastops.fold` is the inverse.

    Along each of ``axes``, element i of patch p reads coordinate ``p * stride - before + i``, for ``0 <= i < size``.
    ``cover`` says which patches an axis of extent d is cut into:

    - valid: the ``(d - size) // stride + 1`` patches that lie inside; ``before`` is 0;
    - same: ``ceil(d / stride)`` patches, with as few pads as these need; if the number of pads is odd, one more is
      after data;
    - all: the fewest patches that cover data; ``before`` is 0, and the last patch may reach beyond data.

    Parameters
    ----------
    size : int or list of int
        The elements of a patch along each of ``axes``, >= 1: one number for all axes, or one for each axis.
    stride : int or list of int, optional
        The distance from one patch to the next, >= 1: one number for all axes, or one for each axis. It is ``size`` by
        default, so that patches do not overlap.
    axes : list of int, optional
        The axes to cut; negative axes count from the end. The other axes are taken whole. All axes by default.
    mode : SampleMode, int, str or object with a ``name``
        What patches read beyond data, as for `fastops.slice`.
    fill_value : scalar, optional
        The value to fill with, in mode fill only, which the dtype of data must be able to express; zero by default.
    cover : str
        "valid", "same" or "all".
    copy : bool or None
        True: a copy. False: a view, which is read-only if patches overlap, or an error if the result cannot be a view.
        None: a view if the result can be a view and ``out`` is not given, and a copy otherwise.

    Returns
    -------
    ndarray
        Of shape (\*numbers of patches in the order of axes, \*shape of data with size at axes): ``out``, or a fresh
        C-contiguous array of the dtype of data, or a view of data.

    Raises
    ------
    AttributeValueError
        A list of the wrong length, a size or a stride below 1, a stride beyond the size for cover all, an axis that
        data does not have or that is named twice, an unknown mode or cover, mode strict_bounds for patches that reach
        beyond data, or a fill value that does not fit or is given in another mode.
    DTypeError
        Sizes, strides or axes that are not integers, a fill value of another kind, or data of dtype object.

    Notes
    -----
    Specification: for cover valid, ``torch.Tensor.unfold`` along each axis, with the axes of the grid first. Cover same
    has the patches and pads of TensorFlow's ``padding="SAME"``.

    Examples
    --------
    >>> fo.patches(np.arange(7), 3)
    array([[0, 1, 2],
           [3, 4, 5]])
    >>> fo.patches(np.arange(7), 3, 2, cover="same")
    array([[1, 0, 1],
           [1, 2, 3],
           [3, 4, 5],
           [5, 6, 5]])
    >>> fo.patches(np.zeros((512, 512, 3)), 64, 48, axes=[0, 1], cover="all").shape
    (11, 11, 64, 64, 3)
    """


def _lower_frame(shape: Indices, size: Index, stride: Index, axis: Index, center: bool, mode: SampleMode) -> Assembly:
    k = resolve_axis_of(shape, "axis", axis)
    check_at_least(1, size=[size], stride=[stride])
    pads = size // 2 if center else 0
    cut = cut_padded(k, shape[k], size, stride, before=pads, after=pads)
    if cut.patches < 1:
        what = "the signal with its pads" if center else "the signal"
        rule = f"be at most {shape[k] + 2 * pads}, the length of {what}"
        raise AttributeValueError.about("size", rule, size, k, shape[k])
    if pads and mode is SampleMode.STRICT_BOUNDS:
        raise AttributeValueError.about("mode", "not be strict_bounds for centered frames", mode)
    if pads and shape[k] == 0 and mode is not SampleMode.FILL:
        raise AttributeValueError.about("mode", "be fill for a signal of no samples", mode)
    # If the axis is counted from the end, the axis of frames is after that of the samples of a frame.
    cut_axes = [[len(shape)], [k]] if axis < 0 else [[k], [len(shape)]]
    merges = [[j] for j in range(len(shape))]
    return lower_patches(shape, [cut], [*merges[:k], *cut_axes, *merges[k + 1 :]], mode)


@(_FRAME := Operator(_lower_frame, Rule(r.SLIDE, (r.SIZE, r.STRIDE, r.AXES), r.AS_FRAMES, constants=MODES)))
def frame(
    x: Data,
    frame_length: Index,
    hop_length: Index,
    *,
    axis: Index = -1,
    center: bool = False,
    mode: Mode = "reflect",
    fill_value: Any = None,
    out: Out = None,
    copy: Copy = True,
    chunks: Any = None,
) -> AnyArray:
    """Cut a signal into frames at equal distances, which may overlap: librosa.util.frame, and centered frames.

    Sample i of frame y is sample ``y * hop_length + i`` of the signal. Centered frames begin ``frame_length // 2``
    samples earlier, so sample ``y * hop_length`` is in the middle of frame y.

    Parameters
    ----------
    x : array_like
        Signals along an axis: any shape but (), any dtype but object.
    frame_length : int
        The number of samples of a frame, >= 1.
    hop_length : int
        The number of samples from one frame to the next, >= 1.
    axis : int
        The axis of samples. If it counts from the end, such as the last axis by default, frames are along the axis
        after the samples of a frame: ``(..., frame_length, frames)``. If it counts from the front, frames come first:
        ``(frames, frame_length, ...)`` for axis 0.
    center : bool
        True for frames that reach ``frame_length // 2`` samples beyond the signal on both sides.
    mode : SampleMode, int, str or object with a ``name``
        What centered frames read beyond the signal, as for `fastops.slice`, which accepts librosa's constant and edge.
    fill_value : scalar, optional
        The value to fill with, in mode fill only, which the dtype of x must be able to express; zero by default.
    copy : bool or None
        True: a copy. False: a view, which is read-only if frames overlap, or an error if the result cannot be a view.
        None: a view if the result can be a view and ``out`` is not given, and a copy otherwise.

    Raises
    ------
    AttributeValueError
        A length or a hop below 1, frames longer than the signal, an axis that x does not have, an unknown mode, mode
        strict_bounds for centered frames, or a fill value that does not fit or is given in another mode.
    DTypeError
        Lengths that are not integers, a fill value of another kind, or data of dtype object.

    Notes
    -----
    Specification: librosa 0.11, librosa.util.frame, and the padding of librosa.stft for centered frames. Samples after
    the last whole frame are left out.

    Examples
    --------
    >>> fo.frame(np.arange(7), 4, 3)
    array([[0, 3],
           [1, 4],
           [2, 5],
           [3, 6]])
    >>> fo.frame(np.arange(7), 4, 3, axis=0, center=True)
    array([[2, 1, 0, 1],
           [1, 2, 3, 4],
           [4, 5, 6, 5]])
    """
    if fill_value is not None:
        _FRAME.read_fill(fill_value, mode)
    attributes: tuple[Any, ...] = (frame_length, hop_length, axis)
    word: Any = mode
    if center is not False or type(word) is not str or word != "reflect":
        # Compiled code lowers frames only if these attributes are left out.
        attributes += (center, mode)
    return _FRAME.run_gather(x, attributes, out, copy, fill_value, chunks)


#: The value of an element that several patches have: that of the last patch, the sum, or the mean.
Reduce: TypeAlias = Literal["overwrite", "sum", "mean"]


def _read_fold(
    patches_shape: Sequence[int], shape: Sequence[int], stride: OneForAll | None, axes: Sequence[int] | None, cover: str
) -> list[Cut]:
    """Return the cuts of patches; raises unless data of ``shape`` has patches of ``patches_shape``."""
    rank = len(shape)
    k = rank if axes is None else len(axes)
    if len(patches_shape) != rank + k:
        rule = f"have {rank + k} axes: {k} that count patches, and {rank} of a patch"
        raise AttributeValueError.about("data", rule, tuple(patches_shape))
    own_axes = range(rank) if axes is None else resolve_axes("axes", axes, rank)
    sizes = tuple([patches_shape[k + axis] for axis in own_axes])
    if 0 in sizes:
        rule = "have patches of at least 1 element along each of axes"
        raise AttributeValueError.about("data", rule, tuple(patches_shape))
    cuts = cuts_of(shape, sizes, stride, axes, cover)
    expected = [*[cut.patches for cut in cuts], *shape]
    for cut in cuts:
        expected[k + cut.axis] = cut.size
    if list(patches_shape) != expected:
        rule = f"have shape {shown(tuple(expected))}, that of patches of data of shape {shown(tuple(shape))}"
        raise AttributeValueError.about("data", rule, tuple(patches_shape))
    return cuts


def _lower_fold(
    patches_shape: Indices, shape: Indices, stride: OneForAll | None, axes: Indices | None, cover: Cover
) -> Assembly:
    cuts = _read_fold(patches_shape, shape, stride, axes, cover)
    k, rank = len(cuts), len(shape)
    if 0 in shape:
        return Assembly.empty(patches_shape, shape)
    column = {cut.axis: j for j, cut in enumerate(cuts)}
    order: list[int] = []
    for axis in range(rank):
        order += [column[axis], k + axis] if axis in column else [k + axis]
    factors = [(cut, j, k + cut.axis) for j, cut in enumerate(cuts)]
    return lower_fold(("shape", shape), patches_shape, shape, factors, patches_shape, order)


@(_FOLD := Operator(_lower_fold, shape=as_shape))
def fold(
    data: Data,
    shape: Indices,
    stride: OneForAll | None = None,
    *,
    axes: Indices | None = None,
    cover: Cover = "valid",
    reduce: Reduce = "overwrite",
    out: Out = None,
    copy: Copy = True,
    chunks: Any = None,
) -> AnyArray:
    r"""Put patches together again: ``fold(patches(x, …), x.shape, …)`` is x if the patches cover x.

    Parameters
    ----------
    data : array_like
        The patches, as `fastops.patches` returns them: of shape (\*numbers of patches in the order of axes, \*shape of
        a patch), any dtype but object.
    shape : list of int
        The shape of the result.
    stride, axes, cover : int, list or str
        The arguments with which the patches were cut. The size of a patch follows from the shape of data.
    reduce : str
        The value of an element that several patches have: "overwrite", that of the last patch in C order of the grid;
        "sum"; or "mean".
    copy : bool or None
        For reduce overwrite, as for `fastops.patches`; otherwise True.

    Returns
    -------
    ndarray
        Of the given shape: ``out``, or a fresh C-contiguous array of the dtype of data, or a view of data. Elements
        that no patch has are zero.

    Raises
    ------
    AttributeValueError
        Data of ``shape`` does not have patches of this shape, `fastops.patches` refuses an argument, ``reduce`` is
        unknown, or ``reduce`` is sum or mean and data is not in memory.
    DTypeError
        Arguments that are not integers, a sum or a mean of data that has neither floats nor complex numbers, or data of
        dtype object.

    Notes
    -----
    Specification: for reduce sum, ``torch.nn.functional.fold``, with the axes of the grid first. NumPy adds the patches
    in C order of the grid to zeros of float64 or complex128, in one thread. A mean is this sum divided by the number of
    patches. Each result is rounded once, to the dtype of data. So the mean of equal floats of up to 32 bits is exactly
    that float, and the mean of equal float64 numbers may differ from them by rounding.

    Examples
    --------
    >>> cut = fo.patches(np.arange(7.0), 3, 2, cover="same")
    >>> fo.fold(cut, [7], 2, cover="same")
    array([0., 1., 2., 3., 4., 5., 6.])
    >>> fo.fold(cut, [7], 2, cover="same", reduce="sum")
    array([ 0.,  2.,  2.,  6.,  4., 10.,  6.])
    """
    try:
        word = one_of(get_args(Reduce))("reduce", reduce)
        if word == "overwrite":
            return _FOLD.run_gather(data, (shape, stride, axes, cover), out, copy, None, chunks)
        if copy is not True:
            raise AttributeValueError.about("copy", f"be True for reduce {word!r}", copy)
        values = _FOLD.lowering.read((shape, stride, axes, cover))
        kind = find_kind(data, chunks)
        if kind is None:
            return _reduced(data, values, word, out)
        if kind is not TENSORS:
            raise AttributeValueError.about("reduce", "be 'overwrite' for data that is not in memory", reduce)
        # The fill value makes `run` pass a tensor of a type that NumPy lacks as an array of ml_dtypes' type, not of
        # integers.
        call = DataCall(lambda array, own_out: _reduced(array, values, word, own_out), lambda _: [], fill_value=0)
        return kind.run(call, data, out)
    except FastopsError as error:
        _FOLD.explain(error, shape=shape, stride=stride, axes=axes)
        raise


def _reduced(data: Any, values: Sequence[Any], reduce: str, out: Any) -> Any:
    """Return the sums or the means of patches."""
    source, _pinned = as_source(data)
    if kind_of(source.dtype) not in "fc":
        rule = f"be of floats or complex numbers for reduce {reduce!r}: convert them first"
        raise DTypeError.about("data", rule, named(source.dtype))
    cuts, shape = _read_fold(source.shape, *values), values[0]
    target, _pinned_out = (allocate(shape, source.dtype), None) if out is None else as_output(out, shape, source.dtype)
    sums = np.zeros(shape, np.complex128 if kind_of(source.dtype) == "c" else np.float64)
    for cell in np.ndindex(*[cut.patches for cut in cuts]):
        to, own = [slice(None)] * len(shape), [slice(None)] * len(shape)
        for p, cut in zip(cell, cuts, strict=True):
            at = p * cut.stride - cut.before
            low, high = max(at, 0), max(min(at + cut.size, shape[cut.axis]), 0)
            to[cut.axis], own[cut.axis] = slice(low, high), slice(low - at, high - at)
        sums[tuple(to)] += source[cell][tuple(own)].astype(sums.dtype)
    if reduce == "mean":
        sums /= _counts(cuts, shape)
    # The target may overlap data, which is not read any more.
    with np.errstate(all="ignore"):
        target[...] = sums.astype(source.dtype)
    return target if out is None else out


def _counts(cuts: Sequence[Cut], shape: Sequence[int]) -> Any:
    """Return the number of patches that have each element, at least 1, in a shape that broadcasts to the result."""
    counts = np.ones((1,) * len(shape))
    for cut in cuts:
        of_axis = np.zeros(shape[cut.axis])
        for p in range(cut.patches):
            at = p * cut.stride - cut.before
            of_axis[max(at, 0) : max(at + cut.size, 0)] += 1
        counts = counts * of_axis.reshape([-1 if k == cut.axis else 1 for k in range(len(shape))])
    return np.maximum(counts, 1)
