"""What a call does, counted exactly: the same on every machine, however noisy."""

from __future__ import annotations

from typing import ClassVar

import fastops
from benchmarks.cases import CASES, names_of, outputs_of
from benchmarks.measure import counters
from benchmarks.suite import Suite


class CountedCall(Suite):
    """A warm call, of tiny cases, and of large ones in a size that threads share."""

    params = (*names_of("latency"), *names_of("bandwidth"), *names_of("ranges"))
    param_names: ClassVar = ["case"]

    def setup(self, name: str) -> None:
        """Make the call."""
        case = CASES[name]
        self.call = case.call(fastops, case.small if self.is_small else counters.counted_size(case))


class Call(CountedCall):
    """What it runs and allocates."""

    def track_launches(self, _name: str) -> int:
        """Return how often compiled code is entered."""
        return counters.launches_of(self.call)

    track_launches.unit = "launches"

    def track_bytes_allocated(self, _name: str) -> int:
        """Return the most bytes allocated at once, the result included."""
        return counters.allocated_bytes(self.call)

    track_bytes_allocated.unit = "bytes"


class Writers(CountedCall):
    """Who writes, where the system tells the page faults of each thread."""

    unit = "threads"

    def setup(self, name: str) -> None:
        """Make the call."""
        if not counters.can_count_writers():
            raise NotImplementedError("page faults of each thread")
        super().setup(name)

    def track_threads_that_write(self, _name: str) -> int:
        """Return how many threads write the output."""
        return counters.writers_of(self.call, outputs_of(self.call()))


class Import(Suite):
    """The import of the package."""

    def track_threads(self) -> int:
        """Return how many threads a new process has after it."""
        return counters.threads_at_import()

    track_threads.unit = "threads"

    def track_modules(self) -> int:
        """Return how many modules it loads."""
        return counters.modules_at_import()

    track_modules.unit = "modules"
