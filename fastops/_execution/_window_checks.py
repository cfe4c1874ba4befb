"""The windows of a call: read, and checked as each of their plans is."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._integers import as_column, as_rows
from fastops._errors import AttributeValueError, OutOfBoundsError, counted
from fastops._execution._window_sources import WindowSources
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import Geometry, geometry_of
from fastops._geometry._sample_mode import SampleMode
from fastops._geometry._windows_geometry import WindowsGeometry, window_of
from fastops.kernels._tables._words import LARGEST


class CallWindows(NamedTuple):
    """All windows of a call, read.

    Attributes
    ----------
    plan : WindowsGeometry
    sources : WindowSources
    starts : ndarray of int64
        A row for each window.
    strides : ndarray of int64, or None
        Of each window, where they are not those of the plan.
    items : ndarray of int64, or None
        One for each window.
    """

    plan: WindowsGeometry
    sources: WindowSources
    starts: AnyArray
    strides: AnyArray | None
    items: AnyArray | None

    def source_of(self, n: int) -> AnyArray:
        """Return what window n reads."""
        if self.sources.geometries is not None:
            return self.sources.arrays[n]
        return self.sources.arrays[0] if self.items is None else self.sources.arrays[0][self.items[n]]

    def plan_of(self, n: int) -> Geometry:
        """Return the geometry of window n; raises for what its mode does not allow."""
        window = window_of(self.plan, self.starts[n].tolist(), self.strides_of(n))
        return geometry_of(window.axes(self.source_of(n).shape, self.plan.mode))

    def strides_of(self, n: int) -> tuple[int, ...]:
        """Return the strides of window n."""
        return self.plan.stride if self.strides is None else tuple(self.strides[n].tolist())


def read_windows(plan: WindowsGeometry, sources: WindowSources, starts: Any, strides: Any, items: Any) -> CallWindows:
    """Return the windows that a caller writes; raises where their numbers are not as many as they must be."""
    k = len(plan.axes)
    own_starts = as_rows("starts", starts, k, "one coordinate for each axis that has starts")
    n = len(own_starts)
    own_strides = None
    if strides is not None:
        own_strides = as_rows("stride", strides, k, "one stride for each axis that has starts")
        if len(own_strides) != n:
            raise AttributeValueError.about("stride", f"have shape ({n}, {k}), as starts", own_strides.shape)
    if sources.geometries is not None and len(sources.arrays) != n:
        raise AttributeValueError.about(
            "starts", f"have {counted(len(sources.arrays), 'row')}, one for each array of data", n
        )
    own_items = None
    if plan.items:
        if items is None:
            raise AttributeValueError.about("items", "be given: the plan has items", items)
        own_items = as_column("items", items, n)
    elif items is not None:
        raise AttributeValueError.about("items", "be given for plans with items only", items)
    return CallWindows(plan, sources, own_starts, own_strides, own_items)


def check_items(windows: CallWindows) -> None:
    """Raise for the first item that data does not have."""
    items, extent = windows.items, windows.sources.shape[:1]
    if items is None:
        return
    wrong = (items < 0) | (items >= extent[0])
    if wrong.any():
        i = int(wrong.argmax())
        rule = f"be in 0..{extent[0] - 1}" if extent[0] else "be none: data has no items"
        raise OutOfBoundsError.about(f"items[{i}]", rule, int(items[i]), 0, extent[0])


def check_windows(windows: CallWindows) -> list[int]:
    """Return the windows whose numbers compiled code does not compute with; raise for the first that is wrong.

    Those that may be either are found for all at once, and lowered one by one.
    """
    check_items(windows)
    beyond = []
    for i in np.flatnonzero(_doubtful(windows)).tolist():
        try:
            windows.plan_of(i)
        except OutOfBoundsError as error:
            _raise_about(windows, i, error)
        extents = windows.source_of(i).shape
        if any([abs(number) > LARGEST for number in (*windows.starts[i].tolist(), *windows.strides_of(i), *extents)]):
            beyond.append(i)
    return beyond


def _raise_about(windows: CallWindows, n: int, error: OutOfBoundsError) -> NoReturn:
    """Raise what is wrong with window n, about the caller's attributes."""
    plan, starts, shape = windows.plan, tuple(windows.starts[n].tolist()), windows.source_of(n).shape
    strides = windows.strides_of(n)
    for axis, start, stride, count in zip(plan.axes, starts, strides, plan.size, strict=True):
        extent = shape[axis - int(plan.items)]
        try:
            AxisMap.create(extent, start, stride, count, plan.mode)
        except OutOfBoundsError as found:
            if extent == 0:
                rule = f"be 0 on an empty axis, as in window {n}"
                raise OutOfBoundsError.about("size", rule, count, axis, extent) from None
            raise OutOfBoundsError.about(f"starts[{n}]", found.rule, starts, axis, extent) from None
    raise error


def _doubtful(windows: CallWindows) -> AnyArray:
    """Return which windows may be wrong, or have numbers that are too large.

    Nothing that is computed of the others leaves 64 bits.
    """
    plan, starts = windows.plan, windows.starts
    doubtful: Any = np.zeros(len(starts), bool)
    for j, (axis, count) in enumerate(zip(plan.axes, plan.size, strict=True)):
        extent: Any = windows.sources.shape[axis]
        if windows.sources.geometries is not None:
            extent = windows.sources.geometries[:, axis]
        start = starts[:, j]
        # One beyond what is computed with stands for all that lies further out.
        known = max(min(plan.stride[j], LARGEST + 1), -LARGEST - 1)
        stride: Any = np.int64(known) if windows.strides is None else windows.strides[:, j]
        reach = np.abs(np.asarray(stride, np.float64)) * (count - 1)
        is_far = (start < -LARGEST) | (start > LARGEST) | (stride < -LARGEST) | (stride > LARGEST)
        is_far |= np.asarray(extent) > LARGEST
        doubtful |= is_far
        if plan.mode is SampleMode.STRICT_BOUNDS:
            is_far = is_far | (reach > LARGEST)
            last = np.where(is_far, 0, start) + np.where(is_far, 0, stride).astype(np.int64) * (count - 1)
            doubtful |= is_far | (start < 0) | (start >= extent) | (last < 0) | (last >= extent)
        elif plan.mode is not SampleMode.FILL:
            doubtful |= np.asarray(extent) == 0
    return doubtful  # type: ignore[no-any-return]
