"""`fold`: the inverse of `patches`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from fastops._arrays._dtypes import kind_of
from fastops._arrays._inputs import as_source
from fastops._arrays._outputs import allocate, as_output
from fastops._errors import AttributeValueError, DTypeError, FastopsError, named, shown
from fastops._execution._kinds import TENSORS, find_kind
from fastops._execution._operator import Operator
from fastops._execution._planned_kind import DataCall
from fastops._geometry._numbers import Indices, OneForAll
from fastops._lowering._arguments import as_shape, one_of
from fastops._lowering._bounds import resolve_axes
from fastops._lowering._patches import Cut, lower_fold
from fastops._lowering._windows import Assembly
from fastops._types import AnyArray, Copy, Data, Out
from fastops.ops._patches import Cover, cuts_of

__all__ = ["fold"]

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
    elements = [k + cut.axis for cut in cuts]
    return lower_fold("shape", shape, shape, cuts, patches_shape, range(k), elements, order)


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
    r"""Put the patches of `fastops.patches` together again: ``fold(patches(x, …), x.shape, …)`` is x.

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
        # The fill value lets the array have the tensor's type.
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
