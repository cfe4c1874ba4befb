"""Ranges: 20 million elements, and outputs inside of the cache."""

from __future__ import annotations

from benchmarks.cases import CASES, MIB, names_of
from benchmarks.suite import CaseSuite


class Ranges(CaseSuite):
    """Each output type."""

    params = names_of("ranges")

    def time_out(self, _name: str) -> None:
        """Write into the caller's output."""
        self.call(out=self.out)

    def time_fresh(self, _name: str) -> None:
        """Write into an output that the call allocates."""
        self.call()


class Cached(CaseSuite):
    """Each output type, outputs of 1 MiB."""

    params = names_of("ranges")

    def setup(self, name: str) -> None:
        """Make the caller's output."""
        case = CASES[name]
        self.set_call(case, case.small if self.is_small else case.resized(MIB))

    def time_out(self, _name: str) -> None:
        """Write into the caller's output."""
        self.call(out=self.out)
