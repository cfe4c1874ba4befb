"""What a process pays before its first result, measured inside of processes that do nothing else."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import ClassVar

from benchmarks.measure.assembly import kernels_in
from benchmarks.measure.processes import FIRST_CALLS, first_call_seconds, seconds_of
from benchmarks.suite import Suite

# Each result is a median of as many.
PROCESSES = 3


class Import(Suite):
    """The import of the package."""

    unit = "seconds"

    def track_with_numpy(self) -> float:
        """Processes that have imported nothing before."""
        return median(seconds_of("import fastops", "") for _ in range(PROCESSES))

    def track_after_numpy(self) -> float:
        """Processes that have imported NumPy before."""
        return median(seconds_of("import fastops", "import numpy") for _ in range(PROCESSES))


class FirstCall(Suite):
    """A process's first call of each kernel, and its first work for threads, with Numba's import."""

    params = tuple(FIRST_CALLS)
    param_names: ClassVar = ["kernel"]
    unit = "seconds"

    def setup_cache(self) -> dict[str, float]:
        """Make each call once, with empty caches in asv's own directory; return the seconds that it took."""
        return {kernel: first_call_seconds(kernel, cache_of(kernel)) for kernel in FIRST_CALLS}

    setup_cache.timeout = 300

    def track_cold_cache(self, cold_seconds: dict[str, float], kernel: str) -> float:
        """One process, which compiles what did not come with the package."""
        return cold_seconds[kernel]

    def track_warm_cache(self, _cold_seconds: dict[str, float], kernel: str) -> float:
        """Processes that load what was compiled."""
        return median(first_call_seconds(kernel, cache_of(kernel)) for _ in range(PROCESSES))

    def track_kernels_compiled(self, _cold_seconds: dict[str, float], kernel: str) -> int:
        """Return how many files the first process compiled."""
        return kernels_in(cache_of(kernel))

    track_kernels_compiled.unit = "kernels"


def cache_of(kernel: str) -> Path:
    """Return the directory that processes keep a kernel in."""
    return Path("kernels", kernel).absolute()
