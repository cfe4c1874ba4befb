"""Random calls of the functions of fastops.numpy, and where they depart from NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tests.conformance._calls import EXTREMES, LEFT_OUT, Call, Dice, example, extent_of
from tests.conformance._live import Array, Departures

_DTYPES = ("float32", "int32", "uint8", "int64", "float16", "bool", "complex128", ">f4", "m8[s]", "M8[D]", "S3", "V5")
_NUMBERS = ("float32", "int32", "uint8", "int64", "float16", "bool", "complex128", ">i2")


def _draw(rng: Dice, shape: Sequence[int] | None = None, dtypes: Sequence[str] = _DTYPES) -> Array:
    return rng.data(rng.shape() if shape is None else shape, dtypes)


def _listed(rng: Dice, values: Sequence[Any], lone: float = 0.5) -> Any:
    """A list, a tuple or an array; a list of one is often a number."""
    if len(values) == 1 and rng.random() < lone:
        return rng.choice((int, np.int32))(values[0]) if abs(values[0]) < 2**31 else values[0]
    # An array of what is beyond int64 would have floats.
    is_long = any(abs(value) >= 2**63 for value in values)
    return rng.choice((list, tuple) if is_long else (list, list, tuple, tuple, np.array))(values)


_Draw = Callable[..., Call]


def _or_number(argument: str, values: Sequence[Any], **others: Any) -> Callable[[_Draw], _Draw]:
    """Let a draw at times give another number, or a text, for an integer."""

    def decorate(draw: _Draw) -> _Draw:
        def drawn(rng: Dice, **settings: Any) -> Call:
            if rng.random() < 0.98:
                return draw(rng, **settings)
            return Call(rng.data((2, 2), _NUMBERS), {argument: rng.choice(values), **others})

        return drawn

    return decorate


@_or_number("pad_width", ({False: 2}, {0: (1, True)}, {0: True, 1: False}))
def draw_pad(rng: Dice) -> Call:
    """Widths in every form, of which some reach over many periods."""
    data = _draw(rng, dtypes=_NUMBERS)
    rank = data.ndim
    most = rng.choice((1, 2, 4, 9 if rank < 4 else 3))
    pairs = [[rng.randint(0, most), rng.randint(0, most)] for _ in range(rank)]
    if rng.random() < 0.05 and rank:
        rng.choice(pairs)[rng.randrange(2)] = rng.choice((-1, -3, 2**62, 2**63))
    width = rng.choice((pairs, pairs, tuple(map(tuple, pairs)), _lone_widths(rng, pairs)))
    if rng.random() < 0.03:
        width = rng.choice((pairs[1:], [*pairs, [1, 1]], [[1, 1, 1]], [], (True, 1), [[True, False]], True))
    mode = rng.choice((LEFT_OUT, "constant", "edge", "reflect", "symmetric", "wrap"))
    if rng.random() < 0.06:
        mode = rng.choice(("Edge", "circular", "", "linear_ramp", "maximum", "mean", "median", "minimum"))
    keywords: dict[str, Any] = {}
    if mode in (LEFT_OUT, "constant") and rng.random() < 0.6:
        keywords["constant_values"] = _draw_values(rng, rank)
    elif rng.random() < 0.1:
        keywords["reflect_type"] = rng.choice(("even", "odd"))
    elif rng.random() < 0.02:
        keywords["constant_values"] = 0
    return rng.call(data, {"pad_width": width, "mode": mode}, keywords)


def _lone_widths(rng: Dice, pairs: list[list[int]]) -> Any:
    """One width for all sides, one pair for all axes, one width an axis, or some axes by name."""
    low, high = pairs[0] if pairs else (1, 2)
    named = {axis - rng.choice((0, len(pairs))): rng.choice((tuple(pair), pair[0])) for axis, pair in enumerate(pairs)}
    lone = [[pair[0]] for pair in pairs]
    return rng.choice((low, (low,), (low, high), [[low, high]], np.array([low, high]), lone, named, np.int8(low % 9)))


def _draw_values(rng: Dice, rank: int) -> Any:
    def number() -> Any:
        return rng.choice((0, 1, 7, 1.0, 2.5, True, -0.0, np.int8(3), np.float64(1.5), -1, 300))

    form = rng.randrange(4)
    if form == 0 or not rank:
        return number()
    if form == 1:
        return (number(), number())
    pairs = [(number(), number()) for _ in range(rank)]
    return pairs if form == 2 else [[each[0]] for each in pairs] if rng.random() < 0.5 else number()


def draw_transpose(rng: Dice) -> Call:
    data = _draw(rng)
    n = max(0, data.ndim - (rng.random() < 0.05))
    axes = rng.choice((LEFT_OUT, None)) if rng.random() < 0.2 else _listed(rng, rng.axes(data.ndim, n))
    return rng.call(data, {"axes": axes})


draw_permute_dims = draw_transpose


@_or_number("source", (True, False), destination=0)
def draw_moveaxis(rng: Dice) -> Call:
    data = _draw(rng)
    n = rng.choice((1, 1, rng.randint(0, data.ndim)))
    other = n if rng.random() < 0.97 else n + 1
    lists = [_listed(rng, rng.axes(data.ndim, length, 0.05)) for length in (n, other)]
    return rng.call(data, {"source": lists[0], "destination": lists[1]})


@_or_number("axis", (True, False))
def draw_rollaxis(rng: Dice) -> Call:
    data = _draw(rng)
    start = data.ndim if rng.random() < 0.1 else rng.axis(data.ndim)
    return rng.call(data, {"axis": rng.axis(data.ndim), "start": rng.choice((LEFT_OUT, start, start))})


@_or_number("axis1", (True, False), axis2=0)
def draw_swapaxes(rng: Dice) -> Call:
    data = _draw(rng)
    return rng.call(data, {"axis1": rng.axis(data.ndim), "axis2": rng.axis(data.ndim)})


def draw_matrix_transpose(rng: Dice) -> Call:
    return rng.call(_draw(rng), {})


@_or_number("k", (True, False))
def draw_rot90(rng: Dice) -> Call:
    data = _draw(rng, rng.shape(ranks=(2, 2, 2, 3, 3, 4, 5)) if rng.random() < 0.95 else None)
    k = rng.choice((LEFT_OUT, rng.randint(-5, 5), rng.choice(EXTREMES)))
    n = 2 if rng.random() < 0.95 else rng.choice((0, 1, 3))
    axes = LEFT_OUT if rng.random() < 0.3 else _listed(rng, rng.axes(data.ndim, n))
    return rng.call(data, {"k": k, "axes": axes})


@_or_number("axis", (True, False))
def draw_flip(rng: Dice) -> Call:
    data = _draw(rng)
    axes = _listed(rng, rng.axes(data.ndim, rng.choice((1, 1, rng.randint(0, data.ndim)))))
    return rng.call(data, {"axis": rng.choice((LEFT_OUT, None, axes, axes, axes))})


def draw_ascontiguousarray(rng: Dice) -> Call:
    return Call(_draw(rng))


draw_fliplr = draw_flipud = draw_ascontiguousarray


def draw_copy(rng: Dice) -> Call:
    return rng.call(_draw(rng), {"order": rng.choice((*"CKAF", LEFT_OUT)) if rng.random() < 0.95 else "B"})


@_or_number("repeats", (True, 2.5))
def draw_repeat(rng: Dice) -> Call:
    data = _draw(rng)
    repeats = [-rng.randint(1, 3) if rng.random() < 0.05 else rng.choice((0, 1, 2, 2, 3, 3, 7))]
    axis = rng.choice((LEFT_OUT, None)) if rng.random() < 0.3 else rng.axis(data.ndim)
    if rng.random() < 0.1:
        n = extent_of(data.shape, axis) if isinstance(axis, int) else data.size
        repeats = [rng.randint(0, 3) for _ in range(n)]
    return rng.call(data, {"repeats": _listed(rng, repeats, 0.8), "axis": axis})


@_or_number("axis", (True, False), shift=1)
@_or_number("shift", (True, 1.5, "1", 2j))
def draw_roll(rng: Dice) -> Call:
    data = _draw(rng)
    n = rng.choice((1, 1, 2, rng.randint(0, data.ndim)))
    axes = rng.axes(data.ndim, n)
    if axes and rng.random() < 0.1:
        axes.append(axes[0])
    axis = rng.choice((LEFT_OUT, None)) if rng.random() < 0.25 else _listed(rng, axes)
    length = len(axes) if rng.random() < 0.75 else rng.choice((1, 1, len(axes) + 1))
    shifts = [rng.choice(EXTREMES) if rng.random() < 0.05 else rng.randint(-9, 9) for _ in range(length)]
    return rng.call(data, {"shift": _listed(rng, shifts), "axis": axis})


@_or_number("reps", (True,))
def draw_tile(rng: Dice) -> Call:
    data = _draw(rng)
    n = rng.choice((1, data.ndim, data.ndim, rng.randint(0, data.ndim + 2)))
    reps = [0 if rng.random() < 0.03 else rng.choice((1, 1, 2, 3)) for _ in range(n)]
    # Not beyond memory, for which NumPy's process dies.
    rng.spoil(reps, 0.05, (-1, -2))
    return rng.call(data, {"reps": _listed(rng, reps)})


def draw_broadcast_to(rng: Dice) -> Call:
    shape = [1 if rng.random() < 0.4 else extent for extent in rng.shape()]
    target = [rng.choice((0, 1, 2, 3, 4)) if extent == 1 else extent for extent in shape]
    target = [rng.choice((1, 2, 3)) for _ in range(rng.choice((0, 0, 1, 2)))] + target
    rng.spoil(target, 0.1, (-1, 1, 5))
    target = target[1:] if rng.random() < 0.03 else target
    return rng.call(_draw(rng, shape), {"shape": _listed(rng, target)})


@_or_number("axis", (True, False), window_shape=1)
def draw_sliding_window_view(rng: Dice) -> Call:
    shape = rng.shape(ranks=(0, 1, 1, 2, 2, 3, 4), extents=(2, 3, 4, 5))
    rank = len(shape)
    axes = list(range(rank))
    axis: Any = rng.choice((LEFT_OUT, None))
    if rank and rng.random() < 0.6:
        axes = rng.axes(rank, rng.randint(0, rank), 0.05)
        if axes and rng.random() < 0.1:
            axes.append(axes[0])
        axis = _listed(rng, axes)
    fitting = [shape[k] if -rank <= k < rank else 1 for k in axes]
    sizes = [0 if rng.random() < 0.03 else rng.randint(1, max(1, (extent + 1) // 2)) for extent in fitting]
    if sizes and rng.random() < 0.08:
        sizes[0] = rng.choice((-1, 9, 2**31, 2**63))
    if rng.random() < 0.03:
        sizes.append(1)
    step = rng.choice((LEFT_OUT, LEFT_OUT, 1, 2, 3))
    return rng.call(_draw(rng, shape), {"window_shape": _listed(rng, sizes), "axis": axis}, {"step": step})


@_or_number("indices_or_sections", (True,))
def draw_split(rng: Dice, *, divides: bool = True) -> Call:
    data = _draw(rng, rng.shape(ranks=(1, 1, 2, 2, 3, 4, 5)) if rng.random() < 0.97 else [])
    axis: Any = rng.axis(data.ndim)
    extent = extent_of(data.shape, axis)
    if rng.random() < 0.4:
        sections = rng.choice([n for n in range(1, 6) if not (divides and extent % n)] or [1])
        sections = rng.choice((0, -1, 5, -(2**63), 2**63)) if rng.random() < 0.1 else sections
    elif rng.random() < 0.8:
        sections = _listed(rng, np.cumsum(rng.lengths(extent)).tolist()[:-1], 0)
    else:
        sections = _listed(rng, [rng.choice((rng.randint(-7, 7), rng.choice(EXTREMES[:2]))) for _ in range(3)])
    if rng.random() < 0.2:
        axis, sections = LEFT_OUT, (1 if isinstance(sections, int) else sections)
    return rng.call(data, {"indices_or_sections": sections, "axis": axis})


@_or_number("indices_or_sections", (True, 1.5))
def draw_array_split(rng: Dice) -> Call:
    return draw_split(rng, divides=False)


def draw_hsplit(rng: Dice, axis: int = 1, rank: int = 2) -> Call:
    data = _draw(rng, rng.shape(ranks=(rank - 1, *[rank] * 9, rank + 1, rank + 2)))
    extent = extent_of(data.shape, axis)
    lists = (np.cumsum(rng.lengths(extent)).tolist()[:-1], [rng.randint(-7, 7) for _ in range(3)])
    parts = rng.choice([n for n in range(1, 6) if extent % n == 0] or [1])
    parts = rng.choice((0, -1, 2**63, True, 7)) if rng.random() < 0.1 else parts
    return rng.call(data, {"indices_or_sections": rng.choice((parts, *[_listed(rng, each, 0) for each in lists]))})


def draw_vsplit(rng: Dice) -> Call:
    return draw_hsplit(rng, 0)


def draw_dsplit(rng: Dice) -> Call:
    return draw_hsplit(rng, 2, 3)


def draw_unstack(rng: Dice) -> Call:
    data = _draw(rng, rng.shape(ranks=(1, 2, 2, 3, 4)))
    axis = rng.axis(data.ndim) if rng.random() < 0.9 else rng.choice((True, 1.5, 9))
    return rng.call(data, {}, {"axis": axis} if rng.random() < 0.8 else {})


def draw_take_slice(rng: Dice) -> Call:
    data = _draw(rng)
    return rng.call(data, {"index": rng.index(data.shape)})


DEPARTURES = Departures()

_NO_AXIS = -(2**31)


def _padded_by_integers(call: Call) -> object:
    widths = {axis: np.array(width, int) for axis, width in call.arguments["pad_width"].items()}
    return np.pad(call.data, **{**call.arguments, "pad_width": {axis: each.tolist() for axis, each in widths.items()}})


@DEPARTURES.add("numpy-pad-booleans", example((1,), pad_width={0: True}), _padded_by_integers)
def _has_no_integers(call: Call) -> bool:
    """Whether the pads of a call of numpy.pad are a dictionary that has none but booleans for every axis."""
    widths = call.arguments["pad_width"]
    if not isinstance(widths, dict) or not widths:
        return False
    return len(widths) == call.data.ndim and all(np.array(each).dtype == bool for each in widths.values())


@DEPARTURES.add("numpy-repeat-no-axis", example((2, 2), repeats=2, axis=_NO_AXIS))
def _is_no_axis(call: Call) -> bool:
    repeats = np.ravel(call.arguments["repeats"])
    return call.arguments.get("axis") == _NO_AXIS and repeats.size == 1 and repeats[0] >= 0


@DEPARTURES.add("numpy-roll-nothing", example((), shift=(), axis=()), lambda call: call.data)
def _rolls_along_nothing(call: Call) -> bool:
    axis = call.arguments.get("axis")
    return not call.data.ndim and axis is not None and not np.size(axis) and np.size(call.arguments["shift"]) < 2
