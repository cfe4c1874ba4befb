"""The kernels of this process: how they are loaded and run, and by how many threads.

Importing this module loads neither LLVM nor Numba, and starts no thread. The first call of a kernel loads the object of
all kernels by LLVM. The first large work loads Numba and starts its threads.
"""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import RLock, local
from time import monotonic
from typing import TYPE_CHECKING, Any

from fastops._errors import KernelError, saying_why
from fastops._process import warn_once
from fastops._runtime._threads import ThreadLimits, is_count_chosen, read_thread_count, runs_regions
from fastops.kernels._form import SOURCES, digest_now
from fastops.kernels._tables._gather import LAUNCH_BYTES, PARALLEL_BYTES

if TYPE_CHECKING:
    from fastops._runtime._objects import Object

# Limits of the system are read again after this time: reading them takes a tenth of the time of a small launch.
_SECONDS_BETWEEN_READS = 0.1

_limits = ThreadLimits(affinity=1, quota=None, is_pool_worker=False)
_next_read = 0.0


# ``is_serial`` is True in a thread that does all of its work by itself.
_own = local()


@contextmanager
def serial_launches() -> Iterator[None]:
    """Let this thread do all of its work by itself, because other threads are busy too."""
    _own.is_serial = True
    try:
        yield
    finally:
        _own.is_serial = False


def count_workers() -> int:
    """Return among how many threads work may be shared now.

    That is the number of threads that Numba gives a region of this thread, or fewer if the system allows fewer. It is 1
    where regions cannot run; in a worker of a pool, it is 1 unless the user has chosen a number. Numba is loaded only
    if the number may be larger than 1.
    """
    global _limits, _next_read
    if getattr(_own, "is_serial", False):
        return 1
    now = monotonic()
    if now >= _next_read:
        _limits = ThreadLimits.read()
        _next_read = now + _SECONDS_BETWEEN_READS
    if _limits.threads == 1 or (_limits.is_pool_worker and not is_count_chosen()):
        return 1
    count = read_thread_count()
    if _limits.threads < count:
        count = _limits.threads
    return count if count > 1 and runs_regions() else 1


# Held while kernels are loaded. A forked child has the locks of all threads of its parent, but only one thread: if
# another thread held the lock, the child would wait for ever. So a fork takes the lock first.
_LOADING = RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_LOADING.acquire, after_in_parent=_LOADING.release, after_in_child=_LOADING.release)

_object: Object | None = None

# True once work can be shared among threads.
_is_linked = False


def run_launches(name: str, total_bytes: int, *args: Any) -> Any:
    """Run a kernel on work that writes ``total_bytes``, with threads where they are faster and safe; return a status.

    ``args`` are the kernel's arguments without the last three: the number of workers, the number of the launch, and the
    number of launches. Python runs signal handlers between launches; if a handler raises, the output stays unfinished.
    The first status that is not 0 ends the work.
    """
    run, status, workers, launches = load_entry(name), 0, 1, 1
    if total_bytes >= PARALLEL_BYTES:
        workers, launches = count_workers(), -(-total_bytes // LAUNCH_BYTES)
        if workers > 1 and not link_parallel():
            workers = 1
    for launch in range(launches):
        status = run(*args, workers, launch, launches)
        if status:
            break
    return status


def ready_workers() -> int:
    """Return how many threads can do large work now; 0 if `link_parallel` must be called first."""
    workers = count_workers()
    return workers if workers == 1 or _is_linked else 0


def load_object() -> Object:
    """Return the object of all kernels; load it at the first call, and compile it if there is none."""
    global _object
    if _object is None:
        if is_free_threaded():
            raise KernelError("fastops: this Python is a free-threaded build, but kernels need the global lock")
        with _LOADING:
            if _object is None:
                with saying_why("load kernels"):
                    objects = import_module("fastops._runtime._objects")
                    _object = objects.load(*(objects.find_ready() or objects.build()))
    return _object


def load_entry(name: str) -> Callable[..., Any]:
    """Return a kernel of the object as a function, which takes its arguments by position and does not count them."""
    return load_object().entries[name]


def link_parallel() -> bool:
    """Start Numba's threads and let kernels use them, once; return False if Numba lacks a function for this."""
    global _is_linked
    if not _is_linked:
        loaded = load_object()
        read_thread_count()
        try:
            import_module("fastops._runtime._objects").link_threads(loaded)
        except ValueError as error:
            warn_once(f"large work is done by one thread here, because this version of Numba differs: {error}")
            return False
        _is_linked = True
    return True


def check_unchanged() -> None:
    """Raise a KernelError if the sources of the kernels have changed since this process imported them.

    Modules that are imported later would not fit the kernels of this process.
    """
    if digest_now() != SOURCES:
        raise KernelError("fastops: it has changed on disk since this process imported it; start the process anew")


def is_free_threaded() -> bool:
    """True if this build of Python can run without the global lock, which protects the objects that kernels read.

    Such a build may use the lock, but any import may turn it on or off.
    """
    return bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def thread_count() -> int:
    """Return the number of threads that large work of this thread uses, after starting them."""
    read_thread_count()
    return count_workers()
