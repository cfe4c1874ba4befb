"""Slices of axes that are named: ``begin : end : stride``, as OpenVINO and ONNX write them, and TensorRT's."""

from __future__ import annotations

from collections.abc import Sequence

from fastops._errors import AttributeValueError, counted
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._axes import resolve_axes
from fastops._lowering._bounds import Bounds, ClampRule, resolve_bounds
from fastops._lowering._windows import Windows


def lower_slices(
    rule: ClampRule,
    names: Sequence[str],
    shape: Sequence[int],
    starts: Sequence[int],
    stops: Sequence[int],
    steps: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
) -> Windows:
    """Return the windows of ``start : stop : step`` on named axes, the others whole; by default the first ones.

    ``names`` are those of starts, stops, steps and axes.
    """
    n = len(starts)
    for name, values in zip(names[1:], (stops, steps, axes), strict=True):
        if values is not None and len(values) != n:
            raise AttributeValueError.about(name, f"have as many values as {names[0]}, {n}", tuple(values))
    if axes is None and n > len(shape):
        raise AttributeValueError.about(
            names[0], f"have at most {counted(len(shape), 'value')}, one per axis", tuple(starts)
        )
    named = resolve_axes(names[3], range(n) if axes is None else axes, len(shape))
    bounds: list[Bounds] = [(0, 1, extent) for extent in shape]
    for axis, start, stop, step in zip(named, starts, stops, (1,) * n if steps is None else steps, strict=True):
        if step == 0:
            raise AttributeValueError.about(names[2], "not be 0", tuple(steps or ()), axis, shape[axis])
        bounds[axis] = resolve_bounds(shape[axis], start, stop, step, rule)
    return Windows(shape, bounds)


def lower_windows(
    size_name: str,
    shape: Sequence[int],
    start: Sequence[int],
    size: Sequence[int],
    stride: Sequence[int] | None,
    axes: Sequence[int] | None,
    mode: SampleMode,
) -> Windows:
    """Return the windows of a TensorRT Slice; axes that are not named are whole."""
    named = range(len(shape)) if axes is None else resolve_axes("axes", axes, len(shape))
    n = len(named)
    stride = (1,) * n if stride is None else stride
    if not len(start) == len(size) == len(stride) == n:
        lists = {"start": start, size_name: size, "stride": stride}
        attribute = next(name for name, value in lists.items() if len(value) != n)
        which = "of axes" if axes else "axis of data, or as many as axes names"
        raise AttributeValueError.about(
            attribute, f"have {counted(n, 'value')}, one for each {which}", tuple(lists[attribute])
        )
    bounds: list[Bounds] = [(0, 1, extent) for extent in shape]
    for axis, first, by, count in zip(named, start, stride, size, strict=True):
        if count < 0:
            raise AttributeValueError.about(size_name, "be at least 0", tuple(size), axis, shape[axis])
        bounds[axis] = (first, by, count)
    return Windows(shape, bounds, mode, size_name=size_name)
