"""The cases that benchmarks time and tests check: one table, each case in a full and in a small size.

Importing this package allocates nothing and loads neither fastops nor Numba.
"""

from __future__ import annotations

from benchmarks.cases._case import COMPILED_CALLS, COMPILED_CASES, COMPILED_PAD, compiled_data, compiled_pad
from benchmarks.cases._case import DIFFERENT_OPERATORS, RANDOM_KINDS, different_calls, pad_by_hand, random_calls
from benchmarks.cases._case import KIB, MIB, Case, Size, operator_of, outputs_of, shown_bytes
from benchmarks.cases._chains import AUGMENT_PAD, AUGMENTATIONS, CHAIN_CASES, Chain, crop_of, result_of
from benchmarks.cases._operators import CASES, GRID_DTYPES, GRID_KINDS, names_of
from benchmarks.cases._windows import NORMALIZE_CASES, WINDOWS_CASES, Drawn, WindowsCase, draw_crop, draw_photographs
from benchmarks.cases._windows import (
    expected_windows,
    inside_and_pads,
    padded_copies,
    redrawn,
    scale_and_shift,
    write_by_numpy,
)
