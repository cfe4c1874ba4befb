"""Locks that forks wait for, and imports under one.

A child has the locks of all threads of its parent, and one thread. A lock that another thread holds in the moment of
the fork is never released there, be it one of ours, of Numba or of the import system. So what takes such locks takes
one of these first, and a fork takes them all.
"""

from __future__ import annotations

import os
import sys
from _thread import RLock, get_ident
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from time import monotonic, sleep
from types import ModuleType
from typing import Any

from fastops._process._signals import signals_held_back

# How long a fork waits at most. Whoever has one of these locks may wait for something that the forking thread is to do:
# the fork goes on then, as it would without this.
_MOST_SECONDS = 60.0


class ForkLock:
    """A lock of one thread at a time, which may take it again: the one that has it may be the one that forks.

    ``find`` returns the `RLock` of another library, or None as long as there is none; without it, the lock is an own
    one.
    """

    def __init__(self, find: Callable[[], Any] | None = None) -> None:
        self._find = find
        self._own_lock = RLock()
        # The thread, the process and the lock of each hook of a fork that waits or has the lock.
        self._forks: list[tuple[int, int, Any]] = []

    def taken(self) -> AbstractContextManager[Any]:
        """Return the lock, to be taken for a block."""
        # Not this object: in a child that the block itself forks, the lock may be another one.
        lock: AbstractContextManager[Any] = self._current()
        return lock

    def _current(self) -> Any:
        return self._own_lock if self._find is None else self._find()

    def watch_forks(self) -> None:
        """Let forks wait for the lock, from now on. They take the lock that was the last to be watched first."""
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._take, after_in_parent=self._release, after_in_child=self._renew)

    def let_forks_end(self) -> None:
        """Return once the forks of other threads are over that wait for the lock now: it must not be taken."""
        # Hooks of others, which run before ours, may ask for this amid a fork, in a child too.
        while any(process == os.getpid() and thread != get_ident() for thread, process, _ in tuple(self._forks)):
            sleep(0.001)

    def _take(self) -> None:
        lock = self._current()
        if lock is None:
            return
        fork = get_ident(), os.getpid(), lock
        self._forks.append(fork)
        if not lock.acquire(blocking=False):
            raised = self._wait(fork)
            if raised is not None:
                raise raised

    def _wait(self, fork: tuple[int, int, Any]) -> BaseException | None:
        """Take the lock for a fork, within a minute; return what a handler of a signal has raised meanwhile.

        It does not end the waiting: Python prints what comes out of a hook, and forks all the same.
        """
        raised, end = None, monotonic() + _MOST_SECONDS
        with signals_held_back():
            while monotonic() < end:
                try:
                    if fork[2].acquire(timeout=1):
                        return raised
                except BaseException as error:
                    raised = error
            self._forks.remove(fork)
        return raised

    def _release(self) -> None:
        # A fork that had begun before this was watched has not taken it.
        for fork in [fork for fork in self._forks if fork[:2] == (get_ident(), os.getpid())][-1:]:
            self._forks.remove(fork)
            fork[2].release()

    def _renew(self) -> None:
        forks, self._forks = self._forks, []
        if self._find is None:
            self._own_lock = RLock()
        else:
            # This thread may have had it before the fork.
            for fork in [fork for fork in forks if fork[0] == get_ident()]:
                fork[2].release()


def _find_numbas_lock() -> Any:
    numbas = getattr(sys.modules.get("numba.core.compiler_lock"), "global_compiler_lock", None)
    return getattr(numbas, "_lock", None)


_import_lock = ForkLock()
_import_lock.watch_forks()
_compiler_lock = ForkLock(_find_numbas_lock)


def import_whole(name: str) -> ModuleType:
    """Import a module, for which forks wait, and signals: Python cannot finish later what one interrupts."""
    module = sys.modules.get(name)
    if module is not None and not getattr(getattr(module, "__spec__", None), "_initializing", False):
        return module
    _follow_logging()
    with _import_lock.taken(), signals_held_back():
        return import_module(name)


def compiler_lock() -> ForkLock:
    """Return the lock that Numba compiles under, for which forks wait, whoever compiles.

    There is none of our own beside it: code of the user's that runs while Numba compiles may call fastops, and would
    take the two in the other order.
    """
    # With which Numba reports on its compiling.
    import_whole("logging")
    import_whole("numba")
    _follow_logging()
    # Forks that wait for an import may have begun before they were to wait for this: they go before it is taken.
    _import_lock.let_forks_end()
    return _compiler_lock


@cache
def _watch_again() -> None:
    _import_lock.watch_forks()
    # Who compiles may import, and log.
    _compiler_lock.watch_forks()


def _follow_logging() -> None:
    """Let forks take the locks here before that of `logging`, which who has one of ours may wait for.

    `logging` watches forks from when it is imported.
    """
    if "logging" in sys.modules:
        _watch_again()


_follow_logging()
