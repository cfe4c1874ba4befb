"""What a process pays before its first result, measured inside of processes that do nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import ClassVar

# Each result is a median of as many.
PROCESSES = 3

FIRST_CALLS = {
    "gather": "fastops.strided_slice(numpy.zeros((8, 8), 'f4'), [1, 0], [7, 8])",
    "range": "fastops.range(0, 100, 1, 'f32')",
}


def seconds_of(statement: str, setup: str, cache: Path | None = None) -> float:
    """Return the seconds of a statement in a new process, with a kernel cache of its own where one is named."""
    lines = ["import time", setup, "start = time.perf_counter()", statement, "print(time.perf_counter() - start)"]
    return float(output_of("\n".join(lines), cache))


def output_of(program: str, cache: Path | None = None) -> str:
    """Return what a program prints in a new process, with a kernel cache of its own where one is named."""
    environment = os.environ if cache is None else os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    # It runs nothing but the statements of the benchmarks.
    child = [sys.executable, "-c", program]
    return subprocess.run(child, env=environment, capture_output=True, text=True, check=True).stdout  # noqa: S603


def first_call_seconds(kernel: str, cache: Path | None = None) -> float:
    """Return the seconds of a process's first call of a kernel, after the imports."""
    return seconds_of(FIRST_CALLS[kernel], "import fastops, numpy", cache)


class Import:
    """The import of the package."""

    unit = "seconds"

    def track_with_numpy(self) -> float:
        """Processes that have imported nothing before."""
        return median(seconds_of("import fastops", "") for _ in range(PROCESSES))

    def track_after_numpy(self) -> float:
        """Processes that have imported NumPy before."""
        return median(seconds_of("import fastops", "import numpy") for _ in range(PROCESSES))


class FirstCall:
    """A process's first call of each kernel, with Numba's import and the set-up of its threads."""

    params = tuple(FIRST_CALLS)
    param_names: ClassVar = ["kernel"]
    unit = "seconds"
    timeout = 300

    def setup_cache(self) -> dict[str, float]:
        """Compile each kernel once, into a cache in asv's own directory; return the seconds that it took."""
        return {kernel: first_call_seconds(kernel, Path("kernels").absolute()) for kernel in FIRST_CALLS}

    setup_cache.timeout = 300

    def track_cold_cache(self, cold_seconds: dict[str, float], kernel: str) -> float:
        """One process, which compiles the kernel."""
        return cold_seconds[kernel]

    def track_warm_cache(self, _cold_seconds: dict[str, float], kernel: str) -> float:
        """Processes that load the kernel."""
        return median(first_call_seconds(kernel, Path("kernels").absolute()) for _ in range(PROCESSES))
