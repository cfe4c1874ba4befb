"""Memory beyond input and output: bytes that the peak of a process's resident memory grows by."""

from __future__ import annotations

from typing import ClassVar

from benchmarks.cases import RANDOM_KINDS, names_of
from benchmarks.measure.growth import growth_of_large_call, growth_of_random_calls
from benchmarks.suite import Suite, case_to_time


class LargeCall(Suite):
    """The first call of each large case, into an output that exists."""

    params = names_of("bandwidth")
    param_names: ClassVar = ["case"]
    unit = "bytes"

    def track_growth(self, name: str) -> int:
        """Return the growth, in the process of this benchmark, which has done nothing else."""
        case = case_to_time(name)
        return growth_of_large_call(case, self.size_of(case))


class RandomCalls(Suite):
    """Many calls that are all different, after others that have filled all caches."""

    params = RANDOM_KINDS
    param_names: ClassVar = ["kind"]
    unit = "bytes"

    def track_growth(self, kind: str) -> int:
        """Return the growth of 100,000 calls."""
        return growth_of_random_calls(kind, 1_000 if self.is_small else 100_000)
