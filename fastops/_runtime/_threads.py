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
import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from fastops._process import warn_once

# Where TBB's wheel puts its library, relative to the root of an environment.
_LIBRARIES = {
    "linux": ("lib", "libtbb.so.12"),
    "darwin": ("lib", "libtbb.12.dylib"),
    "win32": ("Library", "bin", "tbb12.dll"),
}


def load_tbb() -> None:
    """Load the library of the wheel ``tbb``, if it is installed; this starts no thread.

    The loader of the system does not look into an environment's ``lib``. Once the library is loaded, Numba finds it by
    its name.
    """
    path = _find_tbb()
    if path is not None:
        try:
            import_module("ctypes").CDLL(path)
        except OSError as error:
            warn_once(f"TBB is installed but cannot be loaded: {error}")


def _find_tbb() -> str | None:
    """Return the library of TBB in an environment that this process imports from, or None.

    This asks the file system, because `importlib.metadata` takes longer than the rest of ``import fastops``.
    """
    to_root = [".."] * (2 if sys.platform == "win32" else 3)
    for directory in filter(os.path.isabs, sys.path if sys.platform in _LIBRARIES else []):
        # The root of the environment; or the directory itself, after pip install --target.
        for root in (os.path.join(directory, *to_root), directory):
            path = os.path.join(root, *_LIBRARIES[sys.platform])
            if os.path.isfile(path):
                return os.path.realpath(path)
    return None


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

    This number is the smallest limit of the group and the groups that contain it, in version 2. ``root`` is the
    directory with the system's files.

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
    "workqueue": "serial while the process has several threads, because two at once would end it",
    "omp": "serial in a process that was forked from one that has used its threads, which would end it",
    "tbb": "serial in a process that was forked from one with several threads, where it might never end",
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
def start_threads() -> str:
    """Let Numba start its threads if it has not, and return the layer."""
    numba = import_module("numba")
    if threading_layer() is None:
        with warnings.catch_warnings():
            # Numba warns of a layer that it passes over; `fastops info` names the layer that it takes.
            warnings.filterwarnings("ignore", message=".*TBB threading layer requires TBB")
            numba.get_num_threads()
    return threading_layer() or "none"


# Returns how many threads a region of the calling thread has. None before Numba has started its threads.
_count_threads: Callable[[], int] | None = None


def read_thread_count() -> int:
    """Return how many threads a region of this thread has; Numba starts them if it has not.

    The number is 1, with a warning, if Numba lacks an internal that sharing work needs.
    """
    global _count_threads
    if _count_threads is None:
        with import_module("fastops._runtime._locks").saying_why("start threads"):
            start_threads()
            try:
                _count_threads = import_module("fastops._runtime._parallel").thread_counter()
            except (ImportError, AttributeError, KeyError) as error:
                warn_once(f"large work is done by one thread here, because this version of Numba differs: {error}")
                _count_threads = lambda: 1  # noqa: E731
    return _count_threads()


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
    """True if a parallel region may run now; where it might end the process, a warning says so."""
    layer = start_threads()
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
