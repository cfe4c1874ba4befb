"""Families of random calls that several frameworks share; each framework names the arguments.

Calling a family with names of arguments gives a draw: most of its calls are valid, some have wrong axes or numbers.
``absent`` holds the values that mean that the argument is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, ParamSpec

import numpy as np

from tests.conformance._calls import EXTREMES, LEFT_OUT, RANKS, SOME_AXES, Array, Call, Dice, extent_of
from tests.helpers import oracle
from tests.helpers.oracle import MASKS

Draw = Callable[[Any], Call]
_P = ParamSpec("_P")


def family(function: Callable[Concatenate[Any, _P], Call]) -> Callable[_P, Draw]:
    """Decorate a family: calling it with the names of a framework returns a draw, a function of the dice."""
    return lambda *names, **settings: lambda rng: function(rng, *names, **settings)


@family
def calls(rng: Dice, **drawn: Callable[[Any, Array], Any]) -> Call:
    """Data, and one argument from each of the given functions."""
    data = rng.data()
    return rng.call(data, {name: draw(rng, data) for name, draw in drawn.items()})


def any_axis(rng: Dice, data: Array) -> int:
    """An axis of data."""
    return rng.axis(data.ndim)


def any_axes(rng: Dice, data: Array) -> Any:
    """Any axes of data, in the forms of the framework."""
    return rng.listed(rng.axes(data.ndim, rng.choice((1, rng.randint(0, data.ndim), rng.randint(0, data.ndim)))))


def any_index(rng: Dice, data: Array) -> Any:
    """An index of data."""
    return rng.index(data.shape)


def axes_or_none(rng: Dice, data: Array) -> Any:
    """Any axes of data; at times None, or the argument is left out."""
    return any_axes(rng, data) if rng.random() < 0.6 else rng.choice((LEFT_OUT, None))


@family
def transposes(rng: Dice, name: str, *absent: Any, is_counted_back: bool = True) -> Call:
    """All axes in any order; at times, one axis is missing, or some are wrong."""
    data = rng.data()
    if absent and rng.random() < 0.15:
        return rng.call(data, {name: rng.choice(absent)})
    order = rng.sample(range(data.ndim), data.ndim)
    if is_counted_back or rng.random() < 0.04:
        order = rng.axes(data.ndim, data.ndim)
    return rng.call(data, {name: rng.listed(order[1:] if rng.random() < 0.05 else order)})


@family
def quarter_turns(rng: Dice, name: str) -> Call:
    """Any number of turns in the plane of two axes; at times with another number of axes."""
    data = rng.data(rng.shape(ranks=(2, 2, 2, 3, 3, 4, 5)) if rng.random() < 0.95 else None)
    axes = rng.axes(data.ndim, rng.mostly((2,), (0, 1, 3), 0.05))
    k = rng.choice((LEFT_OUT, rng.randint(-5, 5), rng.choice(rng.extremes)))
    return rng.call(data, {"k": k, name: LEFT_OUT if rng.random() < 0.3 else rng.listed(axes)})


@family
def rolls(
    rng: Dice,
    shift: str,
    axis: str,
    *absent: Any,
    unequal: float = 0.04,
    far: int | None = None,
    ranks: Sequence[int] = RANKS,
    lone: float | None = None,
    least: int = 0,
) -> Call:
    """Shifts of at least ``least`` axes; some axes are named twice. Without axes, one shift of all elements."""
    data = rng.data(rng.shape(ranks=ranks))
    axes = rng.axes(data.ndim, rng.choice((1, 1, 2, rng.randint(least, data.ndim))))
    if axes and rng.random() < 0.3:
        axes.append(axes[0])
    is_flat = bool(absent) and rng.random() < 0.25
    n = 1 if is_flat else len(axes)
    n = rng.choice((least, 1, 1, n + 1)) if rng.random() < unequal else n
    shifts = [rng.choice(rng.extremes[:far]) if rng.random() < 0.05 else rng.randint(-9, 9) for _ in range(n)]
    if lone is not None:
        # Give the axis as a single number only if the shift is a single number.
        lone = float(n == 1 and rng.random() < lone)
    given = rng.lists(shifts, axes, lone=lone)
    return rng.call(data, {shift: given[0], axis: rng.choice(absent) if is_flat else given[1]})


def rolled(shift: str, axis: str) -> Callable[[Call], Array]:
    """Return a function that rolls by NumPy, with shifts modulo the extents, because NumPy adds shifts in int64."""

    def answer(call: Call) -> Array:
        axes, shifts = call.integers(axis), call.integers(shift)
        if not axes:
            return np.roll(call.data, shifts[0])
        pairs = zip(axes, shifts * (len(axes) // len(shifts)), strict=True)
        return np.roll(call.data, [n % (call.data.shape[k] or 1) for k, n in pairs], axes)

    return answer


@family
def tiles(
    rng: Dice,
    name: str,
    *wrong: int,
    fits: bool = True,
    dtypes: Sequence[str] = (),
    ranks: Sequence[int] = RANKS,
    lone: float | None = None,
    least: int = 0,
) -> Call:
    """A number of repeats for each axis, or for any number of axes; some repeats are 0, a few are wrong.

    ``least`` is the smallest extent of data, and the smallest length of the list of repeats.
    """
    data = rng.data([max(extent, least) for extent in rng.shape(ranks=ranks)], dtypes)
    n = data.ndim + (rng.random() < 0.05)
    if not fits and rng.random() < 0.5:
        n = rng.choice((1, rng.randint(least, min(data.ndim + 2, 6))))
    repeats = [rng.choice((1, 1, 2, 3) if n < 5 else (1, 1, 2)) for _ in range(n)]
    rng.spoil(repeats, 0.12, (0, *wrong))
    return rng.call(data, {name: rng.listed(repeats, lone)})


@family
def repeats(rng: Dice, name: str, axis_name: str, *, of_each: float) -> Call:
    """One number for all elements of an axis, or one for each element."""
    data = rng.data()
    numbers = [rng.mostly((0, 1, 2, 2, 3, 3, 7), (-1, -2, -3), 0.05)]
    axis = rng.choice((LEFT_OUT, None)) if rng.random() < 0.3 else rng.axis(data.ndim)
    if rng.random() < of_each:
        n = extent_of(data.shape, axis) if isinstance(axis, int) else data.size
        numbers = [rng.randint(0, 3) for _ in range(n)]
    return rng.call(data, {name: rng.listed(numbers, 0.8 if of_each else 1), axis_name: axis})


@family
def expansions(rng: Dice, *, is_mutual: bool = False) -> Call:
    """A target shape for data with axes of extent 1; with ``is_mutual``, the target may have such axes too."""
    shape = [1 if rng.random() < 0.4 else extent for extent in rng.shape()]
    target = [rng.choice((0, 1, 2, 3, 4)) if extent == 1 else extent for extent in shape]
    target = [1 if is_mutual and rng.random() < 0.3 else extent for extent in target]
    target = [rng.choice((1, 2, 3)) for _ in range(rng.choice((0, 0, 1, 2)) if len(shape) < 6 else 0)] + target
    rng.spoil(target, 0.1, (-1, 0, 1, 5))
    target = target[rng.choice((1, 2)) :] if rng.random() < (0.2 if is_mutual else 0.03) else target
    return rng.call(rng.data(shape), {"shape": rng.listed(target)})


@family
def bounded_slices(
    rng: Dice, *names: str, order: Sequence[int] = range(4), has_default: bool = False, ranks: Sequence[int] = RANKS
) -> Call:
    """Starts, stops, steps and axes, with the given names and order. At times, a list has one value too few."""
    data = rng.data(rng.shape(ranks=ranks))
    lists: list[list[int]] = [[], [], [], rng.some_axes(data.ndim)]
    for axis in lists[3]:
        step = rng.mostly((1, 1, 2, 3, -1, -2), (0, *EXTREMES[:5]))
        start, stop = rng.window(extent_of(data.shape, axis), step)
        stop = rng.choice((2**31 - 1, 2**63 - 1)) if step < 0 and rng.random() < 0.03 else stop
        for values, number in zip(lists, (start, stop, step), strict=False):
            values.append(number)
    are_first = lists[3] == list(range(len(lists[3])))
    if rng.random() < 0.04:
        del rng.choice(lists)[:1]
    given = rng.lists(*lists, types=("int32", "int64"))
    if are_first and rng.random() < 0.7:
        given[3] = LEFT_OUT
    if has_default and rng.random() < 0.25:
        given[2] = LEFT_OUT
    return rng.call(data, {names[k]: given[k] for k in order})


@family
def variadic_splits(rng: Dice, *, overfills: bool = True) -> Call:
    """Lengths that sum to the extent of the axis; one may be -1. At times, the sum is wrong, or two lengths are -1.

    ``overfills`` allows a wrong sum beside a -1.
    """
    data = rng.data(rng.shape(ranks=SOME_AXES))
    axis = rng.axis(data.ndim)
    lengths = rng.lengths(extent_of(data.shape, axis))
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2 if rng.random() < 0.3 else 1))):
        lengths[rng.randrange(len(lengths))] = -1
    rng.spoil(lengths, 0.02, (-2,))
    if rng.random() < 0.1 and (overfills or min(lengths) >= 0):
        lengths[rng.randrange(len(lengths))] += rng.choice((1, -1, 99))
    return rng.call(data, {"axis": axis, "split_lengths": rng.listed(lengths)})


@family
def images(
    rng: Dice,
    name: str,
    factors: Callable[[int, int], Mapping[int, int]],
    *,
    others: Mapping[str, tuple[Sequence[Any], ...]] | None = None,
    ranks: Sequence[int] = (4,),
    sizes: Sequence[int] = (2, 2, 2, 3, 4),
    wrong: Sequence[int] = (1, 0, -1),
    default: int | None = None,
    dtypes: Sequence[str] = (),
) -> Call:
    """Images and a block size; ``factors`` returns, for a size and a rank, the number that divides each axis.

    ``others`` holds the right and the wrong values of further arguments; an empty entry marks the place of the size.
    """
    size, rank = rng.mostly(sizes, wrong, 0.06), rng.choice(ranks)
    shape = rng.images(factors(size, rank), (rank,))
    arguments = {key: rng.mostly(*values) if values else None for key, values in (others or {}).items()}
    given = LEFT_OUT if size == default else size
    arguments = {**arguments, name: given} if name in arguments else {name: given, **arguments}
    return rng.call(rng.data(shape, dtypes), arguments)


def windows(
    data: Array, start: Any, size: Any, stride: Any, *, mode: str, axes: Any = None, fill_value: Any = 0
) -> Array:
    """Return windows in all modes by the oracle, because no framework that runs here has such a function."""
    named = range(data.ndim) if axes is None else [range(data.ndim)[axis] for axis in axes]
    if len(set(named)) < len(named):
        raise ValueError(axes)
    of_axes = [(0, extent, 1) for extent in data.shape]
    for axis, *window in zip(named, start, size, stride, strict=True):
        of_axes[axis] = tuple(window)
    return oracle.slice_(data, *zip(*of_axes, strict=True), mode=mode, fill=fill_value)


@family
def window_slices(rng: Dice, *dtypes: str) -> Call:
    """Windows of any stride, also 0, inside the axes or not. Only mode fill has data with empty axes."""
    mode = rng.choice(("wrap", "clamp", "reflect", "symmetric", "fill", "strict_bounds"))
    shape = [extent or int(mode != "fill") for extent in rng.shape(ranks=(1, 1, 2, 2, 3, 4))]
    named = rng.random() < 0.4
    axes = rng.axes(len(shape), rng.randint(0, len(shape)), 0.05) if named else list(range(len(shape)))
    lists: dict[str, list[int]] = {"start": [], "size": [], "stride": []}
    for axis in axes:
        extent = extent_of(shape, axis)
        is_inside = mode == "strict_bounds" and rng.random() < 0.9
        start = rng.randrange(extent) if is_inside else rng.randint(-15, 15)
        size = extent - start if is_inside else rng.choice((0, 9) if rng.random() < 0.1 else (1, 2, 3, 5))
        stride = rng.choice((0, 1)) if is_inside else rng.randint(-4, 4)
        for each, number in zip(lists.values(), (start, size, stride), strict=True):
            each.append(number)
    by_name = {
        "axes": rng.choice((list, tuple))(axes) if named else LEFT_OUT,
        "mode": mode,
        "fill_value": rng.choice((LEFT_OUT, rng.randint(0, 99))) if mode == "fill" else LEFT_OUT,
    }
    given = {name: rng.choice((list, tuple))(values) for name, values in lists.items()}
    return rng.call(rng.data(shape, dtypes), given, by_name)


def strided(
    rng: Dice, *, least: int = 0, shrunk_ellipsis: bool = True
) -> tuple[list[int], dict[str, list[int]], dict[str, list[int]]]:
    """The shape, the bounds and the masks of a strided slice; a mask is a list of bits, one for each position.

    ``least`` is the smallest extent; ``shrunk_ellipsis`` allows a shrink bit at the ellipsis, which ignores it.
    """
    shape = [rng.randint(least if rng.random() < 0.1 else 1, 6) for _ in range(rng.randint(1, 4))]
    named = rng.randint(0, len(shape))
    after = rng.randint(0, named) if rng.random() < 0.4 else None
    leading = named if after is None else named - after
    uses: list[int | str] = [*range(leading), *range(len(shape) - named + leading, len(shape))]
    if after is not None:
        uses.insert(leading, "ellipsis")
    for _ in range(rng.choice((0, 0, 1, 2)) if uses else 1):
        uses.insert(rng.randint(0, len(uses)), "new")
    positions = [_position(rng, use, shape[use] if isinstance(use, int) else 3, shrunk_ellipsis) for use in uses]
    begin, end, strides, *masks = map(list, zip(*positions, strict=True))
    # OpenVINO requires masks of equal length: all keep their length, lose zeros at the end, or get more zeros.
    length = len(uses) + rng.choice((0, 0, 0, 2))
    if rng.random() < 0.2:
        length = max((i + 1 for mask in masks for i, bit in enumerate(mask) if bit), default=0)
    padded = [[*mask, 0, 0][:length] for mask in masks]
    return shape, {"begin": begin, "end": end, "strides": strides}, dict(zip(MASKS, padded, strict=True))


def _position(rng: Dice, use: int | str, extent: int, shrunk_ellipsis: bool) -> tuple[int, ...]:
    """begin, end, stride and the five bits of a position; an added axis and an ellipsis ignore some of them."""
    stride = rng.choice((1, 1, 2, 3, -1, -1, -2, -3, 7, -7))
    begin, end = rng.window(extent, stride)
    masked = [int(rng.random() < 0.25) for _ in range(2)]
    if not isinstance(use, int):
        stray = int(rng.random() < 0.3)
        bits = [0, stray and int(shrunk_ellipsis), 1] if use == "ellipsis" else [1, stray, 0]
        return begin, end, 1 - stray, *masked, *bits
    shrinks = extent > 0 and rng.random() < 0.2
    return rng.randrange(-extent, extent) if shrinks else begin, end, stride, *masked, 0, int(shrinks), 0


@family
def strided_slices(rng: Dice, *, zeros: float, **settings: Any) -> Call:
    """All masks, and bounds inside and outside of the axes; at times a stride is 0."""
    shape, bounds, masks = strided(rng, **settings)
    rng.spoil(bounds["strides"], zeros, (0,))
    if rng.random() < 0.02:
        bounds["end"] = bounds["end"][1:]
    given = dict(zip(bounds, rng.lists(*bounds.values()), strict=True))
    return rng.call(rng.data(shape), given, {name: rng.choice((list, tuple))(bits) for name, bits in masks.items()})
