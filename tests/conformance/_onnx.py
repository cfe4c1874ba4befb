"""Random calls of the functions of fastops.onnx, and where they depart from ONNX Runtime."""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import Any

import numpy as np

from tests.conformance import _draws
from tests.conformance._calls import LEFT_OUT, Array, Call, Dice, are_axes, data_of, example, extent_of
from tests.conformance._draws import Draw, family
from tests.conformance._live import Departures, are_alike
from tests.helpers import oracle

_PADS = ("float32", "int32", "uint8", "int64", "bool", "float64", "int8", "uint32", "uint64", "float16")


class OnnxDice(Dice):
    """Arguments in the forms that onnx takes."""

    dtypes = (*_PADS, "int16", "uint16")
    index_types = ("int64",)


def quiet(draw: Draw) -> Draw:
    """Return a draw without signalling NaNs of float16: some kernels go over float32, which makes NaNs quiet."""

    def drawn(rng: OnnxDice) -> Call:
        call = draw(rng)
        if call.data.dtype == np.float16:
            call.data[np.isnan(call.data)] = np.nan
        return call

    return drawn


@family
def crops(rng: OnnxDice) -> Call:
    data = rng.data(None, _PADS)
    axes = rng.axes(data.ndim, rng.randint(min(1, data.ndim), data.ndim)) if rng.random() < 0.5 else LEFT_OUT
    n = data.ndim if axes is LEFT_OUT else len(axes)
    shape = [rng.randint(0 if rng.random() < 0.1 else 1, 7 if data.ndim < 5 else 3) for _ in range(n)]
    rng.spoil(shape, 0.05, (-1,))
    if rng.random() < 0.05:
        shape = shape[1:] if rng.random() < 0.5 else [*shape, 2]
    return rng.call(data, {"shape": rng.listed(shape)}, {"axes": axes})


@family
def pads(rng: OnnxDice) -> Call:
    """Pads of all modes; some crop, and some reach over several periods."""
    data = rng.data(None, _PADS)
    axes: Any = LEFT_OUT
    named = list(range(data.ndim))
    if rng.random() < 0.4:
        named = rng.axes(data.ndim, rng.randint(min(1, data.ndim), data.ndim), 0.05)
        axes = rng.listed(named, types=("int32", "int64"))
    mode = rng.choice(("constant", "constant", "edge", "reflect", "wrap"))
    is_far = rng.random() < 0.1 and data.ndim < 4
    pairs = rng.pads([extent_of(data.shape, axis) for axis in named], None if is_far else mode, 7 if is_far else 4)
    sides = [pair[k] for k in range(2) for pair in pairs]
    rng.spoil(sides, 0.25, (-1, -1, -2, -3))
    if rng.random() < 0.03:
        sides.append(0)
    value: Any = LEFT_OUT
    if rng.random() < 0.5:
        value = data.dtype.type(rng.choice((0, 1, 1, 7, 100)))
        value = value if rng.random() < 0.5 else np.array(value)
    mode = LEFT_OUT if mode == "constant" and rng.random() < 0.3 else rng.mostly((mode,), ("Edge",), 0.02)
    return rng.call(data, {"pads": rng.listed(sides), "constant_value": value, "axes": axes}, {"mode": mode})


