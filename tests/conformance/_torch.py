"""Random calls of the functions of fastops.torch, and where they depart from PyTorch."""

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
from tests.conformance._live import Departures, outcome_of
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
    """Images and blocks; one in ten blocks is too large or has a wrong number."""
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
    "slice": _draws.window_slices("float32", "float64", "float16", "int32", "int64", "uint8"),
    "split": splits(),
    "take_slice": calls(index=any_index),
    "tile": _draws.tiles("dims", -1, -2, 2**62, fits=False, lone=0),
    "transpose": calls(dim0=any_axis, dim1=any_axis),
    "unfold": unfolds(),
}

DEPARTURES = Departures()


def _are_channels_last(data: Array) -> bool:
    """Whether PyTorch takes data of five axes for volumes whose channels are last in memory."""
    if data.ndim != 5 or not data.strides[1]:
        return False
    least = 0
    for axis in (1, 4, 3, 2, 0):
        extent, step = data.shape[axis], data.strides[axis]
        if not extent or step < least or (axis == 0 and least == data.strides[1]):
            return False
        least = step * extent
    return True


def _of_images(function: Callable[..., Array], call: Call, size: int) -> Array:
    """Call a function of images of four axes."""
    *leading, channels, height, width = call.data.shape
    found = function(call.data.reshape(prod(leading), channels, height, width), size, depth_first=True)
    return found.reshape(*leading, *found.shape[1:])


def _shuffled(call: Call) -> Array:
    return _of_images(_oracle.depth_to_space, call, call.arguments["upscale_factor"])


def _unshuffled(call: Call) -> Array:
    return _of_images(_oracle.space_to_depth, call, call.arguments["downscale_factor"])


_CHANNELS_LAST = numbered((1, 1, 1, 2, 2)).transpose(0, 4, 1, 2, 3)


@DEPARTURES.add("torch-shuffle-channels-last", Call(_CHANNELS_LAST, {"upscale_factor": 1}, 1), _shuffled)
def _shuffles_channels_last(call: Call) -> bool:
    size, shape = call.arguments["upscale_factor"], call.data.shape
    return _are_channels_last(call.data) and size >= 1 and not shape[-3] % size**2


def _unshuffles(call: Call) -> bool:
    size, shape = call.arguments["downscale_factor"], call.data.shape
    return len(shape) >= 3 and size >= 1 and not shape[-1] % size and not shape[-2] % size


@DEPARTURES.add("torch-empty-images", example((4, 2, 0), downscale_factor=2), _unshuffled)
def _unshuffles_nothing(call: Call) -> bool:
    return _unshuffles(call) and not call.data.size and call.arguments["downscale_factor"] > 1


@DEPARTURES.add("torch-unshuffle-channels-last", Call(_CHANNELS_LAST, {"downscale_factor": 1}, 1), _unshuffled)
def _unshuffles_channels_last(call: Call) -> bool:
    return _unshuffles(call) and _are_channels_last(call.data)


# PyTorch uses lower numbers as marks of sizes that are not known yet.
_LOWEST = -(2**62)


@DEPARTURES.add("torch-roll-nothing", example((0, 2), 2, shifts=1, dims=7))
def _rolls_nothing(call: Call) -> bool:
    shifts, dims = call.integers("shifts"), call.integers("dims")
    is_listed = bool(dims) and len(shifts) == len(dims) and min(shifts) >= _LOWEST
    return is_listed and not call.data.size and not are_axes(dims, call.data.ndim, may_repeat=True)


def _rolled(call: Call) -> Array:
    shifts, dims = call.integers("shifts"), call.integers("dims")
    if not dims:
        return np.roll(call.data, shifts[0])
    # NumPy adds the shifts of an axis in int64: take the remainders first.
    near = [shift % (call.data.shape[axis] or 1) for shift, axis in zip(shifts, dims, strict=True)]
    return np.roll(call.data, near, dims)


