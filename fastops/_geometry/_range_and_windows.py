"""The geometry of ranges, which read nothing, and of windows: many outputs of one size, whose starts a call gives."""

from __future__ import annotations

from math import inf
from typing import NamedTuple, TypeAlias

from fastops._errors import AttributeValueError
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._sample_mode import SampleMode

# A number for each axis.
_Lengths: TypeAlias = tuple[int, ...]


class RangeGeometry(NamedTuple):
    """The values ``start + i * step`` for ``0 <= i < count``; users hold them as a `fastops.plan.RangePlan`.

    For an integral output type, start and step are integers, already truncated; for a float type, they are floats,
    which may not be rounded to the type yet.
    """

    start: int | float
    step: int | float
    count: int  # type: ignore[assignment]  # It hides tuple.count, which nobody needs here.


def create_range(start: int | float, step: int | float, count: int) -> RangeGeometry:
    """Return the geometry of numbers from users or from JSON, which are checked."""
    for name, number in (("start", start), ("step", step)):
        if type(number) not in (int, float) or not -inf < number < inf:
            raise AttributeValueError("RangePlan", name, "be an integer or a finite float", number)
    if type(count) is not int or count < 0:
        raise AttributeValueError("RangePlan", "count", "be an integer of at least 0", count)
    return RangeGeometry(start, step, count)


class WindowsGeometry(NamedTuple):
    """The geometry of windows of one size, with the fields of `fastops.plan.WindowsPlan`, which users hold."""

    source_shape: _Lengths
    size: _Lengths
    stride: _Lengths
    axes: _Lengths
    items: bool
    mode: SampleMode
    shape: _Lengths


def create_windows(
    source_shape: _Lengths, size: _Lengths, stride: _Lengths, axes: _Lengths, items: bool, mode: SampleMode
) -> WindowsGeometry:
    """Return the geometry of fields that fit each other."""
    counts = list(source_shape)
    for axis, count in zip(axes, size, strict=True):
        counts[axis] = count
    return WindowsGeometry(source_shape, size, stride, axes, items, mode, tuple(counts[int(items) :]))


def maps_of_window(
    geometry: WindowsGeometry, shape: _Lengths, starts: _Lengths, strides: _Lengths
) -> tuple[AxisMap, ...]:
    """Return the map of each axis of a window's source, of this shape; raise for coordinates that the mode refuses."""
    own = dict(zip(geometry.axes, zip(starts, strides, geometry.size, strict=True), strict=True))
    axes = enumerate(shape, int(geometry.items))
    return tuple([AxisMap.create(n, *own.get(axis, (0, 1, n)), geometry.mode) for axis, n in axes])