@family
def ranges(rng: OnnxDice) -> Call:
    """Numbers of one type; a few are of another."""
    dtype = rng.choice(("int16", "int32", "int64", "float32", "float64"))
    values = rng.range(of_floats=dtype[0] == "f")
    if rng.random() < 0.06:
        most = 2 ** {"int16": 15, "int32": 31}.get(dtype, 63)
        start, limit, delta = rng.choice(((most - 3, most - 1, most // 8), (5 - most, -most, -most // 8)))
        values = [rng.choice((values[0], start)), limit, delta]
    typed = [np.dtype(dtype).type(value) for value in values]
    rng.spoil(typed, 0.03, [np.dtype("float32" if dtype == "int64" else "int64").type(1)])
    return rng.call(None, dict(zip(("start", "limit", "delta"), typed, strict=True)))


@family
def splits(rng: OnnxDice) -> Call:
    data = rng.data()
    axis: Any = rng.axis(data.ndim)
    parts: Any = LEFT_OUT
    number: Any = LEFT_OUT
    if rng.random() < 0.6:
        lengths = rng.lengths(extent_of(data.shape, axis))
        if rng.random() < 0.12:
            lengths[rng.randrange(len(lengths))] += rng.choice((-1, 1, -7, 2**40))
        parts = rng.listed(lengths)
    # Beside lengths, ONNX Runtime takes -1 for no number: it marks a missing number by -1.
    if parts is LEFT_OUT or rng.random() < 0.02:
        number = rng.mostly(range(1, 6), (0, -1 if parts is LEFT_OUT else 0), 0.05)
    axis = LEFT_OUT if axis == 0 and rng.random() < 0.7 else axis
    return rng.call(data, {"split": parts}, {"axis": axis, "num_outputs": number})


_images = partial(
    *(_draws.images, "blocksize"),
    others={"mode": ((LEFT_OUT, "DCR", "CRD"), ("dcr", "RCD"))},
    dtypes=("float32", "float16", "float64", "uint8", "int8"),
)

DRAWS: dict[str, Draw] = {
    "center_crop_pad": quiet(crops()),
    "depth_to_space": quiet(_images(lambda size, _: {1: size * size})),
    "expand": _draws.expansions(is_mutual=True),
    "pad": quiet(pads()),
    "range": ranges(),
    "slice": _draws.bounded_slices("starts", "ends", "steps", "axes", order=(0, 1, 3, 2), has_default=True),
    "space_to_depth": _images(lambda size, _: {2: size, 3: size}),
    "split": splits(),
    "tile": quiet(_draws.tiles("repeats", -1, -3)),
    "transpose": _draws.transposes("perm", LEFT_OUT, is_counted_back=False),
}

DEPARTURES = Departures()


def _is_right_crop(call: Call, *, may_spread: bool = False) -> bool:
    """Whether a crop is right, but lengths may be negative, and one length may be given for several axes."""
    axes, n = call.get("axes", range(call.data.ndim)), len(call.arguments["shape"])
    return are_axes(axes, call.data.ndim) and (n == len(axes) or (may_spread and n == 1))


@DEPARTURES.add("onnx-crop-negative", example((2,), shape=[-1]))
def _crops_to_less_than_nothing(call: Call) -> bool:
    return _is_right_crop(call) and min(call.arguments["shape"], default=0) < 0


@DEPARTURES.add("onnx-crop-spread", example((1, 1), shape=[1]))
def _crops_all_alike(call: Call) -> bool:
    return not _is_right_crop(call) and _is_right_crop(call, may_spread=True) and call.data.ndim > 0


@DEPARTURES.add("onnx-crop-rank-0", example((), shape=[]), data_of)
def _crops_no_axes(call: Call) -> bool:
    return not call.data.ndim and _is_right_crop(call)


def _ranged(call: Call, *, is_accumulated: bool = False) -> Array:
    """A range of floats, counted in float64. ONNX Runtime accumulates: it adds the step to the element before."""
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


@DEPARTURES.add("onnx-slice-rank-0", example((), 2, starts=[], ends=[]), data_of)
def _slices_no_axes(call: Call) -> bool:
    return not call.data.ndim and not any(map(len, call.arguments.values()))


def _bounds(call: Call) -> dict[int, tuple[int, int, int]] | None:
    """The start, end and step of each axis that is named; None for a wrong call."""
    n = len(call.arguments["starts"])
    defaults = {"starts": [], "ends": [], "steps": [1] * n, "axes": range(n)}
    starts, ends, steps, axes = ([int(each) for each in call.get(name, defaults[name])] for name in defaults)
    if not len(starts) == len(ends) == len(steps) == len(axes) or 0 in steps or not are_axes(axes, call.data.ndim):
        return None
    return dict(zip([axis % call.data.ndim for axis in axes], zip(starts, ends, steps, strict=True), strict=True))


def _sliced(call: Call) -> Array:
    bounds: Any = _bounds(call)
    named = [bounds.get(axis, (0, extent, 1)) for axis, extent in enumerate(call.data.shape)]
    return oracle.strided_slice(call.data, *zip(*named, strict=True))


@DEPARTURES.add("onnx-slice-far-behind", example((2,), 2, starts=[1], ends=[2**63 - 1], steps=[-1]), _sliced)
def _ends_far_behind(call: Call) -> bool:
    """Whether the end of a negative step is the largest integer of an index type."""
    bounds = _bounds(call) or {}
    ends = [end for axis, (_, end, step) in bounds.items() if step < 0 and call.data.shape[axis]]
    return 2**31 - 1 in ends or 2**63 - 1 in ends


@DEPARTURES.add("onnx-space-to-depth-broken", example((1, 1, 0, 3), blocksize=2))
def _has_broken_blocks(call: Call) -> bool:
    """Whether images without elements have rows or columns that blocks do not divide."""
    size, mode = call.arguments["blocksize"], call.get("mode", "DCR")
    is_right = call.data.ndim == 4 and not call.data.size and size >= 1 and mode in ("DCR", "CRD")
    return is_right and any(extent % size for extent in call.data.shape[2:])


#: The extent of an axis, and the pads before and behind it.
Sides = list[tuple[int, int, int]]


def _mode(call: Call) -> Any:
    return call.get("mode", "constant")


def _sides(call: Call, *, may_repeat: bool = False) -> Sides | None:
    """Return the pads of each axis, the last pads where an axis is named twice; None for a wrong call."""
    rank, mode = call.data.ndim, _mode(call)
    axes = [int(axis) for axis in call.get("axes", range(rank))]
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
    """The length of each axis after it is cropped, before it is padded."""
    return [extent + min(low, 0) + min(high, 0) for extent, low, high in sides]


def _padded(call: Call) -> Array:
    """The answer in modes other than constant: fastops crops each axis first, and pads the rest."""
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


_EXAMPLES = {
    "rank-0": example((), pads=[]),
    "reflects": example((2,), pads=[2, 0], mode="reflect"),
    "nothing-left": example((1,), pads=[-1, 0], mode="edge"),
}
DEPARTURES.add_each("onnx-pad", _reason, _EXAMPLES, _padded)


@DEPARTURES.add("onnx-pad-one-axis-twice", example((1,), pads=[1, 2, 0, 0], axes=[0, -1]))
def _takes_last(call: Call) -> bool:
    """Whether an axis is named twice in a call that is right otherwise."""
    return _reason(call, may_repeat=True) == ""
