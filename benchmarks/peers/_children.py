"""New processes that can import the benchmarks."""

from __future__ import annotations

from pathlib import Path

from benchmarks.cold_start import output_of

_ROOT = Path(__file__).absolute().parents[2]


def run_child(program: str) -> str:
    """Return what a program prints in a new process."""
    return output_of(f"import sys; sys.path.insert(0, {str(_ROOT)!r}); {program}")
