"""All policy about Numba: when kernels are compiled, and when threads may run.

Importing this module loads neither Numba nor a thread; the first call of a kernel does.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

#: Kernels: the module that holds the function of this name and its SIGNATURE.
KERNELS = {"gather": "fastops.kernels._gather", "fill_range": "fastops.kernels._range"}

#: Work that writes fewer bytes than this runs serially: measured, where two threads overtake one.
PARALLEL_BYTES = 1 << 17


@dataclass(frozen=True, slots=True)
class CompiledKernel:
    """A kernel ready to run.

    Attributes
    ----------
    run : callable
        The compiled entry point. It takes the kernel's arguments by position and checks none of them.
    dispatcher : object
        Numba's dispatcher, for inspection.
    from_cache : bool
        True if the machine code came from the cache on disk.
    """

    run: Callable[..., None]
    dispatcher: Any
    from_cache: bool


_compiled: dict[str, CompiledKernel] = {}
_compile_lock = threading.Lock()


def run_gather(*args: Any) -> None:
    """Run the gather kernel: destinations, source, table, fill, workers."""
    (_compiled.get("gather") or compile_kernel("gather")).run(*args)


def run_fill_range(*args: Any) -> None:
    """Run the range kernel: destination, table, rounding, workers."""
    (_compiled.get("fill_range") or compile_kernel("fill_range")).run(*args)


def compile_kernel(name: str) -> CompiledKernel:
    """Return a kernel, compiled now, or loaded from the cache on disk, if this process has not got it yet."""
    with _compile_lock:
        if name not in _compiled:
            module = import_module(KERNELS[name])
            jit = import_module("numba").njit(parallel=True, nogil=True, error_model="numpy")
            dispatcher = jit(getattr(module, name))
            import_module("fastops._kernel_cache").enable_cache(dispatcher)
            with warnings.catch_warnings():
                # About a layer that Numba tries and passes over; `fastops info` names the one that it takes.
                warnings.filterwarnings("ignore", message=".*TBB threading layer requires TBB")
                dispatcher.compile(module.SIGNATURE)
            overload = dispatcher.overloads[module.SIGNATURE.args]
            from_cache = sum(dispatcher.stats.cache_hits.values()) > 0
            _compiled[name] = CompiledKernel(overload.entry_point, dispatcher, from_cache)
        return _compiled[name]


# In a forked child whose parent ran parallel regions on GNU OpenMP, the first parallel region ends the process.
_is_serial_child = False

# On the workqueue layer, two threads in parallel regions at once end the process.
_region_lock = threading.Lock()


def _note_fork() -> None:
    global _is_serial_child, _region_lock, _compile_lock
    _is_serial_child = _is_serial_child or threading_layer() == "omp"
    _region_lock = threading.Lock()
    _compile_lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def threading_layer() -> str | None:
    """Return the threading layer that Numba runs on, or None before the first parallel region of the process."""
    numba = sys.modules.get("numba")
    try:
        return None if numba is None else str(numba.threading_layer())
    except ValueError:
        return None


@contextmanager
def borrowed_workers() -> Iterator[int]:
    """Give the number of threads that a kernel may use now: 1 wherever a parallel region would end the process."""
    numba = import_module("numba")
    workers = 1 if _is_serial_child else int(numba.get_num_threads())
    # Which layer it is, Numba knows after the first parallel region: until then, assume the one that needs the lock.
    if workers == 1 or threading_layer() in ("omp", "tbb"):
        yield workers
    elif _region_lock.acquire(blocking=False):
        try:
            yield workers
        finally:
            _region_lock.release()
    else:
        yield 1
