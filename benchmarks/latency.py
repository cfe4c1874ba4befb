"""Tiny calls, where all the time is the way to the kernel and back.

asv would time each call alone and add its own cost, so that each benchmark has a loop of its own: 10,000 calls, so
1 ms here is 0.1 us a call.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import fastops
from benchmarks.cases import CASES, DIFFERENT_OPERATORS, different_calls, names_of
from benchmarks.suite import CaseSuite, Suite

CALLS = 10_000


class Warm(CaseSuite):
    """Calls with attributes that the operator has seen before."""

    params = names_of("latency")

    def time_10000_fresh(self, _name: str) -> None:
        """Write into outputs that the calls allocate."""
        call = self.call
        for _ in range(CALLS):
            call()

    def time_10000_out(self, _name: str) -> None:
        """Write into the caller's output."""
        call, out = self.call, self.out
        for _ in range(CALLS):
            call(out=out)


class Prepared(CaseSuite):
    """Plans made beforehand and called; a split is one plan for each part."""

    params = names_of("latency")

    def setup(self, name: str) -> None:
        """Prepare the plans, and their outputs by a first call."""
        case = CASES[name]
        self.calls = [partial(call, out=call()) for call in case.prepared(fastops, self.size_of(case))]

    def time_10000_out(self, _name: str) -> None:
        """Write into the caller's outputs."""
        calls = self.calls
        for _ in range(CALLS):
            for call in calls:
                call()


class CacheMiss(Suite):
    """10,000 calls with attributes in turn that are more than any cache remembers, so that each is lowered anew."""

    params = DIFFERENT_OPERATORS
    param_names: ClassVar = ["operator"]

    def setup(self, operator: str) -> None:
        """Make 10,000 calls, no two alike, and run one, which loads the kernel."""
        self.calls = different_calls(fastops, operator)
        self.calls[0]()

    def time_10000_fresh(self, _operator: str) -> None:
        """Write into outputs that the calls allocate."""
        for call in self.calls:
            call()
