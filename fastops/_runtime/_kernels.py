"""How kernels are loaded and run.

Importing this module loads neither LLVM nor Numba nor a thread. The first call of a kernel loads the object of all
kernels by LLVM; the first large work loads Numba, starts its threads, and compiles what shares work among them.
"""

from __future__ import annotations

import sysconfig
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fastops._errors import KernelError
from fastops._process._warnings import warn_once
from fastops._runtime._complaints import saying_why
from fastops._runtime._launches import count_workers
from fastops._runtime._locks import LOADING
from fastops._runtime._threading_layers import start_threads
from fastops._settings import LAUNCH_BYTES, PARALLEL_BYTES
from fastops.kernels._form import IS_CHECKED
from fastops.kernels._sources import SOURCES, digest_now

if TYPE_CHECKING:
    from fastops._runtime._objects import Object

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
