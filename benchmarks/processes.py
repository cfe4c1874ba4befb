"""Measurements in new processes: the cost of a first call, and memory beyond input and output."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from itertools import islice
from pathlib import Path

import fastops
from benchmarks.cases import MIB, Case, Size, random_calls

_ROOT = Path(__file__).absolute().parents[1]

FIRST_CALLS = {
    "gather": "fastops.strided_slice(numpy.zeros((8, 8), 'f4'), [1, 0], [7, 8])",
    "range": "fastops.range(0, 100, 1, 'f32')",
    "threads": "fastops.range(0, 1 << 20, 1, 'f32')",
}


def output_of(program: str, cache: Path | None = None, variables: Mapping[str, str] | None = None) -> str:
    """Return the output of a program in a new process, with a kernel cache of its own if one is named."""
    environment = os.environ | (variables or {}) | ({} if cache is None else {"NUMBA_CACHE_DIR": str(cache)})
    # Without bytecode, which installers make, all sources would be compiled at each import.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    # The child runs nothing but the statements of the benchmarks.
    child = [sys.executable, "-c", program]
    return subprocess.run(child, env=environment, capture_output=True, text=True, check=True).stdout  # noqa: S603


def output_with_benchmarks(program: str) -> str:
    """Return the output of a program in a new process that can import the benchmarks."""
    path = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return output_of(program, variables={"PYTHONPATH": path})


def seconds_of(statement: str, setup: str, cache: Path | None = None) -> float:
    """Return the seconds of a statement in a new process, with a kernel cache of its own if one is named."""
    lines = ["import time", setup, "start = time.perf_counter()", statement, "print(time.perf_counter() - start)"]
    return float(output_of("\n".join(lines), cache))


def first_call_seconds(kernel: str, cache: Path | None = None) -> float:
    """Return the seconds of a process's first call of a kernel, after the imports."""
    return seconds_of(FIRST_CALLS[kernel], "import fastops, numpy", cache)


# More calls than a cache would keep.
_CALLS_BEFORE = 10_000

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def peak_bytes() -> int:
    """Return the peak of the resident memory of this process since the last `forget_peak`."""
    # ru_maxrss of a new process begins with that of the process that made it, so it is read only if VmHWM is not there.
    with suppress(OSError):
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    resource = import_module("resource")
    unit = 1 if sys.platform == "darwin" else 1024
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * unit


def forget_peak() -> None:
    """Reset the peak to the memory that is resident now, if the system can."""
    with suppress(OSError):
        _RESET.write_text("5")


def growth_of_large_call(case: Case, size: Size) -> int:
    """Return the bytes that the peak grows by in the first call of a case at a size, into an output that exists."""
    call = case.call(fastops, size)
    # The outputs are written here, so that their pages are in memory already.
    out = case.copied_outputs(case.expected(case.data(size), size))
    # These calls load the kernel, and start and wake the threads.
    for _ in range(3):
        case.call(fastops, case.resized(MIB) if case.sized else case.small)()
    forget_peak()
    before = peak_bytes()
    call(out=out)
    return peak_bytes() - before


def growth_of_random_calls(kind: str, count: int) -> int:
    """Return by how many bytes ``count`` different calls raise the peak, after others that have filled all caches."""
    calls = random_calls(fastops, kind)
    for call in islice(calls, _CALLS_BEFORE):
        call()
    forget_peak()
    before = peak_bytes()
    for call in islice(calls, count):
        call()
    return peak_bytes() - before
