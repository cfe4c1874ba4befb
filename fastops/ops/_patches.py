"""`patches` and `frame`: windows at equal distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, Unpack

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, OneForAll
from fastops._geometry._sample_mode import Mode, SampleMode
from fastops._lowering._arguments import MODES, Rule
from fastops._lowering._bounds import check_at_least, one_each, resolve_axes, resolve_axis_of
from fastops._lowering._patches import Cut, cut_padded, cut_same, lower_patches as lower_patches
from fastops._lowering._windows import Assembly
from fastops._types import AnyArray, Copy, Data, Options, Out
from fastops.kernels._tables import _rules as r

__all__ = ["frame", "patches"]

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
    **options: Unpack[Options],
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
    OutOfBoundsError
        An axis is empty, and the mode is not fill.
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
