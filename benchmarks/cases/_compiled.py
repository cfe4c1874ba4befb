"""What users' own compiled code does: pads of one array, by fastops and by loops that they write by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.cases._case import operator_of

#: Extents of the square arrays that are padded, by how much on each side, and how often by one call from Python, which
#: takes longer than a small pad.
COMPILED_CASES = {"compiled_pad_8": 8, "compiled_pad_64": 64, "compiled_pad_512": 512}
COMPILED_PAD, COMPILED_CALLS = 2, 100


@cache
def compiled_pad(library: ModuleType) -> Callable[..., Any]:
    """Return a compiled function that pads an array by reflection, so many times, with an operator of fastops.

    Raises
    ------
    NotImplementedError
        That version of fastops has nothing for compiled code yet.
    """
    operator_of(library, "windows")
    pad = library.numpy.pad

    @import_module("numba").njit
    def padded(array: Any, width: int, times: int) -> Any:
        for _ in range(times):
            result = pad(array, width, "reflect")
        return result

    return padded


@cache
def pad_by_hand() -> Callable[..., Any]:
    """Return the same by loops."""

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

    return padded


def compiled_data(name: str) -> Any:
    """Return the array of a case."""
    return np.random.default_rng(0).standard_normal((COMPILED_CASES[name],) * 2, np.float32)
