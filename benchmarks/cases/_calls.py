"""Calls that all differ, so that a cache of calls would not help; and pads in users' compiled code."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from itertools import combinations_with_replacement, product
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.cases._case import operator_of

Call = Callable[..., Any]

#: Operators that `different_calls` knows.
DIFFERENT_OPERATORS = ("strided_slice", "slice", "variadic_split", "range")

# How many calls `different_calls` makes: more than a cache would keep.
_DIFFERENT = 10_000


def different_calls(library: ModuleType, operator: str) -> list[Call]:
    """Return calls of an operator with results of about 64 float32. All calls have different attributes."""
    corners = [list(corner) for corner in product(range(100), repeat=2)][:_DIFFERENT]
    function = operator_of(library, operator)
    data = np.zeros((108, 108), np.float32)
    if operator == "strided_slice":
        return [partial(function, data, [y, x], [y + 8, x + 8]) for y, x in corners]
    if operator == "slice":
        return [partial(function, data, [y - 50, x - 50], [8, 8], mode="reflect") for y, x in corners]
    if operator == "variadic_split":
        pairs = list(combinations_with_replacement(range(141), 2))[:_DIFFERENT]
        return [partial(function, data.ravel()[:140], 0, [i, j - i, -1]) for i, j in pairs]
    return [partial(function, i, i + 64, 1, "f32") for i in range(_DIFFERENT)]


#: Kinds of `random_calls`.
RANDOM_KINDS = ("crops", "strides_and_pads")


def random_calls(library: ModuleType, kind: str) -> Iterator[Call]:
    """Yield random calls without end, the same each time: crops, or reads with random starts, strides and modes."""
    numbers = random.Random(0)  # noqa: S311 - no secrets.
    name, shape = ("strided_slice", (1000, 1000)) if kind == "crops" else ("slice", (30, 40))
    function, data = operator_of(library, name), np.ones(shape, np.float32)
    modes = ("wrap", "clamp", "fill", "reflect", "symmetric")
    while True:
        if kind == "crops":
            y, x = numbers.randrange(992), numbers.randrange(992)
            yield partial(function, data, [y, x], [y + 8, x + 8])
        else:
            start = [numbers.randrange(-50, 50), numbers.randrange(-50, 50)]
            stride = [numbers.choice((-3, -2, -1, 1, 2, 3)), numbers.choice((-3, -2, -1, 1, 2, 3))]
            yield partial(function, data, start, [8, 8], stride, mode=numbers.choice(modes))


#: The side of the square array that compiled code pads in each case. `COMPILED_PAD` is the pad on each side.
#: `COMPILED_CALLS` is how often one call from Python pads, because a call from Python takes longer than a small pad.
COMPILED_CASES = {"compiled_pad_8": 8, "compiled_pad_64": 64, "compiled_pad_512": 512}
COMPILED_PAD, COMPILED_CALLS = 2, 100


@cache
def compiled_pad(library: ModuleType) -> Call:
    """Return a compiled function that pads an array by reflection, `times` times, by `numpy.pad` of fastops.

    Raises
    ------
    NotImplementedError
        This version of fastops has no `windows`; such versions have nothing for compiled code either.
    """
    operator_of(library, "windows")
    pad = library.numpy.pad

    @import_module("numba").njit
    def padded(array: Any, width: int, times: int) -> Any:
        for _ in range(times):
            result = pad(array, width, "reflect")
        return result

    return padded  # type: ignore[no-any-return]


@cache
def pad_by_hand() -> Call:
    """Return a compiled function that does the same by loops."""

    @import_module("numba").njit
    def padded(array: Any, width: int, times: int) -> Any:
        rows, columns = array.shape
        for _ in range(times):
            result = np.empty((rows + 2 * width, columns + 2 * width), array.dtype)
            for y in range(result.shape[0]):
                row = abs(y - width)
                row = row if row < rows else 2 * rows - 2 - row
                for x in range(result.shape[1]):
                    column = abs(x - width)
                    column = column if column < columns else 2 * columns - 2 - column
                    result[y, x] = array[row, column]
        return result

    return padded  # type: ignore[no-any-return]


def compiled_data(name: str) -> Any:
    """Return the array of a case."""
    return np.random.default_rng(0).standard_normal((COMPILED_CASES[name],) * 2, np.float32)