@DEPARTURES.add("torch-roll-low-shift", example((4,), 2, shifts=-(2**63) + 1, dims=0), _rolled)
def _has_low_shift(call: Call) -> bool:
    shifts, dims = call.integers("shifts"), call.integers("dims")
    is_right = are_axes(dims, call.data.ndim, may_repeat=True) and len(shifts) == max(len(dims), 1)
    return is_right and min(shifts) < _LOWEST


@DEPARTURES.add("torch-split-nothing", example((0, 2), split_size_or_sections=[]))
def _splits_nothing(call: Call) -> bool:
    dim, rank = call.get("dim", 0), call.data.ndim
    sizes = call.arguments["split_size_or_sections"]
    return not isinstance(sizes, int) and not sizes and are_axes([dim], rank) and not call.data.shape[dim]


@DEPARTURES.add("torch-negative-repeats", example((0,), dims=(-2,)))
def _tiles_nothing(call: Call) -> bool:
    """Whether there are negative repeats, and all of them are of axes without elements."""
    repeats = np.ravel(call.arguments["dims"]).tolist()
    extents = [*[1] * (len(repeats) - call.data.ndim), *call.data.shape]
    negative = [extent for extent, n in zip(extents[::-1], repeats[::-1], strict=False) if n < 0]
    return bool(negative) and not any(negative)


@DEPARTURES.add("torch-ellipses", example((2,), index=(..., ...)))
def _has_two_ellipses(call: Call) -> bool:
    """Whether PyTorch takes an index with two ellipses that is right without the second."""
    index = call.arguments["index"]
    if not isinstance(index, tuple) or sum(place is ... for place in index) < 2:
        return False
    first = index.index(...)
    rest = [place for place in index[first + 1 :] if place is not ...]
    behind = index[first + 1 + index[first + 1 :].index(...) :]
    named = sum(place is not None and place is not ... for place in index)
    # Each ellipsis stands for all axes that have no place of their own.
    if named < call.data.ndim and any(place is not ... for place in behind):
        return False
    if any(isinstance(place, slice) and (place.step or 1) < 0 for place in index):
        return False
    without_second = (*index[: first + 1], *rest)
    return outcome_of(lambda: np.empty(call.data.shape, bool)[without_second], IndexError, ValueError) is not None


def _unfolded(call: Call) -> Array:
    """Return blocks as columns; raise ValueError where fastops refuses the call."""
    defaults = {"dilation": 1, "padding": 0, "stride": 1}
    values = [(defaults | call.arguments)[name] for name in ("kernel_size", "stride", "dilation", "padding")]
    pairs = [[value] * 2 if isinstance(value, int) else value for value in values]
    x = call.data
    if x.ndim not in (3, 4) or 0 in x.shape[-3:] or min(map(min, pairs[:3])) < 1 or min(pairs[3]) < 0:
        raise ValueError("no images or no blocks")
    cuts = [Cut(x.ndim - 2 + k, *numbers, numbers[-1]) for k, numbers in enumerate(zip(*pairs, strict=True))]
    found = np.moveaxis(patches(x, *cuts), (-2, -1), (-4, -3))
    return found.reshape([*x.shape[:-3], x.shape[-3] * pairs[0][0] * pairs[0][1], found.shape[-2] * found.shape[-1]])


@DEPARTURES.add("torch-unfold-integers", example((1, 2, 2), kernel_size=2), _unfolded)
def _unfolds_integers(call: Call) -> bool:
    return call.data.dtype.kind in "iu" and outcome_of(lambda: _unfolded(call), ValueError) is not None


_MODES = {"reflect": "reflect", "replicate": "clamp", "circular": "wrap"}

