"""Large moves: seconds of one call, which divide the bytes that its case reads and writes."""

from __future__ import annotations

from benchmarks.cases import names_of
from benchmarks.suite import CaseSuite


class Bandwidth(CaseSuite):
    """Each large case but the ranges."""

    params = names_of("bandwidth")

    def time_out(self, _name: str) -> None:
        """Write into the caller's output."""
        self.call(out=self.out)

    def time_fresh(self, _name: str) -> None:
        """Write into an output that the call allocates."""
        self.call()
