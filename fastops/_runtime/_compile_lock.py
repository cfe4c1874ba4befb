"""The lock around compiling: Numba's own, for which forks wait.

A child has the locks of all threads of its parent, and one thread. If another thread compiles in the moment of a fork,
the child would wait for Numba's lock for ever. There is no lock of ours beside it: code of the user's that runs while
Numba compiles may call fastops, and would take the two in the other order.

Forks wait from when this is first imported, which is after Numba and `logging`, with which Numba reports on its
compiling: so they take this lock before that of `logging`, which who compiles may wait for.
"""

from __future__ import annotations

import os
from threading import get_ident

from fastops._process._signals import signals_held_back
from fastops._runtime._numba_internals import COMPILER_LOCK as COMPILER_LOCK

# How long a fork waits at most. Who compiles may wait for something that the forking thread is to do: the fork goes on
# then, as it would without this.
_MOST_SECONDS = 60.0

# The threads that fork and have the lock.
_forking: set[int] = set()


def _take() -> None:
    # Else Ctrl-C would end the waiting, and not the fork: Python prints what comes out of a hook, and forks all the
    # same.
    with signals_held_back():
        if COMPILER_LOCK.acquire(timeout=_MOST_SECONDS):
            _forking.add(get_ident())


def _release() -> None:
    if get_ident() in _forking:
        _forking.discard(get_ident())
        COMPILER_LOCK.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_take, after_in_parent=_release, after_in_child=_release)