# The numbers of padded axes and of all axes for which PyTorch has kernels, in modes other than constant.
_SUPPORTED = ((1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (3, 5))


def _sides(call: Call) -> list[tuple[int, int, int]]:
    """The extent and the pads of each axis, the last axes first."""
    pads = call.arguments["pad"]
    return list(zip(call.data.shape[::-1], pads[::2], pads[1::2], strict=False))


def _left(extent: int, before: int, after: int) -> int:
    """The length of an axis after its sides are cropped."""
    return extent + min(before, 0) + min(after, 0)


def _are_pairs(call: Call) -> bool:
    pads = call.arguments["pad"]
    return len(pads) % 2 == 0 and len(pads) <= 2 * call.data.ndim


def _padded(call: Call) -> Array:
    """Return the answer in modes other than constant; raise ValueError where fastops refuses the call."""
    data, mode, sides = call.data, call.arguments["mode"], _sides(call)
    pads = [(0, 0)] * (data.ndim - len(sides)) + [side[1:] for side in sides[::-1]]
    if mode == "circular":
        if any(_left(*each) < 0 for each in sides):
            raise ValueError("more is cropped than there is")
        sides_in_order = zip(data.shape, pads, strict=True)
        data = data[tuple([slice(max(-low, 0), extent + min(high, 0)) for extent, (low, high) in sides_in_order])]
        pads = [(max(low, 0), max(high, 0)) for low, high in pads]
    size = [extent + low + high for extent, (low, high) in zip(data.shape, pads, strict=True)]
    # NumPy raises ValueError for too many elements and for negative sizes.
    np.empty(size, data.dtype)
    try:
        return _oracle.slice_(data, [-low for low, _ in pads], size, [1] * data.ndim, _MODES[mode])
    except IndexError as error:
        raise ValueError("an empty axis") from error


def _limit(call: Call) -> str:
    """Return the limit by which PyTorch refuses a pad in modes other than constant; an empty text if none does."""
    mode, sides, shape = call.get("mode", "constant"), _sides(call), call.data.shape
    if mode not in _MODES or not _are_pairs(call) or call.get("value") not in (None, 0):
        return ""
    if mode == "circular" and _is_undefined(call):
        return "undefined"
    if outcome_of(lambda: _padded(call), ValueError) is None:
        return ""
    if (len(sides), len(shape)) not in _SUPPORTED:
        return "axes"
    if mode != "circular" and 0 in shape[len(shape) - len(sides) - 1 :]:
        return "empty"
    # It reflects less than an axis, and wraps around all of it.
    most = {"reflect": -1, "circular": 0}.get(mode)
    if most is not None and any(max(before, after) > extent + most for extent, before, after in sides):
        return "periods"
    if mode == "circular":
        return ""
    if all(sum(each) < 1 for each in sides):
        return "cropped"
    return "bool" if call.data.dtype == bool else ""


def _is_undefined(call: Call) -> bool:
    """Whether PyTorch takes a call that wraps around more than the rest of a cropped axis."""
    sides = _sides(call)
    if (len(sides), call.data.ndim) not in _SUPPORTED:
        return False
    if any(max(before, after) > extent or extent + before + after < 0 for extent, before, after in sides):
        return False
    return any(_left(*each) < max(each[1:]) and min(each[1:]) < 0 for each in sides)


_EXAMPLES = {
    "axes": example((3,), 2, pad=(1, 1), mode="reflect"),
    "empty": example((2, 0, 3), 2, pad=(1, 0), mode="reflect"),
    "periods": example((1, 2), 2, pad=(0, 3), mode="circular"),
    "cropped": example((1, 2), 2, pad=(-1, -1), mode="replicate"),
    "bool": example((1, 2), 2, "bool", pad=(1, 0), mode="replicate"),
    "undefined": example((1, 5), 2, pad=(4, -2), mode="circular"),
}
DEPARTURES.add_each("torch-pad", _limit, _EXAMPLES, _padded)


@DEPARTURES.add("torch-pad-unread", example((3,), 1, "uint8", pad=(-1, 0), value=300))
def _is_unread(call: Call) -> bool:
    """Whether an integer type does not hold the value, and no element gets it."""
    value, dtype, pads = call.get("value"), call.data.dtype, call.arguments["pad"]
    if call.get("mode", "constant") != "constant" or value is None or dtype.kind not in "iu":
        return False
    if not _are_pairs(call) or max(pads, default=0) > 0 or min([_left(*each) for each in _sides(call)], default=0) < 0:
        return False
    return not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max
