"""Chains and layouts: one pass over memory for all stages."""

from __future__ import annotations

from typing import ClassVar

import fastops
from benchmarks.cases import CHAIN_CASES
from benchmarks.suite import Suite


class Chains(Suite):
    """Each plan, made beforehand."""

    params: ClassVar = list(CHAIN_CASES)
    param_names: ClassVar = ["chain"]

    def setup(self, name: str) -> None:
        """Make data, the plan and the caller's output, by a first call, which also loads the kernel."""
        chain = CHAIN_CASES[name]
        self.data = chain.data(chain.small if self.is_small else chain.full)
        self.plan = chain.plan(fastops, self.data.shape)
        self.out = self.plan(self.data)

    def time_out(self, _name: str) -> None:
        """Write into the caller's output."""
        self.plan(self.data, self.out)
