"""Ranges of 20 million elements."""

from __future__ import annotations

from benchmarks.cases import names_of
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
