"""Programs that run in processes of their own, and what the first call of such a process costs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_ROOT = Path(__file__).absolute().parents[2]

FIRST_CALLS = {
    "gather": "fastops.strided_slice(numpy.zeros((8, 8), 'f4'), [1, 0], [7, 8])",
    "range": "fastops.range(0, 100, 1, 'f32')",
    "threads": "fastops.range(0, 1 << 20, 1, 'f32')",
}


def output_of(program: str, cache: Path | None = None, variables: Mapping[str, str] | None = None) -> str:
    """Return what a program prints in a new process, with a kernel cache of its own where one is named."""
    environment = os.environ | (variables or {}) | ({} if cache is None else {"NUMBA_CACHE_DIR": str(cache)})
    # Without bytecode, which installers make, all sources would be compiled at each import.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    # It runs nothing but the statements of the benchmarks.
    child = [sys.executable, "-c", program]
    return subprocess.run(child, env=environment, capture_output=True, text=True, check=True).stdout  # noqa: S603


def output_with_benchmarks(program: str, cache: Path | None = None, variables: Mapping[str, str] | None = None) -> str:
    """Return what a program prints that imports the benchmarks, likewise."""
    return output_of(
        f"import sys; sys.path.insert(0, {str(_ROOT)!r}); {program}",
        cache,
        {"PYTHONPATH": os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])}
        | dict(variables or {}),
    )


@contextmanager
def busy_cores(count: int) -> Iterator[None]:
    """Keep so many cores busy."""
    # It runs nothing but this.
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def seconds_of(statement: str, setup: str, cache: Path | None = None) -> float:
    """Return the seconds of a statement in a new process, with a kernel cache of its own where one is named."""
    lines = ["import time", setup, "start = time.perf_counter()", statement, "print(time.perf_counter() - start)"]
    return float(output_of("\n".join(lines), cache))


def first_call_seconds(kernel: str, cache: Path | None = None) -> float:
    """Return the seconds of a process's first call of a kernel, after the imports."""
    return seconds_of(FIRST_CALLS[kernel], "import fastops, numpy", cache)
