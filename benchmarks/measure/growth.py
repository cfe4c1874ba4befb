"""How much memory work takes beyond its input and output. Meant for processes that do nothing else."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from itertools import islice
from pathlib import Path

import fastops
from benchmarks.cases import MIB, Case, Size, random_calls

# Several times what any cache of calls remembers.
_CALLS_BEFORE = 10_000

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def peak_bytes() -> int:
    """Return the most memory that this process has had, resident, since the last `forget_peak`."""
    # ru_maxrss of a new process begins with that of the process that made it, so it comes second.
    with suppress(OSError):
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    resource = import_module("resource")
    unit = 1 if sys.platform == "darwin" else 1024
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * unit


def forget_peak() -> None:
    """Begin the peak anew at what is resident now, where the system can."""
    with suppress(OSError):
        _RESET.write_text("5")


def growth_of_large_call(case: Case, size: Size) -> int:
    """Return the bytes that the peak grows by in the first call of a case at a size, into an output that exists."""
    call = case.call(fastops, size)
    # Written once, so that their pages are there.
    out = case.copied_outputs(case.expected(case.data(size), size))
    # Loads the kernel, and starts and wakes its threads.
    for _ in range(3):
        case.call(fastops, case.resized(MIB) if case.sized else case.small)()
    forget_peak()
    before = peak_bytes()
    call(out=out)
    return peak_bytes() - before


def growth_of_random_calls(kind: str, count: int) -> int:
    """Return the bytes that the peak grows by in so many different calls, after others that have filled all caches."""
    calls = random_calls(fastops, kind)
    for call in islice(calls, _CALLS_BEFORE):
        call()
    forget_peak()
    before = peak_bytes()
    for call in islice(calls, count):
        call()
    return peak_bytes() - before
