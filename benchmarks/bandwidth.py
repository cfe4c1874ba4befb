"""Large moves: seconds of one call, which divide the bytes that its case reads and writes."""

from __future__ import annotations

from typing import ClassVar

from benchmarks.cases import CASES, GRID_DTYPES, GRID_KINDS, MIB, names_of, shown_bytes
from benchmarks.suite import CaseSuite

# Of outputs: inside of the cache, and beyond it.
_SIZES = {shown_bytes(size): size for size in (MIB, 64 * MIB)}


class Bandwidth(CaseSuite):
    """Each large case but the ranges."""

    params = names_of("bandwidth")

    def time_out(self, _name: str) -> None:
        """Write into the caller's output."""
        self.call(out=self.out)

    def time_fresh(self, _name: str) -> None:
        """Write into an output that the call allocates."""
        self.call()


class Grid(CaseSuite):
    """Each operator in each mode, at each width, inside of the cache and beyond it."""

    params = (list(GRID_KINDS), list(GRID_DTYPES), list(_SIZES))
    param_names: ClassVar = ["kind", "dtype", "output"]

    def setup(self, kind: str, dtype: str, output: str) -> None:
        """Make data and the caller's output."""
        case = CASES[f"{kind}_{dtype}"]
        self.set_call(case, case.small if self.is_small else case.resized(_SIZES[output]))

    def time_out(self, _kind: str, _dtype: str, _output: str) -> None:
        """Write into the caller's output."""
        self.call(out=self.out)
