"""Random calls of the functions of fastops.numpy, and where they depart from NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.conformance import _draws
from tests.conformance._calls import EXTREMES, LEFT_OUT, SOME_AXES, Array, Call, Dice, example, extent_of
from tests.conformance._draws import Draw, any_axis, any_index, axes_or_none, calls, family
from tests.conformance._live import departures_of

_NUMBERS = ("float32", "int32", "uint8", "int64", "float16", "bool", "complex128", ">i2")


class NumPyDice(Dice):
    """Arguments in the forms that NumPy takes."""

    dtypes = (*_NUMBERS, ">f4", "m8[s]", "M8[D]", "S3", "V5")
    index_types = (None, "int32")
    lone = 0.5
    extremes = EXTREMES


def or_wrong(draw: Draw, argument: str, *values: Any, **others: Any) -> Draw:
    """Return a draw that at times has a wrong value for an argument, such as a boolean for an integer."""

    def drawn(rng: NumPyDice) -> Call:
        if rng.random() < 0.98:
            return draw(rng)
        return Call(rng.data((2, 2), _NUMBERS), {argument: rng.choice(values), **others})

    return drawn


@family
def pads(rng: NumPyDice) -> Call:
    """Widths in every form; some reach over many periods."""
    data = rng.data(None, _NUMBERS)
    rank = data.ndim
    pairs = rng.pads(data.shape, None, rng.choice((1, 2, 4, 9 if rank < 4 else 3)))
    if rng.random() < 0.05 and rank:
        rng.choice(pairs)[rng.randrange(2)] = rng.choice((-1, -3, 2**62, 2**63))
    width = rng.choice((pairs, pairs, tuple(map(tuple, pairs)), _lone_widths(rng, pairs)))
    wrong = (pairs[1:], [*pairs, [1, 1]], [[1, 1, 1]], [], (True, 1), [[True, False]], True)
    width = rng.choice(wrong) if rng.random() < 0.03 else width
    modes = (LEFT_OUT, "constant", "edge", "reflect", "symmetric", "wrap")
    mode = rng.mostly(modes, ("Edge", "circular", "", "linear_ramp", "maximum", "mean", "median", "minimum"), 0.06)
    keywords: dict[str, Any] = {}
    if mode in (LEFT_OUT, "constant") and rng.random() < 0.6:
        keywords["constant_values"] = _constants(rng, rank)
    elif rng.random() < 0.1:
        keywords["reflect_type"] = rng.choice(("even", "odd"))
    elif rng.random() < 0.02:
        keywords["constant_values"] = 0
    return rng.call(data, {"pad_width": width, "mode": mode}, keywords)


def _lone_widths(rng: NumPyDice, pairs: list[list[int]]) -> Any:
    """One width for all sides, one pair for all axes, one width for each axis, or a dictionary of all axes."""
    low, high = pairs[0] if pairs else (1, 2)
    named = {axis - rng.choice((0, len(pairs))): rng.choice((tuple(pair), pair[0])) for axis, pair in enumerate(pairs)}
    lone = [[pair[0]] for pair in pairs]
    return rng.choice((low, (low,), (low, high), [[low, high]], np.array([low, high]), lone, named, np.int8(low % 9)))


def _constants(rng: NumPyDice, rank: int) -> Any:
    """One constant for all sides, one pair for all axes, a pair or one constant for each axis."""
    numbers = (0, 1, 7, 1.0, 2.5, True, -0.0, np.int8(3), np.float64(1.5), -1, 300)
    pairs = [rng.choices(numbers, k=2) for _ in range(rank or 1)]
    return rng.choice((pairs[0][0], tuple(pairs[0]), pairs, [pair[:1] for pair in pairs]) if rank else pairs[0])


@family
def moved_axes(rng: NumPyDice) -> Call:
    data = rng.data()
    n = rng.choice((1, 1, rng.randint(0, data.ndim)))
    axes = [rng.axes(data.ndim, length, 0.05) for length in (n, n + (rng.random() < 0.03))]
    return rng.call(data, dict(zip(("source", "destination"), rng.lists(*axes), strict=True)))


def _start(rng: NumPyDice, data: Any) -> Any:
    return rng.choice((LEFT_OUT, data.ndim, *[rng.axis(data.ndim)] * 4))


@family
def sliding_windows(rng: NumPyDice) -> Call:
    shape = rng.shape(ranks=(0, 1, 1, 2, 2, 3, 4), extents=(2, 3, 4, 5))
    axes, axis = list(range(len(shape))), rng.choice((LEFT_OUT, None))
    if shape and rng.random() < 0.6:
        axes = rng.axes(len(shape), rng.randint(0, len(shape)), 0.05)
        if axes and rng.random() < 0.1:
            axes.append(axes[0])
        axis = rng.listed(axes)
    sizes = [rng.mostly(range(1, max(2, (extent_of(shape, k) + 3) // 2)), (0,)) for k in axes]
    rng.spoil(sizes, 0.08, (-1, 9, 2**31, 2**63))
    if rng.random() < 0.03:
        sizes.append(1)
    step = rng.choice((LEFT_OUT, LEFT_OUT, 1, 2, 3))
    return rng.call(rng.data(shape), {"window_shape": rng.listed(sizes), "axis": axis}, {"step": step})


@family
def splits(rng: NumPyDice, *, axis: int | None = None, ranks: Sequence[int] = SOME_AXES, divides: bool = True) -> Call:
    """Numbers of parts, or indices that may lie outside; without ``axis``, the axis is drawn."""
    data = rng.data(rng.shape(ranks=ranks) if rng.random() < 0.97 else [])
    at = rng.axis(data.ndim) if axis is None else axis
    extent = extent_of(data.shape, at)
    if rng.random() < 0.4:
        parts = [n for n in range(1, 6) if not (divides and extent % n)] or [1]
        sections = rng.mostly(parts, (0, -1, 5, -(2**63), 2**63, True), 0.1)
    elif rng.random() < 0.8:
        sections = rng.listed(np.cumsum(rng.lengths(extent)).tolist()[:-1], 0)
    else:
        sections = rng.listed([rng.choice((rng.randint(-7, 7), rng.choice(EXTREMES[:2]))) for _ in range(3)])
    if axis is None and rng.random() < 0.2:
        at, sections = LEFT_OUT, (1 if isinstance(sections, int) else sections)
    return rng.call(data, {"indices_or_sections": sections} | ({"axis": at} if axis is None else {}))


@family
def unstacks(rng: NumPyDice) -> Call:
    data = rng.data(rng.shape(ranks=(1, 2, 2, 3, 4)))
    axis = rng.axis(data.ndim) if rng.random() < 0.9 else rng.choice((True, 1.5, 9))
    return rng.call(data, {}, {"axis": axis} if rng.random() < 0.8 else {})


_transposes = _draws.transposes("axes", LEFT_OUT, None)
_BOOLEANS = (True, False)

DRAWS: dict[str, Draw] = {
    "array_split": or_wrong(splits(divides=False), "indices_or_sections", True, 1.5),
    "ascontiguousarray": calls(),
    "broadcast_to": _draws.expansions(),
    "copy": calls(order=lambda rng, _: rng.mostly((*"CKAF", LEFT_OUT), "B", 0.05)),
    "dsplit": splits(axis=2, ranks=(2, *[3] * 9, 4, 5)),
    "flip": or_wrong(calls(axis=axes_or_none), "axis", *_BOOLEANS),
    "fliplr": calls(),
    "flipud": calls(),
    "hsplit": splits(axis=1, ranks=(1, *[2] * 9, 3, 4)),
    "matrix_transpose": calls(),
    "moveaxis": or_wrong(moved_axes(), "source", *_BOOLEANS, destination=0),
    "pad": or_wrong(pads(), "pad_width", {False: 2}, {0: (1, True)}, {0: True, 1: False}),
    "permute_dims": _transposes,
    "repeat": or_wrong(_draws.repeats("repeats", "axis", of_each=0.1), "repeats", True, 2.5),
    "roll": or_wrong(
        or_wrong(_draws.rolls("shift", "axis", LEFT_OUT, None, unequal=0.25), "shift", True, 1.5, "1", 2j),
        *("axis", *_BOOLEANS),
        shift=1,
    ),
    "rollaxis": or_wrong(calls(axis=any_axis, start=_start), "axis", *_BOOLEANS),
    "rot90": or_wrong(_draws.quarter_turns("axes"), "k", *_BOOLEANS),
    "sliding_window_view": or_wrong(sliding_windows(), "axis", *_BOOLEANS, window_shape=1),
    "split": or_wrong(splits(), "indices_or_sections", True),
    "swapaxes": or_wrong(calls(axis1=any_axis, axis2=any_axis), "axis1", *_BOOLEANS, axis2=0),
    "take_slice": calls(index=any_index),
    # The repeats are small: if a tile does not fit in memory, NumPy ends the process.
    "tile": or_wrong(_draws.tiles("reps", -1, -2, fits=False), "reps", True),
    "transpose": _transposes,
    "unstack": unstacks(),
    "vsplit": splits(axis=0, ranks=(1, *[2] * 9, 3, 4)),
}

_NO_AXIS = -(2**31)


def _padded_by_integers(call: Call) -> Array:
    widths = {axis: np.array(width, int).tolist() for axis, width in call.arguments["pad_width"].items()}
    return np.pad(call.data, **{**call.arguments, "pad_width": widths})


DEPARTURES = departures_of(
    {
        "numpy-pad-booleans": (
            example((1,), pad_width={0: True}),
            lambda call: isinstance(call.arguments["pad_width"], dict),
            _padded_by_integers,
        ),
        "numpy-repeat-no-axis": (example((2, 2), repeats=2, axis=_NO_AXIS), lambda call: call.get("axis") == _NO_AXIS),
        "numpy-roll-nothing": (example((), shift=(), axis=()), lambda call: not call.data.ndim),
    }
)
