"""Locks that forks wait for.

A child has the locks of all threads of its parent, and one thread. If another thread loads or compiles kernels in the
moment of a fork, the child would wait for its lock for ever.

A thread that has Numba's own lock, under which it compiles, may take the lock of loading, and never the other way
round: code of the user's that runs while Numba compiles may call fastops. Forks take them in that order too, as Python
runs the hooks first that were registered last.

What Numba and LLVM raise when they cannot work here, in one line.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock, get_ident
from typing import Any

from fastops._errors import KernelError
from fastops._process import signals_held_back

# How long a fork waits at most. Who compiles may wait for something that the forking thread is to do: the fork goes on
# then, as it would without this.
_MOST_SECONDS = 60.0


def let_forks_wait(lock: Any) -> None:
    """Let every fork from now on wait until no other thread has a lock, which one thread may take several times."""
    # The threads that fork and have the lock.
    forking: set[int] = set()

    def take() -> None:
        # Else Ctrl-C would end the waiting, and not the fork: Python prints what comes out of a hook, and forks all the
        # same.
        with signals_held_back():
            if lock.acquire(timeout=_MOST_SECONDS):
                forking.add(get_ident())

    def release() -> None:
        if get_ident() in forking:
            forking.discard(get_ident())
            lock.release()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=take, after_in_parent=release, after_in_child=release)


#: The lock under which kernels are loaded, and LLVM is called for that.
LOADING = RLock()
let_forks_wait(LOADING)


@contextmanager
def saying_why(task: str) -> Iterator[None]:
    """Hold signals back, and say in one line what Numba or LLVM raises when it cannot work here.

    Ctrl-C waits for one function, of which neither Python nor Numba could finish half. What a handler of a signal
    raises comes out as it is, when the block is done.
    """
    with signals_held_back():
        try:
            yield
        except (Warning, KernelError):
            # Where warnings are errors.
            raise
        except Exception as error:
            reason = " ".join(str(error).split())
            raise KernelError(f"fastops: this process cannot {task}: {reason}") from error
