"""The cases that benchmarks time and tests check: one table, each case in a full and in a small size.

Importing this package allocates nothing and loads neither fastops nor Numba.
"""

from __future__ import annotations

from benchmarks.cases._case import Case, Size
from benchmarks.cases._large import LARGE_CASES
from benchmarks.cases._latency import LATENCY_CASES
from benchmarks.cases._layouts import LAYOUT_CASES
from benchmarks.cases._ranges import RANGE_CASES

__all__ = ["CASES", "Case", "Size", "names_of"]

CASES: dict[str, Case] = {case.name: case for case in (*LARGE_CASES, *RANGE_CASES, *LATENCY_CASES, *LAYOUT_CASES)}


def names_of(suite: str) -> list[str]:
    """Return the names of a suite's cases."""
    return [name for name, case in CASES.items() if case.suite == suite]
