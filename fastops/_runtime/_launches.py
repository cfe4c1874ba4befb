"""Launches: by how many threads large work is done, as the user, the system and the last launches say."""

from __future__ import annotations

import os
from collections.abc import Callable
from time import monotonic
from typing import Any

from fastops._runtime._launch_backoff import LaunchBackoff
from fastops._runtime._thread_limits import ThreadLimits
from fastops._runtime._threading_layers import is_count_chosen, read_thread_count, runs_regions, set_thread_count

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

# One for work of each power of two of bytes: what is too small for the machine of the moment is found out.
_backoffs = [LaunchBackoff() for _ in range(64)]


def count_workers() -> int:
    """Return how many threads work may be shared by now, once Numba has started them.

    That is as many as regions of this thread have, unless the system gives fewer; and 1 where regions do not run, and
    in a pool's worker, unless the user has chosen a number.
    """
    global _limits, _next_look
    count = read_thread_count()
    now = monotonic()
    if now >= _next_look:
        _limits = ThreadLimits.read()
        _next_look = now + _SECONDS_BETWEEN_LOOKS
    if _limits.is_pool_worker and not is_count_chosen():
        return 1
    if _limits.threads < count:
        count = _limits.threads
    return count if count > 1 and runs_regions() else 1


def launch(run: Callable[..., int], args: tuple[Any, ...], total_bytes: int, workers: int) -> None:
    """Run a kernel that writes so many bytes, with 2 workers or more, or serially while launches lose time."""
    backoff = _backoffs[total_bytes.bit_length()]
    if backoff.serial_ticks > 0:
        backoff.note_serial(run(*args, 1))
        return
    of_regions = read_thread_count()
    if workers == of_regions:
        backoff.note_launch(run(*args, workers))
        return
    # Regions wait for all threads that they have, with work or without.
    set_thread_count(workers)
    try:
        backoff.note_launch(run(*args, workers))
    finally:
        set_thread_count(of_regions)
