"""Calls that differ from each other, so that no cache of calls knows the next one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations_with_replacement, product
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.cases._case import operator_of

Call = Callable[..., Any]

#: Operators that `different_calls` knows.
DIFFERENT_OPERATORS = ("strided_slice", "slice", "variadic_split", "range")

#: How many calls it makes: more than any cache of calls remembers.
DIFFERENT = 10_000


def different_calls(library: ModuleType, operator: str) -> list[Call]:
    """Return calls of an operator, no two of which have equal attributes, each of about 64 float32."""
    corners = [list(corner) for corner in product(range(100), repeat=2)][:DIFFERENT]
    function = operator_of(library, operator)
    data = np.zeros((108, 108), np.float32)
    if operator == "strided_slice":
        return [partial(function, data, [y, x], [y + 8, x + 8]) for y, x in corners]
    if operator == "slice":
        return [partial(function, data, [y - 50, x - 50], [8, 8], mode="reflect") for y, x in corners]
    if operator == "variadic_split":
        pairs = list(combinations_with_replacement(range(141), 2))[:DIFFERENT]
        return [partial(function, data.ravel()[:140], 0, [i, j - i, -1]) for i, j in pairs]
    return [partial(function, i, i + 64, 1, "f32") for i in range(DIFFERENT)]


def _random_crops(library: ModuleType, generator: random.Random) -> Iterator[Call]:
    """Give crops of 8x8 at random places."""
    function = operator_of(library, "strided_slice")
    data = np.ones((1000, 1000), np.float32)
    while True:
        y, x = generator.randrange(992), generator.randrange(992)
        yield partial(function, data, [y, x], [y + 8, x + 8])


def _random_pads(library: ModuleType, generator: random.Random) -> Iterator[Call]:
    """Give reads of 8x8 at random places and strides, in and around the array, under random modes."""
    function = operator_of(library, "slice")
    data = np.ones((30, 40), np.float32)
    modes = ("wrap", "clamp", "fill", "reflect", "symmetric")
    while True:
        start = [generator.randrange(-50, 50), generator.randrange(-50, 50)]
        stride = [generator.choice((-3, -2, -1, 1, 2, 3)), generator.choice((-3, -2, -1, 1, 2, 3))]
        yield partial(function, data, start, [8, 8], stride, mode=generator.choice(modes))


_RANDOM: dict[str, Callable[[ModuleType, random.Random], Iterator[Call]]] = {
    "crops": _random_crops,
    "strides_and_pads": _random_pads,
}

#: Kinds of `random_calls`.
RANDOM_KINDS = tuple(_RANDOM)


def random_calls(library: ModuleType, kind: str) -> Iterator[Call]:
    """Give calls of a kind without end, the same ones each time."""
    return _RANDOM[kind](library, random.Random(0))  # noqa: S311 - no secrets.
