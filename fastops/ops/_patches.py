"""Patches: an N-D grid of windows of data, which may overlap and reach beyond it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from fastops._errors import AttributeValueError
from fastops._execution._operator import Operator
from fastops._geometry._numbers import Index, Indices, OneOrMore, as_indices
from fastops._geometry._sample_mode import Mode, SampleMode, as_mode
from fastops._lowering._arguments import as_index_or_indices, one_of, optional
from fastops._lowering._bounds import check_length, resolve_axes
from fastops._lowering._patches import Cut, check_steps, cut_padded, cut_same
from fastops._lowering._patches import lower_patches as lower_cuts
from fastops._lowering._windows import Assembly, lowering
from fastops._types import AnyArray, Data, Out, keeps_kind

#: Which patches there are: those inside of data, one for each stride, or as many as have all of it.
Cover: TypeAlias = Literal["valid", "same", "all"]

COVERS: tuple[Cover, ...] = ("valid", "same", "all")


def _cut(axis: int, extent: int, size: int, stride: int, cover: str) -> Cut:
    """Return how an axis is cut into patches."""
    if cover == "same":
        return cut_same(axis, extent, size, stride, 1)
    if cover == "valid" or not extent:
        return cut_padded(axis, extent, size, stride)
    if stride > size:
        rule = f"be at most the size {size} for cover 'all', or elements lie between patches"
        raise AttributeValueError.about("stride", rule, stride, axis, extent)
    return Cut(axis, size, max(-(-(extent - size) // stride), 0) + 1, stride)


def cuts_of(
    shape: Sequence[int], size: OneOrMore, stride: OneOrMore | None, axes: Sequence[int] | None, cover: str
) -> list[Cut]:
    """Return how the axes of data are cut, in the order of ``axes``."""
    named_axes = tuple(range(len(shape))) if axes is None else resolve_axes("axes", axes, len(shape))
    k, which = len(named_axes), "axis of data" if axes is None else "of axes"
    sizes = (size,) * k if isinstance(size, int) else tuple(size)
    check_length("size", sizes, k, which)
    strides = sizes if stride is None else (stride,) * k if isinstance(stride, int) else tuple(stride)
    check_length("stride", strides, k, which)
    if k:
        check_steps(size=sizes, stride=strides)
    steps = zip(sizes, strides, strict=True)
    return [_cut(axis, shape[axis], *own, cover) for axis, own in zip(named_axes, steps, strict=True)]


@lowering(
    "patches",
    size=as_index_or_indices,
    stride=optional(as_index_or_indices),
    axes=optional(as_indices),
    mode=as_mode,
    cover=one_of(COVERS),
)
def lower_patches(
    shape: Indices,
    size: Index | Indices,
    stride: Index | Indices | None = None,
    *,
    axes: Indices | None = None,
    mode: Mode = SampleMode.REFLECT,
    cover: Cover = "valid",
) -> Assembly:
    """Return the plans of `fastops.patches` on data of this shape, one a piece of the result.

    Patches that lie inside are one piece, and each that reaches beyond data is one, along each axis.

    Examples
    --------
    >>> import fastops as fo
    >>> [plan.shape for plan in fo.plan.patches((7, 4), 4, cover="all")]
    [(1, 1, 4, 4), (1, 1, 4, 4)]
    """
    cuts = cuts_of(shape, size, stride, axes, cover)
    rank = len(shape)
    elements = {cut.axis: rank + j for j, cut in enumerate(cuts)}
    merges = [*[[cut.axis] for cut in cuts], *[[elements.get(k, k)] for k in range(rank)]]
    for cut in cuts:
        is_beyond = cut.before > 0 or (cut.patches - 1) * cut.stride - cut.before + cut.size > shape[cut.axis]
        if cut.patches and is_beyond and mode is SampleMode.STRICT_BOUNDS:
            raise AttributeValueError.about("mode", "be one that reads beyond data, for these patches", mode)
    return lower_cuts("size", shape, cuts, merges, mode)  # type: ignore[arg-type]


_PATCHES = Operator(lower_patches)


@keeps_kind
def patches(
    data: Data,
    size: Index | Indices,
    stride: Index | Indices | None = None,
    *,
    axes: Indices | None = None,
    mode: Mode = "reflect",
    fill_value: Any = None,
    cover: Cover = "valid",
    out: Out = None,
    copy: bool | None = True,
    chunks: Any = None,
) -> AnyArray:
    r"""Cut data into a grid of patches, which may overlap, and reach beyond data: `fastops.fold` is the way back.

    Element i of patch p of an axis is coordinate ``p * stride - before + i``, for ``0 <= i < size``. Of an axis of
    extent d there are, by ``cover``:

    - valid: the patches that lie inside, ``(d - size) // stride + 1``, from coordinate 0 on;
    - same: ``ceil(d / stride)``, with as few pads as they need on both sides, one more behind if that is odd;
    - all: the fewest that have every element, from coordinate 0 on, of which the last reaches beyond data.

    Parameters
    ----------
    data : array_like
        Any shape, any dtype but object.
    size : int or list of int
        Elements of a patch along each of axes, >= 1: one number for all, or one for each.
    stride : int or list of int, optional
        Coordinates from one patch to the next, >= 1; that of size by default, so that patches do not overlap.
    axes : list of int, optional
        The axes that are cut; the others are taken whole. All axes of data by default.
    mode : SampleMode, int, str or object with a ``name``
        What patches read beyond data, as for `fastops.slice`.
    fill_value : scalar, optional
        For mode fill only: what converts to data's type and keeps its meaning; zero by default.
    cover : str
        "valid", "same" or "all".
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap data.
    copy : bool or None
        True: a copy. False: a view, which is read-only where patches overlap, or an error. None: a view where there can
        be one, and ``out`` is not given.
    chunks : int, tuple or str, optional
        Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.

    Returns
    -------
    ndarray
        Of shape (\*patches along each of axes, in their order, \*shape of data with size at axes): ``out``, or a fresh
        C-contiguous array of data's dtype, or a view of data.

    Raises
    ------
    AttributeValueError
        Lists of the wrong length, a size or a stride below 1, strides beyond the size for cover all, an axis that data
        does not have, an unknown mode or cover, a mode that cannot read beyond data, or a fill value that does not fit
        or without mode fill.
    OutOfBoundsError
        An axis is empty, and the mode is not fill.
    DTypeError
        Numbers that are no integers, a fill value of another kind, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: for cover valid, ``torch.Tensor.unfold`` along each axis, with the grid in front. The numbers of
    patches and pads of same are TensorFlow's ``padding="SAME"``.

    Examples
    --------
    >>> import numpy as np, fastops as fo
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
    if fill_value is not None:
        _PATCHES.check_fill_mode(mode, fill_value)
    return _PATCHES.run_gather(data, (size, stride, axes, mode, cover), out, copy, fill_value, chunks)
