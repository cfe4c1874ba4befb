"""What a call does, counted exactly: a machine too noisy for times counts the same.

Everything is counted from outside, so that any version of fastops can be: calls of compiled code by Python's profiler,
memory by `tracemalloc`, and the threads that write by the page faults of an output that nobody has touched.
"""

from __future__ import annotations

import mmap
import sys
import tracemalloc
from collections.abc import Callable
from itertools import count, pairwise
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.cases import MIB, Case, Size
from benchmarks.measure.processes import output_of

# Outputs that can be resized: enough for threads, and too little for memory that is used again, so that what a call
# allocates does not depend on the calls before it.
_COUNTED_BYTES = 3 * MIB // 4

# Compiled code that looks at a call, before a kernel runs or in its place. BASE may have other names for it.
_LOOKS = ("execute", "execute_range", "gather_guarded", "gather_traced")
_MOVERS = ("execute_launch", "execute_at", "gather", "move_windows", "run_range")
_ENTRIES = (*_LOOKS, *_MOVERS, "fill_range")

_TASKS = Path("/proc/self/task")

# The field of a task's stat, counted from the one after its name, that holds page faults without disk access.
_MINOR_FAULTS = 7

# A thread that took fewer of the faults than this share has not written its part: it has touched its stack.
_LEAST_SHARE = 0.02

# How long calls are repeated that one thread has written.
_SECONDS_FOR_WRITERS = 0.3

# Repetitions of what must come out the same, so that what the first one leaves behind is not counted.
_REPEATS = 10


def counted_size(case: Case) -> Size:
    """Return the size to count a case in."""
    return case.resized(_COUNTED_BYTES) if case.sized else case.small


def launches_of(call: Callable[[], object]) -> int:
    """Return how often a call enters a compiled kernel, but for looks at the arrays of a kernel that runs.

    What looks at arrays may move them itself, so that it counts where no kernel follows that does.
    """
    names: list[str] = []

    def note(_frame: Any, event: str, function: Any) -> None:
        # Numba's entry points are methods of an object that no other library has; those of an object are bound to None.
        if event != "c_call":
            return
        owner = function.__self__
        if type(owner).__name__ == "_Closure" or (owner is None and function.__name__ in _ENTRIES):
            names.append(function.__name__)

    call()
    profiler = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(profiler)
    return sum(name not in _LOOKS or following not in _MOVERS for name, following in pairwise([*names, ""]))


def allocated_bytes(call: Callable[[], object]) -> int:
    """Return the most bytes that a warm call has allocated at once, its result included.

    Of Python's objects and of arrays, which is all that `tracemalloc` sees.
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


def can_count_writers() -> bool:
    """Return whether the system tells the page faults of each thread."""
    return _TASKS.is_dir() and hasattr(mmap, "MADV_NOHUGEPAGE")


def writers_of(call: Callable[..., object], results: list[NDArray[Any]]) -> int:
    """Return how many threads write the outputs of a call, whose results are known to be like these.

    Each page of memory that is new is given to the thread that writes to it first. Beside other processes a thread may
    come too late for its part, and work may be serial for a while: so the most threads of several calls are counted.
    """
    most = 0
    end = monotonic() + _SECONDS_FOR_WRITERS
    # A first call loads code, into pages that are no output.
    for repeat in count():
        outs = [untouched(result.shape, result.dtype) for result in results]
        before = _faults()
        call(out=outs if len(outs) > 1 else outs[0])
        taken = [faults - before.get(task, 0) for task, faults in _faults().items()]
        if repeat:
            most = max(most, sum(faults >= _LEAST_SHARE * sum(taken) for faults in taken))
        if repeat and (most > 1 or monotonic() > end):
            return most
    raise AssertionError("the loop has no end of its own")


def untouched(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return an array in small pages that nobody has written to."""
    size = int(np.prod(shape)) * dtype.itemsize
    pages = mmap.mmap(-1, max(size, 1), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    # Pages of 2 MiB would be few enough for one thread to take all of them.
    pages.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(pages, np.uint8, size).view(dtype).reshape(shape)


def _faults() -> dict[str, int]:
    """Return the page faults of each thread of this process."""
    faults = {}
    for task in _TASKS.iterdir():
        # The name, in parentheses, may hold anything.
        fields = (task / "stat").read_text().rpartition(")")[2].split()
        faults[task.name] = int(fields[_MINOR_FAULTS])
    return faults


def threads_at_import() -> int:
    """Return how many threads a new process has that has imported fastops; of Python's, where no others are told."""
    count = f"len(os.listdir({str(_TASKS)!r}))" if _TASKS.is_dir() else "threading.active_count()"
    return int(output_of(f"import os, threading, fastops; print({count})"))


def modules_at_import() -> int:
    """Return how many modules the import of fastops loads."""
    return int(output_of("import sys; before = len(sys.modules); import fastops; print(len(sys.modules) - before)"))
