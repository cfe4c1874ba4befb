"""Random calls of the functions of the top level: windows in all modes, strided slices, splits by lengths."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.conformance._draws import Freedom, draw_spec
from tests.conformance._live import Call
from tests.conformance._live_draws import (
    EXTREMES,
    LEFT_OUT,
    draw_axes,
    draw_axis,
    draw_data,
    draw_lengths,
    draw_shape,
    in_some_form,
    spelled,
)

_DTYPES = ("float32", "int32", "uint8", "int64", "float16", "complex128", ">f4")
_MODES = ("wrap", "clamp", "reflect", "symmetric", "fill", "strict_bounds")


def draw_window(rng: Random, extent: int, step: int) -> tuple[int, int]:
    """A begin and an end, counted from either end of the axis; most take something of it, some lie far outside."""
    if not extent or rng.random() < 0.12:
        begin, end = (
            rng.choice(EXTREMES[:5]) if rng.random() < 0.2 else rng.randint(-extent - 2, extent + 2) for _ in "be"
        )
        return begin, end
    first, last = sorted(rng.randrange(extent) for _ in "fl")
    if step < 0:
        return last - rng.choice((0, extent)), rng.choice((first - 1, first - 1 - extent)) if first else -extent - 1
    return first - rng.choice((0, extent)), last + 1 if last + 1 == extent else last + 1 - rng.choice((0, extent))


def draw_slice(rng: Random, dtypes: Sequence[str] = _DTYPES, *, may_reverse: bool = True) -> Call:
    """Windows of any stride, also 0, of all axes or some, inside of them or not; an empty axis is only filled."""
    mode = rng.choice(_MODES)
    shape = [extent or int(mode != "fill") for extent in draw_shape(rng, ranks=(1, 1, 2, 2, 3, 4))]
    axes = list(range(len(shape)))
    named = rng.random() < 0.4
    if named:
        axes = draw_axes(rng, len(shape), rng.randint(0, len(shape)), 0.05)
    start, size, stride = [], [], []
    for axis in axes:
        extent = shape[axis] if -len(shape) <= axis < len(shape) else 3
        is_inside = mode == "strict_bounds" and rng.random() < 0.9
        start.append(rng.randrange(extent) if is_inside else rng.randint(-15, 15))
        stride.append(rng.choice((0, 1)) if is_inside else rng.randint(-4, 4))
        size.append(extent - start[-1] if is_inside else rng.choice((0, 9) if rng.random() < 0.1 else (1, 2, 3, 5)))
    lists = {"start": start, "size": size, "stride": stride}
    by_name = {
        "axes": in_some_form(rng, axes) if named else LEFT_OUT,
        "mode": mode,
        "fill_value": rng.choice((LEFT_OUT, rng.randint(0, 99))) if mode == "fill" else LEFT_OUT,
    }
    data = draw_data(rng, shape, dtypes, may_reverse=may_reverse)
    return spelled(rng, data, {name: in_some_form(rng, value) for name, value in lists.items()}, by_name)


def draw_strided_slice(rng: Random) -> Call:
    """All masks, and bounds inside and outside of the axes; in about one of ten calls a stride is 0."""
    spec = draw_spec(rng, Freedom())
    bounds = {name: list(spec.attributes[name]) for name in ("begin", "end", "strides")}
    if bounds["strides"] and rng.random() < 0.1:
        bounds["strides"][rng.randrange(len(bounds["strides"]))] = 0
    masks = {name: mask for name, mask in spec.attributes.items() if name not in bounds}
    return spelled(rng, draw_data(rng, spec.shape, _DTYPES), bounds, masks)


def draw_variadic_split(rng: Random) -> Call:
    """Lengths that sum to an axis, of which one may be -1; in about one of ten calls they do not, or two are."""
    data = draw_data(rng, draw_shape(rng, ranks=(1, 1, 2, 2, 3, 4, 5)), _DTYPES)
    axis = draw_axis(rng, data.ndim)
    lengths = draw_lengths(rng, data.shape[axis] if -data.ndim <= axis < data.ndim else 3)
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2 if rng.random() < 0.3 else 1))):
        lengths[rng.randrange(len(lengths))] = -1
    if rng.random() < 0.07:
        lengths[rng.randrange(len(lengths))] += rng.choice((1, -1, 99))
    return spelled(rng, data, {"axis": axis, "split_lengths": in_some_form(rng, lengths)})
