"""Random calls of the functions of the top level: windows in all modes, strided slices, splits by lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.conformance._calls import LEFT_OUT, Call, Dice, extent_of
from tests.conformance._live import Array
from tests.helpers import oracle
from tests.helpers.oracle import MASKS

_DTYPES = ("float32", "int32", "uint8", "int64", "float16", "complex128", ">f4")
_MODES = ("wrap", "clamp", "reflect", "symmetric", "fill", "strict_bounds")


def windows(
    data: Array, start: Any, size: Any, stride: Any, *, mode: str, axes: Any = None, fill_value: Any = 0
) -> Array:
    """Return windows in all modes, by the oracle: no framework has a function of this kind that runs here."""
    named = range(data.ndim) if axes is None else [range(data.ndim)[axis] for axis in axes]
    if len(set(named)) < len(named):
        raise ValueError(axes)
    of_axes = [(0, extent, 1) for extent in data.shape]
    for axis, *window in zip(named, start, size, stride, strict=True):
        of_axes[axis] = tuple(window)
    return oracle.slice_(data, *zip(*of_axes, strict=True), mode=mode, fill=fill_value)


def draw_slice(rng: Dice, dtypes: Sequence[str] = _DTYPES, *, may_reverse: bool = True) -> Call:
    """Windows of any stride, also 0, of all axes or some, inside of them or not; an empty axis is only filled."""
    mode = rng.choice(_MODES)
    shape = [extent or int(mode != "fill") for extent in rng.shape(ranks=(1, 1, 2, 2, 3, 4))]
    axes = list(range(len(shape)))
    named = rng.random() < 0.4
    if named:
        axes = rng.axes(len(shape), rng.randint(0, len(shape)), 0.05)
    start, size, stride = [], [], []
    for axis in axes:
        extent = extent_of(shape, axis)
        is_inside = mode == "strict_bounds" and rng.random() < 0.9
        start.append(rng.randrange(extent) if is_inside else rng.randint(-15, 15))
        stride.append(rng.choice((0, 1)) if is_inside else rng.randint(-4, 4))
        size.append(extent - start[-1] if is_inside else rng.choice((0, 9) if rng.random() < 0.1 else (1, 2, 3, 5)))
    lists = {"start": start, "size": size, "stride": stride}
    by_name = {
        "axes": rng.listed(axes) if named else LEFT_OUT,
        "mode": mode,
        "fill_value": rng.choice((LEFT_OUT, rng.randint(0, 99))) if mode == "fill" else LEFT_OUT,
    }
    data = rng.data(shape, dtypes, may_reverse=may_reverse)
    return rng.call(data, {name: rng.listed(value) for name, value in lists.items()}, by_name)


def strided(
    rng: Dice, *, least: int = 0, shrunk_ellipsis: bool = True
) -> tuple[list[int], dict[str, list[int]], dict[str, list[int]]]:
    """The shape, the bounds and the masks of a strided slice: a mask is a list of bits, one a position.

    ``least`` is the smallest extent; ``shrunk_ellipsis`` allows a shrink bit at the ellipsis, which ignores it.
    """
    shape = [rng.randint(least if rng.random() < 0.1 else 1, 6) for _ in range(rng.randint(1, 4))]
    named = rng.randint(0, len(shape))
    after = rng.randint(0, named) if rng.random() < 0.4 else None
    leading = named if after is None else named - after
    uses: list[int | str] = [*range(leading), *range(len(shape) - named + leading, len(shape))]
    if after is not None:
        uses.insert(leading, "ellipsis")
    for _ in range(rng.choice((0, 0, 1, 2)) if uses else 1):
        uses.insert(rng.randint(0, len(uses)), "new")
    positions = [_position(rng, use, shape[use] if isinstance(use, int) else 3, shrunk_ellipsis) for use in uses]
    begin, end, strides, *masks = map(list, zip(*positions, strict=True))
    # OpenVINO wants one length of all masks: as they are, without zeros at their ends, or longer.
    length = len(uses) + rng.choice((0, 0, 0, 2))
    if rng.random() < 0.2:
        length = max((i + 1 for mask in masks for i, bit in enumerate(mask) if bit), default=0)
    padded = [[*mask, 0, 0][:length] for mask in masks]
    return shape, {"begin": begin, "end": end, "strides": strides}, dict(zip(MASKS, padded, strict=True))


def _position(rng: Dice, use: int | str, extent: int, shrunk_ellipsis: bool) -> tuple[int, ...]:
    """begin, end, stride and the five bits of a position; those that an added axis or an ellipsis ignores are any."""
    stride = rng.choice((1, 1, 2, 3, -1, -1, -2, -3, 7, -7))
    begin, end = rng.window(extent, stride)
    masked = [int(rng.random() < 0.25) for _ in range(2)]
    if not isinstance(use, int):
        stray = int(rng.random() < 0.3)
        bits = [0, stray and int(shrunk_ellipsis), 1] if use == "ellipsis" else [1, stray, 0]
        return begin, end, 1 - stray, *masked, *bits
    shrinks = extent > 0 and rng.random() < 0.2
    return rng.randrange(-extent, extent) if shrinks else begin, end, stride, *masked, 0, int(shrinks), 0


def draw_strided_slice(rng: Dice) -> Call:
    """All masks, and bounds inside and outside of the axes; in about one of ten calls a stride is 0."""
    shape, bounds, masks = strided(rng)
    rng.spoil(bounds["strides"], 0.1, (0,))
    return rng.call(rng.data(shape, _DTYPES), bounds, masks)


def draw_variadic_split(rng: Dice) -> Call:
    """Lengths that sum to an axis, of which one may be -1; in about one of ten calls they do not, or two are."""
    data = rng.data(rng.shape(ranks=(1, 1, 2, 2, 3, 4, 5)), _DTYPES)
    axis = rng.axis(data.ndim)
    lengths = rng.lengths(extent_of(data.shape, axis))
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2 if rng.random() < 0.3 else 1))):
        lengths[rng.randrange(len(lengths))] = -1
    if rng.random() < 0.07:
        lengths[rng.randrange(len(lengths))] += rng.choice((1, -1, 99))
    return rng.call(data, {"axis": axis, "split_lengths": rng.listed(lengths)})
