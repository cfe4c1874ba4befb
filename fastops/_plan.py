"""Plans: what an operator reads, as geometry alone.

A plan holds no dtype, no fill value and no memory, so one plan serves every array of its source shape. It is made of
integers and needs neither NumPy nor Numba. `docs/design/plan.md` has the algebra.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import prod
from typing import Any, ClassVar

from fastops._errors import AttributeValueError, OutOfBoundsError


class SampleMode(IntEnum):
    """What a coordinate outside its axis reads. The numbers of the first five are TensorRT's.

    With coordinate ``x`` and extent ``d``:

    ================ ==========================================================================
    STRICT_BOUNDS    nothing: it is an error
    WRAP             ``x mod d``
    CLAMP            ``min(max(x, 0), d - 1)``
    FILL             the fill value
    REFLECT          ``c = |x| mod (2d - 2)``, then ``2d - 2 - c`` where ``c >= d``; 0 where ``d == 1``
    SYMMETRIC        ``c = x mod 2d``, then ``2d - 1 - c`` where ``c >= d``; not one of TensorRT's modes
    ================ ==========================================================================

    ``DEFAULT`` is another name of STRICT_BOUNDS.
    """

    STRICT_BOUNDS = 0
    WRAP = 1
    CLAMP = 2
    FILL = 3
    REFLECT = 4
    SYMMETRIC = 5
    DEFAULT = 0


def source_index(x: int, extent: int, mode: SampleMode) -> int | None:
    """Return the index that coordinate ``x`` reads on an axis of ``extent`` > 0, or None for the fill value.

    STRICT_BOUNDS reads ``x`` itself: its coordinates were checked when the axis was created.
    """
    if 0 <= x < extent or mode is SampleMode.STRICT_BOUNDS:
        return x
    if mode is SampleMode.FILL:
        return None
    if mode is SampleMode.CLAMP:
        return min(max(x, 0), extent - 1)
    if mode is SampleMode.WRAP:
        return x % extent
    if mode is SampleMode.SYMMETRIC:
        c = x % (2 * extent)
        return 2 * extent - 1 - c if c >= extent else c
    if extent == 1:
        return 0
    c = abs(x) % (2 * extent - 2)
    return 2 * extent - 2 - c if c >= extent else c


@dataclass(frozen=True, slots=True)
class AxisMap:
    """How one axis of the source is read: output ``y`` reads coordinate ``start + y * stride``, under a mode.

    Make one with `create`, which gives one form to what means the same:

    - ``create`` is sound: the map reads what its arguments say;
    - it is idempotent: creating a map from a map's own fields gives that map;
    - it is unique for maps that read in bounds: two of the same extent and count are equal if and only if they read
      the same indices.

    Attributes
    ----------
    extent : int
        Length of the source axis, >= 0.
    start : int
        Source coordinate of output 0.
    stride : int
        Source coordinates from one output to the next: positive, negative or 0. 1 where count <= 1.
    count : int
        Number of outputs, >= 0.
    mode : SampleMode
        STRICT_BOUNDS for every map that reads in bounds, whatever mode it was created with.
    """

    extent: int
    start: int
    stride: int
    count: int
    mode: SampleMode

    @classmethod
    def create(
        cls, extent: int, start: int, stride: int, count: int, mode: SampleMode = SampleMode.STRICT_BOUNDS
    ) -> AxisMap:
        """Return the canonical map.

        Raises
        ------
        AttributeValueError
            ``extent`` or ``count`` is negative.
        OutOfBoundsError
            A coordinate is out of bounds in mode STRICT_BOUNDS, or the axis is empty and the mode is not FILL.

        Examples
        --------
        >>> AxisMap.create(5, -2, 1, 4, SampleMode.CLAMP)
        AxisMap(extent=5, start=-2, stride=1, count=4, mode=<SampleMode.CLAMP: 2>)
        >>> AxisMap.create(5, 1, 2, 2, SampleMode.WRAP)
        AxisMap(extent=5, start=1, stride=2, count=2, mode=<SampleMode.STRICT_BOUNDS: 0>)
        """
        strict = SampleMode.STRICT_BOUNDS
        if extent < 0:
            raise AttributeValueError("AxisMap", "extent", "be at least 0", extent)
        if count < 0:
            raise AttributeValueError("AxisMap", "count", "be at least 0", count)
        if count == 0:
            return cls(extent, 0, 1, 0, strict)
        if count == 1:
            stride = 1
        last = start + (count - 1) * stride
        if min(start, last) >= 0 and max(start, last) < extent:
            return cls(extent, start, stride, count, strict)
        if mode is SampleMode.FILL:
            return cls(extent, start, stride, count, mode)
        if extent == 0:
            raise OutOfBoundsError("AxisMap", "count", "be 0 on an empty axis", count)
        if mode is strict and not 0 <= start < extent:
            raise OutOfBoundsError("AxisMap", "start", f"be in 0..{extent - 1} in mode strict_bounds", start)
        if mode is strict:
            rule = f"keep coordinates {start}..{last} in 0..{extent - 1} in mode strict_bounds"
            raise OutOfBoundsError("AxisMap", "count", rule, count)
        constant = extent == 1 or stride == 0 or count == 1
        if mode is SampleMode.CLAMP and not constant:
            constant = max(start, last) <= 0 or min(start, last) >= extent - 1
        if constant:
            only = source_index(start, extent, mode)
            assert only is not None
            return cls(extent, only, 0 if count > 1 else 1, count, strict)
        return cls(extent, start, stride, count, mode)

    @classmethod
    def whole(cls, extent: int) -> AxisMap:
        """Return the map that reads an axis as it is."""
        return cls(extent, 0, 1, extent, SampleMode.STRICT_BOUNDS)

    @classmethod
    def unread(cls, extent: int, count: int) -> AxisMap:
        """Return the map of an axis whose plan has no outputs, because another axis has none."""
        return cls(extent, 0, 1, count, SampleMode.STRICT_BOUNDS)

    @property
    def is_strict(self) -> bool:
        """True if every output reads in bounds."""
        return self.mode is SampleMode.STRICT_BOUNDS

    def source(self, y: int) -> int | None:
        """Return the source index that output ``y`` reads, or None for the fill value: the definition of meaning.

        Examples
        --------
        >>> axis = AxisMap.create(4, -2, 1, 8, SampleMode.REFLECT)
        >>> [axis.source(y) for y in range(8)]
        [2, 1, 0, 1, 2, 3, 2, 1]
        """
        if not 0 <= y < self.count:
            raise OutOfBoundsError("AxisMap.source", "y", f"be in 0..{self.count - 1}", y)
        return source_index(self.start + y * self.stride, self.extent, self.mode)

    def __str__(self) -> str:
        return (
            f"extent {self.extent}, start {self.start}, stride {self.stride}, count {self.count}, "
            f"{self.mode.name.lower()}"
        )


@dataclass(frozen=True, slots=True)
class SlicePlan:
    """What one output array reads of a source: a map an axis, and the shape of the result.

    Two plans are equal, and hash alike, if they map the same source shape to the same shape in the same way, as far
    as `AxisMap` promises it. A plan that has an output of no elements reads nothing, so its axes keep their extents
    and counts only.

    Call a plan to run it: ``plan(data, out=None, fill_value=None)``.

    Attributes
    ----------
    axes : tuple of AxisMap
        One for each axis of the source.
    shape : tuple of int
        The shape of the result: the counts of the axes, with axes of length 1 added or dropped.
    source_shape : tuple of int
        The shape that data must have: the extents of the axes.
    """

    axes: tuple[AxisMap, ...]
    shape: tuple[int, ...]
    source_shape: tuple[int, ...] = field(init=False, repr=False, compare=False)
    # Kept, because a plan is a key of the caches that a warm call looks up.
    _hash: int = field(init=False, repr=False, compare=False)

    _run: ClassVar[Callable[..., Any]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "source_shape", tuple(axis.extent for axis in self.axes))
        object.__setattr__(self, "_hash", hash((self.axes, self.shape)))

    @classmethod
    def create(cls, axes: Sequence[AxisMap], shape: Sequence[int] | None = None) -> SlicePlan:
        """Return the canonical plan of these axes; ``shape`` is their counts where it is not given.

        Raises
        ------
        AttributeValueError
            ``shape`` differs from the counts in more than axes of length 1.
        """
        counts = tuple(axis.count for axis in axes)
        shape = counts if shape is None else tuple(shape)
        if [n for n in counts if n != 1] != [n for n in shape if n != 1]:
            rule = f"be the counts {counts} with axes of length 1 added or dropped"
            raise AttributeValueError("SlicePlan", "shape", rule, shape)
        if 0 in counts:
            axes = tuple(AxisMap.unread(axis.extent, axis.count) for axis in axes)
        return cls(tuple(axes), shape)

    @property
    def size(self) -> int:
        """Number of elements of the result."""
        return prod(self.shape)

    @property
    def is_view(self) -> bool:
        """True if the result can be a view of the source: every axis reads in bounds."""
        return all(axis.is_strict for axis in self.axes)

    def __call__(self, data: Any, out: Any = None, fill_value: Any = None) -> Any:
        """Run the plan on an array.

        Parameters
        ----------
        data : array_like
            The source, of shape `source_shape` and any dtype but object.
        out : ndarray, optional
            Where to write: of shape `shape` and data's dtype, any strides. A fresh C-contiguous array by default.
        fill_value : scalar, optional
            What out-of-range coordinates of axes in mode FILL read; zero by default.

        Returns
        -------
        ndarray
            ``out``, or the fresh array.

        Raises
        ------
        DTypeError, AttributeValueError, OutputError
            Data, fill value or ``out`` do not fit the plan.
        """
        return self._run(data, out=out, fill_value=fill_value)

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        lines = [f"{self.source_shape} -> {self.shape}"]
        lines += [f"  axis {i}: {axis}" for i, axis in enumerate(self.axes)]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class RangePlan:
    """The values ``start + i * step`` for ``0 <= i < count``.

    start and step are integers for an integral output type, already truncated, and floats for a float type, not yet
    rounded to it.

    Call a plan to run it: ``plan(output_type, out=None)``.
    """

    start: int | float
    step: int | float
    count: int

    _run: ClassVar[Callable[..., Any]]

    @property
    def shape(self) -> tuple[int]:
        """The shape of the result."""
        return (self.count,)

    def __call__(self, output_type: Any, out: Any = None) -> Any:
        """Write the values in a type: ``output_type`` and ``out`` as in `fastops.range`."""
        return self._run(output_type, out=out)

    def __str__(self) -> str:
        return f"() -> {self.shape}\n  values: start {self.start}, step {self.step}, count {self.count}"
