"""The cases that benchmarks time and tests check: one table, each case in a full and in a small size.

Importing this package allocates nothing and loads neither fastops nor Numba.
"""

from __future__ import annotations

from benchmarks.cases._case import Case, Size, operator_of, outputs_of
from benchmarks.cases._chains import AUGMENT_PAD, AUGMENTATIONS, CHAIN_CASES, Chain, crop_of, result_of
from benchmarks.cases._compiled import (
    COMPILED_CALLS,
    COMPILED_CASES,
    COMPILED_PAD,
    compiled_data,
    compiled_pad,
    pad_by_hand,
)
from benchmarks.cases._different import DIFFERENT_OPERATORS, RANDOM_KINDS, different_calls, random_calls
from benchmarks.cases._grid import GRID_CASES, GRID_DTYPES, GRID_KINDS
from benchmarks.cases._images import IMAGE_CASES, SHARED_IMAGES
from benchmarks.cases._large import LARGE_CASES
from benchmarks.cases._latency import LATENCY_CASES
from benchmarks.cases._layouts import LAYOUT_CASES
from benchmarks.cases._ranges import RANGE_CASES
from benchmarks.cases._sizes import KIB, MIB, shown_bytes
from benchmarks.cases._windows import (
    NORMALIZE_CASES,
    WINDOWS_CASES,
    Drawn,
    WindowsCase,
    draw_crop,
    draw_photographs,
    expected_windows,
    inside_and_pads,
    redrawn,
    scale_and_shift,
    write_by_numpy,
)

__all__ = [
    "AUGMENTATIONS",
    "AUGMENT_PAD",
    "CASES",
    "CHAIN_CASES",
    "COMPILED_CALLS",
    "COMPILED_CASES",
    "COMPILED_PAD",
    "DIFFERENT_OPERATORS",
    "GRID_DTYPES",
    "GRID_KINDS",
    "KIB",
    "MIB",
    "NORMALIZE_CASES",
    "RANDOM_KINDS",
    "SHARED_IMAGES",
    "WINDOWS_CASES",
    "Case",
    "Chain",
    "Drawn",
    "Size",
    "WindowsCase",
    "compiled_data",
    "compiled_pad",
    "crop_of",
    "different_calls",
    "draw_crop",
    "draw_photographs",
    "expected_windows",
    "inside_and_pads",
    "names_of",
    "operator_of",
    "outputs_of",
    "pad_by_hand",
    "random_calls",
    "redrawn",
    "result_of",
    "scale_and_shift",
    "shown_bytes",
    "write_by_numpy",
]

CASES: dict[str, Case] = {
    case.name: case for case in (*LARGE_CASES, *RANGE_CASES, *LATENCY_CASES, *LAYOUT_CASES, *GRID_CASES, *IMAGE_CASES)
}


def names_of(suite: str) -> list[str]:
    """Return the names of a suite's cases."""
    return [name for name, case in CASES.items() if case.suite == suite]
