"""The comparison itself: it must fail where a function, a departure or a draw is wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import fastops as fo
from tests.conformance._calls import Call, Dice, numbered
from tests.conformance._live import Array, Departure, Function, check_live


def draw(rng: Dice) -> Call:
    return Call(numbered((rng.randint(1, 4),)), {"axis": rng.choice((0, 0, 0, -1, 1))}, 1)


def flip_less(m: Array, axis: int) -> Array:
    """Return numpy.flip's result, but refuse negative axes."""
    if axis < 0:
        raise ValueError(axis)
    return np.flip(m, axis)


FLIP = Function("flip", draw, np.flip, fo.numpy.flip)
LESS = replace(FLIP, theirs=flip_less)
DEPARTURE = Departure(
    *("NumPy", "flip", "Refuses negative axes."),
    leaves=True,
    when=lambda call: call.arguments["axis"] < 0,
    example=Call(numbered((2,)), {"axis": -1}, 1),
    theirs="an error",
    ours="2 [2, 1]",
    answer=lambda call: call.data[::-1],
)


def test_what_agrees_passes() -> None:
    check_live(FLIP, (), 200)
    check_live(LESS, (DEPARTURE,), 200)
    check_live(LESS, (DEPARTURE, replace(DEPARTURE, function="roll")), 200)


@pytest.mark.parametrize(
    ("function", "departures", "match"),
    [
        (LESS, (), "have unexpected answers"),
        (replace(FLIP, theirs=lambda m, axis: np.flip(m, axis).astype("i8")), (), "int64.*int32"),
        (FLIP, (DEPARTURE,), "Refuses negative axes"),
        (LESS, (replace(DEPARTURE, theirs="2 [1, 2]"),), "Refuses negative axes"),
        (LESS, (replace(DEPARTURE, ours="2 [1, 2]"),), "Refuses negative axes"),
        (LESS, (DEPARTURE, replace(DEPARTURE, example=Call(numbered((2,)), {"axis": 0}, 1))), "Refuses negative axes"),
        (LESS, (replace(DEPARTURE, answer=lambda call: call.data),), "against the answer of the departure"),
        (LESS, (replace(DEPARTURE, when=lambda _: False),), "Refuses negative axes"),
        (LESS, (DEPARTURE, replace(DEPARTURE, text="Twice.")), "no call of flip meets these departures: .*Twice"),
        (replace(FLIP, draw=lambda _: Call(numbered((0,)), {"axis": 0})), (), "only 0 of 200 calls"),
        (replace(FLIP, draw=lambda _: Call(numbered((2,)), {"axis": 0})), (), "0 of 200 calls of flip are refused"),
    ],
)
def test_what_is_wrong_fails(function: Function, departures: tuple[Departure, ...], match: str) -> None:
    with pytest.raises(AssertionError, match=match):
        check_live(function, departures, 200)
