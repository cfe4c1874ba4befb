"""How long the threads of this process have waited for a processor that others had."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

_TASKS = Path("/proc/self/task")


def seconds_waited(tasks: Path = _TASKS) -> float:
    """Return for how long the threads of this process were ready to run and did not, in all, so far.

    It is 0 where the system does not count it.

    References
    ----------
    Linux: ``Documentation/scheduler/sched-stats.rst`` (``/proc/<pid>/schedstat``: nanoseconds on the processor, then
    those of waiting for one).
    """
    nanoseconds = 0
    for file in tasks.glob("*/schedstat"):
        # A thread may end before its file is read.
        with suppress(OSError):
            nanoseconds += int(file.read_text(encoding="ascii").split()[1])
    return nanoseconds / 1e9
