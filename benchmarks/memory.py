"""Memory beyond input and output: bytes that the peak of a process's resident memory grows by."""

from __future__ import annotations

from typing import ClassVar

import fastops
from benchmarks.cases import CASES, RANDOM_KINDS, names_of, operator_of, random_calls
from benchmarks.measure.growth import growth_of_large_call, growth_of_random_calls
from benchmarks.suite import Suite


class LargeCall(Suite):
    """The first call of each large case, into an output that exists."""

    params = names_of("bandwidth")
    param_names: ClassVar = ["case"]
    unit = "bytes"

    def setup(self, name: str) -> None:
        """Skip versions without the operator."""
        operator_of(fastops, CASES[name].operator)

    def track_growth(self, name: str) -> int:
        """Return the growth, in the process of this benchmark, which has done nothing else."""
        return growth_of_large_call(CASES[name], self.size_of(CASES[name]))


class RandomCalls(Suite):
    """Many calls that are all different, after others that have filled all caches."""

    params = RANDOM_KINDS
    param_names: ClassVar = ["kind"]
    unit = "bytes"

    def setup(self, kind: str) -> None:
        """Skip versions without the operator."""
        next(random_calls(fastops, kind))

    def track_growth(self, kind: str) -> int:
        """Return the growth of 100,000 calls."""
        return growth_of_random_calls(kind, 1_000 if self.is_small else 100_000)
