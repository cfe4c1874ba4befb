"""Locks that forks wait for, and a block in which Numba and LLVM work: Ctrl-C waits, and their errors are one line.

A forked child has the locks of all threads of its parent, but only one thread. If another thread loads or compiles
kernels during a fork, the child waits for its lock for ever. So a fork takes these locks first.

A thread always takes Numba's compiler lock before the lock of loading, because user code that runs while Numba compiles
may call fastops. Forks take both in the same order: Python runs the hooks in the reverse order of their registration.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock, current_thread, main_thread
from types import FrameType
from typing import Any

from fastops._errors import KernelError


def let_forks_wait(lock: Any) -> None:
    """Let each fork from now on wait until no other thread holds a reentrant lock."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)


#: Held while kernels are loaded.
LOADING = RLock()
let_forks_wait(LOADING)


@contextmanager
def saying_why(task: str) -> Iterator[None]:
    """Raise a KernelError of one line in place of an exception of Numba or LLVM, and let Ctrl-C wait meanwhile."""
    with _interrupts_held_back():
        try:
            yield
        except (Warning, KernelError):
            # A Warning arrives here only if the user has turned warnings into errors.
            raise
        except Exception as error:
            reason = " ".join(str(error).split())
            raise KernelError(f"fastops: this process cannot {task}: {reason}") from error


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let Ctrl-C wait until the block is done: an interrupted import of Numba cannot be repeated in this process."""
    handle = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(handle):
        # Python runs handlers in the main thread only.
        yield
        return
    held: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda *signaled: held.append(signaled))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handle)
        if held:
            handle(*held[0])
