"""TBB: the library of the wheel ``tbb``, which lies in the environment's ``lib``, where the loader does not look.

Once it is loaded, Numba finds it by its name, whoever asks Numba for threads first. Loading it starts no thread.

Thread limits: how many threads the system gives this process, by what it can know without asking Numba.

Numba starts as many threads as its main thread may use processors when Numba is imported. What containers, batch
systems and process pools leave of those is found here.

Threading layers: what Numba runs threads on, and when a parallel region on it would end the process.

On GNU OpenMP (omp, Numba's default on Linux) that is a region in a child that was forked after Numba had started its
threads; on workqueue a region while another thread is in one, or within one. On tbb a region may never end in a child
that was forked while another thread was in one: of some hundred such children, one did not. There, work is serial.

Importing this loads neither Numba nor a thread.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import PurePosixPath
from typing import NamedTuple

from fastops._process import warn_once

# Where the wheel puts the library, seen from the environment.
_LIBRARIES = {
    "linux": ("lib", "libtbb.so.12"),
    "darwin": ("lib", "libtbb.12.dylib"),
    "win32": ("Library", "bin", "tbb12.dll"),
}


def load_tbb() -> None:
    """Load the library of the wheel ``tbb``, if there is one for this machine and it is installed."""
    path = find_tbb(sys.path)
    if path is None:
        return
    try:
        # NumPy imports it too, so that it costs nothing later.
        import_module("ctypes").CDLL(path)
    except OSError as error:
        warn_once(f"TBB is installed but cannot be loaded: {error}")


def find_tbb(directories: list[str]) -> str | None:
    """Return the library of the first wheel ``tbb`` that is installed in one of these directories, or None.

    A few questions to the file system: `importlib.metadata`, which knows it too, takes longer than all of an import.
    """
    library = _LIBRARIES.get(sys.platform)
    if library is None:
        return None
    # How deep in an environment its packages lie.
    depth = 2 if sys.platform == "win32" else 3
    for directory in directories:
        if not os.path.isabs(directory):
            continue
        # An environment's packages; or those that pip was told to install with --target.
        for environment in (os.path.join(directory, *[".."] * depth), directory):
            path = os.path.join(environment, *library)
            if os.path.isfile(path) and _has_wheel(directory):
                return os.path.realpath(path)
    return None


def _has_wheel(directory: str) -> bool:
    return any([name.startswith("tbb-") and name.endswith(".dist-info") for name in os.listdir(directory)])


class ThreadLimits(NamedTuple):
    """What limits the threads of this process.

    Attributes
    ----------
    affinity : int
        Processors that the calling thread may run on.
    quota : float or None
        Processors' time that the control group gives in each period, in periods; None where there is no limit.
    is_pool_worker : bool
        True in a process that multiprocessing has started, which most often has as many others beside it as there are
        processors: pools, and data loaders' workers.
    """

    affinity: int
    quota: float | None
    is_pool_worker: bool

    @property
    def threads(self) -> int:
        """Threads that run at once without waiting for the system, at least 1; pools are not counted."""
        return self.affinity if self.quota is None else max(1, min(self.affinity, int(self.quota)))

    @classmethod
    def read(cls) -> ThreadLimits:
        """Return what limits this process now."""
        return cls(_count_processors(), read_quota(), _is_pool_worker())


def _count_processors() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _is_pool_worker() -> bool:
    process = sys.modules.get("multiprocessing.process")
    try:
        return process is not None and process.parent_process() is not None
    except (AttributeError, NameError):
        # Another thread is importing it. A process that it has started has loaded it before anything else.
        return False


@cache
def read_quota(root: str = "/") -> float | None:
    """Return how many processors' time the control group of this process has, or None without a limit.

    It is the least of those of the group and of the groups around it, in version 2, read once: when threads are
    started, where signals wait, because an OSError of a handler's would look like a file that is not there. `root` is
    where the system's files are. A container sees its own group as the root of all.

    References
    ----------
    Linux: ``Documentation/admin-guide/cgroup-v2.rst`` (``cpu.max``).
    """
    quotas = []
    try:
        group = PurePosixPath("/", _read(root, "proc/self/cgroup").partition("0::")[2].strip())
        for each in (group, *group.parents):
            limits = os.path.join(root, "sys/fs/cgroup", *each.parts[1:])
            # The root of all groups has none.
            if os.path.exists(os.path.join(limits, "cpu.max")):
                quota, period = _read(limits, "cpu.max").split()
                quotas += [] if quota == "max" else [int(quota) / int(period)]
    except (OSError, ValueError):
        # No Linux, or nothing that is known of it: then there is no limit that could be known.
        return None
    return min(quotas, default=None)


def _read(directory: str, name: str) -> str:
    with open(os.path.join(directory, name), encoding="utf-8") as file:
        return file.read().strip()


_INTERNALS = "fastops._runtime._numba_internals"

# When work is serial, and why.
_SERIAL = {
    "workqueue": "while the process has several threads, of which two at once would end it",
    "omp": "in a process that was forked from one that has used its threads, which would end it",
    "tbb": "in a process that was forked from one with several threads, where it might never end",
}


def serial_work(layer: str) -> str | None:
    """Return a line that says when large work is serial on a layer, or None if it never is."""
    return f"serial {_SERIAL[layer]}" if layer in _SERIAL else None


def threading_layer() -> str | None:
    """Return the threading layer that Numba runs on, or None before it has started threads in this process."""
    numba = sys.modules.get("numba")
    try:
        return None if numba is None else str(numba.threading_layer())
    except (ValueError, AttributeError):
        # No threads yet, or another thread is importing Numba.
        return None


def start_threads() -> str:
    """Let Numba start its threads, unless it has, and return the layer."""
    import_module("numba")
    read_quota()
    if threading_layer() is None:
        with warnings.catch_warnings():
            # About a layer that Numba tries and passes over; `fastops info` names the one that it takes.
            warnings.filterwarnings("ignore", message=".*TBB threading layer requires TBB")
            import_module("numba").get_num_threads()
    return threading_layer() or "none"


# What reads how many threads a region of a thread has, once Numba has started them.
_count_threads: Callable[[], int] | None = None


def read_thread_count() -> int:
    """Return how many threads a region of this thread has; Numba starts them, unless it has."""
    global _count_threads
    if _count_threads is None:
        with import_module("fastops._runtime._locks").saying_why("start threads"):
            start_threads()
            _count_threads = _find_counter()
    return _count_threads()


def _find_counter() -> Callable[[], int]:
    """Return what counts the threads of a region: 1, with a warning, where Numba lacks what sharing work needs."""
    try:
        counter: Callable[[], int] = import_module(_INTERNALS).thread_counter()
    except (ImportError, AttributeError, KeyError) as error:
        warn_once(f"large work is done by one thread here, because this version of Numba differs: {error}")
        return lambda: 1
    return counter


def is_count_chosen() -> bool:
    """True if the user has said how many threads Numba starts, or a region of this thread has."""
    if "NUMBA_NUM_THREADS" in os.environ:
        return True
    numba = sys.modules.get("numba")
    return numba is not None and read_thread_count() != numba.config.NUMBA_NUM_THREADS


# True once regions are known to run in this process, whatever its other threads do.
_is_safe = False

# True in a child in which regions do not run: Numba ends one of threads of GNU OpenMP at its first region.
_is_lost = False

# True while a process forks that has several threads, any of which might be in a region.
_forks_amid_threads = False


def runs_regions() -> bool:
    """True if a parallel region runs now; where it might end the process, a warning says so."""
    global _is_safe
    if _is_safe:
        return True
    layer = start_threads()
    # On workqueue, any other thread might be in a region, of fastops or of its own.
    is_lost = len(sys._current_frames()) > 1 if layer == "workqueue" else _is_lost
    if is_lost:
        warn_once(
            f"large work is done by one thread here. On Numba's threading layer {layer} it is {serial_work(layer)}"
        )
    _is_safe = not is_lost and layer != "workqueue"
    return not is_lost


def _before_fork() -> None:
    """In a process that forks: note what its child cannot see any more."""
    global _forks_amid_threads
    _forks_amid_threads = len(sys._current_frames()) > 1


def _note_fork() -> None:
    """In a forked child: find out if regions still run."""
    global _is_safe, _is_lost
    layer = threading_layer()
    _is_lost = _is_lost or layer == "omp" or (layer == "tbb" and _forks_amid_threads)
    _is_safe = _is_safe and not _is_lost


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_note_fork)
