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
from importlib import import_module
from typing import Any

from fastops._process._warnings import warn_once

_INTERNALS = "fastops._runtime._numba_internals"

# What the loader calls the library of TBB that Numba asks for.
_TBB_NAMES = {"linux": "libtbb.so.12", "darwin": "libtbb.12.dylib", "win32": "tbb12.dll"}

# Values of NUMBA_THREADING_LAYER with which Numba looks for TBB.
_ASKS_FOR_TBB = ("default", "tbb", "safe", "threadsafe", "forksafe")

_ADVICE = ". Less work is serial with TBB: pip install tbb"

# When work is serial, and why.
_SERIAL = {
    "workqueue": "while the process has several threads, of which two at once would end it",
    "omp": "in a process that was forked from one that has used its threads, which would end it",
    "tbb": "in a process that was forked from one with several threads, where it might never end",
}


def serial_work(layer: str) -> str | None:
    """Return a line that says when large work is serial on a layer, or None if it never is."""
    return f"serial {_SERIAL[layer]}{'' if layer == 'tbb' else _ADVICE}" if layer in _SERIAL else None


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
    if threading_layer() is None:
        _load_tbb()
        with warnings.catch_warnings():
            # About a layer that Numba tries and passes over; `fastops info` names the one that it takes.
            warnings.filterwarnings("ignore", message=".*TBB threading layer requires TBB")
            import_module("numba").get_num_threads()
    return threading_layer() or "none"


def _load_tbb() -> None:
    """Load the library of the wheel ``tbb``: it lies in the environment's ``lib``, where the loader does not look.

    Once it is loaded, Numba finds it by its name.
    """
    name = _TBB_NAMES.get(sys.platform)
    if name is None or str(import_module("numba").config.THREADING_LAYER).lower() not in _ASKS_FOR_TBB:
        return
    metadata = import_module("importlib.metadata")
    try:
        files = metadata.files("tbb") or []
    except metadata.PackageNotFoundError:
        return
    for path in [file.locate() for file in files if file.name == name]:
        try:
            import_module("ctypes").CDLL(os.path.realpath(path))
        except OSError as error:
            warn_once(f"TBB is installed but cannot be loaded: {error}")


def read_thread_count() -> int:
    """Return how many threads a region of this thread has, once Numba has started them."""
    internals: Any = sys.modules[_INTERNALS]
    count: int = internals.read_thread_count()
    return count


# True once regions are known to run in this process, whatever its other threads do.
is_safe = False

# True in a child in which regions do not run: Numba ends one of threads of GNU OpenMP at its first region.
_is_lost = False

# True while a process forks that has several threads, any of which might be in a region.
_forks_amid_threads = False


def count_workers() -> int:
    """Return how many threads work may be shared by now: 1 where a region might end the process."""
    global is_safe
    layer = start_threads()
    if layer == "workqueue":
        # Any other thread might be in a region, of fastops or of its own.
        if len(sys._current_frames()) > 1:
            _warn_of_serial_work(layer)
            return 1
        return read_thread_count()
    if _is_lost:
        _warn_of_serial_work(layer)
        return 1
    is_safe = True
    return read_thread_count()


def _before_fork() -> None:
    """In a process that forks: note what its child cannot see any more."""
    global _forks_amid_threads
    _forks_amid_threads = len(sys._current_frames()) > 1


def _note_fork() -> None:
    """In a forked child: find out if regions still run."""
    global is_safe, _is_lost
    layer = threading_layer()
    _is_lost = _is_lost or layer == "omp" or (layer == "tbb" and _forks_amid_threads)
    is_safe = is_safe and not _is_lost


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_note_fork)


def _warn_of_serial_work(layer: str) -> None:
    what = f"large work is done by one thread here. On Numba's threading layer {layer} it is {serial_work(layer)}"
    warn_once(what)
