"""Exact counts of the work of a call of fastops, and of the instructions of its machine code.

Calls are counted from outside, so that any version of fastops can be counted: entries into compiled code by Python's
profiler, and the threads that write by the page faults of an output that nobody has touched. Machine code is read by
objdump, where it is installed.
"""

from __future__ import annotations

import mmap
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import count, pairwise
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.cases import MIB, Case, Size

# The size of outputs that can be resized: large enough for threads, and too small for the pool of results. So the bytes
# that a call allocates do not depend on the calls before it.
_COUNTED_BYTES = 3 * MIB // 4

# Compiled entries that check a call, before a kernel runs or in its place. BASE may have other names for them.
_LOOKS = ("execute", "execute_range", "gather_guarded", "gather_traced")
_MOVERS = ("execute_launch", "execute_at", "gather", "move_windows", "run_range")
_ENTRIES = (*_LOOKS, *_MOVERS, "fill_range")

_TASKS = Path("/proc/self/task")

# The field of a task's stat, counted from the one after its name, that holds page faults without disk access.
_MINOR_FAULTS = 7

# A thread that took fewer of the faults than this share has not written its part: it has touched its stack.
_LEAST_SHARE = 0.02

# How long to repeat a call while only one thread has written.
_SECONDS_FOR_WRITERS = 0.3


def counted_size(case: Case) -> Size:
    """Return the size to count a case in."""
    return case.resized(_COUNTED_BYTES) if case.sized else case.small


def launches_of(call: Callable[[], object]) -> int:
    """Return how often a call enters a compiled kernel. A check that is followed by a kernel is not counted.

    A check without a kernel after it has moved the data itself, and is counted.
    """
    names: list[str] = []

    def note(_frame: Any, event: str, function: Any) -> None:
        # Numba's entry points are methods of a class that no other library has; those of fastops' machine code are
        # bound to None.
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


def can_count_writers() -> bool:
    """Return whether the system tells the page faults of each thread."""
    return _TASKS.is_dir() and hasattr(mmap, "MADV_NOHUGEPAGE")


def writers_of(call: Callable[..., object], results: list[NDArray[Any]]) -> int:
    """Return how many threads write the outputs of a call; ``results`` have their shapes and dtypes.

    The thread that first writes to a new page of memory has a page fault. If other processes hold cores, a thread may
    come too late for its part, and work may be serial for a while. So several calls are made, and the most threads of a
    call count.
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


# Registers by the letters that begin their names, of x86 and of Arm.
_REGISTERS = {"zmm": 64, "ymm": 32, "xmm": 16, "q": 16}
_REGISTER = re.compile(r"\b(zmm|ymm|xmm|q)\d+\b")

# It matches neither loads (MOVNTDQA) nor prefetches. An address may precede the instruction.
_STREAMING_STORE = re.compile(r"^\s+(?:[0-9a-f]+:\s+)?(v?movnt(?!dqa)\w*|stnp)\s", re.MULTILINE)

# How objdump begins a function.
_FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:\n", re.MULTILINE)


@dataclass(frozen=True)
class Code:
    """The machine code of one function.

    Attributes
    ----------
    name : str
        Module and function.
    vector_bytes : int
        The widest register that it uses; 0 if none is a vector.
    streaming_stores : int
        Instructions that write past the caches.
    """

    name: str
    vector_bytes: int
    streaming_stores: int


def code_of(name: str, assembly: str) -> Code:
    """Return the counts of the assembly of a function."""
    widths = {_REGISTERS[kind] for kind in _REGISTER.findall(assembly)}
    return Code(name, max(widths, default=0), len(_STREAMING_STORE.findall(assembly)))


def code_of_kernels() -> Iterator[Code]:
    """Give the code of each function of the object that this process runs; nothing if there is none, or no objdump."""
    disassembler = shutil.which("objdump")
    try:
        found = import_module("fastops._runtime._objects").find_ready()
    except ImportError:
        # A commit that has no objects.
        found = None
    if disassembler is None or found is None:
        return
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        file.write(found[2])
        file.flush()
        command = [disassembler, "--disassemble", "--no-show-raw-insn", file.name]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
    _, *parts = _FUNCTION.split(text)
    for name, assembly in zip(parts[::2], parts[1::2], strict=True):
        # Other symbols are parts of these functions.
        if name.startswith("fastops."):
            yield code_of(name, assembly)
