"""Random calls of the functions of fastops.torch, and where these functions depart from PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain
from math import prod
from typing import Any

import numpy as np

from tests.conformance import _draws
from tests.conformance._calls import LEFT_OUT, SOME_AXES, Array, Call, Dice, are_axes, example, extent_of, numbered
from tests.conformance._draws import Draw, any_axes, any_axis, any_index, calls, family
from tests.conformance._live import departures_of
from tests.helpers import oracle as _oracle
from tests.helpers.oracle import Cut, patches

_FLOATS = ("float32", "float64", "float16", "bfloat16")


class TorchDice(Dice):
    """Arguments in the forms that PyTorch takes."""

    dtypes = (*_FLOATS, "int32", "int64", "int16", "int8", "uint8", "bool", "complex64")
    may_reverse = False
    lone = 0.5


@family
def pads(rng: TorchDice) -> Call:
    """Pads of the last axes in all modes. Some crop; most reflect and wrap within one period."""
    mode = rng.choice((LEFT_OUT, "constant", "reflect", "replicate", "circular"))
    is_constant = mode in (LEFT_OUT, "constant")
    padded = rng.choice((1, 1, 2, 2, 3))
    shape = rng.shape() if is_constant else rng.shape(ranks=(padded + 1, padded + 2), extents=(2, 3, 4, 5))
    padded = rng.randint(0, len(shape)) if is_constant else padded
    sides = list(chain(*rng.pads(shape[::-1][:padded], mode, 5, crops=0.3)))
    rng.spoil(sides, 0.1, (7, -7, 12, -(2**62), 2**62))
    if rng.random() < 0.03:
        sides = rng.choice((sides[1:], [*sides, 0, 0], [0] * (2 * len(shape) + 2)))
    value: Any = LEFT_OUT
    if rng.random() < 0.5:
        numbers = (None, 0, 1, 2.5, -0.0, -3, float("inf"), 300) if is_constant else (None, 0, 0.0)
        value = rng.mostly(numbers, (1,), 0.05)
    data = rng.data(shape, (*rng.dtypes, *_FLOATS * 2))
    mode = rng.mostly((mode,), ("edge", "Reflect", ""), 0.02)
    return rng.call(data, {"pad": rng.listed(sides, 0), "mode": mode, "value": value})


@family
def narrows(rng: TorchDice) -> Call:
    data = rng.data(rng.shape(ranks=SOME_AXES) if rng.random() < 0.97 else None)
    dim = rng.axis(data.ndim)
    extent = extent_of(data.shape, dim)
    start = rng.randint(0, extent - 1) if extent else 0
    length = rng.randint(min(1, extent), extent - start) if rng.random() < 0.9 else 0
    start = start - extent if rng.random() < 0.3 else start
    if rng.random() < 0.1:
        start = rng.choice((extent, extent + 1, -extent, -extent - 1, *rng.extremes))
    elif rng.random() < 0.05:
        length = rng.choice((-1, length + 1, extent + 1, *rng.extremes))
    return rng.call(data, {"dim": dim, "start": start, "length": length})


@family
def splits(rng: TorchDice) -> Call:
    data = rng.data(rng.shape(ranks=SOME_AXES) if rng.random() < 0.97 else None)
    dim = rng.axis(data.ndim)
    sizes: Any = rng.mostly(range(1, 7), (0, -1, *rng.extremes), 0.1)
    if rng.random() < 0.6:
        lengths = rng.lengths(extent_of(data.shape, dim))
        if rng.random() < 0.15:
            lengths[rng.randrange(len(lengths))] += rng.choice((1, -1, -1))
        sizes = rng.listed(rng.mostly((lengths,), ([],)), 0)
    return rng.call(data, {"split_size_or_sections": sizes, "dim": dim if rng.random() < 0.8 else LEFT_OUT})


@family
def unfolds(rng: TorchDice) -> Call:
    """Images and blocks; about one in seven blocks is too large or has a wrong number."""
    shape = rng.shape(ranks=(4, 3) if rng.random() < 0.95 else (2, 5), extents=(1, 2, 3))
    shape[-2:] = [rng.randint(0 if rng.random() < 0.03 else 1, 8) for _ in range(2)]
    ranges = {"kernel_size": (1, 3), "dilation": (1, 2), "padding": (0, 4), "stride": (1, 3)}
    lists: dict[str, Any] = {name: [rng.randint(*ends) for _ in range(2)] for name, ends in ranges.items()}
    rng.spoil(rng.choice(list(lists.values())), 0.05, (0, -1, 99))
    for name, values in lists.items():
        given = rng.listed(values[: rng.choice((1, 2, 2))], 1)
        lists[name] = LEFT_OUT if name != "kernel_size" and rng.random() < 0.15 else given
    return rng.call(rng.data(shape, rng.dtypes if rng.random() < 0.2 else _FLOATS), lists)


_images = partial(_draws.images, ranks=(3, 3, 4, 4, 5, 5, 2), sizes=(1, 2, 2, 3), wrong=(0, -1, 2**31, 2**62))

DRAWS: dict[str, Draw] = {
    "channel_shuffle": _images("groups", lambda size, _: {1: size}),
    "flip": calls(dims=any_axes),
    "narrow": narrows(),
    "pad": pads(),
    "permute": _draws.transposes("dims"),
    "pixel_shuffle": _images("upscale_factor", lambda size, _: {-3: size * size}),
    "pixel_unshuffle": _images("downscale_factor", lambda size, _: {-2: size, -1: size}),
    "repeat_interleave": _draws.repeats("repeats", "dim", of_each=0),
    "roll": _draws.rolls("shifts", "dims", LEFT_OUT, [], (), unequal=0.07),
    "rot90": _draws.quarter_turns("dims"),
    "split": splits(),
    "take_slice": calls(index=any_index),
    "tile": _draws.tiles("dims", -1, -2, 2**62, fits=False, lone=0),
    "transpose": calls(dim0=any_axis, dim1=any_axis),
    "unfold": unfolds(),
}


def _of_images(function: Callable[..., Array], call: Call, size: int) -> Array:
    """Call a function of images of four axes."""
    *leading, channels, height, width = call.data.shape
    found = function(call.data.reshape(prod(leading), channels, height, width), size, depth_first=True)
    return found.reshape(*leading, *found.shape[1:])


def _shuffled(call: Call) -> Array:
    return _of_images(_oracle.depth_to_space, call, call.arguments["upscale_factor"])


def _unshuffled(call: Call) -> Array:
    return _of_images(_oracle.space_to_depth, call, call.arguments["downscale_factor"])


# PyTorch may take images of five axes for volumes.
_CHANNELS_LAST = numbered((1, 1, 1, 2, 2)).transpose(0, 4, 1, 2, 3)


def _has_volumes(call: Call) -> bool:
    return call.data.ndim == 5


def _is_empty(call: Call) -> bool:
    return not call.data.size


def _unfolded(call: Call) -> Array:
    """Return blocks as columns."""
    values = [call.get(name, int(name != "padding")) for name in ("kernel_size", "stride", "dilation", "padding")]
    pairs = [[value] * 2 if isinstance(value, int) else value for value in values]
    x = call.data
    cuts = [Cut(x.ndim - 2 + k, *numbers, numbers[-1]) for k, numbers in enumerate(zip(*pairs, strict=True))]
    found = np.moveaxis(patches(x, *cuts), (-2, -1), (-4, -3))
    return found.reshape([*x.shape[:-3], x.shape[-3] * pairs[0][0] * pairs[0][1], found.shape[-2] * found.shape[-1]])


_MODES = {"reflect": "reflect", "replicate": "clamp", "circular": "wrap"}

# The numbers of padded axes and of all axes for which PyTorch has kernels, in modes other than constant.
_SUPPORTED = ((1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (3, 5))


def _sides(call: Call) -> list[tuple[int, int, int]]:
    """The extent and the pads of each padded axis, the last axes first."""
    pads = call.arguments["pad"]
    return list(zip(call.data.shape[::-1], pads[::2], pads[1::2], strict=False))


def _padded(call: Call) -> Array:
    """Return the answer in modes other than constant."""
    data, mode, sides = call.data, call.arguments["mode"], _sides(call)
    pads = [(0, 0)] * (data.ndim - len(sides)) + [side[1:] for side in sides[::-1]]
    if mode == "circular":
        data = data[tuple([slice(max(-low, 0), min(high, 0) or None) for low, high in pads])]
        pads = [(max(low, 0), max(high, 0)) for low, high in pads]
    size = [extent + low + high for extent, (low, high) in zip(data.shape, pads, strict=True)]
    return _oracle.slice_(data, [-low for low, _ in pads], size, [1] * data.ndim, _MODES[mode])


def _is_beyond(call: Call) -> bool:
    """Whether a pad is as long as its axis in mode reflect, or longer than its axis in mode reflect or circular."""
    most = {"reflect": -1, "circular": 0}.get(call.get("mode"))
    return most is not None and any(max(pads) > extent + most for extent, *pads in _sides(call))


DEPARTURES = departures_of(
    {
        "torch-shuffle-channels-last": (Call(_CHANNELS_LAST, {"upscale_factor": 1}, 1), _has_volumes, _shuffled),
        "torch-empty-images": (example((4, 2, 0), downscale_factor=2), _is_empty, _unshuffled),
        "torch-unshuffle-channels-last": (Call(_CHANNELS_LAST, {"downscale_factor": 1}, 1), _has_volumes, _unshuffled),
        "torch-roll-nothing": (
            example((0, 2), 2, shifts=1, dims=7),
            lambda call: not are_axes(call.integers("dims"), call.data.ndim, may_repeat=True),
        ),
        "torch-roll-low-shift": (
            example((4,), 2, shifts=-(2**63) + 1, dims=0),
            lambda call: min(call.integers("shifts")) < -(2**62),
            _draws.rolled("shifts", "dims"),
        ),
        "torch-split-nothing": (
            example((0, 2), split_size_or_sections=[]),
            lambda call: not call.integers("split_size_or_sections"),
        ),
        "torch-negative-repeats": (example((0,), dims=(-2,)), lambda call: min(call.integers("dims")) < 0),
        "torch-ellipses": (
            example((2,), index=(..., ...)),
            lambda call: isinstance(call.arguments["index"], tuple) and call.arguments["index"].count(...) > 1,
        ),
        "torch-unfold-integers": (
            example((1, 2, 2), kernel_size=2),
            lambda call: call.data.dtype.kind in "iu",
            _unfolded,
        ),
        "torch-pad-axes": (
            example((3,), 2, pad=(1, 1), mode="reflect"),
            lambda call: call.get("mode") in _MODES and (len(_sides(call)), call.data.ndim) not in _SUPPORTED,
            _padded,
        ),
        "torch-pad-empty": (
            example((2, 0, 3), 2, pad=(1, 0), mode="reflect"),
            lambda call: call.get("mode") in ("reflect", "replicate") and _is_empty(call),
            _padded,
        ),
        "torch-pad-periods": (example((1, 2), 2, pad=(0, 3), mode="circular"), _is_beyond, _padded),
        "torch-pad-cropped": (
            example((1, 2), 2, pad=(-1, -1), mode="replicate"),
            lambda call: (
                call.get("mode") in ("reflect", "replicate") and all(sum(each[1:]) < 1 for each in _sides(call))
            ),
            _padded,
        ),
        "torch-pad-bool": (
            example((1, 2), 2, "bool", pad=(1, 0), mode="replicate"),
            lambda call: call.data.dtype == bool,
            _padded,
        ),
        "torch-pad-undefined": (
            example((1, 5), 2, pad=(4, -2), mode="circular"),
            lambda call: call.get("mode") == "circular" and min(call.arguments["pad"]) < 0,
            _padded,
        ),
        "torch-pad-unread": (
            example((3,), 1, "uint8", pad=(-1, 0), value=300),
            lambda call: bool(call.get("value")) and max(call.arguments["pad"], default=0) <= 0,
        ),
    }
)
