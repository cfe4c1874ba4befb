"""Launches: by how many threads large work is done, as the user and the system say.

How kernels are loaded and run.

Importing this module loads neither LLVM nor Numba nor a thread. The first call of a kernel loads the object of all
kernels by LLVM; the first large work loads Numba, starts its threads, and compiles what shares work among them.
"""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import local
from time import monotonic
from typing import TYPE_CHECKING, Any

from fastops._errors import KernelError
from fastops._process import warn_once
from fastops._runtime._locks import LOADING, saying_why
from fastops._runtime._threads import ThreadLimits, is_count_chosen, read_thread_count, runs_regions, start_threads
from fastops._settings import LAUNCH_BYTES, PARALLEL_BYTES
from fastops.kernels._form import IS_CHECKED
from fastops.kernels._sources import SOURCES, digest_now

if TYPE_CHECKING:
    from fastops._runtime._objects import Object


# What the system gives is looked at again after so many seconds: that takes as long as a tenth of a small launch.
_SECONDS_BETWEEN_LOOKS = 0.1

_limits = ThreadLimits(affinity=1, quota=None, is_pool_worker=False)
_next_look = 0.0


def _look_again() -> None:
    """In a forked child: what limits it may be other than what limits its parent."""
    global _next_look
    _next_look = 0.0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_look_again)


class _OwnLimits(local):
    """What limits launches of one thread."""

    is_serial = False


_own = _OwnLimits()


@contextmanager
def serial_launches() -> Iterator[None]:
    """Let all work of this thread be done by itself alone: others do as much work beside it."""
    before = _own.is_serial
    _own.is_serial = True
    try:
        yield
    finally:
        _own.is_serial = before


def count_workers() -> int:
    """Return how many threads work may be shared by now.

    That is as many as regions of this thread have, unless the system gives fewer; and 1 where regions do not run, and
    in a pool's worker, unless the user has chosen a number. Numba is loaded only where the answer may be another one
    than 1.
    """
    global _limits, _next_look
    if _own.is_serial:
        return 1
    now = monotonic()
    if now >= _next_look:
        _limits = ThreadLimits.read()
        _next_look = now + _SECONDS_BETWEEN_LOOKS
    if _limits.threads == 1 or (_limits.is_pool_worker and not is_count_chosen()):
        return 1
    count = read_thread_count()
    if _limits.threads < count:
        count = _limits.threads
    return count if count > 1 and runs_regions() else 1


_object: Object | None = None

# The builtin functions of the object, and whether work can be shared by threads.
_entries: dict[str, Callable[..., Any]] = {}
_is_linked = False


def run_launches(name: str, total_bytes: int, *args: Any) -> Any:
    """Run a kernel on work that writes ``total_bytes``, with threads where they pay and are safe; return a status.

    ``args`` are the kernel's arguments but for the last three: the number of workers, and which launch it is of how
    many. Handlers of signals run between launches; what they raise leaves the output unfinished. The first status that
    is not 0 ends the work.
    """
    run, status = _entries.get(name) or load_entry(name), 0
    workers, launches = count_launches(total_bytes)
    for launch in range(launches):
        status = run(*args, workers, launch, launches)
        if status:
            break
    return status


def count_launches(total_bytes: int) -> tuple[int, int]:
    """Return by how many threads work that writes so many bytes is done, and in how many launches."""
    if total_bytes < PARALLEL_BYTES:
        return 1, 1
    workers = count_workers()
    if workers > 1 and not link_parallel():
        workers = 1
    return workers, -(-total_bytes // LAUNCH_BYTES)


def ready_workers() -> int:
    """Return by how many threads large work can be done at once; 0 where something must be compiled for that first."""
    workers = count_workers()
    return workers if workers == 1 or _is_linked else 0


def load_object() -> Object:
    """Return the object of all kernels, loaded now if it has not been, and compiled before if there is none."""
    global _object
    if _object is None:
        if is_free_threaded():
            raise KernelError("fastops: this Python is a free-threaded build, but kernels need the global lock")
        with LOADING:
            if _object is None:
                with saying_why("load kernels"):
                    objects = import_module("fastops._runtime._objects")
                    found = objects.find_ready()
                # Ctrl-C ends a compilation, which another process does; half a loading nothing could finish.
                found = found or objects.build()
                with saying_why("load kernels"):
                    loaded = objects.load(*found)
                    _entries.update({name: _asserted(run) for name, run in loaded.entries.items()})
                    _object = loaded
    return _object


def load_entry(name: str) -> Callable[..., Any]:
    """Return a kernel of the object as a function, which takes its arguments by position and checks none of them."""
    if name not in _entries:
        load_object()
    return _entries[name]


def link_parallel() -> bool:
    """Let threads share work, for which a kernel is compiled or loaded if it has not been; False if Numba is off."""
    global _is_linked
    if not _is_linked:
        loaded = load_object()
        with saying_why("compile kernels for threads"):
            if import_module("numba").config.DISABLE_JIT:
                warn_once("large work is done by one thread here, because NUMBA_DISABLE_JIT is set")
                return False
            check_unchanged()
            parallel = import_module("fastops._runtime._parallel")
            with parallel.COMPILER_LOCK:
                if not _is_linked:
                    parallel.link_parallel(loaded)
                    _is_linked = True
    return True


def check_unchanged() -> None:
    """Raise before modules are imported whose code goes with the kernels of this process, if they are others now.

    Raises
    ------
    KernelError
        The sources have changed.
    """
    if digest_now() != SOURCES:
        raise KernelError("fastops: it has changed on disk since this process imported it; start the process anew")


def _asserted(entry_point: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel, which in the checked form raises an AssertionError for what it has caught."""
    if not IS_CHECKED:
        return entry_point
    take_violation = import_module("fastops.kernels._intrinsics._violations").take_violation

    def run(*args: Any) -> Any:
        result = entry_point(*args)
        violation = take_violation()
        if violation is not None:
            raise AssertionError(f"fastops: {violation}. This is a bug of fastops; please report the call")
        return result

    return run


def is_free_threaded() -> bool:
    """True if this build of Python can run without the global lock, which kernels need: threads share scratch memory.

    Such a build may still use the lock. That cannot be relied on: an import enables it for a moment, and disables it
    again if the module that is imported does without.
    """
    return bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def thread_count() -> int:
    """Return the number of threads that large work of this thread uses, after starting them."""
    with saying_why("start threads"):
        start_threads()
    return count_workers()
