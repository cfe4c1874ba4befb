"""Random calls of the functions of fastops.onnx, and where they depart from ONNX Runtime."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil
from typing import Any

import numpy as np

from tests.conformance._calls import LEFT_OUT, Call, Dice, are_axes, example, extent_of
from tests.conformance._live import Array, Departures, are_alike
from tests.helpers import oracle

_PADS = ("float32", "int32", "uint8", "int64", "bool", "float64", "int8", "uint32", "uint64", "float16")
_ALL = (*_PADS, "int16", "uint16")
_IMAGES = ("float32", "float16", "float64", "uint8", "int8")


def _quiet(rng: Dice, shape: Sequence[int], dtypes: Sequence[str]) -> Array:
    """An array whose NaNs of float16 are quiet.

    Some kernels of ONNX Runtime have no float16 and go over float32, which makes all of them quiet.
    """
    data = rng.data(shape, dtypes)
    if data.dtype == np.float16:
        data[np.isnan(data)] = np.nan
    return data


def draw_center_crop_pad(rng: Dice) -> Call:
    data = _quiet(rng, rng.shape(), _PADS)
    axes: Any = LEFT_OUT
    n = data.ndim
    if rng.random() < 0.5:
        axes = rng.axes(n, rng.randint(min(1, n), n))
        n = len(axes)
    shape = [rng.randint(0 if rng.random() < 0.1 else 1, 7 if data.ndim < 5 else 3) for _ in range(n)]
    rng.spoil(shape, 0.05, (-1,))
    if rng.random() < 0.05:
        shape = shape[1:] if rng.random() < 0.5 else [*shape, 2]
    return rng.call(data, {"shape": rng.given(shape, "int64")}, {"axes": axes})


def draw_depth_to_space(rng: Dice) -> Call:
    size = rng.block_size()
    data = _quiet(rng, rng.images({1: size * size}), _IMAGES)
    return rng.call(data, {"blocksize": size, "mode": _draw_mode(rng)})


def draw_space_to_depth(rng: Dice) -> Call:
    size = rng.block_size()
    return rng.call(rng.data(rng.images({2: size, 3: size}), _IMAGES), {"blocksize": size, "mode": _draw_mode(rng)})


def _draw_mode(rng: Dice) -> Any:
    return rng.choice((LEFT_OUT, "DCR", "CRD")) if rng.random() < 0.97 else rng.choice(("dcr", "RCD"))


def draw_expand(rng: Dice) -> Call:
    shape = rng.shape()
    target = [extent if rng.random() < 0.5 else 1 for extent in shape]
    shape = [1 if rng.random() < 0.3 else extent for extent in shape]
    if len(shape) < 5 and rng.random() < 0.4:
        target = [rng.randint(1, 3) for _ in range(rng.randint(1, 2))] + target
    target = [rng.randint(1, 4) if extent == 1 and rng.random() < 0.5 else extent for extent in target]
    target = target[rng.randint(0, min(2, len(target))) :] if rng.random() < 0.2 else target
    rng.spoil(target, 0.1, (0, -1, 6))
    return rng.call(rng.data(shape, _ALL), {"shape": rng.given(target, "int64")})


def draw_pad(rng: Dice) -> Call:
    """Pads of all modes, of which some crop and some reach over several periods."""
    shape = rng.shape()
    data = _quiet(rng, shape, _PADS)
    axes: Any = LEFT_OUT
    named = list(range(len(shape)))
    if rng.random() < 0.4:
        named = rng.axes(len(shape), rng.randint(min(1, len(shape)), len(shape)), 0.05)
        axes = rng.given(named, "int32", "int64")
    mode = rng.choice(("constant", "constant", "edge", "reflect", "wrap"))
    far = rng.random() < 0.1
    sides = []
    for extent in [extent_of(shape, axis) for axis in named * 2]:
        most = {"reflect": max(extent - 1, 0), "wrap": extent}.get(mode, 3)
        sides.append(rng.randint(0, 7 if far and len(shape) < 4 else min(most, 4)))
    rng.spoil(sides, 0.25, (-1, -1, -2, -3))
    if rng.random() < 0.03:
        sides.append(0)
    value: Any = LEFT_OUT
    if rng.random() < 0.5:
        value = data.dtype.type(rng.choice((0, 1, 1, 7, 100)))
        value = value if rng.random() < 0.5 else np.array(value)
    mode = LEFT_OUT if mode == "constant" and rng.random() < 0.3 else mode if rng.random() < 0.98 else "Edge"
    return rng.call(data, {"pads": rng.given(sides, "int64"), "constant_value": value, "axes": axes}, {"mode": mode})


def draw_range(rng: Dice) -> Call:
    """Numbers of one type, of which few are of another."""
    dtype = rng.choice(("int16", "int32", "int64", "float32", "float64"))
    values = rng.range(of_floats=dtype[0] == "f")
    if rng.random() < 0.06:
        most = 2 ** {"int16": 15, "int32": 31}.get(dtype, 63)
        start, limit, delta = rng.choice(((most - 3, most - 1, most // 8), (5 - most, -most, -most // 8)))
        values = [rng.choice((values[0], start)), limit, delta]
    typed = [np.dtype(dtype).type(value) for value in values]
    rng.spoil(typed, 0.03, [np.dtype("float32" if dtype == "int64" else "int64").type(1)])
    return rng.call(None, dict(zip(("start", "limit", "delta"), typed, strict=True)))


def draw_slice(rng: Dice) -> Call:
    shape = rng.shape()
    named = rng.axes(len(shape), rng.randint(min(1, len(shape)), len(shape)))
    named = named if rng.random() < 0.7 else list(range(len(named)))
    starts, ends, steps, axes = rng.slices(shape, named)
    lists = rng.all_given({"starts": starts, "ends": ends, "axes": axes, "steps": steps})
    if axes == list(range(len(axes))) and rng.random() < 0.7:
        lists["axes"] = LEFT_OUT
    if rng.random() < 0.25:
        lists["steps"] = LEFT_OUT
    return rng.call(rng.data(shape, _ALL), lists)


def draw_split(rng: Dice) -> Call:
    shape = rng.shape()
    axis = rng.axis(len(shape))
    parts: Any = LEFT_OUT
    number: Any = LEFT_OUT
    if rng.random() < 0.6:
        lengths = rng.lengths(extent_of(shape, axis))
        if rng.random() < 0.12:
            lengths[rng.randrange(len(lengths))] += rng.choice((-1, 1, -7, 2**40))
        parts = rng.given(lengths, "int64")
    # Beside lengths, ONNX Runtime takes -1 for no number, which is how it marks a missing one.
    if parts is LEFT_OUT or rng.random() < 0.02:
        number = rng.randint(1, 5) if rng.random() < 0.95 else rng.choice((0, -1 if parts is LEFT_OUT else 0))
    axis = LEFT_OUT if axis == 0 and rng.random() < 0.7 else axis
    return rng.call(rng.data(shape, _ALL), {"split": parts}, {"axis": axis, "num_outputs": number})


def draw_tile(rng: Dice) -> Call:
    shape = rng.shape()
    repeats = rng.repeats(len(shape))
    if rng.random() < 0.05:
        repeats.append(1)
    return rng.call(_quiet(rng, shape, _ALL), {"repeats": rng.given(repeats, "int64")})


def draw_transpose(rng: Dice) -> Call:
    shape = rng.shape()
    perm = rng.listed(rng.order(len(shape))) if rng.random() < 0.85 else LEFT_OUT
    return rng.call(rng.data(shape, _ALL), {"perm": perm})


DEPARTURES = Departures()


def _data(call: Call) -> Array:
    return call.data


def _is_right_crop(call: Call, *, may_spread: bool = False) -> bool:
    """Whether a call of CenterCropPad is right, but that lengths may be negative, or one be that of several axes."""
    axes, n = call.arguments.get("axes", range(call.data.ndim)), len(call.arguments["shape"])
    return are_axes(axes, call.data.ndim) and (n == len(axes) or (may_spread and n == 1))


@DEPARTURES.add("onnx-crop-negative", example((2,), shape=[-1]))
def _crops_to_less_than_nothing(call: Call) -> bool:
    return _is_right_crop(call) and min(call.arguments["shape"], default=0) < 0


@DEPARTURES.add("onnx-crop-spread", example((1, 1), shape=[1]))
def _crops_all_alike(call: Call) -> bool:
    return not _is_right_crop(call) and _is_right_crop(call, may_spread=True) and call.data.ndim > 0


@DEPARTURES.add("onnx-crop-rank-0", example((), shape=[]), _data)
def _crops_no_axes(call: Call) -> bool:
    return not call.data.ndim and _is_right_crop(call)


def _ranged(call: Call, *, is_accumulated: bool = False) -> Array:
    """A range of floats, counted in float64: each element by itself, or, as ONNX Runtime does, from the one before."""
    start, limit, delta = call.arguments.values()
    count = max(ceil((float(limit) - float(start)) / float(delta)), 0)
    if is_accumulated:
        return np.add.accumulate(np.array([start, *[delta] * count][:count], start.dtype))
    return start + np.arange(count).astype(start.dtype) * delta


@DEPARTURES.add(
    "onnx-range", Call(None, {"start": np.float32(-0.0), "limit": np.float32(1), "delta": np.float32(1)}, 3), _ranged
)
def _drifts(call: Call) -> bool:
    start, limit, delta = numbers = [*call.arguments.values()]
    is_right = start.dtype == limit.dtype == delta.dtype and np.isfinite(numbers).all() and delta != 0
    return is_right and start.dtype.kind == "f" and not are_alike(_ranged(call, is_accumulated=True), _ranged(call))


@DEPARTURES.add("onnx-slice-rank-0", example((), 2, starts=[], ends=[]), _data)
def _slices_no_axes(call: Call) -> bool:
    return not call.data.ndim and not any(map(len, call.arguments.values()))


def _bounds(call: Call) -> dict[int, tuple[int, int, int]] | None:
    """The start, end and step of each axis that is sliced; None for a call that is wrong."""
    n = len(call.arguments["starts"])
    defaults = {"starts": [], "ends": [], "steps": [1] * n, "axes": range(n)}
    starts, ends, steps, axes = ([int(each) for each in call.arguments.get(name, defaults[name])] for name in defaults)
    if not len(starts) == len(ends) == len(steps) == len(axes) or 0 in steps or not are_axes(axes, call.data.ndim):
        return None
    return dict(zip([axis % call.data.ndim for axis in axes], zip(starts, ends, steps, strict=True), strict=True))


def _sliced(call: Call) -> Array:
    bounds: Any = _bounds(call)
    named = [bounds.get(axis, (0, extent, 1)) for axis, extent in enumerate(call.data.shape)]
    return oracle.strided_slice(call.data, *zip(*named, strict=True))


@DEPARTURES.add("onnx-slice-far-behind", example((2,), 2, starts=[1], ends=[2**63 - 1], steps=[-1]), _sliced)
def _ends_far_behind(call: Call) -> bool:
    """Whether an axis is read backwards, from an end of exactly the most that an index type holds."""
    bounds = _bounds(call) or {}
    ends = [end for axis, (_, end, step) in bounds.items() if step < 0 and call.data.shape[axis]]
    return 2**31 - 1 in ends or 2**63 - 1 in ends


@DEPARTURES.add("onnx-space-to-depth-broken", example((1, 1, 0, 3), blocksize=2))
def _has_broken_blocks(call: Call) -> bool:
    """Whether images without elements have rows or columns that blocks do not divide."""
    size, mode = call.arguments["blocksize"], call.arguments.get("mode", "DCR")
    is_right = call.data.ndim == 4 and not call.data.size and size >= 1 and mode in ("DCR", "CRD")
    return is_right and any(extent % size for extent in call.data.shape[2:])


#: The extent of an axis, and the pads before and behind it.
Sides = list[tuple[int, int, int]]


def _mode(call: Call) -> Any:
    return call.arguments.get("mode", "constant")


def _sides(call: Call, *, may_repeat: bool = False) -> Sides | None:
    """Return the pads of each axis; None if the call is wrong. Of an axis that is named twice, the last count."""
    rank, mode = call.data.ndim, _mode(call)
    axes = [int(axis) for axis in call.arguments.get("axes", range(rank))]
    pads = [int(pad) for pad in call.arguments["pads"]]
    if len(pads) != 2 * len(axes) or mode not in ("constant", "edge", "wrap", "reflect"):
        return None
    if not are_axes(axes, rank, may_repeat=may_repeat) or (may_repeat and are_axes(axes, rank)):
        return None
    named = dict(zip([axis % rank for axis in axes], zip(pads, pads[len(axes) :], strict=False), strict=True))
    sides = [(extent, *named.get(axis, (0, 0))) for axis, extent in enumerate(call.data.shape)]
    counts = [sum(each) for each in sides]
    is_read = 0 not in counts and mode != "constant" and min(_left(sides), default=1) <= 0
    return None if min(counts, default=0) < 0 or is_read else sides


def _left(sides: Sides) -> list[int]:
    """The elements of each axis that are left once it is cropped, before it is padded."""
    return [extent + min(low, 0) + min(high, 0) for extent, low, high in sides]


def _padded(call: Call) -> Array:
    """What a pad in another mode than constant gives, read from what is left of each axis once it is cropped."""
    sides = _sides(call) or []
    if 0 in [sum(each) for each in sides]:
        return np.empty([sum(each) for each in sides], call.data.dtype)
    kept = call.data[tuple([slice(max(-low, 0), d + min(high, 0)) for d, low, high in sides])]
    return np.pad(kept, [(max(low, 0), max(high, 0)) for _, low, high in sides], _mode(call)) if sides else kept


def _reason(call: Call, *, may_repeat: bool = False) -> str:
    """Return why ONNX Runtime refuses a right pad, by the end of its name in the table."""
    sides, mode = _sides(call, may_repeat=may_repeat), _mode(call)
    if not sides:
        return "wrong" if sides is None else "rank-0"
    if mode == "constant":
        return ""
    if mode != "wrap" and not call.data.size:
        return "nothing-left" if any(extent == 0 < low + high for extent, low, high in sides) else ""
    if min(_left(sides)) <= 0:
        return "nothing-left"
    is_near = all(max(low, high) < n for n, (_, low, high) in zip(_left(sides), sides, strict=True))
    return "" if mode != "reflect" or is_near else "reflects"


def _is_for(reason: str, call: Call) -> bool:
    return _reason(call) == reason


for _word, _example in {
    "rank-0": example((), pads=[]),
    "reflects": example((2,), pads=[2, 0], mode="reflect"),
    "nothing-left": example((1,), pads=[-1, 0], mode="edge"),
}.items():
    DEPARTURES.add(f"onnx-pad-{_word}", _example, _padded)(partial(_is_for, _word))


@DEPARTURES.add("onnx-pad-one-axis-twice", example((1,), pads=[1, 2, 0, 0], axes=[0, -1]))
def _takes_last(call: Call) -> bool:
    """Whether an axis is named twice, and all is right but that."""
    return _reason(call, may_repeat=True) == ""
