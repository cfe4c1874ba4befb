"""Frames of a signal, as librosa cuts them."""

from __future__ import annotations

from typing import Any

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices
from fastops._geometry._sample_mode import Mode, SampleMode, as_mode
from fastops._lowering._arguments import MODES, Rule, as_flag, as_scalar
from fastops._lowering._bounds import resolve_axis_of
from fastops._lowering._patches import check_steps, cut_padded, lower_patches
from fastops._lowering._windows import Assembly, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind
from fastops.kernels._tables import _rules as r


@lowering(
    "frame",
    # Of frames that are not centered: no mode is read.
    Rule(r.SLIDE, (r.SIZE, r.STRIDE, r.AXES), r.AS_FRAMES, constants=MODES),
    frame_length=as_scalar,
    hop_length=as_scalar,
    axis=as_scalar,
    center=as_flag,
    mode=as_mode,
)
def lower_frame(
    shape: Indices,
    frame_length: Index,
    hop_length: Index,
    *,
    axis: Index = -1,
    center: bool = False,
    mode: Mode = SampleMode.REFLECT,
) -> Assembly:
    """Return the plans of `fastops.frame` on a signal of this shape, one a piece of the result.

    Frames that lie inside are one piece, and each that reaches beyond the signal is one.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.frame((2, 1000), 256, 128)]
    [(2, 256, 6)]
    >>> [plan.shape for plan in fo.plan.frame((1000,), 256, 128, center=True)]
    [(256, 1), (256, 6), (256, 1)]
    """
    k = resolve_axis_of(shape, "axis", axis)
    check_steps(frame_length=[frame_length], hop_length=[hop_length])
    pads = frame_length // 2 if center else 0
    cut = cut_padded(k, shape[k], frame_length, hop_length, before=pads, after=pads)
    if cut.patches < 1:
        what = "the signal with its pads" if center else "the signal"
        rule = f"be at most {shape[k] + 2 * pads}, the length of {what}"
        raise AttributeValueError.about("frame_length", rule, frame_length, k, shape[k])
    if pads and mode is SampleMode.STRICT_BOUNDS:
        raise AttributeValueError.about("mode", "be one that reads beyond the signal, for centered frames", mode)
    if pads and shape[k] == 0 and mode is not SampleMode.FILL:
        raise AttributeValueError.about("mode", "be fill for a signal of no samples", mode)
    # Frames stand behind the elements of each where the axis is counted from the end.
    cut_axes = [[len(shape)], [k]] if axis < 0 else [[k], [len(shape)]]
    merges = [[j] for j in range(len(shape))]
    return lower_patches("frame_length", shape, [cut], [*merges[:k], *cut_axes, *merges[k + 1 :]], mode)  # type: ignore[arg-type]  # It was read.


_OPERATOR = Operator(lower_frame, data_name="x")


@keeps_kind
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
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    """Cut a signal into frames of equal distances, which may overlap: librosa.util.frame, centered if wished.

    Sample i of frame y is sample ``y * hop_length + i`` of the signal; centered frames begin ``frame_length // 2``
    samples earlier, so that sample ``y * hop_length`` stands in the middle of frame y.

    Parameters
    ----------
    x : array_like
        Signals along an axis: any shape but (), any dtype but object.
    frame_length : int
        Samples of a frame, >= 1.
    hop_length : int
        Samples from one frame to the next, >= 1.
    axis : int
        The axis of samples. Where it is counted from the end, as the last one by default, the result has the samples of
        a frame along one axis and frames along the next: ``(..., frame_length, frames)``. Where it is counted from the
        front, frames come first: ``(frames, frame_length, ...)`` of axis 0.
    center : bool
        True for frames that reach ``frame_length // 2`` samples beyond the signal on both sides.
    mode : SampleMode, int, str or object with a ``name``
        What centered frames read beyond the signal, as for `fastops.slice`, which takes librosa's constant and edge.
    fill_value : scalar, optional
        For mode fill only: what converts to x's type and keeps its meaning; zero by default.
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap x.
    copy : bool or None
        True: a copy. False: a view, which is read-only where frames overlap, or an error. None: a view where there can
        be one, and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of x's dtype, or a view of x.

    Raises
    ------
    AttributeValueError
        A length or a hop below 1, frames longer than the signal, an axis that x does not have, an unknown mode, a mode
        that cannot read beyond the signal, or a fill value that does not fit or without mode fill.
    DTypeError
        Numbers that are no integers, a fill value of another kind, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: librosa 0.11, librosa.util.frame, and the padding of librosa.stft for centered frames. Samples behind
    the last whole frame are left out.

    Examples
    --------
    >>> import numpy as np, fastops as fo
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
        _OPERATOR.check_fill_mode(mode, fill_value)
    attributes: tuple[Any, ...] = (frame_length, hop_length, axis)
    # What callers write may be of any type.
    word: Any = mode
    if center is not False or type(word) is not str or word != "reflect":
        # Compiled code reads no others.
        attributes += (center, mode)
    return _OPERATOR.run_gather(x, attributes, out, copy, fill_value, chunks)
