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
from functools import cache
from importlib import import_module
from typing import Any

from fastops._limits import PARALLEL_BYTES

#: Kernels: the module that holds the function of this name, its SIGNATURE, its OPTIONS and its UNITS: those that it
#: always calls, and groups of others.
KERNELS = {
    "gather": "fastops.kernels._gather",
    "fits": "fastops.kernels._guard",
    "fill_range": "fastops.kernels._range",
}

#: All groups of units that a kernel has.
ALL_UNITS = -1


class KernelError(RuntimeError):
    """Numba cannot compile kernels or start threads here: a matter of the environment, not of a call."""


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

    run: Callable[..., Any]
    dispatcher: Any
    from_cache: bool


_compiled: dict[tuple[str, int], CompiledKernel] = {}
# Reentrant, because the thread that compiles may be the one that forks.
_compile_lock = threading.RLock()


def run_kernel(name: str, needs: int, total_bytes: int, *args: Any) -> None:
    """Run a kernel that writes ``total_bytes``, with threads where they pay and where they are safe.

    ``needs`` is what `compile_kernel` takes. ``args`` are the kernel's arguments but for the last one, the number of
    workers.
    """
    kernel = _compiled.get((name, needs)) or compile_kernel(name, needs)
    if total_bytes < PARALLEL_BYTES:
        kernel.run(*args, 1)
    elif _regions_are_safe:
        kernel.run(*args, sys.modules["numba"].get_num_threads())
    else:
        _run_guarded(kernel, args)


def compile_kernel(name: str, needs: int = ALL_UNITS) -> CompiledKernel:
    """Return a kernel, compiled now, or loaded from the cache on disk, if this process has not got it yet.

    What it calls is compiled with it: what it always does, and group i of the others if ``needs`` has 2**i.
    """
    with _compile_lock:
        if (name, needs) not in _compiled:
            _watch_forks()
            with _numba_failures():
                _compiled[name, needs] = _compile(name, needs)
        return _compiled[name, needs]


def _compile(name: str, needs: int) -> CompiledKernel:
    numba = import_module("numba")
    if numba.config.DISABLE_JIT:
        raise KernelError("NUMBA_DISABLE_JIT is set, but kernels exist as compiled code only")
    module = import_module(KERNELS[name])
    cache = import_module("fastops._kernel_cache")
    always, *groups = module.UNITS
    calls = [*always, *[call for i, group in enumerate(groups) if needs >> i & 1 for call in group]]
    from_cache = all([cache.link_unit(call) for call in calls])
    dispatcher, is_loaded = cache.link_kernel(module, name)
    entry_point = dispatcher.overloads[module.SIGNATURE.args].entry_point
    if cache.IS_CHECKED:
        entry_point = _asserted(entry_point)
    return CompiledKernel(entry_point, dispatcher, from_cache and is_loaded)


def _asserted(entry_point: Callable[..., Any]) -> Callable[..., Any]:
    """Return the entry point of a kernel in the checked form, raising an AssertionError for what it has caught."""
    take_violation = import_module("fastops.kernels._violations").take_violation

    def run(*args: Any) -> Any:
        result = entry_point(*args)
        violation = take_violation()
        if violation is not None:
            raise AssertionError(f"fastops: {violation}. This is a bug of fastops; please report the call")
        return result

    return run


def thread_count() -> int:
    """Return the number of threads that large work uses, after starting them."""
    with _numba_failures():
        return int(import_module("numba").get_num_threads())


@contextmanager
def _numba_failures() -> Iterator[None]:
    """Turn what Numba raises when it cannot work here into one line that says so."""
    try:
        with warnings.catch_warnings():
            # About a layer that Numba tries and passes over; `fastops info` names the one that it takes.
            warnings.filterwarnings("ignore", message=".*TBB threading layer requires TBB")
            yield
    except Exception as error:
        reason = " ".join(str(error).split())
        raise KernelError(f"fastops: Numba cannot compile kernels or start threads here: {reason}") from error


# True once Numba is known to run on a layer on which several threads may be in parallel regions at once.
_regions_are_safe = False

# True in a forked child whose parent ran parallel regions on GNU OpenMP: the child's first one would end it.
_is_serial_child = False

# Held in parallel regions of other layers: on workqueue, two threads in them at once end the process.
_region_lock = threading.Lock()


def _run_guarded(kernel: CompiledKernel, args: tuple[Any, ...]) -> None:
    """Run a kernel with threads if nobody else does, and serially otherwise; find out which layer it is."""
    global _regions_are_safe
    if not _is_serial_child and _region_lock.acquire(blocking=False):
        try:
            kernel.run(*args, import_module("numba").get_num_threads())
            _regions_are_safe = threading_layer() in ("omp", "tbb")
        finally:
            _region_lock.release()
    else:
        kernel.run(*args, 1)


@cache
def _watch_forks() -> None:
    """Let forks wait for compilations, from now on.

    A child would inherit the locks of Numba and of the import system from a thread that it does not have. `logging`,
    with which Numba reports on its compiling, keeps its own lock during forks: it has to be imported before this, so
    that a fork takes that lock after the one here.
    """
    import_module("logging")
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=_compile_lock.acquire, after_in_parent=_compile_lock.release, after_in_child=_note_fork
        )


def _note_fork() -> None:
    """In a forked child: find out if parallel regions still work, and replace the lock that a lost thread may hold."""
    global _regions_are_safe, _is_serial_child, _region_lock
    _compile_lock.release()
    _is_serial_child = _is_serial_child or threading_layer() == "omp"
    _regions_are_safe = _regions_are_safe and not _is_serial_child
    _region_lock = threading.Lock()


def threading_layer() -> str | None:
    """Return the threading layer that Numba runs on, or None before the first parallel region of the process."""
    numba = sys.modules.get("numba")
    try:
        return None if numba is None else str(numba.threading_layer())
    except (ValueError, AttributeError):
        # No region has run yet, or another thread is importing Numba.
        return None
