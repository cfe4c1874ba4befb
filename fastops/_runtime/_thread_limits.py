"""Thread limits: how many threads the system gives this process, by what it can know without asking Numba.

Numba starts as many threads as its main thread may use processors when Numba is imported. What containers, batch
systems and process pools leave of those is found here.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import PurePosixPath
from typing import NamedTuple


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
