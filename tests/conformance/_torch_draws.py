"""Random calls of PyTorch's functions: most are valid, some name axes that there are not or numbers that may not be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.conformance import _slice_draws
from tests.conformance._calls import EXTREMES, LEFT_OUT, Call, Dice, extent_of
from tests.conformance._live import Array

DTYPES = ("float32", "float64", "float16", "bfloat16", "int32", "int64", "int16", "int8", "uint8", "bool", "complex64")

_FLOATS = ("float32", "float64", "float16", "bfloat16")


def _draw(rng: Dice, shape: Sequence[int] | None = None, dtypes: Sequence[str] = DTYPES) -> Array:
    # PyTorch has no negative strides.
    return rng.data(rng.shape() if shape is None else shape, dtypes, may_reverse=False)


def _listed(rng: Dice, values: Sequence[int]) -> Any:
    """A list or a tuple; a list of one is often a number."""
    return values[0] if len(values) == 1 and rng.random() < 0.5 else rng.listed(values)


def draw_pad(rng: Dice) -> Call:
    """Pads of the last axes, of which some crop, in all modes; those that mirror and wrap mostly within one period."""
    mode = rng.choice((LEFT_OUT, "constant", "reflect", "replicate", "circular"))
    if mode in (LEFT_OUT, "constant"):
        shape = rng.shape()
        padded = rng.randint(0, len(shape))
    else:
        padded = rng.choice((1, 1, 2, 2, 3))
        shape = rng.shape(ranks=(padded + 1, padded + 2), extents=(2, 3, 4, 5))
    if rng.random() < 0.02:
        mode = rng.choice(("edge", "Reflect", ""))
    pads = []
    for extent in shape[::-1][:padded]:
        most = {"reflect": max(extent - 1, 0), "circular": extent}.get(str(mode), 4)
        least = -(extent // 2) if rng.random() < 0.3 else 0
        pads += [rng.randint(least, most), rng.randint(least, most)]
    rng.spoil(pads, 0.1, (7, -7, 12, -(2**62), 2**62))
    if rng.random() < 0.03:
        pads = rng.choice((pads[1:], [*pads, 0, 0], [0] * (2 * len(shape) + 2)))
    value: Any = LEFT_OUT
    if rng.random() < 0.5:
        numbers = (
            (None, 0, 0.0) if mode not in (LEFT_OUT, "constant") else (None, 0, 1, 2.5, -0.0, -3, float("inf"), 300)
        )
        value = rng.choice(numbers) if rng.random() < 0.95 else 1
    data = _draw(rng, shape, (*DTYPES, *_FLOATS * 2))
    return rng.call(data, {"pad": rng.listed(pads), "mode": mode, "value": value})


def draw_narrow(rng: Dice) -> Call:
    data = _draw(rng, rng.shape(ranks=(1, 1, 2, 2, 3, 4, 5)) if rng.random() < 0.97 else None)
    dim = rng.axis(data.ndim)
    extent = extent_of(data.shape, dim)
    start = rng.randint(0, extent - 1) if extent else 0
    length = rng.randint(min(1, extent), extent - start) if rng.random() < 0.9 else 0
    if rng.random() < 0.3:
        start -= extent
    if rng.random() < 0.1:
        start = rng.choice((extent, extent + 1, -extent, -extent - 1, *EXTREMES[:5]))
    elif rng.random() < 0.05:
        length = rng.choice((-1, length + 1, extent + 1, *EXTREMES[:5]))
    return rng.call(data, {"dim": dim, "start": start, "length": length})


def draw_roll(rng: Dice) -> Call:
    data = _draw(rng)
    dims = rng.axes(data.ndim, rng.choice((1, 1, 2, rng.randint(0, data.ndim))))
    if dims and rng.random() < 0.1:
        dims.append(dims[0])
    flat = rng.random() < 0.25
    n = 1 if flat else len(dims)
    if rng.random() < 0.07:
        n = rng.choice((0, 1, n + 1))
    shifts = [rng.choice(EXTREMES[:5]) if rng.random() < 0.05 else rng.randint(-9, 9) for _ in range(n)]
    given = rng.choice((LEFT_OUT, [], ())) if flat else _listed(rng, dims)
    return rng.call(data, {"shifts": _listed(rng, shifts), "dims": given})


def draw_flip(rng: Dice) -> Call:
    data = _draw(rng)
    return rng.call(data, {"dims": _listed(rng, rng.axes(data.ndim, rng.randint(0, data.ndim)))})


def draw_split(rng: Dice) -> Call:
    data = _draw(rng, rng.shape(ranks=(1, 1, 2, 2, 3, 4, 5)) if rng.random() < 0.97 else None)
    dim = rng.axis(data.ndim)
    extent = extent_of(data.shape, dim)
    sizes: Any
    if rng.random() < 0.4:
        sizes = rng.randint(1, 6) if rng.random() < 0.9 else rng.choice((0, -1, *EXTREMES[:5]))
    else:
        sizes = rng.lengths(extent)
        if rng.random() < 0.15:
            sizes[rng.randrange(len(sizes))] += rng.choice((1, -1, -1))
        sizes = rng.listed(sizes if rng.random() < 0.97 else [])
    return rng.call(data, {"split_size_or_sections": sizes, "dim": dim if rng.random() < 0.8 else LEFT_OUT})


def draw_slice(rng: Dice) -> Call:
    return _slice_draws.draw_slice(rng, ("float32", "float64", "float16", "int32", "int64", "uint8"), may_reverse=False)


def draw_take_slice(rng: Dice) -> Call:
    data = _draw(rng)
    return rng.call(data, {"index": rng.index(data.shape, may_reverse=False)})


def draw_permute(rng: Dice) -> Call:
    data = _draw(rng)
    n = max(0, data.ndim - (rng.random() < 0.05))
    return rng.call(data, {"dims": rng.listed(rng.axes(data.ndim, n))})


def draw_transpose(rng: Dice) -> Call:
    data = _draw(rng)
    return rng.call(data, {"dim0": rng.axis(data.ndim), "dim1": rng.axis(data.ndim)})


def draw_rot90(rng: Dice) -> Call:
    data = _draw(rng, rng.shape(ranks=(2, 2, 2, 3, 3, 4, 5)) if rng.random() < 0.95 else None)
    k = rng.choice((LEFT_OUT, rng.randint(-5, 5), rng.choice(EXTREMES[:5])))
    n = 2 if rng.random() < 0.95 else rng.choice((0, 1, 3))
    dims = LEFT_OUT if rng.random() < 0.3 else rng.listed(rng.axes(data.ndim, n))
    return rng.call(data, {"k": k, "dims": dims})


def draw_tile(rng: Dice) -> Call:
    data = _draw(rng)
    n = rng.choice((1, data.ndim, data.ndim, rng.randint(0, data.ndim + 2)))
    dims = [0 if rng.random() < 0.03 else rng.choice((1, 1, 2, 3)) for _ in range(n)]
    rng.spoil(dims, 0.05, (-1, -2, 2**62))
    return rng.call(data, {"dims": rng.listed(dims)})


def draw_repeat_interleave(rng: Dice) -> Call:
    data = _draw(rng)
    repeats = -rng.randint(1, 3) if rng.random() < 0.05 else rng.choice((0, 1, 2, 2, 3, 3, 7))
    dim = rng.choice((LEFT_OUT, None)) if rng.random() < 0.3 else rng.axis(data.ndim)
    return rng.call(data, {"repeats": repeats, "dim": dim})


def _draw_blocks(rng: Dice, argument: str, *axes: int) -> Call:
    """A call with a size, which most often divides these axes; an axis that is named twice, by its square."""
    size = rng.choice((1, 2, 2, 3)) if rng.random() < 0.95 else rng.choice((0, -1, 2**31, 2**62))
    shape = rng.shape(ranks=(3, 3, 4, 4, 5) if rng.random() < 0.95 else (0, 1, 2), extents=(1, 1, 2, 3))
    if len(shape) > 2 and size in (1, 2, 3) and rng.random() < 0.9:
        for axis in axes:
            shape[axis] *= size
    return rng.call(_draw(rng, shape), {argument: size})


def draw_pixel_shuffle(rng: Dice) -> Call:
    return _draw_blocks(rng, "upscale_factor", -3, -3)


def draw_pixel_unshuffle(rng: Dice) -> Call:
    return _draw_blocks(rng, "downscale_factor", -2, -1)


def draw_channel_shuffle(rng: Dice) -> Call:
    return _draw_blocks(rng, "groups", 1)


def draw_unfold(rng: Dice) -> Call:
    """Images and blocks, of which one in ten is too large, or has a number that may not be."""
    shape = rng.shape(ranks=(4, 3) if rng.random() < 0.95 else (2, 5), extents=(1, 2, 3))
    shape[-2:] = [rng.randint(0 if rng.random() < 0.03 else 1, 8) for _ in range(2)]
    ranges = {"kernel_size": (1, 3), "dilation": (1, 2), "padding": (0, 4), "stride": (1, 3)}
    lists: dict[str, Any] = {name: [rng.randint(*ends) for _ in range(2)] for name, ends in ranges.items()}
    if rng.random() < 0.05:
        rng.choice(list(lists.values()))[0] = rng.choice((0, -1, 99))
    for name, values in lists.items():
        lists[name] = values[0] if rng.random() < 0.3 else rng.listed(values)
        if name != "kernel_size" and rng.random() < 0.15:
            lists[name] = LEFT_OUT
    return rng.call(_draw(rng, shape, DTYPES if rng.random() < 0.2 else _FLOATS), lists)
