"""Each operator in each mode at each width: what the grid suite times, inside of the cache and beyond it.

Those that are large cases too are taken from there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.cases._case import Case, Size
from benchmarks.cases._large import LARGE_CASES
from benchmarks.cases._moves import pad_functions, view_attributes, view_of
from benchmarks.cases._sizes import MIB, cropped_size, halved_size, heads_size, padded_size, square_size

#: Types of 1, 2, 4, 8 and 16 bytes, by the names that cases have for them.
GRID_DTYPES = {"u8": "uint8", "u16": "uint16", "f32": "float32", "f64": "float64", "c128": "complex128"}

_FULL_BYTES, _SMALL_ELEMENTS = 64 * MIB, 1000

_S = np.s_


def _window(size: Size) -> dict[str, Any]:
    return {"start": [5, 7], "size": [size.amount, size.amount], "axes": [2, 3]}


def _windowed(data: NDArray[Any], size: Size) -> NDArray[Any]:
    return data[:, :, 5 : 5 + size.amount, 7 : 7 + size.amount]


def _thirds(size: Size) -> dict[str, Any]:
    return {"axis": 2, "split_lengths": [size.shape[2] // 3] * 3}


def _split(data: NDArray[Any], _size: Size) -> list[NDArray[Any]]:
    return np.split(data, 3, axis=2)


def _view_functions(*index: slice) -> tuple[Any, Any]:
    return partial(view_attributes, index), partial(view_of, index)


Sized = Callable[[int], Size]

# The operator, the sizes, and the attributes and the expected result of each kind.
_KINDS: dict[str, tuple[str, Sized, tuple[Any, Any]]] = {
    "window": ("slice", cropped_size, (_window, _windowed)),
    "pad_wrap": ("slice", padded_size, pad_functions("wrap")),
    "pad_clamp": ("slice", padded_size, pad_functions("clamp")),
    "pad_fill": ("slice", padded_size, pad_functions("fill")),
    "pad_reflect": ("slice", padded_size, pad_functions("reflect")),
    "pad_symmetric": ("slice", padded_size, pad_functions("symmetric")),
    "stride_2": ("strided_slice", halved_size, _view_functions(_S[:], _S[:], _S[::2], _S[::2])),
    "reverse": ("strided_slice", square_size, _view_functions(_S[:], _S[:], _S[:], _S[::-1])),
    "split_3": ("variadic_split", heads_size, (_thirds, _split)),
}

#: What the grid does: a window is `slice` in mode strict_bounds.
GRID_KINDS = tuple(_KINDS)


def _grid_case(kind: str, short: str) -> Case:
    operator, sized, functions = _KINDS[kind]
    dtype = GRID_DTYPES[short]
    full, small = sized(_FULL_BYTES // np.dtype(dtype).itemsize), sized(_SMALL_ELEMENTS)
    return Case(f"{kind}_{short}", "grid", operator, dtype, full, small, *functions, sized=sized)


_LARGE_NAMES = {case.name for case in LARGE_CASES}

GRID_CASES = tuple(
    _grid_case(kind, short) for kind in GRID_KINDS for short in GRID_DTYPES if f"{kind}_{short}" not in _LARGE_NAMES
)
