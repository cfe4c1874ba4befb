"""Counters of a call and of the import. They are exact: of these, a busy machine counts the same as an idle one."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from typing import NamedTuple

# A call may allocate a few small objects more, and an import may load a few modules more, without being worse.
_FEW_BYTES, _FEW_MODULES = 1024, 10

# The least of several repetitions is counted, so that the first call's own allocations are not.
_REPEATS = 5


class Counter(NamedTuple):
    """A number that the gate compares.

    Attributes
    ----------
    value : int or float
    worse : str
        Which change is a regression: ``more``, ``fewer``, ``none`` (none are left), or an empty string for no change.
    slack : int
        Changes by up to this number are ignored.
    """

    value: float
    worse: str = "more"
    slack: int = 0

    def is_worse_than(self, base: float) -> bool:
        """Return whether this value is a regression from that of the base."""
        return {
            "more": self.value > base + self.slack,
            "fewer": self.value < base - self.slack,
            "none": self.value == 0 < base,
            "": False,
        }[self.worse]


def allocated_bytes(call: Callable[[], object]) -> int:
    """Return the most bytes that a warm call has allocated at once, its result included.

    `tracemalloc` sees Python's objects and NumPy's arrays.
    """
    was_tracing = tracemalloc.is_tracing()
    call()
    if not was_tracing:
        tracemalloc.start()
    peaks = []
    try:
        for _ in range(_REPEATS):
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            call()
            peaks.append(tracemalloc.get_traced_memory()[1] - before)
    finally:
        if not was_tracing:
            tracemalloc.stop()
    return min(peaks)


def counters_of_call(name: str, call: Callable[[], object]) -> dict[str, Counter]:
    """Return the counters of any call."""
    return {f"{name}: bytes allocated": Counter(allocated_bytes(call), "more", _FEW_BYTES)}


_THREADS = "len(os.listdir('/proc/self/task')) if os.path.isdir('/proc/self/task') else threading.active_count()"


def counters_of_import(package: str) -> dict[str, Counter]:
    """Import a package in a new process; return how many threads this process has, and how many modules it loads."""
    program = (
        f"import os, sys, threading; n = len(sys.modules); import {package}; print({_THREADS}, len(sys.modules) - n)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    threads, modules = map(int, done.stdout.split()[-2:])
    return {"import: threads": Counter(threads), "import: modules": Counter(modules, "more", _FEW_MODULES)}
