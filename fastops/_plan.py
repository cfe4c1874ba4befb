"""Slice plans: what an operator reads, as geometry alone.

A plan holds no dtype, no fill value and no memory, so one plan serves every array of its source shape. It is made of
integers and needs neither NumPy nor Numba. `docs/design/plan.md` has the algebra.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, ClassVar

from fastops._attributes import as_index, as_indices
from fastops._errors import AttributeValueError, OutOfBoundsError, reading, shown
from fastops._modes import SampleMode, as_mode, source_index


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

    def __post_init__(self) -> None:
        # `create` is the way in. This keeps out what a kernel could not run, by whatever way it comes.
        numbers = (self.extent, self.start, self.stride, self.count)
        if any(type(number) is not int for number in numbers) or type(self.mode) is not SampleMode:
            raise AttributeValueError("AxisMap", "fields", "be integers and a SampleMode", (*numbers, self.mode))
        if self.extent < 0 or self.count < 0:
            attribute = "extent" if self.extent < 0 else "count"
            raise AttributeValueError("AxisMap", attribute, "be at least 0", getattr(self, attribute))

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
        if not type(extent) is type(start) is type(stride) is type(count) is int:
            extent, start, stride, count = (
                as_index("AxisMap", name, value)
                for name, value in (("extent", extent), ("start", start), ("stride", stride), ("count", count))
            )
        mode = as_mode("AxisMap", mode)
        if extent < 0 or count < 0:
            return cls(extent, start, stride, count, mode)  # which raises
        strict = SampleMode.STRICT_BOUNDS
        if count == 0:
            return _axis_map(extent, 0, 1, 0, strict)
        if count == 1:
            stride = 1
        last = start + (count - 1) * stride
        if 0 <= start < extent and 0 <= last < extent:
            return _axis_map(extent, start, stride, count, strict)
        if mode is SampleMode.FILL:
            return _axis_map(extent, start, stride, count, mode)
        if extent == 0:
            raise OutOfBoundsError("AxisMap", "count", "be 0 on an empty axis", count)
        if mode is strict and not 0 <= start < extent:
            raise OutOfBoundsError("AxisMap", "start", f"be in 0..{shown(extent - 1)} in mode strict_bounds", start)
        if mode is strict:
            reach = f"{shown(start)}..{shown(last)}"
            rule = f"keep coordinates {reach} in 0..{shown(extent - 1)} in mode strict_bounds"
            raise OutOfBoundsError("AxisMap", "count", rule, count)
        constant = extent == 1 or stride == 0 or count == 1
        if mode is SampleMode.CLAMP and not constant:
            constant = max(start, last) <= 0 or min(start, last) >= extent - 1
        if constant:
            only = source_index(start, extent, mode)
            assert only is not None
            return _axis_map(extent, only, 0 if count > 1 else 1, count, strict)
        return _axis_map(extent, start, stride, count, mode)

    @classmethod
    def whole(cls, extent: int) -> AxisMap:
        """Return the map that reads an axis as it is."""
        if type(extent) is not int or extent < 0:
            return cls.create(extent, 0, 1, extent)
        return _axis_map(extent, 0, 1, extent, SampleMode.STRICT_BOUNDS)

    @classmethod
    def unread(cls, extent: int, count: int) -> AxisMap:
        """Return the map of an axis whose plan has no outputs, because another axis has none."""
        if type(extent) is not int or extent < 0 or type(count) is not int or count < 0:
            return cls(extent, 0, 1, count, SampleMode.STRICT_BOUNDS)  # which raises
        return _axis_map(extent, 0, 1, count, SampleMode.STRICT_BOUNDS)

    @property
    def reads_inside(self) -> bool:
        """True if every coordinate lies in the axis."""
        last = self.start + (self.count - 1) * self.stride
        return self.count == 0 or (0 <= self.start < self.extent and 0 <= last < self.extent)

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
        y = as_index("AxisMap.source", "y", y)
        if not 0 <= y < self.count:
            raise OutOfBoundsError("AxisMap.source", "y", f"be in 0..{shown(self.count - 1)}", y)
        return source_index(self.start + y * self.stride, self.extent, self.mode)

    def __str__(self) -> str:
        return (
            f"extent {shown(self.extent)}, start {shown(self.start)}, stride {shown(self.stride)}, "
            f"count {shown(self.count)}, {self.mode.name.lower()}"
        )


def _axis_map(extent: int, start: int, stride: int, count: int, mode: SampleMode) -> AxisMap:
    """Return a map of fields that are checked already: checking them once more takes as long as all the rest."""
    axis = _new(AxisMap)
    _set(axis, "extent", extent)
    _set(axis, "start", start)
    _set(axis, "stride", stride)
    _set(axis, "count", count)
    _set(axis, "mode", mode)
    return axis


def _as_axes(axes: Sequence[AxisMap]) -> tuple[AxisMap, ...]:
    """Return axes as a tuple, which stays what it is; what has no extent ends it at once."""
    with reading("SlicePlan", "axes", "be AxisMaps", axes, AttributeValueError):
        return tuple([axis for axis in axes if axis.extent >= 0])


_new, _set = object.__new__, object.__setattr__  # How to fill a frozen object.


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
    # Kept once it is known, because a plan is a key of the cache of launches.
    _hash: int | None = field(init=False, repr=False, compare=False)
    # What the last call has prepared, for the next one: it is no part of what the plan is.
    _prepared: Any = field(init=False, repr=False, compare=False)

    _run: ClassVar[Callable[..., Any]]

    def __post_init__(self) -> None:
        # `create` is the way in. This keeps out what would let a kernel leave its arrays, by whatever way it comes.
        axes = self.axes if type(self.axes) is tuple else _as_axes(self.axes)
        shape = as_indices("SlicePlan", "shape", self.shape)
        counts, source_shape = [], []
        is_inside = True
        for axis in axes:
            if type(axis) is not AxisMap:
                raise AttributeValueError("SlicePlan", "axes", "be AxisMaps", axes)
            counts.append(axis.count)
            source_shape.append(axis.extent)
            if axis.mode is SampleMode.STRICT_BOUNDS:
                is_inside = is_inside and axis.reads_inside
        if counts != list(shape) and [n for n in counts if n != 1] != [n for n in shape if n != 1]:
            rule = f"be the counts {shown(tuple(counts))} with axes of length 1 added or dropped"
            raise AttributeValueError("SlicePlan", "shape", rule, shape)
        if not is_inside and 0 not in counts:
            raise AttributeValueError("SlicePlan", "axes", "read inside their extents in mode strict_bounds", axes)
        if axes is not self.axes or shape is not self.shape:
            _set(self, "axes", axes)
            _set(self, "shape", shape)
        _set(self, "source_shape", tuple(source_shape))
        _set(self, "_hash", None)
        _set(self, "_prepared", None)

    def _prepare(self, launch: Any) -> None:
        """Keep what a call has prepared."""
        _set(self, "_prepared", launch)

    def __reduce__(self) -> tuple[Any, ...]:
        return SlicePlan, (self.axes, self.shape)

    @classmethod
    def create(cls, axes: Sequence[AxisMap], shape: Sequence[int] | None = None) -> SlicePlan:
        """Return the canonical plan of these axes; ``shape`` is their counts where it is not given.

        Raises
        ------
        AttributeValueError
            ``shape`` differs from the counts in more than axes of length 1.
        """
        axes = axes if type(axes) is tuple else _as_axes(axes)
        counts = tuple([axis.count for axis in axes if type(axis) is AxisMap])
        if 0 in counts and len(counts) == len(axes):
            axes = tuple([AxisMap.unread(axis.extent, axis.count) for axis in axes])
        return cls(axes, counts if shape is None else shape)  # type: ignore[arg-type]

    @property
    def size(self) -> int:
        """Number of elements of the result."""
        return prod(self.shape)

    @property
    def is_view(self) -> bool:
        """True if the result can be a view of the source: every axis reads in bounds."""
        return all([axis.mode is SampleMode.STRICT_BOUNDS for axis in self.axes])

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
        return self._run(data, out, fill_value)

    def __hash__(self) -> int:
        if self._hash is None:
            _set(self, "_hash", hash((self.axes, self.shape)))
        return self._hash  # type: ignore[return-value]

    def __str__(self) -> str:
        lines = [f"{shown(self.source_shape)} -> {shown(self.shape)}"]
        lines += [f"  axis {i}: {axis}" for i, axis in enumerate(self.axes)]
        return "\n".join(lines)
