"""Where PyTorch and fastops answer differently."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.conformance._departure_table import departure
from tests.conformance._live import Call
from tests.conformance._live_draws import numbered
from tests.conformance._outcomes import Array
from tests.conformance._torch_pad_departures import PADS
from tests.helpers.patch_oracle import Cut, patches

# PyTorch tells sizes that are not known yet by lower numbers than that.
_LOWEST = -(2**62)


def _named(value: int | Sequence[int] | None) -> list[int]:
    return [] if value is None else [value] if isinstance(value, int) else list(value)


def _are_axes(axes: Sequence[int], rank: int) -> bool:
    return all(-rank <= axis < rank for axis in axes)


def _shifts_and_dims(call: Call) -> tuple[list[int], list[int]]:
    return _named(call.arguments["shifts"]), _named(call.arguments.get("dims"))


def _has_low_shift(call: Call) -> bool:
    shifts, dims = _shifts_and_dims(call)
    is_right = len(shifts) == 1 if not dims else len(shifts) == len(dims) and _are_axes(dims, call.data.ndim)
    return is_right and min(shifts) < _LOWEST


def _rolled(call: Call) -> Array:
    shifts, dims = _shifts_and_dims(call)
    if not dims:
        return np.roll(call.data, shifts[0])
    # Modulo the axes: NumPy adds up the shifts of an axis in int64.
    near = [shift % (call.data.shape[axis] or 1) for shift, axis in zip(shifts, dims, strict=True)]
    return np.roll(call.data, near, dims)


def _rolls_nothing(call: Call) -> bool:
    shifts, dims = _shifts_and_dims(call)
    is_listed = bool(dims) and len(shifts) == len(dims) and min(shifts) >= _LOWEST
    return is_listed and not call.data.size and not _are_axes(dims, call.data.ndim)


def _splits_nothing(call: Call) -> bool:
    dim, rank = call.arguments.get("dim", 0), call.data.ndim
    sizes = call.arguments["split_size_or_sections"]
    return not isinstance(sizes, int) and not sizes and _are_axes([dim], rank) and not call.data.shape[dim]


def _tiles_nothing(call: Call) -> bool:
    """Whether all negative repeats, of which there are some, are of axes without elements."""
    dims = call.arguments["dims"]
    extents = [*[1] * (len(dims) - call.data.ndim), *call.data.shape]
    negative = [extent for extent, n in zip(extents[::-1], dims[::-1], strict=False) if n < 0]
    return bool(negative) and not any(negative)


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


def _shuffles(call: Call) -> bool:
    size, shape = call.arguments["upscale_factor"], call.data.shape
    return len(shape) >= 3 and size >= 1 and not shape[-3] % size**2


def _unshuffles(call: Call) -> bool:
    size, shape = call.arguments["downscale_factor"], call.data.shape
    return len(shape) >= 3 and size >= 1 and not shape[-1] % size and not shape[-2] % size


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


def _shuffled(call: Call) -> Array:
    *leading, channels, height, width = call.data.shape
    n, size = len(leading), call.arguments["upscale_factor"]
    blocks = call.data.reshape([*leading, channels // size**2, size, size, height, width])
    order = [*range(n), n, n + 3, n + 1, n + 4, n + 2]
    return blocks.transpose(order).reshape([*leading, channels // size**2, height * size, width * size])


def _unshuffled(call: Call) -> Array:
    *leading, channels, height, width = call.data.shape
    n, size = len(leading), call.arguments["downscale_factor"]
    blocks = call.data.reshape([*leading, channels, height // size, size, width // size, size])
    order = [*range(n), n, n + 2, n + 4, n + 1, n + 3]
    return blocks.transpose(order).reshape([*leading, channels * size**2, height // size, width // size])


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


def _unfolds_integers(call: Call) -> bool:
    if call.data.dtype.kind not in "iu":
        return False
    try:
        _unfolded(call)
    except ValueError:
        return False
    return True


DEPARTURES = (
    *PADS,
    departure(
        "torch-shuffle-channels-last",
        lambda call: _shuffles(call) and _are_channels_last(call.data),
        Call(numbered((1, 1, 1, 2, 2)).transpose(0, 4, 1, 2, 3), {"upscale_factor": 1}, 1),
        _shuffled,
    ),
    departure(
        "torch-empty-images",
        lambda call: _unshuffles(call) and not call.data.size and call.arguments["downscale_factor"] > 1,
        Call(numbered((4, 2, 0)), {"downscale_factor": 2}, 1),
        _unshuffled,
    ),
    departure(
        "torch-unshuffle-channels-last",
        lambda call: _unshuffles(call) and _are_channels_last(call.data),
        Call(numbered((1, 1, 1, 2, 2)).transpose(0, 4, 1, 2, 3), {"downscale_factor": 1}, 1),
        _unshuffled,
    ),
    departure("torch-roll-nothing", _rolls_nothing, Call(numbered((0, 2)), {"shifts": 1, "dims": 7}, 2)),
    departure(
        "torch-roll-low-shift", _has_low_shift, Call(numbered((4,)), {"shifts": -(2**63) + 1, "dims": 0}, 2), _rolled
    ),
    departure("torch-split-nothing", _splits_nothing, Call(numbered((0, 2)), {"split_size_or_sections": []}, 1)),
    departure("torch-ellipses", _has_two_ellipses, Call(numbered((2,)), {"index": (..., ...)}, 1)),
    departure("torch-negative-repeats", _tiles_nothing, Call(numbered((0,)), {"dims": (-2,)}, 1)),
    departure("torch-unfold-integers", _unfolds_integers, Call(numbered((1, 2, 2)), {"kernel_size": 2}, 1), _unfolded),
)
