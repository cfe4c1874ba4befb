"""Slices: ``begin : end : stride`` of axes that are named, as OpenVINO and ONNX write them."""

from __future__ import annotations

from collections.abc import Sequence

from fastops._errors import AttributeValueError, counted
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
