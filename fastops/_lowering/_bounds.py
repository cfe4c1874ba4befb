"""Checks of axes and of lists with a value for each axis, and the meaning of ``begin : end : stride``.

Frameworks differ only in how they clamp the bounds of ``begin : end : stride``, so the rule of clamping is an argument.
Importing this module loads NumPy, because `AxisError` derives from an exception of NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence

from numpy.exceptions import AxisError as NumPyAxisError

from fastops._errors import AttributeValueError, counted
from fastops._lowering._arguments import Bounds, Ints
from fastops.kernels._arithmetic import bounds_of


class AxisError(AttributeValueError, NumPyAxisError):
    """Data has no axis of this number.

    This error is also a ``numpy.exceptions.AxisError``, an `IndexError` and a `ValueError`, so code that catches the
    error of NumPy or of PyTorch catches this one.

    Attributes
    ----------
    axis : int
        The number that the caller has written.
    ndim : int
        The rank of the data.
    """

    __module__ = "fastops"

    ndim: int | None = None

    @classmethod
    def of(cls, attribute: str, rule: str, got: object, axis: int, rank: int) -> AxisError:
        """Return the error about an axis of data of a rank."""
        error = cls.about(attribute, rule, got, axis)
        error.ndim = rank
        return error


def resolve_axis(attribute: str, axis: int, rank: int) -> int:
    """Return an axis counted from the front; negative axes count from the end."""
    if rank == 0:
        raise AxisError.of(attribute, "name no axis of data of rank 0", axis, axis, rank)
    if not -rank <= axis < rank:
        raise AxisError.of(attribute, f"be in {-rank}..{rank - 1}, for data of rank {rank}", axis, axis, rank)
    return axis + rank if axis < 0 else axis


def resolve_axes(attribute: str, axes: Ints, rank: int, *, may_repeat: bool = False) -> tuple[int, ...]:
    """Return axes counted from the front; raise if an axis is named twice, unless axes may repeat."""
    named = tuple([resolve_axis(attribute, axis, rank) for axis in axes])
    if not may_repeat and len(set(named)) < len(named):
        raise AttributeValueError.about(attribute, "name each axis once", tuple(axes))
    return named


def resolve_axis_of(shape: Ints, attribute: str, axis: int) -> int:
    """Return an axis counted from the front; raise if data has no axes."""
    if not shape:
        raise AxisError.of("data", "have at least one axis", tuple(shape), axis, 0)
    return resolve_axis(attribute, axis, len(shape))


def check_length(attribute: str, values: Sequence[object], n: int, of_what: str) -> None:
    """Raise unless a list has n values, one for each of the things that ``of_what`` names."""
    if len(values) != n:
        raise AttributeValueError.about(attribute, f"have {counted(n, 'value')}, one for each {of_what}", tuple(values))


def one_each(attribute: str, value: int | Ints, n: int, of_what: str) -> tuple[int, ...]:
    """Return n values: one value n times, or a list of n values."""
    values = (value,) * n if isinstance(value, int) else tuple(value)
    check_length(attribute, values, n, of_what)
    return values


def check_at_least(least: int, **lists: Ints) -> None:
    """Raise for values of attributes below ``least``."""
    for attribute, values in lists.items():
        if min(values, default=least) < least:
            raise AttributeValueError.about(attribute, f"be at least {least}", tuple(values))


def with_ones(lengths: Ints, rank: int) -> tuple[int, ...]:
    """Return lengths with ones in front, so that there are at least ``rank`` numbers."""
    return (*(1,) * (rank - len(lengths)), *lengths)


def resolve_bounds(
    extent: int, begin: int, end: int, stride: int, clamp: int, begin_masked: bool = False, end_masked: bool = False
) -> Bounds:
    """Return the start, stride and count of ``begin : end : stride`` on an axis.

    Negative bounds count from the end; then bounds out of range are clamped. A masked bound is left out, as in the
    slice ``[:]``. ``stride`` must not be 0. Integers may have any size.

    If the stride is negative, a begin before the axis is clamped to ``clamp``: to 0 (StridedSlice-1, Slice-8, ONNX
    Slice), or to -1 (NumPy, TensorFlow, JAX).

    Examples
    --------
    >>> resolve_bounds(5, -8, -10, -1, 0)
    (0, -1, 1)
    >>> resolve_bounds(5, -8, -10, -1, -1)
    (-1, -1, 0)
    """
    start, count = bounds_of(extent, begin, end, stride, clamp, begin_masked, end_masked)
    return start, stride, count
