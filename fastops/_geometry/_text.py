"""Plans as a few lines of text, as `print` shows them."""

from __future__ import annotations

from fastops._errors import shown
from fastops._geometry._factors import NO_AXIS, find_factors
from fastops._geometry._geometry import Geometry, is_ordered, size_of
from fastops._geometry._source_runs import windows_of


def geometry_text(geometry: Geometry) -> str:
    """Return the shapes of a plan, a line for each axis, and what becomes of the axes."""
    lines = [f"{shown(geometry.source_shape)} -> {shown(geometry.shape)}"]
    lines += [f"  axis {k}: {axis}{window_text(geometry, k)}" for k, axis in enumerate(geometry.axes)]
    return "\n".join([*lines, *[f"  {line}" for line in (*moves_text(geometry), *fills_text(geometry))]])


def fills_text(geometry: Geometry) -> list[str]:
    """Return what the slots of a plan with several fill values are called, and which of them is read."""
    if geometry.fills < 2:
        return []
    return [f"fill values: {geometry.fills}, one for each stage that fills; fill1 lies over fill0, and so on"]


def window_text(geometry: Geometry, k: int) -> str:
    """Return what of the source an axis reads, where that is no axis of it as a whole."""
    source, offset, step = windows_of(geometry)[k]
    if source == NO_AXIS or (geometry.source_shape[source], offset, step) == (geometry.axes[k].extent, 0, 1):
        return ""
    return f", window of source axis {source}: offset {shown(offset)}, step {shown(step)}"


def moves_text(geometry: Geometry) -> list[str]:
    """Return what becomes of axes between source and result: which are reordered, merged, new and dropped."""
    if not size_of(geometry):
        return []
    lines = []
    if not is_ordered(geometry):
        lines.append(f"order: {', '.join(map(str, geometry.order))}")
    merged, new, dropped = _changes_of(geometry)
    lines += [f"merged: axes {', '.join(map(str, own))} are axis {target} of the result" for target, own in merged]
    lines += [f"new: axis {k} of the result, of length 1" for k in new]
    lines += [f"dropped: axis {k}, of one output" for k in dropped]
    return lines


def _changes_of(geometry: Geometry) -> tuple[list[tuple[int, list[int]]], list[int], list[int]]:
    """Return the axes of the result that are merged and of what, new ones, and axes that it has not.

    Where there are several ways to say so, the first axes are kept.
    """
    counts = [geometry.axes[k].count for k in geometry.order]
    factors = find_factors(counts, geometry.shape)
    assert factors is not None
    merged = []
    for target in range(len(geometry.shape)):
        own = [k for k, (axis, _) in zip(geometry.order, factors, strict=True) if axis == target]
        if len(own) > 1:
            merged.append((target, own))
    new: list[int] = []
    dropped: list[int] = []
    target = 0
    for k, (axis, _) in zip(geometry.order, factors, strict=True):
        if axis == NO_AXIS:
            if target < len(geometry.shape) and geometry.shape[target] == 1:
                target += 1
            else:
                dropped.append(k)
        elif axis >= target:
            new += range(target, axis)
            target = axis + 1
    return merged, [*new, *range(target, len(geometry.shape))], sorted(dropped)
