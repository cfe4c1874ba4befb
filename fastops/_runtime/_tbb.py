"""TBB: the library of the wheel ``tbb``, which lies in the environment's ``lib``, where the loader does not look.

Once it is loaded, Numba finds it by its name, whoever asks Numba for threads first. Loading it starts no thread.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

from fastops._process._warnings import warn_once

# Where the wheel puts the library, seen from the environment.
_LIBRARIES = {
    "linux": ("lib", "libtbb.so.12"),
    "darwin": ("lib", "libtbb.12.dylib"),
    "win32": ("Library", "bin", "tbb12.dll"),
}


def load_tbb() -> None:
    """Load the library of the wheel ``tbb``, if there is one for this machine and it is installed."""
    path = find_tbb(sys.path)
    if path is None:
        return
    try:
        # NumPy imports it too, so that it costs nothing later.
        import_module("ctypes").CDLL(path)
    except OSError as error:
        warn_once(f"TBB is installed but cannot be loaded: {error}")


def find_tbb(directories: list[str]) -> str | None:
    """Return the library of the first wheel ``tbb`` that is installed in one of these directories, or None.

    A few questions to the file system: `importlib.metadata`, which knows it too, takes longer than all of an import.
    """
    library = _LIBRARIES.get(sys.platform)
    if library is None:
        return None
    # How deep in an environment its packages lie.
    depth = 2 if sys.platform == "win32" else 3
    for directory in directories:
        if not os.path.isabs(directory):
            continue
        # An environment's packages; or those that pip was told to install with --target.
        for environment in (os.path.join(directory, *[".."] * depth), directory):
            path = os.path.join(environment, *library)
            if os.path.isfile(path) and _has_wheel(directory):
                return os.path.realpath(path)
    return None


def _has_wheel(directory: str) -> bool:
    return any([name.startswith("tbb-") and name.endswith(".dist-info") for name in os.listdir(directory)])
