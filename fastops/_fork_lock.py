"""Locks that forks wait for, and imports under one.

A child has the locks of all threads of its parent, and one thread. A lock that another thread holds in the moment of
the fork is never released there, be it one of ours, of Numba or of the import system. So what takes such locks takes
one of these first, and a fork takes them all.
"""

from __future__ import annotations

import os
import sys
from _thread import RLock, get_ident
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from time import sleep
from types import ModuleType


class ForkLock:
    """A lock of one thread at a time, which may take it again: the one that has it may be the one that forks."""

    def __init__(self) -> None:
        self._lock = RLock()
        # The thread and the process of each fork that waits or has the lock.
        self._forks: set[tuple[int, int]] = set()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Take the lock for a block."""
        # In a child that the block itself forks, the one that it took is another than the lock's.
        with self._lock:
            yield

    def watch_forks(self) -> None:
        """Let forks wait for the lock, from now on. They take the lock that was the last to be watched first."""
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._take, after_in_parent=self._release, after_in_child=self._renew)

    def let_forks_end(self) -> None:
        """Return once the forks of other threads are over that wait for the lock now: it must not be taken."""
        # Hooks of others, which run before ours, may ask for this amid a fork, in a child too.
        while any(process == os.getpid() and thread != get_ident() for thread, process in tuple(self._forks)):
            sleep(0.001)

    def _take(self) -> None:
        self._forks.add((get_ident(), os.getpid()))
        if not self._lock.acquire(blocking=False):
            # Ctrl-C would end the waiting, and Python forks all the same.
            with _interrupts().signals_held_back():
                self._lock.acquire()

    def _release(self) -> None:
        # A fork that had begun before this was watched has not taken it.
        with suppress(RuntimeError):
            self._lock.release()
        self._forks.discard((get_ident(), os.getpid()))

    def _renew(self) -> None:
        self._lock, self._forks = RLock(), set()


_import_lock = ForkLock()
_import_lock.watch_forks()


def import_whole(name: str) -> ModuleType:
    """Import a module, for which forks wait, and signals: Python cannot finish later what one interrupts."""
    module = sys.modules.get(name)
    if module is not None and not getattr(getattr(module, "__spec__", None), "_initializing", False):
        return module
    _follow_logging()
    with _import_lock.taken(), _interrupts().signals_held_back():
        return import_module(name)


@cache
def _watch_again() -> None:
    _import_lock.watch_forks()


def _follow_logging() -> None:
    """Let forks take the lock of imports before that of `logging`, which an import may wait for with ours taken."""
    if "logging" in sys.modules:
        _watch_again()


def watch_forks(lock: ForkLock) -> None:
    """Let forks wait for a lock, also those that have begun and wait for an import: they go before it is taken."""
    _follow_logging()
    lock.watch_forks()
    _import_lock.let_forks_end()


def _interrupts() -> ModuleType:
    # Not before it is needed: importing fastops loads as little as it can.
    return import_module("fastops._interrupts")
