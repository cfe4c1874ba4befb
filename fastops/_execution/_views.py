"""Views: results without a copy, for outputs that read in bounds only."""

from __future__ import annotations

import numpy as np

from fastops._arrays._dtypes import AnyArray, is_ml_dtype
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import NO_AXIS, Geometry, extents_of, is_ordered, size_of, source_runs, windows_of


def as_view(geometry: Geometry, source: AnyArray) -> AnyArray:
    """Return the result of a plan, for which `is_view` is true, as a view of the source.

    The view is read-only if elements share memory: if an axis has stride 0, or windows of an axis overlap.
    """
    if size_of(geometry) == 0:
        # A source without axes cannot be sliced.
        return (source if source.ndim else source.reshape(1))[:0].reshape(geometry.shape)
    axes = [axis for axis in geometry.axes if type(axis) is AxisMap]
    if geometry.windows is not None or len(axes) < len(geometry.axes):
        return _view_windows(geometry, source)
    # Splitting axes, and adding and dropping axes of length 1, never copies, whatever the strides are.
    if source.shape != extents_of(geometry):
        source = source.reshape(extents_of(geometry))
    kept = source[tuple(_basic_slice(axis) for axis in axes)] if axes else source
    counts = tuple(axis.count for axis in axes)
    whole = kept if kept.shape == counts else np.broadcast_to(kept, counts)
    return (whole if is_ordered(geometry) else whole.transpose(geometry.order)).reshape(geometry.shape)


def _view_windows(geometry: Geometry, source: AnyArray) -> AnyArray:
    """Return the view of a plan in which several axes read one axis of the source, or an axis is a map of one run."""
    origin = [0] * source.ndim
    byte_strides = []
    steps: dict[int, list[tuple[int, int]]] = {}
    for k in geometry.order:
        ((count, first, stride),) = source_runs(geometry, k)
        at = windows_of(geometry)[k].axis
        if at != NO_AXIS:
            assert first is not None
            origin[at] += first
        if count > 1:
            byte_strides.append(source.strides[at] * stride if at != NO_AXIS else 0)
            steps.setdefault(at, []).append((abs(stride) if at != NO_AXIS else 0, count))
    # Indexing with an empty tuple would return a scalar, not a view.
    corner = source[tuple(slice(first, first + 1) for first in origin)] if origin else source
    strides = iter(byte_strides)
    spread = [next(strides) if n != 1 else source.itemsize for n in geometry.shape]
    is_shared = any([_overlap(own) for own in steps.values()])
    # `as_strided` finds the dtype by its name, and NumPy does not know the names of all types of ml_dtypes.
    plain = corner.view(np.dtype((np.void, corner.itemsize))) if is_ml_dtype(corner.dtype) else corner
    view = np.lib.stride_tricks.as_strided(plain, geometry.shape, spread, writeable=not is_shared)
    return view if plain is corner else view.view(corner.dtype)


def _overlap(axes: list[tuple[int, int]]) -> bool:
    """True if axes that read one axis of the source, given by steps and counts, may read an index twice."""
    reach = 0
    for step, count in sorted(axes):
        if step <= reach:
            return True
        reach += step * (count - 1)
    return False


def _basic_slice(axis: AxisMap) -> slice:
    """Return the slice that an axis reads; for stride 0, the slice of its one index."""
    if axis.stride == 0:
        return slice(axis.start, axis.start + 1)
    stop = axis.start + axis.count * axis.stride
    return slice(axis.start, stop if stop >= 0 else None, axis.stride)
