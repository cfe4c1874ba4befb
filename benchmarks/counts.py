"""What a call does, counted exactly: the same on every machine, however noisy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import fastops
from benchmarks.cases import MIB, names_of
from benchmarks.measure.counters import (
    allocated_bytes,
    can_count_writers,
    launches_of,
    threads_at_import,
    writers_of,
)
from benchmarks.suite import Suite, as_list, case_to_time

# Enough for threads, and too little for memory that is used again: what a call allocates is its own.
_BYTES = 3 * MIB // 4


class Call(Suite):
    """A warm call, of tiny cases, and of large ones in a size that threads share."""

    params = (*names_of("latency"), *names_of("bandwidth"))
    param_names: ClassVar = ["case"]

    def call_of(self, name: str) -> Callable[..., Any]:
        """Return the call."""
        case = case_to_time(name)
        return case.call(fastops, case.resized(_BYTES) if case.sized and not self.is_small else case.small)

    def track_launches(self, name: str) -> int:
        """Return how often compiled code is entered."""
        return launches_of(self.call_of(name))

    track_launches.unit = "launches"

    def track_bytes_allocated(self, name: str) -> int:
        """Return the most bytes allocated at once, the result included."""
        return allocated_bytes(self.call_of(name))

    track_bytes_allocated.unit = "bytes"

    def track_threads_that_write(self, name: str) -> int:
        """Return how many threads write the output."""
        if not can_count_writers():
            raise NotImplementedError("page faults of each thread")
        call = self.call_of(name)
        return writers_of(call, as_list(call()))

    track_threads_that_write.unit = "threads"


class Import(Suite):
    """The import of the package."""

    unit = "threads"

    def track_threads(self) -> int:
        """Return how many threads a new process has after it."""
        return threads_at_import()
