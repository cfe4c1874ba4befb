"""Threading layers: what Numba runs threads on, and when a parallel region on it would end the process.

On GNU OpenMP (omp, Numba's default on Linux) that is a region in a child that was forked after Numba had started its
threads; on workqueue a region while another thread is in one, or within one. On tbb a region may never end in a child
that was forked while another thread was in one: of some hundred such children, one did not. There, work is serial.

Importing this loads neither Numba nor a thread.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from importlib import import_module

from fastops._process._warnings import warn_once
from fastops._runtime._thread_limits import read_quota

_INTERNALS = "fastops._runtime._numba_internals"

# When work is serial, and why.
_SERIAL = {
    "workqueue": "while the process has several threads, of which two at once would end it",
    "omp": "in a process that was forked from one that has used its threads, which would end it",
    "tbb": "in a process that was forked from one with several threads, where it might never end",
}


def serial_work(layer: str) -> str | None:
    """Return a line that says when large work is serial on a layer, or None if it never is."""
    return f"serial {_SERIAL[layer]}" if layer in _SERIAL else None


def threading_layer() -> str | None:
    """Return the threading layer that Numba runs on, or None before it has started threads in this process."""
    numba = sys.modules.get("numba")
    try:
        return None if numba is None else str(numba.threading_layer())
    except (ValueError, AttributeError):
        # No threads yet, or another thread is importing Numba.
        return None


def start_threads() -> str:
    """Let Numba start its threads, unless it has, and return the layer."""
    import_module(_INTERNALS)
    read_quota()
    if threading_layer() is None:
        with warnings.catch_warnings():
            # About a layer that Numba tries and passes over; `fastops info` names the one that it takes.
            warnings.filterwarnings("ignore", message=".*TBB threading layer requires TBB")
            import_module("numba").get_num_threads()
    return threading_layer() or "none"


# What reads how many threads a region of a thread has, once Numba has started them.
_count_threads: Callable[[], int] | None = None


def read_thread_count() -> int:
    """Return how many threads a region of this thread has; Numba starts them, unless it has."""
    global _count_threads
    if _count_threads is None:
        with import_module("fastops._runtime._complaints").saying_why("start threads"):
            start_threads()
            _count_threads = import_module(_INTERNALS).thread_counter()
    return _count_threads()


def is_count_chosen() -> bool:
    """True if the user has said how many threads Numba starts, or a region of this thread has."""
    if "NUMBA_NUM_THREADS" in os.environ:
        return True
    numba = sys.modules.get("numba")
    return numba is not None and read_thread_count() != numba.config.NUMBA_NUM_THREADS


# True once regions are known to run in this process, whatever its other threads do.
_is_safe = False

# True in a child in which regions do not run: Numba ends one of threads of GNU OpenMP at its first region.
_is_lost = False

# True while a process forks that has several threads, any of which might be in a region.
_forks_amid_threads = False


def runs_regions() -> bool:
    """True if a parallel region runs now; where it might end the process, a warning says so."""
    global _is_safe
    if _is_safe:
        return True
    layer = start_threads()
    # On workqueue, any other thread might be in a region, of fastops or of its own.
    is_lost = len(sys._current_frames()) > 1 if layer == "workqueue" else _is_lost
    if is_lost:
        warn_once(
            f"large work is done by one thread here. On Numba's threading layer {layer} it is {serial_work(layer)}"
        )
    _is_safe = not is_lost and layer != "workqueue"
    return not is_lost


def _before_fork() -> None:
    """In a process that forks: note what its child cannot see any more."""
    global _forks_amid_threads
    _forks_amid_threads = len(sys._current_frames()) > 1


def _note_fork() -> None:
    """In a forked child: find out if regions still run."""
    global _is_safe, _is_lost
    layer = threading_layer()
    _is_lost = _is_lost or layer == "omp" or (layer == "tbb" and _forks_amid_threads)
    _is_safe = _is_safe and not _is_lost


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_note_fork)
