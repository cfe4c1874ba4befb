"""Where PyTorch and fastops answer differently."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from tests.conformance._calls import Call, are_axes, example, numbered
from tests.conformance._departure_table import Departures
from tests.conformance._outcomes import Array, outcome_of
from tests.conformance._torch_pad_departures import PADS
from tests.helpers import layout_oracle
from tests.helpers.patch_oracle import Cut, patches

DEPARTURES = Departures(PADS)


def _are_channels_last(data: Array) -> bool:
    """Whether PyTorch takes five axes for those of volumes in which the channels are the last in memory."""
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
    return _of_images(layout_oracle.depth_to_space, call, call.arguments["upscale_factor"])


def _unshuffled(call: Call) -> Array:
    return _of_images(layout_oracle.space_to_depth, call, call.arguments["downscale_factor"])


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


# PyTorch tells sizes that are not known yet by lower numbers than that.
_LOWEST = -(2**62)


def _named(value: int | Sequence[int] | None) -> list[int]:
    return [] if value is None else [value] if isinstance(value, int) else list(value)


def _shifts_and_dims(call: Call) -> tuple[list[int], list[int]]:
    return _named(call.arguments["shifts"]), _named(call.arguments.get("dims"))


@DEPARTURES.add("torch-roll-nothing", example((0, 2), 2, shifts=1, dims=7))
def _rolls_nothing(call: Call) -> bool:
    shifts, dims = _shifts_and_dims(call)
    is_listed = bool(dims) and len(shifts) == len(dims) and min(shifts) >= _LOWEST
    return is_listed and not call.data.size and not are_axes(dims, call.data.ndim, may_repeat=True)


def _rolled(call: Call) -> Array:
    shifts, dims = _shifts_and_dims(call)
    if not dims:
        return np.roll(call.data, shifts[0])
    # Modulo the axes: NumPy adds up the shifts of an axis in int64.
    near = [shift % (call.data.shape[axis] or 1) for shift, axis in zip(shifts, dims, strict=True)]
    return np.roll(call.data, near, dims)


@DEPARTURES.add("torch-roll-low-shift", example((4,), 2, shifts=-(2**63) + 1, dims=0), _rolled)
def _has_low_shift(call: Call) -> bool:
    shifts, dims = _shifts_and_dims(call)
    is_right = are_axes(dims, call.data.ndim, may_repeat=True) and len(shifts) == max(len(dims), 1)
    return is_right and min(shifts) < _LOWEST


@DEPARTURES.add("torch-split-nothing", example((0, 2), split_size_or_sections=[]))
def _splits_nothing(call: Call) -> bool:
    dim, rank = call.arguments.get("dim", 0), call.data.ndim
    sizes = call.arguments["split_size_or_sections"]
    return not isinstance(sizes, int) and not sizes and are_axes([dim], rank) and not call.data.shape[dim]


@DEPARTURES.add("torch-negative-repeats", example((0,), dims=(-2,)))
def _tiles_nothing(call: Call) -> bool:
    """Whether all negative repeats of a call, of which there are some, are of axes without elements."""
    repeats = np.ravel(call.arguments["dims"]).tolist()
    extents = [*[1] * (len(repeats) - call.data.ndim), *call.data.shape]
    negative = [extent for extent, n in zip(extents[::-1], repeats[::-1], strict=False) if n < 0]
    return bool(negative) and not any(negative)


@DEPARTURES.add("torch-ellipses", example((2,), index=(..., ...)))
def _has_two_ellipses(call: Call) -> bool:
    """Whether an index has two ellipses, is right without the second, and is one that PyTorch takes."""
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
    try:
        np.empty(call.data.shape, bool)[(*index[: first + 1], *rest)]
    except (IndexError, ValueError):
        return False
    return True


def _unfolded(call: Call) -> Array:
    """Return blocks as columns; a ValueError for what fastops refuses."""
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
