"""Launches: by how many threads large work is done, as the user and the system say."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from time import monotonic

from fastops._runtime._thread_limits import ThreadLimits
from fastops._runtime._threading_layers import is_count_chosen, read_thread_count, runs_regions

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
