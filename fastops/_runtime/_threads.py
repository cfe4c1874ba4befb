"""Threads: the library that runs them, how many the system gives this process, and whether they may run now.

On each of Numba's threading layers, some parallel regions end or hang the process. In these cases large work is serial:

- On GNU OpenMP ("omp", Numba's default on Linux), regions in a child that was forked after Numba had started its
  threads.
- On "workqueue", two regions at the same time, or one within another.
- On "tbb", about one region in a hundred, in a child that was forked while another thread was in a region.

Importing this module does not load Numba, and starts no thread.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from fastops._errors import saying_why
from fastops._process import warn_once

# Where TBB's wheel puts its library, relative to a directory of packages.
_LIBRARIES = {"linux": "../../../lib/libtbb.so.12", "win32": "../../Library/bin/tbb12.dll"}


def load_tbb() -> None:
    """Load the library of the wheel ``tbb``, if it is installed; this starts no thread.

    The loader of the system does not look into an environment's ``lib``. Once the library is loaded, Numba finds it by
    its name. This function looks for the file, because `importlib.metadata` takes longer than the rest of ``import
    fastops``.
    """
    library = _LIBRARIES.get(sys.platform, "")
    # After pip install --target, the library is in the directory of packages.
    places = [f"{directory}/{end}" for directory in sys.path for end in (library, library.lstrip("./"))]
    path = next(filter(os.path.isfile, filter(os.path.isabs, places)), None)
    if path is not None:
        try:
            import_module("ctypes").CDLL(os.path.realpath(path))
        except OSError as error:
            warn_once(f"TBB is installed but cannot be loaded: {error}")


class ThreadLimits(NamedTuple):
    """Limits of the threads of this process.

    Attributes
    ----------
    affinity : int
        The number of processors that the calling thread may run on.
    quota : float or None
        The number of processors that the control group gives on average; None without a limit.
    is_pool_worker : bool
        True in a process that multiprocessing started, such as a worker of a data loader. Most often there are as many
        workers as processors.
    """

    affinity: int
    quota: float | None
    is_pool_worker: bool

    @property
    def threads(self) -> int:
        """Threads that can run at once, at least 1."""
        return self.affinity if self.quota is None else max(1, min(self.affinity, int(self.quota)))

    @classmethod
    def read(cls) -> ThreadLimits:
        """Return the limits as they are now."""
        affinity = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
        # Do not call `parent_process`: while another thread imports the module, it may lack this function.
        parent = getattr(sys.modules.get("multiprocessing.process"), "_parent_process", None)
        return cls(affinity, read_quota(), parent is not None)


@cache
def read_quota(root: str = "/") -> float | None:
    """Return how many processors the control group of this process gives on average, or None without a limit.

    Only version 2 of control groups is read: the number is the smallest limit of the group and the groups that contain
    it. ``root`` is the directory with the system's files.

    References
    ----------
    Linux: ``Documentation/admin-guide/cgroup-v2.rst`` (``cpu.max``).
    """
    quotas = []
    try:
        own = PurePosixPath("/", Path(root, "proc/self/cgroup").read_text("utf-8").partition("0::")[2].strip())
        for group in (own, *own.parents):
            limits = Path(root, "sys/fs/cgroup", *group.parts[1:], "cpu.max")
            # The root group has no such file.
            if limits.exists():
                quota, period = limits.read_text("utf-8").split()
                quotas += [] if quota == "max" else [int(quota) / int(period)]
    except (OSError, ValueError):
        # The system is not Linux, or the format is not known.
        return None
    return min(quotas, default=None)


#: When large work is serial on each layer, and why.
SERIAL_WORK = {
    "workqueue": "serial while the process has several threads, because two parallel regions at once would end it",
    "omp": "serial in a process forked after Numba had started its threads, because a parallel region would end it",
    "tbb": "serial in a process forked from one with several threads, because a parallel region might never end",
}


def threading_layer() -> str | None:
    """Return the threading layer that Numba runs on, or None before it has started threads in this process."""
    numba = sys.modules.get("numba")
    try:
        return None if numba is None else str(numba.threading_layer())
    except (ValueError, AttributeError):
        # Numba has started no threads yet, or another thread is importing Numba.
        return None


@cache
def start_threads() -> Callable[[], int]:
    """Let Numba start its threads if it has not; return a function that counts those of a parallel region.

    Numba's own `get_num_threads` takes two locks. In a child that was forked while another thread held one of them, it
    would never return.
    """
    with saying_why("start threads"):
        numba = import_module("numba")
        if threading_layer() is None:
            numba.get_num_threads()
        # Another version of Numba may lack this module and its function.
        return getattr(sys.modules.get("numba.np.ufunc.parallel"), "_get_num_threads", numba.get_num_threads)


def read_thread_count() -> int:
    """Return how many threads a region of this thread has; Numba starts them if it has not."""
    return start_threads()()


def is_count_chosen() -> bool:
    """True if the user has chosen how many threads Numba starts, or how many a region of this thread has."""
    if "NUMBA_NUM_THREADS" in os.environ:
        return True
    numba = sys.modules.get("numba")
    return numba is not None and read_thread_count() != numba.config.NUMBA_NUM_THREADS


# True in a child process in which parallel regions do not run.
_is_lost = False

# True while a process with several threads forks: any of them might be in a region.
_forks_amid_threads = False


def runs_regions() -> bool:
    """True if a parallel region may run now; warn if one might end or hang the process."""
    layer = threading_layer() or "none"
    # On workqueue, any other thread might be in a region of its own.
    is_lost = len(sys._current_frames()) > 1 if layer == "workqueue" else _is_lost
    if is_lost:
        why = f"On Numba's threading layer {layer} it is {SERIAL_WORK[layer]}"
        warn_once(f"large work is done by one thread here. {why}")
    return not is_lost


def _before_fork() -> None:
    global _forks_amid_threads
    _forks_amid_threads = len(sys._current_frames()) > 1


def _after_fork_in_child() -> None:
    global _is_lost
    layer = threading_layer()
    _is_lost = _is_lost or layer == "omp" or (layer == "tbb" and _forks_amid_threads)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_after_fork_in_child)
