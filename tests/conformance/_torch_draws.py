"""Random calls of PyTorch's functions: most are valid, some name axes that there are not or numbers that may not be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.conformance._live import Call
from tests.conformance._live_draws import (
    EXTREMES,
    LEFT_OUT,
    draw_axes,
    draw_axis,
    draw_data,
    draw_lengths,
    draw_place,
    draw_shape,
    in_some_form,
    spelled,
)
from tests.conformance._outcomes import Array
from tests.conformance._slice_draws import draw_slice as draw_windows

DTYPES = ("float32", "float64", "float16", "bfloat16", "int32", "int64", "int16", "int8", "uint8", "bool", "complex64")

_FLOATS = ("float32", "float64", "float16", "bfloat16")


def _draw(rng: Random, shape: Sequence[int] | None = None, dtypes: Sequence[str] = DTYPES) -> Array:
    # PyTorch has no negative strides.
    return draw_data(rng, draw_shape(rng) if shape is None else shape, dtypes, may_reverse=False)


def _listed(rng: Random, values: Sequence[int]) -> Any:
    """A list or a tuple; a list of one is often a number."""
    return values[0] if len(values) == 1 and rng.random() < 0.5 else in_some_form(rng, values)


def draw_pad(rng: Random) -> Call:
    """Pads of the last axes, of which some crop, in all modes; those that mirror and wrap mostly within one period."""
    mode = rng.choice((LEFT_OUT, "constant", "reflect", "replicate", "circular"))
    if mode in (LEFT_OUT, "constant"):
        shape = draw_shape(rng)
        padded = rng.randint(0, len(shape))
    else:
        padded = rng.choice((1, 1, 2, 2, 3))
        shape = draw_shape(rng, ranks=(padded + 1, padded + 2), extents=(2, 3, 4, 5))
    if rng.random() < 0.02:
        mode = rng.choice(("edge", "Reflect", ""))
    pads = []
    for extent in shape[::-1][:padded]:
        most = {"reflect": max(extent - 1, 0), "circular": extent}.get(str(mode), 4)
        least = -(extent // 2) if rng.random() < 0.3 else 0
        pads += [rng.randint(least, most), rng.randint(least, most)]
    if pads and rng.random() < 0.1:
        pads[rng.randrange(len(pads))] = rng.choice((7, -7, 12, -(2**62), 2**62))
    if rng.random() < 0.03:
        pads = rng.choice((pads[1:], [*pads, 0, 0], [0] * (2 * len(shape) + 2)))
    value: Any = LEFT_OUT
    if rng.random() < 0.5:
        numbers = (
            (None, 0, 0.0) if mode not in (LEFT_OUT, "constant") else (None, 0, 1, 2.5, -0.0, -3, float("inf"), 300)
        )
        value = rng.choice(numbers) if rng.random() < 0.95 else 1
    data = _draw(rng, shape, (*DTYPES, *_FLOATS * 2))
    return spelled(rng, data, {"pad": in_some_form(rng, pads), "mode": mode, "value": value})


def draw_narrow(rng: Random) -> Call:
    data = _draw(rng, draw_shape(rng, ranks=(1, 1, 2, 2, 3, 4, 5)) if rng.random() < 0.97 else None)
    dim = draw_axis(rng, data.ndim)
    extent = data.shape[dim] if -data.ndim <= dim < data.ndim else 3
    start = rng.randint(0, extent - 1) if extent else 0
    length = rng.randint(min(1, extent), extent - start) if rng.random() < 0.9 else 0
    if rng.random() < 0.3:
        start -= extent
    if rng.random() < 0.1:
        start = rng.choice((extent, extent + 1, -extent, -extent - 1, *EXTREMES[:5]))
    elif rng.random() < 0.05:
        length = rng.choice((-1, length + 1, extent + 1, *EXTREMES[:5]))
    return spelled(rng, data, {"dim": dim, "start": start, "length": length})


def draw_roll(rng: Random) -> Call:
    data = _draw(rng)
    dims = draw_axes(rng, data.ndim, rng.choice((1, 1, 2, rng.randint(0, data.ndim))))
    if dims and rng.random() < 0.1:
        dims.append(dims[0])
    flat = rng.random() < 0.25
    n = 1 if flat else len(dims)
    if rng.random() < 0.07:
        n = rng.choice((0, 1, n + 1))
    shifts = [rng.choice(EXTREMES[:5]) if rng.random() < 0.05 else rng.randint(-9, 9) for _ in range(n)]
    given = rng.choice((LEFT_OUT, [], ())) if flat else _listed(rng, dims)
    return spelled(rng, data, {"shifts": _listed(rng, shifts), "dims": given})


def draw_flip(rng: Random) -> Call:
    data = _draw(rng)
    return spelled(rng, data, {"dims": _listed(rng, draw_axes(rng, data.ndim, rng.randint(0, data.ndim)))})


def draw_split(rng: Random) -> Call:
    data = _draw(rng, draw_shape(rng, ranks=(1, 1, 2, 2, 3, 4, 5)) if rng.random() < 0.97 else None)
    dim = draw_axis(rng, data.ndim)
    extent = data.shape[dim] if -data.ndim <= dim < data.ndim else 3
    sizes: Any
    if rng.random() < 0.4:
        sizes = rng.randint(1, 6) if rng.random() < 0.9 else rng.choice((0, -1, *EXTREMES[:5]))
    else:
        sizes = draw_lengths(rng, extent)
        if rng.random() < 0.15:
            sizes[rng.randrange(len(sizes))] += rng.choice((1, -1, -1))
        sizes = in_some_form(rng, sizes if rng.random() < 0.97 else [])
    return spelled(rng, data, {"split_size_or_sections": sizes, "dim": dim if rng.random() < 0.8 else LEFT_OUT})


def draw_slice(rng: Random) -> Call:
    return draw_windows(rng, ("float32", "float64", "float16", "int32", "int64", "uint8"), may_reverse=False)


def draw_take_slice(rng: Random) -> Call:
    data = _draw(rng)
    taken = rng.randint(0, data.ndim)
    places: list[Any] = [draw_place(rng, extent, may_reverse=False) for extent in data.shape[:taken]]
    if rng.random() < 0.3:
        leading = rng.randint(0, len(places))
        behind = data.shape[data.ndim - taken + leading :]
        places = [*places[:leading], ..., *[draw_place(rng, extent, may_reverse=False) for extent in behind]]
    for _ in range(rng.choice((0, 0, 1, 2))):
        places.insert(rng.randint(0, len(places)), None)
    if rng.random() < 0.05:
        places.insert(rng.randint(0, len(places)), rng.choice((..., 0, slice(None), slice(None, None, -1))))
    index = places[0] if len(places) == 1 and rng.random() < 0.5 else tuple(places)
    return spelled(rng, data, {"index": index})


def draw_permute(rng: Random) -> Call:
    data = _draw(rng)
    n = max(0, data.ndim - (rng.random() < 0.05))
    return spelled(rng, data, {"dims": in_some_form(rng, draw_axes(rng, data.ndim, n))})


def draw_transpose(rng: Random) -> Call:
    data = _draw(rng)
    return spelled(rng, data, {"dim0": draw_axis(rng, data.ndim), "dim1": draw_axis(rng, data.ndim)})


def draw_rot90(rng: Random) -> Call:
    data = _draw(rng, draw_shape(rng, ranks=(2, 2, 2, 3, 3, 4, 5)) if rng.random() < 0.95 else None)
    k = rng.choice((LEFT_OUT, rng.randint(-5, 5), rng.choice(EXTREMES[:5])))
    n = 2 if rng.random() < 0.95 else rng.choice((0, 1, 3))
    dims = LEFT_OUT if rng.random() < 0.3 else in_some_form(rng, draw_axes(rng, data.ndim, n))
    return spelled(rng, data, {"k": k, "dims": dims})


def draw_tile(rng: Random) -> Call:
    data = _draw(rng)
    n = rng.choice((1, data.ndim, data.ndim, rng.randint(0, data.ndim + 2)))
    dims = [0 if rng.random() < 0.03 else rng.choice((1, 1, 2, 3)) for _ in range(n)]
    if dims and rng.random() < 0.05:
        dims[rng.randrange(n)] = rng.choice((-1, -2, 2**62))
    return spelled(rng, data, {"dims": in_some_form(rng, dims)})


def draw_repeat_interleave(rng: Random) -> Call:
    data = _draw(rng)
    repeats = -rng.randint(1, 3) if rng.random() < 0.05 else rng.choice((0, 1, 2, 2, 3, 3, 7))
    dim = rng.choice((LEFT_OUT, None)) if rng.random() < 0.3 else draw_axis(rng, data.ndim)
    return spelled(rng, data, {"repeats": repeats, "dim": dim})


def _draw_blocks(rng: Random, name: str) -> tuple[list[int], int]:
    """A shape and a size, which most often divides what it must."""
    size = rng.choice((1, 2, 2, 3)) if rng.random() < 0.95 else rng.choice((0, -1, 2**31, 2**62))
    shape = draw_shape(rng, ranks=(3, 3, 4, 4, 5) if rng.random() < 0.95 else (0, 1, 2), extents=(1, 1, 2, 3))
    factor = size if size in (1, 2, 3) and rng.random() < 0.9 else 1
    if len(shape) > 2 and name == "channel_shuffle":
        shape[1] *= factor
    elif len(shape) > 2 and name == "pixel_shuffle":
        shape[-3] *= factor * factor
    else:
        shape[-2:] = [extent * factor for extent in shape[-2:]]
    return shape, size


def draw_pixel_shuffle(rng: Random) -> Call:
    shape, size = _draw_blocks(rng, "pixel_shuffle")
    return spelled(rng, _draw(rng, shape), {"upscale_factor": size})


def draw_pixel_unshuffle(rng: Random) -> Call:
    shape, size = _draw_blocks(rng, "pixel_unshuffle")
    return spelled(rng, _draw(rng, shape), {"downscale_factor": size})


def draw_channel_shuffle(rng: Random) -> Call:
    shape, size = _draw_blocks(rng, "channel_shuffle")
    return spelled(rng, _draw(rng, shape), {"groups": size})


def draw_unfold(rng: Random) -> Call:
    """Images and blocks, of which one in ten is too large, or has a number that may not be."""
    shape = draw_shape(rng, ranks=(4, 3) if rng.random() < 0.95 else (2, 5), extents=(1, 2, 3))
    shape[-2:] = [rng.randint(0 if rng.random() < 0.03 else 1, 8) for _ in range(2)]
    ranges = {"kernel_size": (1, 3), "dilation": (1, 2), "padding": (0, 4), "stride": (1, 3)}
    lists: dict[str, Any] = {name: [rng.randint(*ends) for _ in range(2)] for name, ends in ranges.items()}
    if rng.random() < 0.05:
        rng.choice(list(lists.values()))[0] = rng.choice((0, -1, 99))
    for name, values in lists.items():
        lists[name] = values[0] if rng.random() < 0.3 else in_some_form(rng, values)
        if name != "kernel_size" and rng.random() < 0.15:
            lists[name] = LEFT_OUT
    return spelled(rng, _draw(rng, shape, DTYPES if rng.random() < 0.2 else _FLOATS), lists)


DRAWS: dict[str, Callable[[Random], Call]] = {
    "channel_shuffle": draw_channel_shuffle,
    "flip": draw_flip,
    "narrow": draw_narrow,
    "pad": draw_pad,
    "permute": draw_permute,
    "pixel_shuffle": draw_pixel_shuffle,
    "pixel_unshuffle": draw_pixel_unshuffle,
    "repeat_interleave": draw_repeat_interleave,
    "roll": draw_roll,
    "rot90": draw_rot90,
    "slice": draw_slice,
    "split": draw_split,
    "take_slice": draw_take_slice,
    "tile": draw_tile,
    "transpose": draw_transpose,
    "unfold": draw_unfold,
}
